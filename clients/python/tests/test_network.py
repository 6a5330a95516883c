import asyncio
import json
import os
import socket
import ssl
import threading
import time
import unittest
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

from joserfc import jwe, jws
from joserfc.jwk import ECKey, JWKRegistry

from checktoken_client import CheckToken, CheckTokenError
from checktoken_client.reader import decrypted, verified

from .support import ACTIVE, CERTIFICATE, KEYS, KIT, SERVICE_PROVIDER, Platform, settings

LIES = int(os.environ.get("LIES", "300"))
SEED = int(os.environ.get("SEED", time.time_ns() % 1_000_000_000))
METADATA = json.loads((KIT / "metadata.json").read_text("utf-8"))["cases"]
LARGE = json.loads((KIT / "keys/large.json").read_text("utf-8"))["keys"][0]
BY_KEY = {"client_key": KEYS["data-provider-assertion"], "client_secret": None}


def outcome(client: CheckToken) -> str:
    """Accepted, or why not. What is no CheckTokenError is raised."""
    try:
        client.check(ACTIVE).require("tax_income").person()
    except CheckTokenError as error:
        return error.reason
    return "accepted"


def trying(realm: str, **more: Any) -> str:
    client = CheckToken(**{**settings(realm), **more})
    try:
        return outcome(client)
    finally:
        client.close()


def certified() -> ssl.SSLContext:
    import tempfile

    tls = ssl.create_default_context(cadata=CERTIFICATE)
    tls.check_hostname = False
    with tempfile.NamedTemporaryFile() as file:
        file.write(CERTIFICATE.encode() + ECKey.import_key(SERVICE_PROVIDER).as_pem(private=True))
        file.flush()
        tls.load_cert_chain(file.name)
    return tls


class NetworkTest(unittest.TestCase):
    def platform(self, **more: Any) -> Platform:
        platform = Platform(**more)
        self.addCleanup(platform.close)
        return platform

    def test_refuses_metadata_that_lie_and_waits_not_for_those_that_hang(self) -> None:
        platform = self.platform()
        for case in METADATA:
            with self.subTest(case["name"]):
                begin = time.monotonic()
                found = trying(f"{platform.origin}/realms/{case['name']}", seconds=1 if "hangs" in case else 10)
                self.assertIn(found, ["accepted"] if "expect" in case else [case["reason"], *case.get("or", [])])
                self.assertLess(time.monotonic() - begin, 2)
        self.assertEqual(0, platform.calls_elsewhere())

    def test_threads_that_wait_for_metadata_share_what_comes_of_them(self) -> None:
        client = CheckToken(**{**settings(f"{self.platform().origin}/realms/metadata-hang"), "seconds": 1})

        def timed(number: int) -> float:
            time.sleep(number / 20)
            begin = time.monotonic()
            self.assertEqual("timeout", outcome(client))
            return time.monotonic() - begin

        with ThreadPoolExecutor(40) as threads:
            self.assertLess(max(threads.map(timed, range(40))), 1.5)

    def test_no_lie_is_accepted_and_each_raises_the_one_error(self) -> None:
        platform, reasons = self.platform(), Counter[str]()
        for number in range(SEED, SEED + LIES):
            with self.subTest(number):
                found = trying(f"{platform.origin}/realms/lie-{number}")
                self.assertNotEqual("accepted", found)
                reasons[found] += 1
        print(f"\nlies from {SEED}: {dict(reasons)}")
        self.assertEqual(0, platform.calls_elsewhere())
        self.assertGreater(len(reasons), 8)

    def test_checks_wait_for_their_turn_and_are_refused_as_busy_at_the_deadline(self) -> None:
        platform = self.platform(FAULTS="slow")
        for seconds, expected in ((60, {"accepted"}), (0.4, {"accepted", "busy", "timeout"})):
            client = CheckToken(**{**settings(platform.realm), "seconds": seconds})
            self.addCleanup(client.close)
            outcome(client)
            with ThreadPoolExecutor(500) as threads:
                start = threading.Barrier(500)
                found = set(threads.map(lambda _: (start.wait(), outcome(client))[1], range(500)))
            self.assertLessEqual(found, expected)
            self.assertLessEqual(len(client._platform._kept), 64)
        self.assertIn("busy", found)

    def test_repeats_a_call_once_with_a_new_assertion(self) -> None:
        # The platform takes each assertion once, and closes each connection at its second check.
        client = CheckToken(**{**settings(self.platform(FAULTS="closes").realm), **BY_KEY})
        self.addCleanup(client.close)
        self.assertEqual(["accepted"] * 4, [outcome(client) for _ in range(4)])

    def test_gives_up_after_one_repeat(self) -> None:
        calls = []
        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve() -> None:
                while True:
                    try:
                        connection, _ = server.accept()
                    except OSError:
                        return
                    calls.append(connection.recv(9999))
                    connection.close()

            threading.Thread(target=serve, daemon=True).start()
            self.assertEqual("unreachable", trying(f"http://127.0.0.1:{server.getsockname()[1]}/realms/demo"))
            self.assertEqual(2, len(calls))

    def test_leaves_out_keys_that_it_cannot_read(self) -> None:
        self.assertEqual("accepted", trying(self.platform(FAULTS="odd-keys").realm))

    def test_connects_to_the_address_that_it_is_given(self) -> None:
        platform = self.platform(ORIGIN="https://platform.example")
        for realm in ("demo", "endpoints-inside"):
            for address in (platform.address, f"{platform.address}/"):
                self.assertEqual("accepted", trying(f"{platform.origin}/realms/{realm}", connect_to=address, **BY_KEY))
        for wrong in ("http://inside.example", "inside.example", "https://inside.example/path", "https://a@b", "", "https://"):
            with self.subTest(wrong), self.assertRaises(CheckTokenError) as raised:
                CheckToken(**settings(platform.realm), connect_to=wrong)
            self.assertEqual("configuration", raised.exception.reason)

    def test_goes_through_a_forward_proxy_and_names_it_if_that_is_not_reached(self) -> None:
        platform = self.platform(tls=True, ORIGIN="https://platform.example", FAULTS="proxy")
        proxy = platform.said()
        more = {"tls": certified(), "client_secret": None}
        with patch.dict(os.environ, {"https_proxy": proxy.replace("//", "//user:p%40ss@")}):
            self.assertEqual("accepted", trying(platform.realm, **more))
        with patch.dict(os.environ, {"HTTPS_PROXY": "http://user:p%40ss@127.0.0.1:1"}):
            with self.assertRaises(CheckTokenError) as raised:
                CheckToken(**{**settings(platform.realm), **more}).check(ACTIVE)
            self.assertEqual("unreachable", raised.exception.reason)
            self.assertRegex(str(raised.exception), r"\(proxy: 127\.0\.0\.1:1\)$")
            with patch.dict(os.environ, {"NO_PROXY": "localhost,127.0.0.1"}):
                self.assertEqual("accepted", trying(platform.realm, connect_to=platform.address, **more))
        with patch.dict(os.environ, {"HTTPS_PROXY": "socks5://a:secret@b"}), self.assertRaises(CheckTokenError) as raised:
            CheckToken(**{**settings(platform.realm), **more})
        self.assertNotIn("secret", repr(raised.exception))

    @unittest.skipUnless(os.path.exists("/proc/net"), "needs Linux")
    def test_tries_the_next_address_if_the_first_one_swallows_connections(self) -> None:
        platform = self.platform(tls=True, ORIGIN="https://platform.example:{port}", FAULTS="dead-address")
        self.assertEqual("127.0.0.2", platform.said())

        def resolved(_host: str, port: int, **_more: Any) -> Any:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in ("127.0.0.2", "127.0.0.1")]

        begin = time.monotonic()
        with patch("socket.getaddrinfo", resolved):
            self.assertEqual("accepted", trying(platform.realm, tls=certified(), client_secret=None, seconds=3))
        self.assertLess(time.monotonic() - begin, 2.5)

    def test_takes_keys_of_8192_bits(self) -> None:
        key = JWKRegistry.import_key(LARGE)
        header = {"alg": "RSA-OAEP-256", "enc": "A256GCM", "cty": "JWT", "kid": LARGE["kid"]}
        body = jwe.encrypt_compact(header, b"x" * 100_000, key, ["RSA-OAEP-256", "A256GCM"]).encode()
        self.assertEqual(100_000, len(decrypted(body, [key], ["A256GCM"])))
        signer = JWKRegistry.import_key({**LARGE, "alg": "RS256", "use": "sig"})
        text = jws.serialize_compact({"alg": "RS256", "typ": "token-introspection+jwt", "kid": "x"}, b"{}", signer)
        self.assertEqual({}, verified(text.encode(), ["RS256"], lambda _: signer))

    def test_can_be_awaited(self) -> None:
        client = CheckToken(**settings(self.platform().realm))
        self.addCleanup(client.close)
        self.assertTrue(asyncio.run(client.check_async(ACTIVE)))


if __name__ == "__main__":
    unittest.main()
