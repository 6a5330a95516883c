"""Checks access tokens at a platform with checktoken for Keycloak, and verifies the answers."""

from .answer import Access, Answer, Person
from .client import CheckToken
from .error import CheckTokenError
from .proof import Dpop

__all__ = ["Access", "Answer", "CheckToken", "CheckTokenError", "Dpop", "Person"]
