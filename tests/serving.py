"""A server in the test's own process, over a corpus of small documents."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from octavo.corpus import Corpus
from octavo_server import ServerSettings
from octavo_server.run import application

TOKEN = "the-token-of-the-link"
BASE = "http://127.0.0.1:8080"
EXAMPLES = Path(__file__).parents[1] / "examples"


@contextlib.contextmanager
def serving(corpus: Corpus, *, token: str = TOKEN, **settings: Any) -> Iterator[TestClient]:
    """Yield a client that holds the token; jobs are done as long as the block runs."""
    app = application(corpus, ServerSettings(token=TOKEN, **settings))
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with TestClient(app, base_url=BASE, headers=headers, raise_server_exceptions=False) as client:
        client.follow_redirects = False
        yield client


def events_of(text: str) -> list[tuple[str, Any]]:
    """Return the events of a stream: name and value."""
    found: list[tuple[str, Any]] = []
    for part in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in part.splitlines() if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
