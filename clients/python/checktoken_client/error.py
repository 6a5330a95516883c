_DENY = 'Answer 401 with WWW-Authenticate: Bearer error="invalid_token".'
_LATER = "Answer 503 with Retry-After."
_WRONG = f"The answer cannot be trusted: do not use it. {_LATER} If it happens again, tell the platform's administrator."

_TEXTS = {
    "configuration": "Correct your settings.",
    "no-token": f"This is no access token. {_DENY}",
    "inactive": f"The token is not active. {_DENY}",
    "machine": f"The token is of a service provider itself, and not of a person. {_DENY}",
    "not-proven": f"The request does not prove the key of its token: give check() dpop or certificate. {_DENY}",
    "insufficient-scope": 'The token lacks a scope. Answer 403 with WWW-Authenticate: Bearer error="insufficient_scope".',
    "unreachable": f"No connection, or it broke. {_LATER} If it happens again, look at address, network, certificates.",
    "timeout": f"The whole answer was not there in time. {_LATER}",
    "unavailable": f"The platform is not available, or has no key of yours to encrypt to. {_LATER} Look at your JWK Set.",
    "redirect": f"The platform redirects: token and secret would go elsewhere. {_LATER} Correct the realm's address.",
    "invalid-request": f"The platform does not accept the call. {_LATER} Look at what is between you and the platform.",
    "wrong-credentials": f"The platform refused you, not the token. {_LATER} Stop, and ask for the right credentials.",
    "not-a-data-provider": f"The platform refused you, not the token. {_LATER} Ask to be registered as a data provider.",
    "platform-error": f"The platform could not answer. {_LATER} Tell the administrator.",
    "wrong-metadata": f"Metadata or keys cannot be used, or are of another issuer. {_LATER} Compare the realm's address.",
    "issued-in-the-future": f"The answer is over a minute ahead. {_LATER} Compare the clocks.",
    "issued-too-long-ago": f"The answer is over a minute old. {_LATER} Compare the clocks.",
}
"""For each reason, what happened and what to do. The reasons that are missing here are those of wrong answers."""
_DENIED = {"no-token": 401, "inactive": 401, "machine": 401, "not-proven": 401, "insufficient-scope": 403}
_OF_STATUS = {
    **dict.fromkeys((300, 301, 302, 303, 307, 308), "redirect"),
    **dict.fromkeys((400, 405, 413, 415), "invalid-request"),
    **dict.fromkeys((429, 502, 503, 504), "unavailable"),
    401: "wrong-credentials",
    403: "not-a-data-provider",
}


class CheckTokenError(Exception):
    """Whatever prevents the use of a token. Nothing in it comes from token, secret, answer or platform."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(": ".join(filter(None, (reason, _TEXTS.get(reason, _WRONG), detail))))
        self.reason = reason
        self.status = _DENIED.get(reason, 503)
        """What to answer the service provider: 401, 403 or 503."""

    @classmethod
    def of_status(cls, status: int) -> "CheckTokenError":
        return cls(_OF_STATUS.get(status, "platform-error"), f"status {status}")


def check(condition: object, reason: str, detail: str = "") -> None:
    if not condition:
        raise CheckTokenError(reason, detail)
