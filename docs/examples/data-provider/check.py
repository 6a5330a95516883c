"""Checks an access token, given as the argument or on the standard input.

Needs Python 3.10 or later, and the library: pip install /path/to/checkout/clients/python
"""

import json
import os
import sys

from checktoken_client import CheckToken, CheckTokenError


def main():
    missing = [name for name in ("REALM", "CLIENT_ID", "CLIENT_SECRET") if not os.environ.get(name)]
    if missing:
        sys.exit(f"Not set: {', '.join(missing)}")
    if len(sys.argv) > 1:
        token = sys.argv[1]
    else:
        token = "" if sys.stdin.isatty() else sys.stdin.read().strip()
    if not token:
        sys.exit("No access token, neither as the argument nor on the standard input")
    # A server makes one, and keeps it.
    check_token = CheckToken(
        os.environ["REALM"],
        os.environ["CLIENT_ID"],
        [private_key(file) for file in os.environ.get("PRIVATE_KEYS", "private.jwk.json").split(" ")],
        client_secret=os.environ["CLIENT_SECRET"],
    )
    answer = check_token.check(token)
    # Only to look at it. Your API does: person = answer.require("tax_income").person()
    print(json.dumps(answer.unchecked(), indent=2))


def private_key(file):
    with open(file, encoding="utf-8") as text:
        return json.load(text)


try:
    main()
except (CheckTokenError, OSError, ValueError) as error:
    sys.exit(str(error))
