"""Who indexes which document: leases that end when their owner releases them, is gone, or stays silent."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import contextlib
import os
import platform
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import apsw

from octavo.corpus.store.protocol import LEASE_SECONDS, Lease, LeaseLost


@dataclass(frozen=True, slots=True)
class Owner:
    """A process and one run inside it. `started` tells a process from a later one with the same number."""

    token: str
    host: str
    pid: int
    started: str

    @classmethod
    def here(cls) -> Owner:
        """Return a new owner in this process."""
        return cls(uuid.uuid4().hex, _host(), os.getpid(), _started(os.getpid()) or "")

    def is_dead(self) -> bool:
        """Whether this owner is known to be gone; False when that cannot be told from here."""
        if self.host != _host() or sys.platform == "win32":
            return False
        started = _started(self.pid)
        return started is None or started != self.started

    def is_alive(self) -> bool:
        """Whether this owner is known to live; False when that cannot be told from here."""
        return self.host == _host() and bool(self.started) and _started(self.pid) == self.started


@cache
def _host() -> str:
    """Name this machine since it started, and the space its process numbers are unique in."""
    parts = [platform.node()]
    with contextlib.suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip())
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return " ".join(parts)


def _started(pid: int) -> str | None:
    """Return when a process started, in the system's own terms; "" when that is not known, None without process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None if sys.platform == "linux" else _lives(pid)
    return None if fields[0] in "ZX" else fields[19]


def _lives(pid: int) -> str | None:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return ""
    return ""


class Leases:
    """The leases of one owner, in the jobs table of the connection each call is given."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.owner = Owner.here()
        self._clock = clock
        self.unreleased: set[str] = set()
        """Documents whose lease nobody here holds any more, though the full disk did not let it be written."""

    def claim(self, connection: apsw.Connection, document_id: str, path: Any, now: str) -> Lease | None:
        """Take a document that nobody who lives has; a lease this owner has is not given twice."""
        row: Any = connection.execute(
            "SELECT token, host, pid, pid_started, expires FROM jobs WHERE document_id = ?", (document_id,)
        ).get
        if row and not self.is_free(*row) and not self.is_left(document_id, row[0]):
            return None
        self.unreleased.discard(document_id)
        owner = self.owner
        connection.execute(
            "INSERT OR REPLACE INTO jobs (document_id, path, started, token, host, pid, pid_started, expires) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (document_id, path, now, owner.token, owner.host, owner.pid, owner.started, self._clock() + LEASE_SECONDS),
        )
        return Lease(document_id, owner.token)

    def is_free(self, token: str, host: str, pid: int, started: str, expires: float) -> bool:
        """Whether a job with these columns has nobody who works on it."""
        return not token or expires <= self._clock() or Owner(token, host, pid, started).is_dead()

    def is_left(self, document_id: str, token: str) -> bool:
        """Whether this owner has left the document without being able to say so."""
        return token == self.owner.token and document_id in self.unreleased

    def renew(self, connection: apsw.Connection) -> None:
        """Put off the end of all leases of this owner."""
        connection.execute(
            "UPDATE jobs SET expires = ? WHERE token = ?", (self._clock() + LEASE_SECONDS, self.owner.token)
        )

    def verify(self, connection: apsw.Connection, lease: Lease) -> None:
        """Raise LeaseLost unless the lease is still held."""
        held = connection.execute(
            "SELECT 1 FROM jobs WHERE document_id = ? AND token = ?", (lease.document_id, lease.token)
        ).get
        if not held:
            raise LeaseLost(lease.document_id)

    def give_up(self, connection: apsw.Connection) -> None:
        """Leave every job of this owner to whoever comes next; what is staged stays."""
        connection.execute("UPDATE jobs SET token = '', expires = 0 WHERE token = ?", (self.owner.token,))
