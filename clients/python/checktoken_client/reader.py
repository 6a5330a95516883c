import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from joserfc import jwe, jws
from joserfc.jwk import Key
from joserfc.util import json_b64decode

from .error import attempt, check, json_object

TYPE = "token-introspection+jwt"
_SECONDS = 60
"""By how much the clocks may differ."""
_MAX_LENGTH = 256 * 1024
"""joserfc's own limits are less than an answer may have, and than what RSA keys of 8,192 bits need."""


def decrypted(body: bytes, private_keys: Sequence[Key], content_encryption: Sequence[str]) -> Any:
    """Reads an answer (RFC 9701, section 5), as do the next two: in the order of the data provider guide."""
    check(body.count(b".") != 2, "not-encrypted")
    header = _header(body, 5)
    alg, enc, kid = (header.get(name) for name in ("alg", "enc", "kid"))
    check(alg in [key.alg for key in private_keys], "wrong-key-encryption")
    check(enc in content_encryption, "wrong-content-encryption")
    check("zip" not in header, "compressed")
    check(str(header.get("cty")).upper() == "JWT", "not-signed")
    own = [key for key in private_keys if key.alg == alg and key.kid == kid]
    check(own, "unknown-decryption-key")
    registry = jwe.JWERegistry(algorithms=[alg, enc], strict_check_header=False)
    registry.max_encrypted_key_length = registry.max_ciphertext_length = _MAX_LENGTH
    return attempt(lambda: jwe.decrypt_compact(body, own[0], None, registry).plaintext, "decryption-failed")


def verified(text: bytes, signature: Sequence[str], realm_key: Callable[[Mapping[str, Any]], Key]) -> Any:
    check(text.count(b".") == 2, "not-signed")
    header = _header(text, 3)
    check(header.get("alg") != "none", "unsecured")
    check(header.get("alg") in signature, "wrong-signature-algorithm")
    check(not header.keys() & {"jwk", "jku", "x5c", "x5u"}, "key-in-header")
    check(header.get("typ") == TYPE, "wrong-type")
    check(isinstance(header.get("kid"), str), "unknown-key")
    key = realm_key(header)
    registry = jws.JWSRegistry(algorithms=[header["alg"]], strict_check_header=False)
    registry.max_signature_length = registry.max_payload_length = _MAX_LENGTH
    payload = attempt(lambda: jws.deserialize_compact(text, key, None, registry).payload, "wrong-signature")
    return json_object(payload, "malformed")


def accepted(claims: Mapping[str, Any], issuer: str, client_id: str, asked: str) -> Any:
    """Gives the member token_introspection."""
    now, issued = time.time(), claims.get("iat")
    check(claims.get("iss") == issuer, "wrong-issuer")
    check(claims.get("aud") in (client_id, [client_id]), "wrong-audience")
    check(type(issued) in (int, float), "missing-iat")
    check(_seconds(issued) <= now + _SECONDS, "issued-in-the-future")
    check(_seconds(issued) >= now - _SECONDS, "issued-too-long-ago")
    check(_seconds(claims.get("exp", now)) > now - _SECONDS, "answer-expired")
    check(_seconds(claims.get("nbf", now)) <= now + _SECONDS, "answer-not-yet-valid")
    check("token_introspection" in claims, "missing-introspection")
    token: Any = claims["token_introspection"]
    check(isinstance(token, dict), "malformed-introspection")
    check(isinstance(token.get("active"), bool), "malformed-active")
    if not token["active"]:
        return {"active": False}
    texts = all(isinstance(token.get(name), str) for name in ("client_id", "scope"))
    check(texts and isinstance(token.get("acr", ""), str) and isinstance(token.get("cnf", {}), dict), "malformed-introspection")
    # A platform can be set to name nobody in an answer without scopes.
    check(isinstance(token.get("sub"), str) or token["scope"] == "", "missing-subject")
    check(_seconds(token.get("exp", now)) > now - _SECONDS, "token-expired")
    # The platform's tokens are JWTs with a jti. Only by that, an answer is not about another one.
    jti = attempt(lambda: json_b64decode(asked.split(".")[1].encode())["jti"], "other-token")
    check(isinstance(jti, str) and jti == token.get("jti"), "other-token")
    return token


def _header(compact: bytes, parts: int) -> Any:
    """joserfc accepts base64url only in its one spelling, so no changed copy of an answer passes."""
    check(compact.count(b".") == parts - 1 and re.fullmatch(rb"[A-Za-z0-9_.-]+", compact), "malformed")
    header = json_object(compact.split(b".")[0], "malformed", json_b64decode)
    check("crit" not in header, "critical-header")
    return header


def _seconds(value: Any) -> float:
    """Gives NaN, which is neither before nor after any time, for what is no number."""
    return value if type(value) in (int, float) else float("nan")
