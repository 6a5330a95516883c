import json
import re
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Sequence

from joserfc import jwe, jws
from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key
from joserfc.util import urlsafe_b64decode

from .connections import Response
from .error import CheckTokenError, check

_TYPE = "token-introspection+jwt"
_SECONDS = 60
"""By how much the clocks may differ."""


@dataclass(frozen=True)
class AnswerReader:
    """Decrypts and verifies answers (RFC 9701, section 5) in the order of the data provider guide."""

    issuer: str
    client_id: str
    private_keys: Sequence[Key]
    signature: Sequence[str]
    content_encryption: Sequence[str]

    def read(self, response: Response, asked: str, realm_key: Callable[[Mapping[str, Any]], Key]) -> Dict[str, Any]:
        """Gives the member token_introspection."""
        content_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
        check(content_type == f"application/{_TYPE}", "wrong-content-type")
        return self._accept(self._verify(self._decrypt(response.body), realm_key), asked)

    def _decrypt(self, body: bytes) -> bytes:
        check(body.count(b".") != 2, "not-encrypted")
        header = _header(body, 5)
        alg, enc = header.get("alg"), header.get("enc")
        check(alg in [key.alg for key in self.private_keys], "wrong-key-encryption")
        check(enc in self.content_encryption, "wrong-content-encryption")
        check("zip" not in header, "compressed")
        check(str(header.get("cty")).upper() == "JWT", "not-signed")
        own = [key for key in self.private_keys if key.alg == alg and key.kid == header.get("kid")]
        check(own, "unknown-decryption-key")
        registry = jwe.JWERegistry(algorithms=[str(alg), str(enc)], strict_check_header=False)
        plaintext: bytes = attempt(lambda: jwe.decrypt_compact(body, own[0], None, registry).plaintext, "decryption-failed")
        return plaintext

    def _verify(self, text: bytes, realm_key: Callable[[Mapping[str, Any]], Key]) -> Dict[str, Any]:
        check(text.count(b".") == 2, "not-signed")
        header = _header(text, 3)
        check(header.get("alg") != "none", "unsecured")
        check(header.get("alg") in self.signature, "wrong-signature-algorithm")
        check(not header.keys() & {"jwk", "jku", "x5c", "x5u"}, "key-in-header")
        check(header.get("typ") == _TYPE, "wrong-type")
        check(isinstance(header.get("kid"), str), "unknown-key")
        key = realm_key(header)
        registry = jws.JWSRegistry(algorithms=[header["alg"]], strict_check_header=False)
        return json_object(attempt(lambda: jws.deserialize_compact(text, key, None, registry).payload, "wrong-signature"))

    def _accept(self, claims: Mapping[str, Any], asked: str) -> Dict[str, Any]:
        now, aud, token = time.time(), claims.get("aud"), claims.get("token_introspection")
        check(claims.get("iss") == self.issuer, "wrong-issuer")
        check(aud in (self.client_id, [self.client_id]), "wrong-audience")
        issued = _number(claims, "iat", None, "missing-iat")
        check(issued <= now + _SECONDS, "issued-in-the-future")
        check(issued >= now - _SECONDS, "issued-too-long-ago")
        check(_number(claims, "exp", now, "answer-expired") > now - _SECONDS, "answer-expired")
        check(_number(claims, "nbf", now, "answer-not-yet-valid") <= now + _SECONDS, "answer-not-yet-valid")
        check(token is not None, "missing-introspection")
        if not isinstance(token, dict):
            raise CheckTokenError("malformed-introspection")
        check(isinstance(token.get("active"), bool), "malformed-active")
        if not token["active"]:
            return {"active": False}
        check(all(isinstance(token.get(name), str) for name in ("client_id", "scope")), "malformed-introspection")
        check(isinstance(token.get("cnf", {}), dict), "malformed-introspection")
        # A platform can be set to name nobody in an answer without scopes.
        check(isinstance(token.get("sub"), str) or token["scope"] == "", "missing-subject")
        check(_number(token, "exp", now, "token-expired") > now - _SECONDS, "token-expired")
        check(_jti(asked) in (None, token.get("jti")), "other-token")
        return token


def private_key(jwk: Mapping[str, Any]) -> Key:
    key = attempt(lambda: JWKRegistry.import_key(dict(jwk)), "configuration")
    check(key.is_private and key.alg, "configuration", 'A private key has no private part, or no "alg".')
    return key  # type: ignore[no-any-return]


def attempt(action: Callable[[], Any], reason: str) -> Any:
    """The error of a library could quote a key or an answer, so it is not kept as the cause."""
    try:
        return action()
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise CheckTokenError(reason) from None


def _header(compact: bytes, parts: int) -> Dict[str, Any]:
    """joserfc accepts base64url only in its one spelling, so no changed copy of an answer passes."""
    check(compact.count(b".") == parts - 1 and re.fullmatch(rb"[A-Za-z0-9_.-]+", compact), "malformed")
    found = json_object(attempt(lambda: urlsafe_b64decode(compact.split(b".")[0]), "malformed"))
    check("crit" not in found, "critical-header")
    return found


def json_object(data: bytes, reason: str = "malformed") -> Dict[str, Any]:
    value = attempt(lambda: json.loads(data), reason)
    check(isinstance(value, dict), reason)
    return value  # type: ignore[no-any-return]


def _number(members: Mapping[str, Any], name: str, default: Any, reason: str) -> float:
    value = members.get(name, default)
    check(type(value) in (int, float), reason)
    return value  # type: ignore[no-any-return]


def _jti(token: str) -> Any:
    """If the token is a JWT: an answer must not be about another one."""
    try:
        return json.loads(urlsafe_b64decode(token.split(".")[1].encode())).get("jti")
    except (ValueError, IndexError, AttributeError, RecursionError):
        return None
