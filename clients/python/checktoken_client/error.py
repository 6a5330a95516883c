import re
from importlib.resources import files

_LINES = (files(__package__) / "reasons.properties").read_text("utf-8")
_REASONS = dict(re.findall(r"^([a-z0-9-]+)=(.+)$", _LINES, re.MULTILINE))


class CheckTokenError(Exception):
    """Whatever prevents the use of a token. Nothing in it comes from token, secret, answer or platform."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(": ".join(filter(None, (reason, _REASONS[reason][4:], detail))))
        self.reason = reason
        self.status = int(_REASONS[reason][:3])
        """What to answer the service provider: 401, 403 or 503."""

    @classmethod
    def of_status(cls, status: int) -> "CheckTokenError":
        return cls(_REASONS.get(f"status-{status}", "platform-error"), f"status {status}")


def check(condition: object, reason: str, detail: str = "") -> None:
    if not condition:
        raise CheckTokenError(reason, detail)
