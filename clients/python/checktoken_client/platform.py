import io
import re
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from joserfc.jwk import JWKRegistry, Key

from .error import FAILURES, CheckTokenError, attempt, check, json_object

_KEPT_SECONDS = 5 * 60
_AGAIN_SECONDS = 5
"""A new kid loads the keys again, but not more often than this."""
_AT_ONCE = 64
"""Calls at once. Others wait for their turn."""
_NEXT_SECONDS = 1
"""After this, the next address of the host is tried."""
_MAX_BYTES = 256 * 1024
"""More than any answer, metadata or JWK Set of a platform has."""


class Platform:
    """The connections to a platform, and its metadata (RFC 8414) and public keys, which are kept until they are old."""

    def __init__(self, issuer: str, tls: ssl.SSLContext | None, connect_to: str | None) -> None:
        base = attempt(lambda: _origin(issuer if connect_to is None else f"{connect_to}/"), "settings-realm")
        check(connect_to is None or base.rstrip("/") == connect_to.rstrip("/"), "settings-realm")
        url = urlsplit(base)
        self._issuer, self._host, self._origins = issuer, url.netloc, (base, _origin(issuer))
        self._tls = None if url.scheme == "http" else tls or ssl.create_default_context()
        self._proxy = attempt(lambda: _proxy(url.netloc), "configuration") if self._tls else None
        self._kept: list[HTTPConnection] = []
        self._turns = threading.Semaphore(_AT_ONCE)
        self._known: tuple[str, dict[str, Key]] = "", {}
        self._loading: Future[tuple[str, dict[str, Key]]] | None = None
        self._until, self._again, self._lock = 0.0, 0.0, threading.Lock()

    def key(self, header: Mapping[str, Any], deadline: float) -> Key:
        """Finds the key for the header of a JWS."""
        kid = header["kid"]
        _, keys = self.current(deadline, kid)
        check(kid in keys and keys[kid].alg in (None, header["alg"]), "unknown-key")
        return keys[kid]

    def current(self, deadline: float, kid: str | None = None) -> tuple[str, dict[str, Key]]:
        """Gives endpoint and keys. One thread loads what is too old, or lacks the key, and others share what comes of it."""
        with self._lock:
            now = time.monotonic()
            if kid is not None and kid not in self._known[1] and now > self._again:
                self._again, self._until = now + _AGAIN_SECONDS, 0.0
            if now <= self._until:
                return self._known
            others = self._loading
            loading = self._loading = others or Future()
        if others is None:
            try:
                self._known = attempt(lambda: self._load(deadline), "wrong-metadata")
                self._until = time.monotonic() + _KEPT_SECONDS
                loading.set_result(self._known)
            except BaseException as error:
                loading.set_exception(error)
            self._loading = None
        try:
            return loading.result(max(0, _left(deadline)))
        except FutureTimeout:
            raise CheckTokenError("timeout") from None

    def _load(self, deadline: float) -> tuple[str, dict[str, Key]]:
        metadata = self._json(f"{self._issuer}/.well-known/openid-configuration", deadline)
        check(metadata["issuer"] == self._issuer, "wrong-metadata")
        found, keys = self._json(metadata["jwks_uri"], deadline)["keys"], {}
        check(isinstance(found, list), "wrong-metadata")
        for jwk in found:
            # A key that cannot be read is left out (RFC 7517, section 5).
            with suppress(*FAILURES):
                keys[jwk["kid"]] = JWKRegistry.import_key(jwk)
        return self._path(metadata["introspection_endpoint"]), keys

    def _json(self, url: str, deadline: float) -> Any:
        response, body = self.send(self._path(url), deadline)
        check(response.status == 200, "wrong-metadata")
        return json_object(body, "wrong-metadata")

    def _path(self, url: str) -> str:
        """The address must be one of the issuer's own host, because it gets the token and the secret."""
        own = [origin for origin in self._origins if url.startswith(origin)]
        check(own, "wrong-metadata")
        return "/" + url[len(own[0]) :]

    def send(self, path: str, deadline: float, form: Callable[[], bytes] | None = None) -> tuple[HTTPResponse, bytes]:
        """Posts the form, if there is one. Follows no redirect. The deadline is as time.monotonic tells it."""
        check(self._turns.acquire(timeout=max(0, _left(deadline))), "busy")
        try:
            return self._send(path, deadline, form, again=True)
        finally:
            self._turns.release()

    def _send(self, path: str, deadline: float, form: Callable[[], bytes] | None, again: bool) -> tuple[HTTPResponse, bytes]:
        try:
            connection = self._kept.pop()
        except IndexError:
            connection = self._connection()
        response = None
        try:
            response = _asked(connection, path, deadline, form)
            with response:
                body = response.read(_MAX_BYTES + 1)
                # Fails if the connection broke within the body.
                body += b"" if len(body) > _MAX_BYTES else response.read()
        except (OSError, HTTPException, ValueError):
            connection.close()
            check(time.monotonic() < deadline, "timeout")
            check(again and response is None, "unreachable", f"(proxy: {self._proxy.host})" if self._proxy else "")
            # The platform may have closed all connections that are kept. A call changes nothing, so it is repeated once.
            self.close()
            return self._send(path, deadline, form, again=False)
        if len(body) > _MAX_BYTES:
            connection.close()
        self._kept.append(connection)
        check(len(body) <= _MAX_BYTES, "too-large")
        return response, body

    def _connection(self) -> HTTPConnection:
        if self._tls is None:
            connection = HTTPConnection(self._host)
        elif self._proxy is None:
            connection = HTTPSConnection(self._host, context=self._tls)
        else:
            connection = HTTPSConnection(self._proxy.host, context=self._tls)
            connection.set_tunnel(urlsplit(f"//{self._host}").hostname or "", urlsplit(f"//{self._host}").port, self._proxy.headers)
        connection._create_connection = _connected  # type: ignore[attr-defined]
        return connection

    def close(self) -> None:
        while self._kept:
            self._kept.pop().close()


class _Proxy(NamedTuple):
    host: str
    headers: dict[str, str]


def _proxy(host: str) -> _Proxy | None:
    """The forward proxy for a host, as urllib reads the environment. It sees the host's name, and nothing that is sent."""
    text = getproxies().get("https") or getproxies().get("all")
    if not text or proxy_bypass(host):
        return None
    url = urlsplit(text if "://" in text else f"http://{text}")
    check(url.scheme == "http" and url.hostname, "configuration", "The proxy is no http address.")
    login = f"{unquote(url.username or '')}:{unquote(url.password or '')}".encode()
    headers = {"Proxy-Authorization": f"Basic {b64encode(login).decode()}"} if url.username else {}
    return _Proxy(url.netloc.rpartition("@")[2], headers)


def _origin(text: str) -> str:
    """Scheme, host and port of an address with TLS, or of this machine. Tokens and secrets are sent to no other."""
    found = re.match(r"https?://[^/?#@\\\s]+/", text)
    url = urlsplit(found.group() if found else "")
    local = url.scheme == "http" and url.hostname in ("localhost", "127.0.0.1", "::1")
    check(found and url.hostname and (url.port or 1) and (url.scheme == "https" or local), "settings-realm")
    return url.geturl()


def _connected(address: tuple[str, int], timeout: float, _: Any = None) -> socket.socket:
    """Tries each address of a host. One that swallows connections must not take the time of the next (RFC 8305)."""
    deadline, error = time.monotonic() + timeout, OSError()
    found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
    for family, kind, protocol, _, target in found:
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(_left(deadline) if target == found[-1][4] else min(_NEXT_SECONDS, _left(deadline)))
            connection.connect(target)
            return connection
        except (OSError, ValueError) as failure:
            connection.close()
            error = failure if isinstance(failure, OSError) else error
    raise error


def _asked(connection: HTTPConnection, path: str, deadline: float, form: Callable[[], bytes] | None) -> HTTPResponse:
    connection.timeout = _left(deadline)
    if connection.sock is not None:
        connection.sock.settimeout(connection.timeout)
    connection.response_class = lambda sock, **more: HTTPResponse(_Timed(sock, deadline), **more)  # type: ignore
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
    connection.request("POST" if form else "GET", path, form() if form else None, headers)
    return connection.getresponse()


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
