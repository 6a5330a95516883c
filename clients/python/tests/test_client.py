import base64
import json
import unittest
from types import SimpleNamespace
from typing import Any

from joserfc.jwk import JWKRegistry

from checktoken_client import CheckToken, CheckTokenError
from checktoken_client.proof import Proofs

from .support import (
    ACTIVE,
    CERTIFICATE,
    KEYS,
    SERVICE_PROVIDER,
    TOKENS,
    Platform,
    PlatformTest,
    proof,
    settings,
)

BOUND = TOKENS["bound-to-a-key"]


class ClientTest(PlatformTest):
    def refuses(self, reason: str, client: CheckToken, token: Any, **more: Any) -> None:
        with self.assertRaises(CheckTokenError) as raised:
            client.check(token, **more)
        self.assertEqual(reason, raised.exception.reason)

    def test_authenticates_with_each_method(self) -> None:
        for client_key in (None, KEYS["data-provider-assertion"]):
            with self.subTest(client_key):
                client = self.client(client_key=client_key)
                self.assertTrue(client.check(ACTIVE))
                self.assertTrue(client.check(ACTIVE))

    def test_authenticates_with_a_certificate(self) -> None:
        import ssl
        import tempfile

        from joserfc.jwk import ECKey

        platform = Platform(tls=True)
        self.addCleanup(platform.close)
        tls = ssl.create_default_context(cadata=CERTIFICATE)
        tls.check_hostname = False
        with tempfile.NamedTemporaryFile() as file:
            file.write(CERTIFICATE.encode() + ECKey.import_key(SERVICE_PROVIDER).as_pem(private=True))
            file.flush()
            tls.load_cert_chain(file.name)
        right = {**settings(platform.realm), "client_secret": None}
        client = CheckToken(**right, tls=tls)
        self.addCleanup(client.close)
        self.assertTrue(client.check(ACTIVE))
        self.refuses("unreachable", CheckToken(**right, tls=ssl.create_default_context()), ACTIVE)

    def test_says_that_the_credentials_are_wrong(self) -> None:
        self.refuses("wrong-credentials", self.client(client_secret="wrong"), ACTIVE)

    def test_refuses_settings_that_cannot_work(self) -> None:
        right = settings("https://login.example.org/realms/a")
        CheckToken(**right)
        key = right["private_keys"][0]
        for wrong in (
            {"realm": "http://login.example.org/realms/a"},
            {"realm": ""},
            {"client_id": ""},
            {"client_secret": None},
            {"signature": "HS256"},
            {"signature": ["ES256", "none"]},
            {"private_keys": []},
            {"private_keys": [{**key, "alg": None}]},
            {"private_keys": [{"kty": "RSA", "alg": "RSA-OAEP-256", "n": "secret-number"}]},
            {"private_keys": [{"kty": "RSA", "alg": "RSA-OAEP-256", "n": key["n"], "e": key["e"]}]},
        ):
            with self.subTest(wrong), self.assertRaises(CheckTokenError) as raised:
                CheckToken(**{**right, **wrong})
            self.assertEqual("configuration", raised.exception.reason)
            self.assertNotIn("secret-number", repr(raised.exception))

    def test_says_which_setting_to_correct(self) -> None:
        right = settings("https://login.example.org/realms/a")
        keys = right["private_keys"]
        without_alg = {name: value for name, value in keys[0].items() if name != "alg"}
        public = {name: keys[0][name] for name in ("kty", "n", "e", "alg")}
        realm = "The realm, and the address to connect to, must be https (http only to this machine)."
        is_public = "A key is public, or no JWK: give the private JWK."
        is_set = "This is a JWK Set: give each of its keys."
        wrong: Any = (
            ({"realm": "http://login.example.org/realms/a"}, realm),
            ({"realm": "login.example.org/realms/a"}, realm),
            (
                {"private_keys": [without_alg]},
                "A private key has no alg: add the agreed one, such as RSA-OAEP-256.",
            ),
            ({"private_keys": [public]}, is_public),
            ({"client_key": public}, is_public),
            ({"private_keys": [None]}, is_public),
            ({"private_keys": {"keys": keys}}, is_set),
            ({"private_keys": [{"keys": keys}]}, is_set),
            ({"client_key": {"keys": keys}}, is_set),
            ({"client_secret": None}, "Give a client_id, a private key, and one way to authenticate."),
        )
        for changes, detail in wrong:
            with self.subTest(detail), self.assertRaises(CheckTokenError) as raised:
                CheckToken(**{**right, **changes})
            self.assertEqual(f"configuration: Correct your settings. {detail}", str(raised.exception))

    def test_tells_a_status_after_the_text_and_429_is_no_matter_of_the_jwk_set(self) -> None:
        with self.assertRaises(CheckTokenError) as raised:
            self.client(client_secret="wrong").check(ACTIVE)
        self.assertRegex(str(raised.exception), r" administrator for the right ones\. \(status-401: Client authentication failed\.\)$")
        with self.assertRaises(CheckTokenError) as raised:
            self.client().check(TOKENS["too-many-requests"])
        self.assertEqual(
            "unavailable: The platform cannot answer now. Try again later; if it lasts, tell its administrator. There "
            "were too many calls or guesses, for the platform or a proxy: wait as Retry-After says. (status-429)",
            str(raised.exception),
        )
        with self.assertRaises(CheckTokenError) as raised:
            self.client().check(ACTIVE).require("other", "more")
        self.assertRegex(str(raised.exception), r'error="insufficient_scope"\. \(other more\)$')

    def test_refuses_what_is_no_token(self) -> None:
        for wrong in ("", None, 1, "a b", "a\n", "é", "a" * 65537):
            self.refuses("no-token", self.client(), wrong)

    def test_keeps_metadata_keys_and_connections(self) -> None:
        client = self.client()
        paths = counted(client)
        for _ in range(10):
            client.check(ACTIVE)
        self.assertEqual([1, 1, 10], counts(paths))

    def test_loads_the_keys_again_for_a_new_kid_once_in_some_seconds(self) -> None:
        client = self.client()
        paths = counted(client)
        client.check(ACTIVE)
        client.check(TOKENS["active-new-key"])
        self.assertEqual(2, counts(paths)[0])
        for _ in range(5):
            self.refuses("unknown-key", client, TOKENS["kid-unknown"])
        self.assertLessEqual(counts(paths)[0], 3)

    def test_refuses_metadata_that_cannot_be_right(self) -> None:
        client = self.client()
        origin, issuer = self.platform.origin, f"{self.platform.realm}/api/v2"
        right = {"issuer": issuer, "introspection_endpoint": f"{issuer}/checktoken", "jwks_uri": f"{origin}/jwks"}
        for wrong in (
            {"issuer": self.platform.realm},
            {"introspection_endpoint": "https://elsewhere.example/api/v2/checktoken"},
            {"introspection_endpoint": f"{origin}.elsewhere.example/checktoken"},
            {"introspection_endpoint": None},
            {"jwks_uri": "http://127.0.0.1/jwks"},
            {"jwks_uri": 1},
            {"keys": 5},
        ):
            document = json.dumps({**right, "keys": [], **wrong}).encode()
            client._platform.send = lambda *_, body=document: (SimpleNamespace(status=200), body)  # type: ignore
            with self.subTest(wrong):
                self.refuses("wrong-metadata", client, ACTIVE)

    def test_repeats_a_call_if_a_kept_connection_was_closed(self) -> None:
        import socket

        client = self.client()
        client.check(ACTIVE)
        client._platform._kept[0].sock.shutdown(socket.SHUT_RDWR)
        self.assertTrue(client.check(ACTIVE))

    def test_waits_not_beyond_its_time(self) -> None:
        client = self.client(seconds=0.9)
        self.refuses("timeout", client, TOKENS["stalled"])
        self.refuses("unavailable", client, TOKENS["active-after-503"])

    def test_reads_not_more_than_its_greatest_size(self) -> None:
        self.refuses("too-large", self.client(), TOKENS["too-large"])

    def test_says_that_a_stopped_platform_cannot_be_reached(self) -> None:
        platform = Platform()
        client = CheckToken(**settings(platform.realm))
        client.check(ACTIVE)
        platform.close()
        self.refuses("unreachable", client, ACTIVE)

    def outcome(self, client: CheckToken, token: str, **more: Any) -> str:
        answer = client.check(token, **more)
        self.assertTrue(answer.active)
        try:
            return answer.require("tax_income").client_id
        except CheckTokenError as error:
            return error.reason

    def test_reads_a_proof_with_an_rsa_key(self) -> None:
        key = KEYS["foreign-RS256"]
        claims = {"active": True, "cnf": {"jkt": JWKRegistry.import_key(key).thumbprint()}}
        self.assertTrue(Proofs().fit(claims, "token", proof("token", key=key), None))

    def test_gives_nothing_about_a_bound_token_without_each_proof(self) -> None:
        client = self.client()
        self.assertEqual("sp-town", self.outcome(client, BOUND, dpop=proof(BOUND)))
        public = {name: SERVICE_PROVIDER[name] for name in ("kty", "crv", "x", "y")}
        wrong: Any = (
            {"method": "POST"},
            {"url": "https://dp.example.org/other"},
            {"url": "no url"},
            {"proof": "x"},
            {"claims": {"ath": "other"}},
            {"claims": {"jti": None}},
            {"claims": {"iat": None}},
            {"claims": {"iat": 1}},
            {"claims": {"iat": 10**400}},
            {"claims": {"htu": "https://evil.example.org/income"}},
            {"header": {"typ": "JWT"}},
            {"header": {"jwk": SERVICE_PROVIDER}},
            {"key": KEYS["foreign-ES256"]},
            {"key": KEYS["foreign-ES256"], "header": {"jwk": public}},
        )
        for changes in wrong:
            with self.subTest(changes):
                self.assertEqual("not-proven", self.outcome(client, BOUND, dpop=proof(BOUND, **changes)))
        once = proof(BOUND)
        self.assertEqual("sp-town", self.outcome(client, BOUND, dpop=once))
        self.assertEqual("not-proven", self.outcome(client, BOUND, dpop=once))
        self.assertEqual("not-proven", self.outcome(client, BOUND))
        self.assertEqual("not-proven", self.outcome(client, BOUND, certificate=CERTIFICATE))

        by_certificate, both = TOKENS["bound-to-a-certificate"], TOKENS["bound-to-both"]
        foreign = base64.b64decode(KEYS["foreign-ES256"]["x5c"][0])
        self.assertEqual("sp-town", self.outcome(client, by_certificate, certificate=CERTIFICATE))
        self.assertEqual("not-proven", self.outcome(client, by_certificate))
        self.assertEqual("not-proven", self.outcome(client, by_certificate, certificate=foreign))
        self.assertEqual("not-proven", self.outcome(client, by_certificate, certificate="no certificate"))
        self.assertEqual("sp-town", self.outcome(client, both, certificate=CERTIFICATE, dpop=proof(both)))
        self.assertEqual("not-proven", self.outcome(client, both, certificate=CERTIFICATE))
        self.assertEqual("not-proven", self.outcome(client, both, dpop=proof(both)))
        self.assertEqual("not-proven", self.outcome(client, ACTIVE, dpop=proof(ACTIVE)))
        self.assertEqual("sp-town", self.outcome(client, ACTIVE, certificate=CERTIFICATE))


def counted(client: CheckToken) -> Any:
    """Gives a list to which the path of each request is added."""
    paths = []
    send = client._platform.send

    def counting(path: str, *more: Any) -> Any:
        paths.append(path)
        return send(path, *more)

    client._platform.send = counting  # type: ignore[method-assign]
    return paths


def counts(paths: Any) -> Any:
    """How often keys, metadata and answers were asked for."""
    return [sum(path.endswith(end) for path in paths) for end in ("/certs", "/openid-configuration", "/checktoken")]


if __name__ == "__main__":
    unittest.main()
