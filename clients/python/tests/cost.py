import base64
import http.client
import statistics
import time
import unittest
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from joserfc.jwk import ECKey, RSAKey

from .support import ACTIVE, CASES, KEYS, PlatformTest

ROUNDS, CALLS, LIMIT = 12, 50, 1.2


class CostTest(PlatformTest):
    def test_a_check_costs_little_more_than_the_bare_call_and_the_raw_cryptography(self) -> None:
        client = self.client()
        url = urlsplit(f"{self.platform.realm}/api/v2/checktoken")
        connection = http.client.HTTPConnection(url.netloc)
        self.addCleanup(connection.close)
        registered = CASES["clients"][0]
        form = {name: registered[name] for name in ("client_id", "client_secret")}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        own: Any = RSAKey.import_key(KEYS["data-provider-RSA"]).private_key
        realm_key: Any = ECKey.import_key(KEYS["platform-ES256"]).public_key

        def bare() -> None:
            connection.request("POST", url.path, urlencode({**form, "token": ACTIVE}), headers)
            head, key, iv, text, tag = connection.getresponse().read().split(b".")
            oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
            cek = own.decrypt(decoded(key), oaep)
            jws = AESGCM(cek).decrypt(decoded(iv), decoded(text) + decoded(tag), head)
            signed, _, signature = jws.rpartition(b".")
            r, s = (int.from_bytes(half, "big") for half in (decoded(signature)[:32], decoded(signature)[32:]))
            realm_key.verify(utils.encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))

        def checked() -> None:
            client.check(ACTIVE)

        rounds = [(seconds(bare), seconds(checked)) for _ in range(ROUNDS)][2:]
        ratio = statistics.median(check / call for call, check in rounds)
        call, check = (statistics.median(column) * 1e6 for column in zip(*rounds))
        print(f"\nbare {call:.0f} µs, check {check:.0f} µs, ratio {ratio:.2f}")
        self.assertLessEqual(ratio, LIMIT)


def decoded(part: bytes) -> bytes:
    return base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))


def seconds(action: Callable[[], None]) -> float:
    begin = time.perf_counter()
    for _ in range(CALLS):
        action()
    return (time.perf_counter() - begin) / CALLS


if __name__ == "__main__":
    unittest.main()
