"""A record as files: NAME.json, NAME.csv, NAME.md and NAME.html, with pictures of pages in NAME-pages.

All of it stays under two million bytes: pages are drawn while there is room.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

from octavo.errors import CorpusError
from octavo.models.ports import Raster
from octavo_lab.report import replace
from octavo_lab.reproduce.page import page
from octavo_lab.reproduce.record import page_keys
from octavo_lab.reproduce.texts import as_csv, as_markdown

MOST_BYTES = 2_000_000
"""Bytes of all files of a report together."""
_MOST_PICTURES = 60
_QUALITY = 60
Record = Mapping[str, Any]
Draw = Callable[[str, str, int], Raster | None]
"""Draws a page: of a benchmark, a document by file name, a page number; None where it cannot."""


def write(record: dict[str, Any], out: Path, draw: Draw) -> tuple[Path, ...]:
    """Write the files of a record into a folder; return their paths, those of pictures left out.

    Raises CorpusError (`full`) when they cannot be written.
    """
    name = record["name"]
    texts = {
        out / f"{name}.json": json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n",
        out / f"{name}.csv": as_csv(record),
        out / f"{name}.md": as_markdown(record),
    }
    room = MOST_BYTES - sum(len(text.encode()) for text in texts.values()) - 2 * len(page(record, {}).encode())
    with _replacing(out / f"{name}-pages") as folder:
        pictures = _pictures(record, folder, f"{name}-pages", draw, room)
    texts[out / f"{name}.html"] = page(record, pictures)
    for target, text in texts.items():
        replace(target, text)
    return tuple(texts)


@contextlib.contextmanager
def _replacing(folder: Path) -> Generator[Path]:
    """Give an empty folder that takes the place of another once the block is done; without a file in it none is left.

    Raises CorpusError (`full`) where it cannot be written; the folder that was there stays then.
    """
    beside = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        shutil.rmtree(beside, ignore_errors=True)  # of a process of this number that was killed
        beside.mkdir(parents=True)
        yield beside
        if folder.is_dir():
            shutil.rmtree(folder)
        if any(beside.iterdir()):
            beside.replace(folder)
    except OSError as wrong:
        raise CorpusError("full", f"{folder} cannot be written: {wrong.strerror}") from wrong
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _pictures(record: Record, folder: Path, named: str, draw: Draw, room: int) -> dict[tuple[str, str, int], str]:
    """Draw gold pages of failures while there is room; return where each is, in the folder `named` beside the page."""
    found: dict[tuple[str, str, int], str] = {}
    for key in list(page_keys(record["failures"]))[:_MOST_PICTURES]:
        raster = draw(*key)
        if raster is None:
            continue
        data = _jpeg(raster)
        if len(data) > room:
            break
        room -= len(data)
        target = folder / f"{len(found) + 1:02}-page-{key[2]}.jpg"
        target.write_bytes(data)
        found[key] = f"{named}/{target.name}"
    return found


def _jpeg(raster: Raster) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(raster).save(out, "JPEG", quality=_QUALITY, optimize=True)
    return out.getvalue()
