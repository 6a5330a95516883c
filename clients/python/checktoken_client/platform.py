import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional
from urllib.parse import SplitResult, urlsplit

from joserfc.jwk import JWKRegistry, Key

from .error import CheckTokenError, check
from .reader import attempt

_KEPT_SECONDS = 5 * 60
_AGAIN_SECONDS = 5
"""A new kid loads the keys again, but not more often than this."""


@dataclass(frozen=True)
class _Known:
    endpoint: SplitResult
    keys: Dict[str, Key]
    until: float


class Platform:
    """The metadata (RFC 8414) and the public keys of a platform, kept until they are old."""

    def __init__(self, issuer: str, get: Callable[[SplitResult, float], Dict[str, Any]]) -> None:
        self._issuer, self._get, self._lock = issuer, get, threading.Lock()
        self._known: Optional[_Known] = None
        self._again = 0.0

    def endpoint(self, deadline: float) -> SplitResult:
        return self._current(deadline).endpoint

    def key(self, header: Mapping[str, Any], deadline: float) -> Key:
        """Finds the key for the header of a JWS."""
        kid, now = header["kid"], time.monotonic()
        keys = self._current(deadline).keys
        if kid not in keys and now > self._again:
            self._again, self._known = now + _AGAIN_SECONDS, None
            keys = self._current(deadline).keys
        check(kid in keys and keys[kid].alg in (None, header["alg"]), "unknown-key")
        return keys[kid]

    def _current(self, deadline: float) -> _Known:
        known = self._known
        if known is None or time.monotonic() > known.until:
            with self._lock:
                if self._known is known or self._known is None:
                    self._known = self._load(deadline)
                known = self._known
        return known

    def _load(self, deadline: float) -> _Known:
        metadata = self._get(address(f"{self._issuer}/.well-known/openid-configuration"), deadline)
        check(metadata.get("issuer") == self._issuer, "wrong-metadata")
        keys = {}
        for jwk in self._get(address(metadata.get("jwks_uri")), deadline).get("keys") or ():
            # A key of a type that is not known here is left out.
            with suppress(CheckTokenError):
                key = attempt(lambda: JWKRegistry.import_key(jwk), "wrong-metadata")
                keys[str(key.kid)] = key
        return _Known(address(metadata.get("introspection_endpoint")), keys, time.monotonic() + _KEPT_SECONDS)


def address(text: object, reason: str = "wrong-metadata") -> SplitResult:
    """Gives a URL with TLS, or of this machine. Tokens and secrets are sent to no other."""
    url: SplitResult = attempt(lambda: urlsplit(str(text)), reason)
    port = attempt(lambda: url.port, reason)
    local = url.scheme == "http" and url.hostname in ("localhost", "127.0.0.1", "::1")
    check((url.scheme == "https" or local) and url.hostname and not (port == 0 or url.query or url.username), reason)
    return url
