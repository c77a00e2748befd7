"""A stand-in for S3 in a process of its own, that fails as it is told to.

The process prints its address and then does what each line on its input says: `bucket NAME` makes one, `gone NAME`
removes one with all that is in it, and `do WHAT` says what becomes of every request from then on (`BEHAVIOURS`;
`slow`, `mix` of all of them, `well`).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

KEY = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "AWS_REGION": "us-east-1"}


class ObjectStore:
    """The stand-in as tests drive it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.url = self._line()
        self._numbers = itertools.count()

    @property
    def environment(self) -> dict[str, str]:
        """What tells a program where it is and who one is there."""
        return {**KEY, "AWS_ENDPOINT_URL": self.url}

    def bucket(self) -> str:
        """Make a bucket and return its URL."""
        name = f"bucket{next(self._numbers)}"
        self.tell(f"bucket {name}")
        return f"s3://{name}"

    def tell(self, order: str) -> None:
        """Give an order and wait until it is done."""
        assert self._process.stdin
        self._process.stdin.write(f"{order}\n")
        self._process.stdin.flush()
        assert self._line() == "done"

    def _line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        """End it; nothing of it stays."""
        self._process.kill()
        self._process.communicate()


@contextlib.contextmanager
def running() -> Iterator[Callable[[], ObjectStore]]:
    """Give what starts the store when it is first wanted; end it in the end."""
    started: list[ObjectStore] = []

    def store() -> ObjectStore:
        if not started:
            started.append(ObjectStore())
        return started[0]

    try:
        yield store
    finally:
        for one in started:
            one.close()


# In the process

Respond = Callable[..., Any]


def _refuse(status: str, code: str) -> Callable[[dict[str, Any], Respond], Iterable[bytes]]:
    def refuse(environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        respond(status, [("Content-Type", "application/xml")])
        return [f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()]

    return refuse


def _cut(environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
    del respond
    environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    raise ConnectionResetError


def _hang(environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
    time.sleep(30)
    return _cut(environ, respond)


BEHAVIOURS: dict[str, Callable[[dict[str, Any], Respond], Iterable[bytes]]] = {
    "denied": _refuse("403 Forbidden", "AccessDenied"),
    "broken": _refuse("500 Internal Server Error", "InternalError"),
    "busy": _refuse("503 Slow Down", "SlowDown"),
    "full": _refuse("507 Insufficient Storage", "XMinioStorageFull"),
    "cut": _cut,
    "hang": _hang,
}


class _Application:
    """What answers requests: moto's S3, or the behaviour of the moment; of a `mix` a third fail or are slow."""

    def __init__(self) -> None:
        from moto.server import DomainDispatcherApplication, create_backend_app

        self._store = DomainDispatcherApplication(create_backend_app)
        self.behaviour = "well"
        self._count = 0

    def __call__(self, environ: dict[str, Any], respond: Respond) -> Iterable[bytes]:
        self._count += 1
        behaviour = self.behaviour
        if behaviour == "mix":
            behaviour = ("broken", "busy", "cut", "slow", *["well"] * 8)[self._count % 12]
        if behaviour == "slow":
            time.sleep(0.2)
        found = BEHAVIOURS.get(behaviour)
        return self._store(environ, respond) if found is None else found(environ, respond)


def main() -> None:
    """Serve until the input ends."""
    import boto3
    from werkzeug.serving import make_server

    application = _Application()
    server = make_server("127.0.0.1", 0, application, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.port}"
    os.environ.update(AWS_ACCESS_KEY_ID="tests", AWS_SECRET_ACCESS_KEY="tests")
    client = boto3.resource("s3", endpoint_url=url, region_name="us-east-1")
    _say(url)
    for line in sys.stdin:
        order, name = line.split()
        if order == "bucket":
            client.create_bucket(Bucket=name)
        elif order == "gone":
            client.Bucket(name).objects.all().delete()
            client.Bucket(name).delete()
        else:
            application.behaviour = name
        _say("done")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
