"""The static files of the page, each under a name that holds a digest of its bytes."""

from __future__ import annotations

import dataclasses
import functools
import gzip
import hashlib
from importlib import resources

_TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
_DIGITS = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Asset:
    """A static file: where it is served, what it is, its bytes as they are and packed with gzip."""

    url: str
    media_type: str
    content: bytes
    packed: bytes


@functools.cache
def assets() -> dict[str, Asset]:
    """Return the static files by their plain names, `app.js` among them."""
    folder = resources.files("octavo_server.pages") / "static"
    found = {one.name: one.read_bytes() for one in folder.iterdir() if one.name.rpartition(".")[2] in _TYPES}
    return {name: _asset(name, content) for name, content in found.items()}


@functools.cache
def assets_by_file() -> dict[str, Asset]:
    """Return the static files by the last part of their URLs."""
    return {asset.url.rpartition("/")[2]: asset for asset in assets().values()}


def _asset(name: str, content: bytes) -> Asset:
    stem, _, ending = name.rpartition(".")
    digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
    return Asset(f"/static/{stem}-{digest}.{ending}", _TYPES[ending], content, gzip.compress(content, 9, mtime=0))
