import json
import os
import random
import time
import unittest
from collections import Counter
from email.message import Message
from types import SimpleNamespace
from typing import Any

from joserfc import jwe, jws
from joserfc.jwk import JWKRegistry
from joserfc.util import urlsafe_b64encode

from checktoken_client import CheckToken, CheckTokenError

from .support import CASES, KEYS, settings

COUNT = int(os.environ.get("MUTATIONS", "10000"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1_000_000_000))
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
TOKEN = "e30.eyJqdGkiOiJ4In0.AAAA"
"""Its payload is {"jti":"x"}."""
REALM = "http://localhost:1/realms/demo"
ISSUER = f"{REALM}/api/v2"


class MutationsTest(unittest.TestCase):
    """Without HTTP: what is read from the platform is put in its place."""

    def setUp(self) -> None:
        self.random = random.Random(SEED)
        self.signer = JWKRegistry.import_key(KEYS["platform-ES256"])
        self.clients = [(each, self.client(each)) for each in CASES["clients"] if each["agreed"]["jws_alg"] == "ES256"]
        self.keys = {kid: JWKRegistry.import_key(KEYS[kid]) for kid in ("data-provider-RSA", "data-provider-EC")}

    def client(self, registered: Any) -> CheckToken:
        client = CheckToken(**settings(REALM, registered))
        client._platform.send = self.send  # type: ignore[method-assign]
        return client

    def send(self, path: str, deadline: float, form: Any = None) -> Any:
        response = SimpleNamespace(status=200, headers=Message())
        if form is not None:
            response.headers["Content-Type"] = "application/token-introspection+jwt"
            return response, self.body
        certs = f"{REALM}/protocol/openid-connect/certs"
        metadata = {"issuer": ISSUER, "introspection_endpoint": f"{ISSUER}/checktoken", "jwks_uri": certs}
        keys = {"keys": [{k: v for k, v in KEYS["platform-ES256"].items() if k != "d"}]}
        return response, json.dumps(keys if path.endswith("certs") else metadata).encode()

    def test_no_mutated_answer_is_accepted_and_each_raises_the_one_error(self) -> None:
        print(f"\nseed {SEED}, {COUNT} answers")
        reasons: Any = Counter()
        for number in range(COUNT):
            registered, client = self.clients[number % len(self.clients)]
            right = self.claims(registered)
            text = jws.serialize_compact(self.header(), json.dumps(right), self.signer)
            if number % 500 == 0:
                self.body = self.encrypt(text, registered)
                self.assertTrue(client.check(TOKEN), "The right answer is not accepted")
            self.body = self.mutated(text, right, registered)
            try:
                client.check(TOKEN)
                self.fail(f"accepted: seed {SEED}, number {number}: {self.body!r}")
            except CheckTokenError as error:
                reasons[error.reason] += 1
        print(dict(reasons))
        self.assertGreater(min(reasons["wrong-signature"], reasons["decryption-failed"]), COUNT / 20)

    def test_nothing_that_the_platform_signs_breaks_anything(self) -> None:
        registered, client = self.clients[0]
        for _ in range(COUNT // 10):
            right = {**self.claims(registered), "exp": 4102444800, "nbf": 0}
            right["token_introspection"]["cnf"] = {"jkt": "x"}
            inner = self.odd(right["token_introspection"])
            whole = json.dumps(right).replace(json.dumps(right["token_introspection"]), inner)
            payload = self.random.choice([whole, self.odd(right)])
            text = jws.serialize_compact(self.header(), payload, self.signer)
            self.body = self.encrypt(text, registered)
            try:
                self.assertEqual("x", client.check(TOKEN, certificate="x").require("tax_income").person().sub)
                self.assertEqual(ISSUER, json.loads(payload)["iss"])
            except CheckTokenError:
                pass

    def claims(self, registered: Any) -> Any:
        token = {"active": True, "client_id": "sp", "sub": "x", "scope": "tax_income", "jti": "x", "family_name": "Moreau"}
        now = int(time.time())
        return {"iss": ISSUER, "aud": registered["client_id"], "iat": now, "token_introspection": token}

    def header(self) -> Any:
        return {"alg": "ES256", "typ": "token-introspection+jwt", "kid": "platform-ES256"}

    def encrypt(self, text: str, registered: Any) -> bytes:
        agreed = registered["agreed"]
        kid = f"data-provider-{agreed['kty']}"
        header = {"alg": agreed["jwe_alg"], "enc": agreed["jwe_enc"], "cty": "JWT", "kid": kid}
        return jwe.encrypt_compact(header, text.encode(), self.keys[kid], [header["alg"], header["enc"]]).encode()

    def mutated(self, text: str, right: Any, registered: Any) -> bytes:
        head, payload, signature = text.split(".")
        kind = self.random.randrange(6)
        if kind == 0:
            return self.changed(self.encrypt(text, registered).decode()).encode()
        if kind == 1:
            return self.changed_part(self.encrypt(text, registered).decode()).encode()
        inner = [
            lambda: self.changed(text),
            lambda: self.changed_part(text),
            lambda: f"{encoded(self.changed_json(self.header()))}.{payload}.{signature}",
            lambda: f"{head}.{encoded(self.changed_json(right))}.{signature}",
        ][kind - 2]()
        return self.encrypt(inner, registered)

    def changed(self, text: str) -> str:
        """Changes a text in one way that never gives the same text."""
        at = self.random.randrange(len(text))
        others = [*ALPHABET, *'.= \n\0é"{']
        other = self.random.choice([each for each in others if each != text[at]])
        return self.random.choice(
            [
                text[:at] + other + text[at + 1 :],
                text[:at] + other + text[at:],
                text[:at] + text[at + 1 :],
                text[:at],
                text + text[at:],
                text[:at] + chr(ord(text[at]) ^ (1 << self.random.randrange(7))) + text[at + 1 :],
                text + other,
                other + text,
            ]
        )

    def changed_part(self, compact: str) -> str:
        """Changes one part, among others its last character alone, whose last bits can be unused."""
        parts = compact.split(".")
        at = self.random.randrange(len(parts))
        if parts[at] and self.random.random() < 0.2:
            parts[at] = parts[at][:-1] + self.random.choice([each for each in ALPHABET if each != parts[at][-1]])
        elif not parts[at] or self.random.random() < 0.1:
            parts[at] = self.random.choice(["", "e30", "bnVsbA", "AA", parts[(at + 1) % len(parts)]])
        else:
            parts[at] = self.changed(parts[at])
        return ".".join(parts) if ".".join(parts) != compact else self.changed(compact)

    def changed_json(self, members: Any) -> str:
        text = self.odd(members)
        return self.changed(text) if text == json.dumps(members) else text

    def odd(self, members: Any) -> str:
        name = self.random.choice(list(members))
        value = members[name]
        other = self.random.choice(
            [None, True, 0, -1, 10**400, float("nan"), "", "none", [], {}, [value], {name: value}, "\0", "__class__"]
        )
        return self.random.choice(
            [
                json.dumps({key: value for key, value in members.items() if key != name}),
                json.dumps({**members, name: other}),
                json.dumps({**members, name: other})[:-1] + f',"{name}":"other"}}',
                self.changed(json.dumps(members)),
            ]
        )


def encoded(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode()


if __name__ == "__main__":
    unittest.main()
