"""Signs a person in, and asks how the person signed in (amr). Open the address that it prints.

Needs Python 3.9 or later, and: pip install authlib flask requests
Or Debian's packages python3-authlib, python3-flask and python3-requests.
"""

import json
import os
import sys
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.flask_client import OAuth
from flask import Flask
from requests import RequestException

missing = [
    name for name in ("REALM", "CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URI", "SCOPE") if not os.environ.get(name)
]
if missing:
    sys.exit(f"Not set: {', '.join(missing)}")
callback = urlsplit(os.environ["REDIRECT_URI"])
# The level of assurance that this service needs.
level = os.environ.get("ACR", "eidas1")

app = Flask(__name__)
# Signs the cookie that holds state, nonce and code verifier. A real application keeps this key, over all its processes.
app.secret_key = os.urandom(32)
# Over TLS, add SESSION_COOKIE_SECURE=True.
app.config.update(SESSION_COOKIE_SAMESITE="Lax")

platform = OAuth(app).register(
    "platform",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["REALM"].rstrip("/") + "/.well-known/openid-configuration",
    client_kwargs={"scope": os.environ["SCOPE"], "code_challenge_method": "S256"},
)


@app.get("/")
def begin():
    return platform.authorize_redirect(
        os.environ["REDIRECT_URI"],
        acr_values=level,
        claims=json.dumps({"id_token": {"amr": {"essential": True}}}),
    )


@app.get(callback.path)
def finish():
    try:
        # Checks the state, redeems the code, and verifies the ID token.
        tokens = platform.authorize_access_token()
    except (AuthlibBaseError, RequestException) as error:
        return failed(error)
    claims = tokens["userinfo"]
    if claims.get("acr") != level:
        return failed(f"the level of assurance is {claims.get('acr')}")
    print("ID token:", json.dumps(claims))
    print("Two factors:", "mfa" in claims.get("amr", []))
    print("Access token, only to try with:", tokens["access_token"], flush=True)
    return "You are signed in. The terminal shows the rest."


def failed(reason):
    print("The login failed:", reason, file=sys.stderr, flush=True)
    return "The login failed. The terminal says why.", 400


# Prints the address once it serves.
app.run(host="localhost", port=callback.port)
