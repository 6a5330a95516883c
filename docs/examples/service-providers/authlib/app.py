"""Asks how the person signed in (amr), and asks for a second factor of its own unless that was two factors.

Needs Python 3.9 or later, and: pip install authlib flask requests
"""

import json
import os
from urllib.parse import urlsplit

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, request, session

callback = urlsplit(os.environ["REDIRECT_URI"])

app = Flask(__name__)
# Signs the session's cookie. A real application keeps it. Over TLS, add SESSION_COOKIE_SECURE=True.
app.secret_key = os.urandom(32)
app.config.update(SESSION_COOKIE_SAMESITE="Lax")

platform = OAuth(app).register(
    "platform",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    server_metadata_url=os.environ["REALM"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid", "code_challenge_method": "S256"},
)


@app.before_request
def sign_in():
    if "amr" not in session and request.path != callback.path:
        return platform.authorize_redirect(
            os.environ["REDIRECT_URI"], claims=json.dumps({"id_token": {"amr": {"essential": True}}})
        )


@app.get(callback.path)
def finish():
    # Checks the state, redeems the code, and verifies the ID token, whose claims it names "userinfo".
    session["amr"] = platform.authorize_access_token()["userinfo"].get("amr", [])
    return redirect("/")


@app.get("/")
def home():
    if "mfa" not in session["amr"]:
        return redirect("/second-factor")
    return "Welcome. You signed in with " + " ".join(session["amr"])


@app.get("/second-factor")
def second_factor():
    return "Your second factor, please. You signed in with " + " ".join(session["amr"])


# Prints the address once it serves.
app.run(host="localhost", port=callback.port)
