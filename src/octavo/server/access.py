"""Who may do what: names the server answers to, keys and their scopes, the cookie of the link, and safe headers."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import secrets
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from octavo.errors import CorpusError, UsageError
from octavo.server.problems import Problem
from octavo.server.routes import ADMIN, READ, WRITE
from octavo.server.store import Key, Store

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from octavo.server import ServerSettings

SCOPES = (READ, WRITE, ADMIN)
"""From the least to the most; each may do what those before it may."""
_KEY_BYTES = 32
_KEY_START = "octavo_"
_KEPT_SECONDS = 2.0
"""How long keys that were read are used: one that is removed stops working after it."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""What every response carries."""


def new_key() -> str:
    """Return a key that nobody guesses."""
    return _KEY_START + secrets.token_urlsafe(_KEY_BYTES)


def digest_of(secret: str) -> bytes:
    """Return what is stored of a key. It has 256 random bits, so that one hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def add_key(store: Store, name: str, scope: str) -> str:
    """Make a key and return it; it is shown this once. Raises UsageError for a bad name or scope, or one there is."""
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}: choose one of {', '.join(SCOPES)}")
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise UsageError("a key needs a name of 1 to 100 letters, such as the program that uses it")
    if any(key.name == name for key in store.all_keys()):
        raise UsageError(f"there is a key called {name!r} already: choose another name, or remove it first")
    secret = new_key()
    store.add_key(name, digest_of(secret), scope)
    return secret


def allows(granted: str | None, needed: str | None) -> bool:
    """Whether a scope may do what another is needed for; None: no scope."""
    return needed is None or (granted is not None and SCOPES.index(granted) >= SCOPES.index(needed))


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own, to be reached from it alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Access:
    """Decides for requests. Thread-safe."""

    def __init__(self, store: Store, settings: ServerSettings, cookie: str) -> None:
        """Take the keys, the settings, and the name of the cookie."""
        self._store, self._settings, self.cookie = store, settings, cookie
        self._token = digest_of(settings.token) if settings.token else None
        self._lock = threading.Lock()
        self._keys: tuple[float, tuple[Key, ...]] = (-_KEPT_SECONDS, ())

    def check_origin(self, headers: Headers) -> None:
        """Raise Problem 403 for a name this server is not called by, or a request from another site's page.

        An address in numbers is answered: no other site can pass for it, as it can for a name (DNS rebinding).
        """
        host = headers.get("host", "")
        name = _name_of(host)
        known = ("localhost", *(one.lower() for one in self._settings.hosts))
        if not (_is_address(name) or name in known):
            raise Problem(403, "host", f"This server is not called {name!r}; start it with --name {name} if it is.")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower() and not self._is_named(origin):
            raise Problem(403, "origin", "Pages of other sites may not call this server.")

    def _is_named(self, origin: str) -> bool:
        """Whether an origin is a name that was set for the server: behind a proxy ports may differ."""
        return _name_of(urlsplit(origin).netloc) in [one.lower() for one in self._settings.hosts]

    def granted(self, headers: Headers, cookies: Mapping[str, str]) -> str | None:
        """Return the scope of a request by its key or cookie, None for none."""
        kind, _, given = headers.get("authorization", "").partition(" ")
        secret = given.strip() if kind.lower() == "bearer" else cookies.get(self.cookie, "")
        return self.scope_of(secret)

    def scope_of(self, secret: str) -> str | None:
        """Return the scope of a key or of the link's token, None for anything else."""
        if not secret:
            return None
        digest, found = digest_of(secret), None
        if self._token is not None and hmac.compare_digest(digest, self._token):
            found = ADMIN
        for key in self._known():
            if hmac.compare_digest(digest, key.digest):
                found = key.scope
        return found

    def _known(self) -> tuple[Key, ...]:
        with self._lock:
            read, keys = self._keys
            if time.monotonic() - read >= _KEPT_SECONDS:
                with contextlib.suppress(CorpusError):  # a file that is busy for once: what was read before holds
                    keys = self._store.all_keys()
                self._keys = time.monotonic(), keys
            return keys


def _name_of(host: str) -> str:
    """Return the name or address of a host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
