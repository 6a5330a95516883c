import json
import threading
import time
from typing import Any, Dict, Mapping, Optional, Tuple
from urllib.parse import SplitResult, urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key

from .connections import Connections
from .error import CheckTokenError

_METADATA_SECONDS = 5 * 60
_KEYS_SECONDS = 10 * 60
_AGAIN_SECONDS = 5
"""A new kid loads the keys again, but not more often than this."""


class Platform:
    """The metadata (RFC 8414) and the public keys of a platform, kept until they are old."""

    def __init__(self, issuer: str, connections: Connections) -> None:
        self._issuer, self._connections = issuer, connections
        self._lock = threading.Lock()
        self._metadata: Optional[Tuple[SplitResult, SplitResult]] = None
        self._keys: Dict[str, Dict[str, Any]] = {}
        self._imported: Dict[Tuple[str, str], Key] = {}
        self._metadata_until = self._keys_until = self._keys_again = 0.0

    def endpoint(self, deadline: float) -> SplitResult:
        return self._current(deadline)[0]

    def key(self, header: Mapping[str, Any], deadline: float) -> Key:
        """Finds the key for the header of a JWS."""
        jwks = self._current(deadline)[1]
        kid, alg = header["kid"], header["alg"]
        with self._lock:
            now = time.monotonic()
            if now > self._keys_until or (kid not in self._keys and now > self._keys_again):
                self._keys_again = now + _AGAIN_SECONDS if self._keys else 0
                found = self._get(jwks, deadline).get("keys")
                if not isinstance(found, list):
                    raise CheckTokenError("wrong-metadata")
                usable = [jwk for jwk in found if isinstance(jwk, dict) and jwk.get("use", "sig") == "sig"]
                self._keys, self._imported = {str(jwk.get("kid")): jwk for jwk in usable}, {}
                self._keys_until = now + _KEYS_SECONDS
            return self._import(kid, alg)

    def _import(self, kid: str, alg: str) -> Key:
        jwk = self._keys.get(kid, {})
        if jwk.get("alg", alg) != alg or jwk.get("kty") not in ("RSA", "EC", "OKP"):
            raise CheckTokenError("unknown-key")
        try:
            if (kid, alg) not in self._imported:
                self._imported[kid, alg] = JWKRegistry.import_key(jwk)
            return self._imported[kid, alg]
        except (JoseError, ValueError, TypeError, KeyError):
            raise CheckTokenError("wrong-metadata") from None

    def _current(self, deadline: float) -> Tuple[SplitResult, SplitResult]:
        with self._lock:
            if self._metadata is None or time.monotonic() > self._metadata_until:
                found = self._get(address(f"{self._issuer}/.well-known/openid-configuration"), deadline)
                if found.get("issuer") != self._issuer:
                    raise CheckTokenError("wrong-metadata")
                self._metadata = (address(found.get("introspection_endpoint")), address(found.get("jwks_uri")))
                self._metadata_until = time.monotonic() + _METADATA_SECONDS
            return self._metadata

    def _get(self, url: SplitResult, deadline: float) -> Dict[str, Any]:
        response = self._connections.send(url, deadline)
        try:
            found = json.loads(response.body)
        except (ValueError, RecursionError):
            found = None
        if response.status != 200 or not isinstance(found, dict):
            raise CheckTokenError("wrong-metadata")
        return found


def address(text: object, reason: str = "wrong-metadata") -> SplitResult:
    """Gives a URL with TLS, or of this machine. Tokens and secrets are sent to no other."""
    try:
        url = urlsplit(str(text))
        local = url.scheme == "http" and url.hostname in ("localhost", "127.0.0.1", "::1")
        if (url.scheme == "https" or local) and url.hostname and not (url.port == 0 or url.query or url.username):
            return url
    except ValueError:
        pass
    raise CheckTokenError(reason)
