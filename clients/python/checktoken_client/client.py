import asyncio
import re
import ssl
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import JWKRegistry, Key

from .answer import IDENTITY, Answer
from .error import REASONS, attempt, check, described
from .platform import Platform
from .proof import SIGNATURE, Dpop, Proofs
from .reader import TYPE, accepted, decrypted, verified

_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
Jwk = Mapping[str, Any]


class CheckToken:
    """Checks access tokens at a platform. Make one when your server starts, and keep it; threads can share it.

    :param client_secret: or one of the next two, as the administrator registered you
    :param client_key: the private JWK for a signed JWT (private_key_jwt), with its "alg"
    :param tls: for a client certificate, or authorities of your own: ssl.create_default_context() with them loaded
    :param connect_to: in place of the realm's scheme, host and port, such as https://keycloak.example.internal:8443
    :param private_keys: JWKs, each with the agreed key encryption as its "alg"; two while you change keys
    :param signature: the agreed one; two while you change it
    :param content_encryption: the same
    :param identity: names of claims, of which a person has at least one
    :param seconds: for a whole check
    """

    def __init__(
        self,
        realm: str,
        client_id: str,
        private_keys: Sequence[Jwk],
        *,
        client_secret: str | None = None,
        client_key: Jwk | None = None,
        tls: ssl.SSLContext | None = None,
        connect_to: str | None = None,
        signature: str | Sequence[str] = "ES256",
        content_encryption: str | Sequence[str] = "A256GCM",
        identity: Sequence[str] = IDENTITY,
        seconds: float = 10,
    ) -> None:
        self._issuer, self._client_id, self._secret = f"{realm.rstrip('/')}/api/v2", client_id, client_secret
        self._private_keys = [_private_key(jwk) for jwk in private_keys]
        self._client_key = _private_key(client_key) if client_key else None
        self._signature, self._content_encryption = _tuple(signature), _tuple(content_encryption)
        self._identity, self._seconds = _tuple(identity), seconds
        check(client_id and private_keys and (client_secret or client_key or tls), "settings-missing")
        check(all(map(SIGNATURE.fullmatch, self._signature)), "configuration", "signature is not of a public key.")
        self._platform = Platform(self._issuer, tls, connect_to)
        self._proofs = Proofs()

    def check(self, token: str, *, dpop: Dpop | None = None, certificate: str | bytes | None = None) -> Answer:
        """Gives the verified answer. Whatever fails is a CheckTokenError.

        :param token: the access token that a service provider sent
        :param dpop: the proof of the request, for a token that is bound to a key
        :param certificate: the client certificate of the request in PEM or DER, for a token that is bound to one
        """
        check(isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]{1,65536}", token), "no-token")
        deadline = time.monotonic() + self._seconds
        response, body = self._post(token, deadline)
        wait = response.headers.get("Retry-After", "")
        if response.status == 503 and wait.isdecimal() and time.monotonic() + float(wait) < deadline:
            time.sleep(float(wait))
            response, body = self._post(token, deadline)
        name = f"status-{response.status}"
        check(response.status == 200, name if name in REASONS else "platform-error", f"({name}{described(body)})")
        check(response.headers.get_content_type() == f"application/{TYPE}", "wrong-content-type")
        jws = decrypted(body, self._private_keys, self._content_encryption)
        claims = verified(jws, self._signature, lambda header: self._platform.key(header, deadline))
        answer = accepted(claims, self._issuer, self._client_id, token)
        return Answer(answer, self._proofs.fit(answer, token, dpop, certificate), self._identity)

    async def check_async(self, token: str, **proof: Any) -> Answer:
        """The same in a thread, while other coroutines go on."""
        return await asyncio.to_thread(self.check, token, **proof)

    def close(self) -> None:
        """Closes the connections that are kept."""
        self._platform.close()

    def _post(self, token: str, deadline: float) -> Any:
        endpoint, _ = self._platform.current(deadline)

        def form() -> bytes:
            return urlencode({"client_id": self._client_id, **self._credentials(), "token": token}).encode()

        return self._platform.send(endpoint, deadline, form)

    def _credentials(self) -> dict[str, str]:
        """An assertion works once (RFC 7523). Its audience is the issuer of answers: no other endpoint accepts it."""
        if self._client_key is None:
            return {"client_secret": self._secret} if self._secret else {}
        now, key, alg = int(time.time()), self._client_key, str(self._client_key.alg)
        claims: Any = {"iss": self._client_id, "sub": self._client_id, "aud": self._issuer, "jti": str(uuid.uuid4())}
        header = {"alg": alg} if key.kid is None else {"alg": alg, "kid": key.kid}
        claims |= {"iat": now, "exp": now + 60}
        assertion = attempt(lambda: jwt.encode(header, claims, key, [alg]), "configuration")
        return {"client_assertion_type": _ASSERTION, "client_assertion": assertion}


def _private_key(jwk: Any) -> Key:
    # If a JWK Set is given in place of the list, this is its member's name.
    check(jwk != "keys" and "keys" not in attempt(lambda: dict(jwk), "settings-key-public"), "settings-key-set")
    key: Key = attempt(lambda: JWKRegistry.import_key(dict(jwk)), "settings-key-public")
    check(key.is_private, "settings-key-public")
    check(key.alg, "settings-key-alg")
    return key


def _tuple(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
