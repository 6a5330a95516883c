import base64
import hashlib
import json
import re
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Union
from urllib.parse import urlsplit

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry
from joserfc.util import urlsafe_b64decode

SIGNATURE = re.compile(r"((RS|PS|ES)(256|384|512)|EdDSA)")
_MAX_AGE_SECONDS = 60
_MAX_REMEMBERED = 100_000


@dataclass(frozen=True)
class Dpop:
    """The header DPoP of a request, with its method and address."""

    proof: str = field(repr=False)
    method: str
    url: str


class Proofs:
    """Whether a request proves the key or certificate that its token is bound to. It accepts each DPoP proof once."""

    def __init__(self) -> None:
        self._used: Dict[str, float] = {}
        self._lock = threading.Lock()

    def fit(
        self, claims: Mapping[str, Any], token: str, dpop: Optional[Dpop], certificate: Union[str, bytes, None]
    ) -> bool:
        """False for a bound token without its proof, and for a DPoP proof with a token that is not bound to it."""
        if not claims["active"] or ("cnf" not in claims and dpop is None):
            return True
        cnf = claims.get("cnf")
        if not isinstance(cnf, dict) or not cnf or set(cnf) - {"jkt", "x5t#S256"}:
            return False
        try:
            if "x5t#S256" in cnf and (certificate is None or _thumbprint(certificate) != cnf["x5t#S256"]):
                return False
            return self._signed(dpop, token, cnf["jkt"]) if "jkt" in cnf else dpop is None
        except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return False

    def _signed(self, dpop: Optional[Dpop], token: str, jkt: str) -> bool:
        """RFC 9449, section 4.3."""
        if dpop is None:
            return False
        header = json.loads(urlsafe_b64decode(dpop.proof.split(".")[0].encode()))
        alg = header["alg"]
        key = JWKRegistry.import_key(header["jwk"])
        if not SIGNATURE.fullmatch(alg) or header["typ"] != "dpop+jwt" or key.is_private or key.thumbprint() != jkt:
            return False
        claims = json.loads(jws.deserialize_compact(dpop.proof, key, [alg]).payload)
        fresh = abs(time.time() - claims["iat"]) <= _MAX_AGE_SECONDS
        here = claims["htm"] == dpop.method and _address(claims["htu"]) == _address(dpop.url)
        return fresh and here and claims["ath"] == _sha256(token.encode()) and self._first(claims["jti"])

    def _first(self, jti: str) -> bool:
        now, name = time.monotonic(), _sha256(jti.encode())
        with self._lock:
            while self._used:
                oldest = next(iter(self._used))
                if self._used[oldest] > now and len(self._used) < _MAX_REMEMBERED:
                    break
                del self._used[oldest]
            if name in self._used:
                return False
            self._used[name] = now + 2 * _MAX_AGE_SECONDS
            return True


def _thumbprint(certificate: Union[str, bytes]) -> str:
    """RFC 8705, section 3.1."""
    return _sha256(ssl.PEM_cert_to_DER_cert(certificate) if isinstance(certificate, str) else certificate)


def _sha256(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _address(text: str) -> Any:
    url = urlsplit(text)
    return url.scheme, url.hostname, url.port or {"https": 443, "http": 80}[url.scheme], url.path or "/"
