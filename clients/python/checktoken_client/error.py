import json
import re
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from typing import Any

from joserfc.errors import JoseError

_LINES = (files(__package__) / "reasons.properties").read_text("utf-8")
REASONS = dict(re.findall(r"^([a-z0-9-]+)=(.+)$", _LINES, re.MULTILINE))
FAILURES = (JoseError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What libraries raise for a text or JSON that somebody else made."""


class CheckTokenError(Exception):
    """Whatever prevents the use of a token. Nothing in it comes from token, secret or answer."""

    def __init__(self, name: str, detail: str = "") -> None:
        """The name is a reason, or what stands for one."""
        reason, _, more = (name, "", "") if REASONS[name][0].isdigit() else REASONS[name].partition(" ")
        super().__init__(" ".join(filter(None, (f"{reason}:", REASONS[reason][4:], more, detail))))
        self.reason = reason
        self.status = int(REASONS[reason][:3])
        """What to answer the service provider: 401, 403 or 503."""


def check(condition: object, reason: str, detail: str = "") -> None:
    if not condition:
        raise CheckTokenError(reason, detail) from None


def attempt(action: Callable[[], Any], reason: str) -> Any:
    """The error of a library could quote a key or an answer, so it is not kept as the cause."""
    try:
        return action()
    except FAILURES:
        raise CheckTokenError(reason) from None


def json_object(data: bytes, reason: str, parse: Callable[[bytes], Any] = json.loads) -> Any:
    value = attempt(lambda: parse(data), reason)
    check(isinstance(value, dict), reason)
    return value


def described(body: bytes) -> str:
    """What the platform says about its error, as it may be logged (RFC 6749 section 5.2)."""
    with suppress(*FAILURES):
        text = json.loads(body)["error_description"]
        return ": " + re.sub(r"[^ !#-\[\]-~]", "?", text)[:200] if text else ""
    return ""
