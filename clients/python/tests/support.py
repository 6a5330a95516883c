import hashlib
import json
import os
import re
import ssl
import subprocess
import time
import unittest
import uuid
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from joserfc import jwt
from joserfc.jwk import JWKRegistry
from joserfc.util import urlsafe_b64encode

from checktoken_client import CheckToken, Dpop

KIT = Path(__file__).resolve().parents[2] / "testkit"
CASES = json.loads((KIT / "cases.json").read_text("utf-8"))
KEYS = {
    jwk["kid"]: jwk
    for name in ("platform", "data-provider", "service-provider", "foreign")
    for jwk in json.loads((KIT / f"keys/{name}.json").read_text("utf-8"))["keys"]
}
SERVICE_PROVIDER = KEYS["service-provider"]
def _token(case: Any) -> str:
    """The token of a case, as the kit's README says."""
    jti = CASES["introspections"][case.get("introspection", "person")].get("jti")
    parts = ({"alg": "ES256"}, {"case": case["name"], "jti": jti})
    return case.get("token", ".".join(urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts) + ".AAAA")


CERTIFICATE = ssl.DER_cert_to_PEM_cert(__import__("base64").b64decode(SERVICE_PROVIDER["x5c"][0]))


TOKENS = {case["name"]: _token(case) for case in CASES["cases"]}
ACTIVE = TOKENS["active"]


class Platform:
    """The mock platform for Node."""

    def __init__(self, port: int = 0, tls: bool = False, **more: str) -> None:
        environment = {**os.environ, "PORT": str(port), "TLS": "yes" if tls else "no", **more}
        command = ["node", str(KIT / "mock-node/main.js")]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.realm = re.search(r"Realm: (\S+)", line).group(1)
        self.origin = self.realm.split("/realms/")[0]
        self.process.stdout.readline()
        self.address = self.said()

    def said(self) -> str:
        """The value of its next line."""
        return self.process.stdout.readline().split(": ", 1)[1].strip()

    def calls_elsewhere(self) -> int:
        with urlopen(f"{self.origin}/elsewhere") as response:
            return json.load(response)["calls"]

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class PlatformTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.platform = Platform()
        cls.addClassCleanup(cls.platform.close)

    def client(self, registered: Any = CASES["clients"][0], **more: Any) -> CheckToken:
        client = CheckToken(**{**settings(self.platform.realm, registered), **more})
        self.addCleanup(client.close)
        return client


def settings(realm: str, registered: Any = CASES["clients"][0]) -> dict:
    agreed = registered["agreed"]
    key = {**KEYS[f"data-provider-{agreed['kty']}"], "alg": agreed["jwe_alg"]}
    return {
        "realm": realm,
        "client_id": registered["client_id"],
        "client_secret": registered["client_secret"],
        "private_keys": [key],
        "signature": agreed["jws_alg"],
        "content_encryption": agreed["jwe_enc"],
        "seconds": 30,
    }


def proof(token: str, claims: Any = (), header: Any = (), key: Any = SERVICE_PROVIDER, **request: Any) -> Dpop:
    """A right DPoP proof of the kit's service provider, if nothing is changed. The key needs an "alg"."""
    ath = urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode()
    right = {"jti": str(uuid.uuid4()), "htm": "GET", "htu": "https://dp.example.org/income", "iat": int(time.time())}
    public = {name: key[name] for name in ("kty", "crv", "x", "y", "n", "e") if name in key}
    head = {"alg": key["alg"], "typ": "dpop+jwt", "jwk": public, **dict(header)}
    text = jwt.encode(head, {**right, "ath": ath, **dict(claims)}, JWKRegistry.import_key(key), [key["alg"]])
    return Dpop(**{"proof": text, "method": "GET", "url": "https://dp.example.org/income?year=2025", **request})
