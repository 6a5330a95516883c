import hashlib
import re
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from joserfc import jws, jwt
from joserfc.jwk import JWKRegistry
from joserfc.util import json_b64decode, urlsafe_b64encode

from .error import FAILURES

SIGNATURE = re.compile(r"((RS|PS|ES)(256|384|512)|EdDSA)")
_MAX_AGE_SECONDS = 60
_MAX_REMEMBERED = 100_000
_MAX_LENGTH = 4096
"""An RSA key in a header, and its signature, are longer than joserfc's own limit."""


@dataclass(frozen=True)
class Dpop:
    """The header DPoP of a request, with its method and address."""

    proof: str = field(repr=False)
    method: str
    url: str


class Proofs:
    """Whether a request proves the key or certificate that its token is bound to. It accepts each DPoP proof once."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._used_before, self._until, self._lock = self._used, 0.0, threading.Lock()

    def fit(self, claims: Mapping[str, Any], token: str, dpop: Dpop | None, certificate: Any) -> bool:
        """False for a bound token without its proof, and for a DPoP proof with a token that is not bound to it."""
        cnf = claims.get("cnf")
        if not claims["active"] or (cnf is None and dpop is None):
            return True
        if not cnf or cnf.keys() - {"jkt", "x5t#S256"}:
            return False
        try:
            certified = "x5t#S256" not in cnf or _thumbprint(certificate) == cnf["x5t#S256"]
            return certified and (self._signed(dpop, token, cnf["jkt"]) if "jkt" in cnf else dpop is None)
        except FAILURES:
            return False

    def _signed(self, dpop: Any, token: str, jkt: str) -> bool:
        """RFC 9449, section 4.3."""
        header = json_b64decode(dpop.proof.split(".")[0].encode())
        key = JWKRegistry.import_key(header["jwk"])
        if not SIGNATURE.fullmatch(header["alg"]) or key.is_private or key.thumbprint() != jkt:
            return False
        registry = jws.JWSRegistry(algorithms=[header["alg"]])
        registry.max_header_length = registry.max_signature_length = _MAX_LENGTH
        claims = jwt.decode(dpop.proof, key, registry=registry).claims
        fresh = header["typ"] == "dpop+jwt" and abs(time.time() - claims["iat"]) <= _MAX_AGE_SECONDS
        here = claims["htm"] == dpop.method and _address(claims["htu"]) == _address(dpop.url)
        return fresh and here and claims["ath"] == _sha256(token.encode()) and self._first(claims["jti"])

    def _first(self, jti: str) -> bool:
        """Remembers it for as long as its proof is fresh, and at most as long again."""
        now, name = time.monotonic(), _sha256(jti.encode())
        with self._lock:
            if now > self._until or len(self._used) >= _MAX_REMEMBERED:
                self._used_before, self._used, self._until = self._used, set(), now + 2 * _MAX_AGE_SECONDS
            first = name not in self._used and name not in self._used_before
            self._used.add(name)
            return first


def _thumbprint(certificate: Any) -> str:
    """RFC 8705, section 3.1."""
    return _sha256(ssl.PEM_cert_to_DER_cert(certificate) if isinstance(certificate, str) else certificate)


def _sha256(data: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(data).digest()).decode()


def _address(text: str) -> Any:
    url = urlsplit(text)
    return url.scheme, url.hostname, url.port or {"https": 443, "http": 80}[url.scheme], url.path or "/"
