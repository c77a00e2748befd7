"""Scopes of keys: what the caller of a request may do, and what is said to who may not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from octavo_server.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from octavo_server.services import Services

GRANTED = "octavo.granted"
"""Key of the ASGI scope under which the guard puts what the caller may do."""
HOLDER = "octavo.holder"
"""Key of the ASGI scope under which the guard puts whose key it is: its hash, as hexadecimal digits."""
READ, WRITE, ADMIN = SCOPES = ("read", "write", "admin")
"""From the least to the most; each may do what those before it may."""


def allows(granted: str | None, needed: str | None) -> bool:
    """Whether a scope may do what another is needed for; None: no scope."""
    return needed is None or (granted is not None and SCOPES.index(granted) >= SCOPES.index(needed))


def check_scope(request: Request, needed: str | None, services: Services) -> None:
    """Raise Problem where the caller may not do what a scope is needed for: 401 without a key, 403 with a lesser one.

    `GRANTED` in the ASGI scope is what the guard found out about the caller.
    """
    granted: str | None = request.scope.get(GRANTED)
    if allows(granted, needed):
        if needed not in (None, READ) and services.settings.read_only:
            raise Problem(403, "read_only", "This server is read-only: nothing is added or removed through it.")
        return
    if granted is None:
        raise unknown_caller()
    raise Problem(403, "scope", f"This key may {granted}; a key with the scope '{needed}' is needed.")


def holder_of(scope: Mapping[str, Any]) -> str:
    """Return whose key a request was sent with, by its ASGI scope; "" for none."""
    return str(scope.get(HOLDER, ""))


def can_write(request: Request, services: Services) -> bool:
    """Whether who sent a request may change what the server holds."""
    return allows(request.scope.get(GRANTED), WRITE) and not services.settings.read_only


def unknown_caller() -> Problem:
    """Return the problem of a caller without a key."""
    return Problem(
        401,
        "key",
        "A key is needed: open the link that 'octavo serve' printed, or send 'Authorization: Bearer KEY' "
        "with a key made by 'octavo key add NAME'.",
        headers={"WWW-Authenticate": "Bearer"},
    )
