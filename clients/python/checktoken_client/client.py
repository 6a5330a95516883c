import math
import re
import ssl
import time
import uuid
from typing import Any, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import SplitResult, urlencode

from joserfc import jwt

from .answer import IDENTITY, Answer
from .connections import Connections, Response
from .error import CheckTokenError, check
from .platform import Platform, address
from .proof import SIGNATURE, Dpop, Proofs
from .reader import AnswerReader, json_object, private_key

_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
Jwk = Mapping[str, Any]


class CheckToken:
    """Checks access tokens at a platform. Make one when your server starts, and keep it; threads can share it.

    :param client_secret: or one of the next two, as the administrator registered you
    :param client_key: the private JWK for a signed JWT (private_key_jwt), with its "alg"
    :param tls: for a client certificate, or authorities of your own: ssl.create_default_context() with them loaded
    :param private_keys: JWKs, each with the agreed key encryption as its "alg"; two while you change keys
    :param identity: names of claims, of which a person has at least one
    :param seconds: for a whole check
    """

    def __init__(
        self,
        realm: str,
        client_id: str,
        private_keys: Sequence[Jwk],
        *,
        client_secret: Optional[str] = None,
        client_key: Optional[Jwk] = None,
        tls: Optional[ssl.SSLContext] = None,
        signature: Union[str, Sequence[str]] = "ES256",
        content_encryption: Union[str, Sequence[str]] = "A256GCM",
        identity: Sequence[str] = IDENTITY,
        seconds: float = 10,
    ) -> None:
        self._issuer = f"{realm.rstrip('/')}/api/v2"
        address(self._issuer, "configuration")
        signatures = [signature] if isinstance(signature, str) else list(signature)
        content = [content_encryption] if isinstance(content_encryption, str) else list(content_encryption)
        check(client_id, "configuration", "client_id is missing.")
        check(all(map(SIGNATURE.fullmatch, signatures)), "configuration", "signature is not that of a public key.")
        check(private_keys, "configuration", "private_keys is empty.")
        check(client_secret or client_key or tls, "configuration", "client_secret, client_key or tls is missing.")
        self._client_id, self._secret = client_id, client_secret
        self._key = private_key(client_key) if client_key else None
        self._identity, self._seconds = tuple(identity), seconds
        keys = [private_key(jwk) for jwk in private_keys]
        self._reader = AnswerReader(self._issuer, client_id, keys, signatures, content)
        self._connections = Connections(tls)
        self._platform = Platform(self._issuer, self._json)
        self._proofs = Proofs()

    def check(
        self, token: str, *, dpop: Optional[Dpop] = None, certificate: Union[str, bytes, None] = None
    ) -> Answer:
        """Gives the verified answer. Whatever fails is a CheckTokenError.

        :param token: the access token that a service provider sent
        :param dpop: the proof of the request, for a token that is bound to a key
        :param certificate: the client certificate of the request in PEM or DER, for a token that is bound to one
        """
        check(isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]{1,65536}", token), "no-token")
        deadline = time.monotonic() + self._seconds
        response = self._post(self._platform.endpoint(deadline), token, deadline)
        claims = self._reader.read(response, token, lambda header: self._platform.key(header, deadline))
        return Answer(claims, self._identity, self._proofs.fit(claims, token, dpop, certificate))

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._connections.close()

    def _post(self, url: SplitResult, token: str, deadline: float, again: bool = True) -> Response:
        form = urlencode({**self._credentials(), "token": token}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        response = self._connections.send(url, deadline, form, **headers)
        wait = response.headers.get("retry-after", "")
        pause = int(wait) if re.fullmatch(r"\d{1,9}", wait) else math.inf
        if again and response.status == 503 and time.monotonic() + pause < deadline:
            time.sleep(pause)
            return self._post(url, token, deadline, False)
        if response.status != 200:
            raise CheckTokenError.of_status(response.status)
        return response

    def _credentials(self) -> Dict[str, str]:
        """An assertion works once (RFC 7523). Its audience is the issuer of answers, which no other endpoint accepts."""
        if self._key is None:
            return {"client_id": self._client_id, **({"client_secret": self._secret} if self._secret else {})}
        now, alg = int(time.time()), str(self._key.alg)
        claims = {"iss": self._client_id, "sub": self._client_id, "aud": self._issuer, "jti": str(uuid.uuid4())}
        header = {"alg": alg} if self._key.kid is None else {"alg": alg, "kid": self._key.kid}
        assertion = jwt.encode(header, {**claims, "iat": now, "exp": now + 60}, self._key, [alg])
        return {"client_id": self._client_id, "client_assertion_type": _ASSERTION, "client_assertion": assertion}

    def _json(self, url: SplitResult, deadline: float) -> Dict[str, Any]:
        response = self._connections.send(url, deadline)
        check(response.status == 200, "wrong-metadata")
        return json_object(response.body, "wrong-metadata")
