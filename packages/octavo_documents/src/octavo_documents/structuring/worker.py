"""What the guarded child processes do: the jobs of the table below, run as a module.

Articles of a container are handed over in batches and read in batches; one that cannot be read harms no other. Which
are wanted is asked of nobody here: whoever takes a batch chooses.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from octavo_documents.errors import SourceError
from octavo_documents.parsing import DEFAULT_LIMITS, Limits, formats
from octavo_documents.parsing.article_messages import (
    CARRIES,
    RawBatch,
    ToRead,
    Unread,
    pack_raw,
    pack_read,
    unpack_to_read,
)
from octavo_documents.parsing.articles import Article, Container, Skipped
from octavo_documents.parsing.carried_files import page_within
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.fork_server import Caller, Job, Options, serve
from octavo_documents.parsing.formats import flowing_reader
from octavo_documents.parsing.layout_regions import Detection
from octavo_documents.parsing.messages import pack_raster
from octavo_documents.parsing.pdf.annotations import Highlight, highlighted
from octavo_documents.structuring.document_of_file import Reading, document_of
from octavo_documents.structuring.flow import flowing
from octavo_documents.structuring.picture_words import PictureReader


class _Batch:
    """When a batch of articles is full; chosen by hand."""

    BYTES = 1 << 19  # of their texts
    ARTICLES = 256
    SKIPPED = 4096  # things that are no articles
    TELL_SECONDS = 1.0  # the longest time without a word to the parent


def parse(options: Options, caller: Caller) -> tuple[bytes]:
    """Read a file and find its structure; the result is a packed `Document`."""
    reading = Reading(
        password=options["password"],
        limits=Limits(**options["limits"]),
        ocr=options["ocr"],
        recognize=caller.recognize if options["has_recognizer"] else None,
        layout=Detection(caller.detect, options["layout_dpi"]) if options["layout_dpi"] else None,
        progress=caller.progress,
        figures=caller.figures,
        opens=caller.opens,
        may_open=options["may_open"],
    )
    names = {"name": options["name"], "digest": options["digest"]}
    return (document_of(Path(options["path"]), reading, **names, printed=options.get("printed", "")).to_bytes(),)


def render(options: Options, caller: Caller) -> tuple[bytes, memoryview]:
    """Draw a page or a box on it; the result is a packed raster."""
    del caller
    (path, page), box = _page(options), options["box"]
    raster = formats.paged_reader(path).render(
        path,
        page,
        box=None if box is None else (box[0], box[1], box[2], box[3]),
        dpi=options["dpi"],
        password=options["password"],
        limits=Limits(**options["limits"]),
    )
    return pack_raster(raster)


def words(options: Options, caller: Caller) -> tuple[bytes]:
    """Find the words of a page; the result is packed `PageWords`."""
    path, page = _page(options)
    found = formats.paged_reader(path).words(
        path,
        page,
        recognize=caller.recognize if options["has_recognizer"] else None,
        password=options["password"],
        limits=Limits(**options["limits"]),
    )
    return (found.to_bytes(),)


def _page(options: Options) -> tuple[Path, int]:
    """Return the file and its page that are asked for, which may stand in another file."""
    path, limits = Path(options["path"]), Limits(**options["limits"])
    if not options["within"]:
        return path, options["page"]
    return page_within(path, options["within"], password=options["password"], limits=limits)


def highlight(options: Options, caller: Caller) -> tuple[bytes]:
    """Add highlights to a PDF; the result is the file."""
    del caller
    found = [
        Highlight(page, [(x0, y0, x1, y1) for x0, y0, x1, y1 in boxes], note)
        for page, boxes, note in options["highlights"]
    ]
    return (highlighted(Path(options["path"]), found, limits=Limits(**options["limits"])),)


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
            is_full = size >= _Batch.BYTES or len(found) >= _Batch.ARTICLES or len(skipped) >= _Batch.SKIPPED
            if is_full or time.monotonic() - last > _Batch.TELL_SECONDS:
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
        if time.monotonic() - last > _Batch.TELL_SECONDS:
            caller.progress(done, len(batch))
            last = time.monotonic()
    return pack_read(results)


def _document(one: ToRead) -> bytes | Unread:
    try:
        content = flowing_reader(one.format).read(one.data)
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
    if any(block.file is not None for block in content.blocks):
        if one.is_apart:
            return Unread(CARRIES, "it carries other files")
        content, _ = PictureReader(None, DEFAULT_LIMITS).with_words(content)
    titled = replace(content, title=one.title or content.title)
    return flowing(titled, name=one.name, digest=one.digest).to_bytes()


JOBS: Mapping[str, Job] = {
    "parse": parse,
    "render": render,
    "words": words,
    "highlight": highlight,
    "articles": articles,
    "read_batch": read_batch,
}

if __name__ == "__main__":
    formats.start_readers()
    serve(JOBS, sys.argv[1:], formats.load_reader)
