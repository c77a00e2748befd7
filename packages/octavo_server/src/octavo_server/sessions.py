"""Sessions of browsers: what a cookie holds in the place of a key, and the token of the link that a server prints.

A session has a secret of its own, is kept as its hash in `server.db` of one corpus, works for as long as the key it was
begun with does, and ends by itself. So a cookie that another program of the machine is sent, since browsers tell ports
apart for no cookie, is of no use anywhere else, and of none here after a while.
"""

# pyright: reportUnknownMemberType=false
from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from octavo.corpus.store.sqlite.connections import rows_of
from octavo.errors import CorpusError
from octavo_server.store import Store

LASTS = 7 * 24 * 3600
"""Seconds from when a session begins until it ends."""
IDLE = 2 * 24 * 3600
"""Seconds without a request after which it ends."""
_NOTED = 600
"""Seconds after which it is noted again that a session is used."""
_KEPT = 2.0
"""Seconds for which a session that was looked up is taken as it was found."""
_MOST = 200
"""Sessions that a key may have; the one that was used longest ago goes for a new one."""


class Sessions:
    """The sessions of one server's store. Thread-safe. `holder` is the hash of the key that a session stands for."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock
        self._lock = threading.Lock()
        self._looked: dict[bytes, tuple[float, bytes]] = {}

    def begin(self, holder: bytes) -> str:
        """Return the secret of a new session."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        with self._store.writing() as connection:
            connection.execute("DELETE FROM sessions WHERE begun < ? OR used < ?", (now - LASTS, now - IDLE))
            connection.execute(
                "DELETE FROM sessions WHERE digest IN "
                "(SELECT digest FROM sessions WHERE holder = ? ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (holder, _MOST - 1),
            )
            connection.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", (_digest(secret), holder, now, now))
        return secret

    def end(self, secret: str) -> None:
        """End a session. Raises CorpusError where that cannot be written."""
        with self._lock:
            self._looked.pop(_digest(secret), None)
        with self._store.writing() as connection:
            connection.execute("DELETE FROM sessions WHERE digest = ?", (_digest(secret),))

    def holder(self, secret: str) -> bytes | None:
        """Return what a session stands for; None where there is none, or it has ended."""
        if not secret:
            return None
        digest, now = _digest(secret), self._clock()
        with self._lock:
            looked = self._looked.get(digest)
            if looked is not None and 0 <= now - looked[0] < _KEPT:
                return looked[1]
            found = None
            with contextlib.suppress(CorpusError):  # a file that is busy for once: the browser asks again
                found = self._found(digest, now)
            self._looked = {one: kept for one, kept in self._looked.items() if now - kept[0] < _KEPT}
            if found is not None:
                self._looked[digest] = now, found
            return found

    def _found(self, digest: bytes, now: float) -> bytes | None:
        with self._store.reading() as connection:
            rows = rows_of(connection, "SELECT holder, begun, used FROM sessions WHERE digest = ?", (digest,))
        if not rows or now - rows[0][1] > LASTS or now - rows[0][2] > IDLE:
            return None
        if now - rows[0][2] > _NOTED:
            with contextlib.suppress(CorpusError), self._store.writing() as connection:  # a full disk lets nobody out
                connection.execute("UPDATE sessions SET used = ? WHERE digest = ?", (now, digest))
        return bytes(rows[0][0])


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


_TOKEN_FILE = "server.token"  # noqa: S105  (the name of a file)
_TOKEN = re.compile(r"[\w-]{32,100}", re.ASCII)
_TOKEN_BYTES = 24


def kept_token(folder: Path) -> str:
    """Return the token of a corpus's link, made when there is none, so that the link lasts; its user alone reads it.

    Where the folder cannot be written the token is new with each start. Who removes the file makes the link void.
    """
    file = folder / _TOKEN_FILE
    with contextlib.suppress(OSError, ValueError):
        if not file.is_symlink():
            file.chmod(0o600)
            token = file.read_text(encoding="ascii").strip()
            if _TOKEN.fullmatch(token):
                return token
            file.unlink()
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(opened, "w", encoding="ascii") as kept:
            kept.write(token + "\n")
    return token


def way_back(wanted: str) -> str:
    """Return the address on this server that a person wanted, "/" for one that leads elsewhere or to no page."""
    if not wanted.startswith("/") or not wanted.isprintable() or "\\" in wanted or len(wanted) > 2000:
        return "/"
    try:
        parts = urlsplit(wanted)
    except ValueError:
        return "/"
    is_elsewhere = bool(parts.scheme or parts.netloc) or wanted.startswith("//")
    return "/" if is_elsewhere or parts.path.startswith(("/sign-in", "/v1/")) else wanted
