import base64
import re
import ssl
import time
import uuid
from typing import Any, Dict, Mapping, Optional, Sequence, Union
from urllib.parse import SplitResult, quote, urlencode

from joserfc import jwt

from .answer import IDENTITY, Answer
from .connections import Connections, Response
from .error import CheckTokenError, check
from .platform import Platform, address
from .proof import SIGNATURE, Dpop, Proofs
from .reader import AnswerReader, private_key

_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
Jwk = Mapping[str, Any]


class CheckToken:
    """Checks access tokens at a platform. Make one when your server starts, and keep it; threads can share it.

    :param method: client_secret_basic, client_secret_post, private_key_jwt or tls_client_auth
    :param client_key: the private JWK for private_key_jwt
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
        method: str = "client_secret_basic",
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
        needed = {
            "client_secret_basic": client_secret,
            "client_secret_post": client_secret,
            "private_key_jwt": client_key,
            "tls_client_auth": tls,
        }
        check(client_id, "configuration", "client_id is missing.")
        check(all(map(SIGNATURE.fullmatch, signatures)), "configuration", "signature is not that of a public key.")
        check(private_keys, "configuration", "private_keys is empty.")
        check(needed.get(method), "configuration", "method is unknown, or what it needs is missing.")
        self._client_id, self._method, self._secret = client_id, method, client_secret
        self._key = private_key(client_key) if client_key else None
        self._identity, self._seconds = tuple(identity), seconds
        keys = [private_key(jwk) for jwk in private_keys]
        self._reader = AnswerReader(self._issuer, client_id, keys, signatures, content)
        self._connections = Connections(tls)
        self._platform = Platform(self._issuer, self._connections)
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
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        form = {"token": token}
        if self._method == "client_secret_basic":
            pair = f"{quote(self._client_id, safe='')}:{quote(self._secret or '', safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form.update(self._credentials())
        response = self._connections.send(url, deadline, urlencode(form).encode(), **headers)
        wait = response.headers.get("retry-after", "")
        if again and response.status == 503 and re.fullmatch(r"\d{1,9}", wait):
            if time.monotonic() + int(wait) < deadline:
                time.sleep(int(wait))
                return self._post(url, token, deadline, False)
        if response.status != 200:
            raise CheckTokenError.of_status(response.status)
        return response

    def _credentials(self) -> Dict[str, str]:
        form = {"client_id": self._client_id}
        if self._method == "client_secret_post":
            form["client_secret"] = self._secret or ""
        if self._method == "private_key_jwt":
            form.update(client_assertion_type=_ASSERTION, client_assertion=self._assertion())
        return form

    def _assertion(self) -> str:
        """Works once (RFC 7523). Its audience is the issuer of answers, which no other endpoint of Keycloak accepts."""
        assert self._key is not None and self._key.alg is not None
        now, alg = int(time.time()), self._key.alg
        claims = {"iss": self._client_id, "sub": self._client_id, "aud": self._issuer, "jti": str(uuid.uuid4())}
        header = {"alg": alg} if self._key.kid is None else {"alg": alg, "kid": self._key.kid}
        return jwt.encode(header, {**claims, "iat": now, "exp": now + 60}, self._key, [alg])
