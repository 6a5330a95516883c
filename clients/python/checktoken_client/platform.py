import io
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from joserfc.jwk import JWKRegistry, Key

from .error import FAILURES, attempt, check, json_object

_KEPT_SECONDS = 5 * 60
_AGAIN_SECONDS = 5
"""A new kid loads the keys again, but not more often than this."""
_MAX_BYTES = 256 * 1024
"""More than any answer, metadata or JWK Set of a platform has."""


class Platform:
    """The connections to a platform, and its metadata (RFC 8414) and public keys, which are kept until they are old."""

    def __init__(self, issuer: str, tls: ssl.SSLContext | None) -> None:
        url = attempt(lambda: urlsplit(issuer), "settings-realm")
        local = url.scheme == "http" and url.hostname in ("localhost", "127.0.0.1", "::1")
        check((url.scheme == "https" or local) and url.hostname, "settings-realm")
        self._issuer, self._host, self._origin = issuer, url.netloc, f"{url.scheme}://{url.netloc}"
        self._tls = None if local else tls or ssl.create_default_context()
        self._kept: list[HTTPConnection] = []
        self._keys: dict[str, Key] = {}
        self._endpoint, self._until, self._again, self._lock = "", 0.0, 0.0, threading.Lock()

    def key(self, header: Mapping[str, Any], deadline: float) -> Key:
        """Finds the key for the header of a JWS."""
        kid = header["kid"]
        _, keys = self.current(deadline, kid)
        check(kid in keys and keys[kid].alg in (None, header["alg"]), "unknown-key")
        return keys[kid]

    def current(self, deadline: float, kid: str | None = None) -> tuple[str, dict[str, Key]]:
        """Gives endpoint and keys. One thread loads what is too old, or lacks the key, and the others wait for it."""
        with self._lock:
            now = time.monotonic()
            if kid is not None and kid not in self._keys and now > self._again:
                self._again, self._until = now + _AGAIN_SECONDS, 0.0
            if now > self._until:
                attempt(lambda: self._load(deadline), "wrong-metadata")
            return self._endpoint, self._keys

    def _load(self, deadline: float) -> None:
        metadata = self._json(f"{self._issuer}/.well-known/openid-configuration", deadline)
        check(metadata["issuer"] == self._issuer, "wrong-metadata")
        keys = {}
        for jwk in self._json(metadata["jwks_uri"], deadline)["keys"]:
            # A key of a type that is not known here is left out.
            with suppress(*FAILURES):
                keys[jwk["kid"]] = JWKRegistry.import_key(jwk)
        self._endpoint, self._keys = self._path(metadata["introspection_endpoint"]), keys
        self._until = time.monotonic() + _KEPT_SECONDS

    def _json(self, url: str, deadline: float) -> Any:
        response, body = self.send(self._path(url), deadline)
        check(response.status == 200, "wrong-metadata")
        return json_object(body, "wrong-metadata")

    def _path(self, url: str) -> str:
        """The address must be one of the issuer's own host, because it gets the token and the secret."""
        check(url.startswith(f"{self._origin}/"), "wrong-metadata")
        return url[len(self._origin) :]

    def send(self, path: str, deadline: float, form: bytes | None = None) -> tuple[HTTPResponse, bytes]:
        """Posts the form, if there is one. Follows no redirect. The deadline is as time.monotonic tells it."""
        try:
            connection = self._kept.pop()
        except IndexError:
            connection = HTTPSConnection(self._host, context=self._tls) if self._tls else HTTPConnection(self._host)
        reused = connection.sock is not None
        try:
            response, body = _exchange(connection, path, deadline, form)
        except (OSError, HTTPException, ValueError):
            connection.close()
            check(time.monotonic() < deadline, "timeout")
            check(reused, "unreachable")
            # The platform closed the kept connections, which it may do at any time. A call changes nothing: repeat it.
            self.close()
            return self.send(path, deadline, form)
        if len(body) > _MAX_BYTES:
            connection.close()
        self._kept.append(connection)
        check(len(body) <= _MAX_BYTES, "too-large")
        return response, body

    def close(self) -> None:
        while self._kept:
            self._kept.pop().close()


def _exchange(connection: HTTPConnection, path: str, deadline: float, form: bytes | None) -> Any:
    connection.timeout = _left(deadline)
    if connection.sock is not None:
        connection.sock.settimeout(connection.timeout)
    connection.response_class = lambda sock, **more: HTTPResponse(_Timed(sock, deadline), **more)  # type: ignore
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
    connection.request("POST" if form else "GET", path, form, headers)
    with connection.getresponse() as response:
        body = response.read(_MAX_BYTES + 1)
        # Fails if the connection broke within the body.
        return response, body if len(body) > _MAX_BYTES else body + response.read()


class _Timed(io.RawIOBase):
    """A socket to read from until a deadline: a time-out of the socket alone begins anew with each piece."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock, self._deadline, self._raw = sock, deadline, sock.makefile("rb", buffering=0)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_left(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _left(deadline: float) -> float:
    """If nothing is left, a socket raises ValueError. It would take 0 for the wish not to wait."""
    return deadline - time.monotonic() or -1.0
