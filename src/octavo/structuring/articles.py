"""The jobs of a guarded process on many articles: handing over those of a container, and reading a batch of them.

Owns how articles are gathered into batches, and that one which cannot be read harms no other. Knows nothing about
stores: which articles are wanted is asked of nobody, whoever takes a batch chooses.
"""

from __future__ import annotations

import gc
import importlib
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from octavo.errors import SourceError
from octavo.parsing.articles import Article, Container, Skipped
from octavo.parsing.batches import RawBatch, ToRead, Unread, pack_raw, pack_read, unpack_to_read
from octavo.parsing.flow import NoText
from octavo.parsing.template import Caller, Options
from octavo.structuring.flow import flowing

_BATCH_BYTES = 1 << 19
_BATCH_ARTICLES = 256
_BATCH_SKIPPED = 4096
_TELL_SECONDS = 1.0


def articles(options: Options, caller: Caller) -> tuple[()]:
    """Hand over the articles of a container, batch after batch, as they stand there; the result is empty."""
    gc.enable()  # a container may be read for hours
    with Container(Path(options["path"])) as container:
        try:
            for batch in _batches(container):
                caller.give(pack_raw(batch))
        except MemoryError:
            raise SourceError("too_large", f"{options['path']} needs too much memory to be unpacked") from None
    return ()


def _batches(container: Container) -> Iterator[RawBatch]:
    """Yield batches; one that an error ends comes before the error."""
    found: list[Article] = []
    skipped: list[Skipped] = []
    size, last = 0, time.monotonic()
    try:
        for one in container.articles():
            if isinstance(one, Skipped):
                skipped.append(one)
            else:
                found.append(one)
                size += len(one.data)
            is_full = size >= _BATCH_BYTES or len(found) >= _BATCH_ARTICLES or len(skipped) >= _BATCH_SKIPPED
            if is_full or time.monotonic() - last > _TELL_SECONDS:
                yield RawBatch(tuple(found), tuple(skipped), container.position)
                found, skipped, size, last = [], [], 0, time.monotonic()
    except SourceError:
        yield RawBatch(tuple(found), tuple(skipped), container.position)
        raise
    yield RawBatch(tuple(found), tuple(skipped), container.position)


def read_batch(options: Options, caller: Caller) -> tuple[bytes, ...]:
    """Read a batch of articles and find their structure; the result is their packed documents, or why there is none."""
    del options
    last = time.monotonic()
    results: list[bytes | Unread] = []
    batch = unpack_to_read(caller.take())
    for done, one in enumerate(batch):
        results.append(_document(one))
        if time.monotonic() - last > _TELL_SECONDS:
            caller.progress(done, len(batch))
            last = time.monotonic()
    return pack_read(results)


def _document(one: ToRead) -> bytes | Unread:
    try:
        content = importlib.import_module(f"octavo.parsing.{one.format}").read(one.data)
    except NoText as error:
        return Unread(error.reason, str(error))
    except RecursionError:
        return Unread("damaged", "it nests too deeply to be read")
    except MemoryError:
        return Unread("too_large", "it needs too much memory to be read")
    except Exception as error:  # noqa: BLE001  (whatever it is, it is this one article's)
        return Unread("bug", f"an error inside Octavo ({type(error).__name__}: {error}); please report it")
    if not content.blocks:
        return Unread("empty", "it has no text")
    titled = replace(content, title=one.title or content.title)
    return flowing(titled, name=one.name, digest=one.digest).to_bytes()
