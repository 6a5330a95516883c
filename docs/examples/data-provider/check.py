"""Checks an access token, given as the argument or on the standard input.

Needs Python 3.9 or later, and: pip install jwcrypto requests
Or Debian's packages python3-jwcrypto and python3-requests.
"""

import json
import os
import sys
import time

import requests
from jwcrypto.common import JWException
from jwcrypto.jwe import JWE
from jwcrypto.jwk import JWK
from jwcrypto.jws import JWS

# As agreed with the platform. The key encryption is the alg of the private key.
SIGNATURE = "ES256"
CONTENT_ENCRYPTION = "A256GCM"


class Rejected(Exception):
    pass


def check(token):
    realm, client_id = os.environ["REALM"].rstrip("/"), os.environ["CLIENT_ID"]
    response = requests.post(
        f"{realm}/api/v2/checktoken",
        data={"client_id": client_id, "client_secret": os.environ["CLIENT_SECRET"], "token": token},
        timeout=10,
        allow_redirects=False,
    )
    if response.status_code != 200:
        raise Rejected(f"checktoken answered {response.status_code}: {response.text}")

    jwe = JWE()
    jwe.deserialize(compact(response.text))
    key = private_key(jwe.jose_header)
    jwe.allowed_algs = [key["alg"], CONTENT_ENCRYPTION]
    jwe.decrypt(key)

    jws = JWS()
    jws.allowed_algs = [SIGNATURE]
    jws.deserialize(compact(jwe.payload.decode()))
    # A server keeps the set for ten minutes, and loads it earlier if a kid is not in it.
    certs = requests.get(f"{realm}/protocol/openid-connect/certs", timeout=10, allow_redirects=False)
    certs.raise_for_status()
    kid = jws.jose_header.get("kid")
    realm_key = next((jwk for jwk in certs.json()["keys"] if jwk.get("kid") == kid), None)
    if realm_key is None:
        raise Rejected("The realm does not publish the key that signed the answer")
    jws.verify(JWK(**realm_key))
    if jws.jose_header.get("typ") != "token-introspection+jwt":
        raise Rejected("Not an answer of checktoken")

    answer = json.loads(jws.payload)
    if answer.get("iss") != f"{realm}/api/v2" or answer.get("aud") != client_id:
        raise Rejected("An answer of another realm, or for another data provider")
    if abs(time.time() - answer.get("iat", 0)) > 60:
        raise Rejected("The answer was made at another time")
    # It can say active: false. Steps 8 to 11 of the guide are the caller's.
    return answer["token_introspection"]


def compact(text):
    """Refuses the form in JSON, which jwcrypto reads too, because there a header need not be signed."""
    if "{" in text:
        raise Rejected("The answer is not a compact JWS in a compact JWE")
    return text


def private_key(header):
    """Finds the key that the header of the answer names. While you change keys there are two."""
    for file in os.environ.get("PRIVATE_KEYS", "private.jwk.json").split(" "):
        with open(file, encoding="utf-8") as text:
            jwk = json.load(text)
        if jwk.get("kid") == header.get("kid") and jwk.get("alg") == header.get("alg"):
            return JWK(**jwk)
    raise Rejected(f"No private key has kid {header.get('kid')} and alg {header.get('alg')}")


def main():
    missing = [name for name in ("REALM", "CLIENT_ID", "CLIENT_SECRET") if not os.environ.get(name)]
    if missing:
        raise Rejected(f"Not set: {', '.join(missing)}")
    if len(sys.argv) > 1:
        token = sys.argv[1]
    else:
        token = "" if sys.stdin.isatty() else sys.stdin.read().strip()
    if not token:
        raise Rejected("No access token, neither as the argument nor on the standard input")
    print(json.dumps(check(token), indent=2))


try:
    main()
except (Rejected, JWException, requests.RequestException, OSError, ValueError) as error:
    sys.exit(str(error))
