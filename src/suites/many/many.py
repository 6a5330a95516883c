import collections
import json
import math
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from checktoken_client import CheckToken, CheckTokenError

with open(os.environ["PRIVATE_KEYS"], encoding="utf-8") as text:
    KEY = json.load(text)
REALM, CLIENT_ID, SECRET, TOKEN = (os.environ[name] for name in ("REALM", "CLIENT_ID", "CLIENT_SECRET", "TOKEN"))
CHECK_TOKEN = CheckToken(REALM, CLIENT_ID, [KEY], client_secret=SECRET, connect_to=os.environ.get("CONNECT_TO"))
FORM = urllib.parse.urlencode({"client_id": CLIENT_ID, "client_secret": SECRET, "token": TOKEN}).encode()


def library():
    try:
        return "active" if CHECK_TOKEN.check(TOKEN).unchecked()["active"] else "inactive"
    except CheckTokenError as error:
        return error.reason


def bare():
    try:
        with urllib.request.urlopen(f"{REALM}/api/v2/checktoken", FORM, timeout=60) as response:
            response.read()
            return str(response.status)
    except OSError:
        return "failed"


def burst(name, call):
    counts = collections.Counter()
    seconds = []

    def one():
        begun = time.monotonic()
        outcome = call()
        seconds.append(time.monotonic() - begun)
        counts[outcome] += 1

    threads = [threading.Thread(target=one) for _ in range(int(os.environ["CHECKS"]))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    p99 = sorted(seconds)[math.ceil(len(seconds) * 0.99) - 1]
    print(json.dumps({"name": name, "counts": counts, "p99": round(p99 * 1000)}))


burst("library", library)
if "BARE" in os.environ:
    burst("bare", bare)
