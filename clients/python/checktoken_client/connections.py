import io
import socket
import ssl
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Dict, List, Mapping, Optional
from urllib.parse import SplitResult

from .error import CheckTokenError

MAX_BYTES = 256 * 1024
"""More than any answer, metadata or JWK Set of a platform has."""
MAX_KEPT = 64


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Connections:
    """Kept connections. Nothing follows a redirect, and every request has a deadline and a greatest size."""

    def __init__(self, tls: Optional[ssl.SSLContext]) -> None:
        self._tls = tls
        self._kept: Dict[str, List[HTTPConnection]] = {}

    def send(self, url: SplitResult, deadline: float, body: Optional[bytes] = None, **headers: str) -> Response:
        """Posts the body, if there is one. The deadline is as time.monotonic tells it."""
        kept = self._kept.setdefault(url.netloc, [])
        try:
            connection = kept.pop()
        except IndexError:
            connection = self._new(url)
        reused = connection.sock is not None
        try:
            response = _exchange(connection, url, deadline, body, headers)
        except (OSError, HTTPException, ValueError):
            connection.close()
            if time.monotonic() >= deadline:
                raise CheckTokenError("timeout") from None
            # The platform closed a kept connection just when it was used. A call changes nothing: repeat it.
            if reused:
                return self.send(url, deadline, body, **headers)
            raise CheckTokenError("unreachable") from None
        except CheckTokenError:
            connection.close()
            raise
        if len(kept) < MAX_KEPT:
            kept.append(connection)
        return response

    def close(self) -> None:
        for kept in self._kept.values():
            while kept:
                kept.pop().close()

    def _new(self, url: SplitResult) -> HTTPConnection:
        if url.scheme == "https":
            self._tls = self._tls or ssl.create_default_context()
            return HTTPSConnection(url.netloc, context=self._tls)
        return HTTPConnection(url.netloc)


def _exchange(
    connection: HTTPConnection, url: SplitResult, deadline: float, body: Optional[bytes], headers: Mapping[str, str]
) -> Response:
    connection.timeout = _left(deadline)
    if connection.sock is not None:
        connection.sock.settimeout(connection.timeout)
    connection.response_class = lambda sock, **more: HTTPResponse(_Timed(sock, deadline), **more)  # type: ignore
    connection.request("GET" if body is None else "POST", url.path, body, dict(headers))
    with connection.getresponse() as response:
        content = response.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CheckTokenError("too-large")
        response.read()
        return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, content)


class _Timed(io.RawIOBase):
    """A socket to read from until a deadline: a time-out of the socket alone begins anew with each piece."""

    def __init__(self, sock: socket.socket, deadline: float) -> None:
        self._sock, self._deadline = sock, deadline
        self._raw = sock.makefile("rb", buffering=0)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(_left(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
