"""The server: a page for people, an HTTP API for programs, tools for agents, all over one corpus; and how it is set up.

`library` is what they all call: functions over a corpus that return JSON values. `api` has a module for each kind of
thing the API serves, `pages` what people see, `mcp` the tools of agents; `octavo.exports` gives citations in other
formats.
"""

from __future__ import annotations

import dataclasses
import os


@dataclasses.dataclass(frozen=True, kw_only=True)
class IndexingSettings:
    """How files that are sent are indexed, as `Corpus` and `Corpus.add` take it; texts, as a child process gets it."""

    ocr: str = "auto"
    layout_model: str | None = None
    render: bool = False
    embedding: str = ""
    embedding_key_env: str = ""
    image_text: str | None = None
    late_interaction: str | None = None
    password: str | None = dataclasses.field(default=None, repr=False)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What a server serves and how much it takes on. Sizes are bytes, times seconds."""

    host: str = "127.0.0.1"
    port: int = 8080
    read_only: bool = False
    """Whether documents can be neither added nor removed."""
    agents_write: bool = False
    """Whether agents with a key that may write have tools to add and remove documents."""
    roots: tuple[str, ...] = ()
    """Folders that agents may add files from, and addresses below which they may."""
    token: str = ""
    """What the link that is printed at the start holds; it may do everything. "": keys alone open the server."""
    hosts: tuple[str, ...] = ()
    """Names under which the server is called besides loopback, as a reverse proxy passes them on."""
    indexing: IndexingSettings = dataclasses.field(default_factory=IndexingSettings)
    max_upload: int = 500 << 20
    max_body: int = 1 << 20
    """Of a JSON body."""
    searches: int = max(2, os.cpu_count() or 1)
    """Searches, and answers without a model, that run at once."""
    streams: int = 512
    """Questions that are answered or wait for it, each with an open stream; `searches` of them search at once."""
    pictures: int = 2
    """Pages drawn at once."""
    waiting: int = 1000
    """Requests of a kind that wait for a thread; more are refused."""
    picture_cache: int = 64 << 20
    warms_up: bool = False
    """Whether what the first question needs is loaded at the start."""
    max_seconds: float = 300.0
    """The longest a question may take."""
    heartbeat: float = 10.0
    """Between two signs of life on a stream."""
    grace: float = 10.0
    """From a signal to end until the server has ended."""
