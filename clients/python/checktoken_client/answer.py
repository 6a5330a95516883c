import copy
from collections.abc import Mapping, Sequence
from typing import Any

from .error import check

IDENTITY = ("family_name", "given_name", "given_name_array", "gender", "birthdate", "birthplace", "birthcountry")
"""What a platform gives of a person unless its administrator decides otherwise. A machine has none of it."""
_TOKEN = ("active", "aud", "client_id", "sub", "iat", "exp", "acr", "jti", "scope", "cnf", "auth_time")


class _Hidden:
    """Shows none of its members when it is printed, and cannot be pickled."""

    __slots__ = ("_identity", "_proven", "_token")

    def __init__(self, token: Mapping[str, Any], proven: bool, identity: Sequence[str]) -> None:
        self._token, self._proven, self._identity = token, proven, identity

    def __repr__(self) -> str:
        return f"[{type(self).__name__}]"

    def __reduce__(self) -> str:
        raise TypeError("An answer is not for keeping")


class Person(_Hidden):
    """Who uses the service provider."""

    @property
    def sub(self) -> str:
        """The person's identifier for this data provider."""
        return str(self._token["sub"])

    @property
    def acr(self) -> str | None:
        """The level of assurance of the login, if it is known."""
        return self._token.get("acr")

    def identity(self) -> dict[str, Any]:
        """Gives a copy of the identity data. Do not log it."""
        return copy.deepcopy({name: value for name, value in self._token.items() if name not in _TOKEN})


class Access(_Hidden):
    """What a service provider may do, for a person or for itself."""

    @property
    def client_id(self) -> str:
        """The service provider."""
        return str(self._token["client_id"])

    @property
    def jti(self) -> str | None:
        """By this, the administrator finds the call. It may be logged."""
        return self._token.get("jti")

    def person(self) -> Person:
        """Raises CheckTokenError if the token is of a machine: a service account, which is no person."""
        check(any(name in self._token for name in self._identity), "machine")
        return Person(self._token, self._proven, self._identity)


class Answer(_Hidden):
    """A verified answer. It can be of a token that is not active, so it gives nothing before a scope is asked for."""

    @property
    def active(self) -> bool:
        return self._token["active"] is True

    def __bool__(self) -> bool:
        return self.active

    def require(self, scope: str, *scopes: str) -> Access:
        """Raises CheckTokenError if the token is not active, not proven, or lacks a scope."""
        check(self.active, "inactive")
        check(self._proven, "not-proven")
        granted = self._token["scope"].split()
        wanted = (scope, *scopes)
        check(all(name in granted for name in wanted), "insufficient-scope", f"({' '.join(wanted)})")
        return Access(self._token, self._proven, self._identity)

    def unchecked(self) -> dict[str, Any]:
        """Gives what the platform says (RFC 7662), for a gateway that checks scopes, persons and `cnf` on its own."""
        return copy.deepcopy(dict(self._token))
