"""What happens to broken files of the formats that are no PDFs: files of a folder damaged at random, read as any other.

Run: python benchmarks/mutate.py FOLDER [--each 2000] [--family zip,mail] [--seed 1] [--workers 1] [--keep FOLDER]

Families: zip (office files and books), ole, markup, mail, sheets and images; or one ending (".pdf"). Bytes are
flipped, taken out, doubled and cut off; in XML and markup values are exchanged for odd ones and elements are dropped,
doubled, renamed and nested; of a packed file parts are damaged so and packed again. A file must end as a checked
document or as an error with a reason of its own: a crash, a timeout, an error inside Octavo or more than --most seconds
fails the run, and the file is put into --keep.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import re
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from octavo.errors import SourceError
from octavo_documents.document import Document
from octavo_documents.structuring.parser_pool import ParserPool

FAMILIES = {
    "zip": (".docx", ".dotx", ".docm", ".pptx", ".ppsx", ".odt", ".odp", ".epub"),
    "ole": (".xls", ".msg"),
    "markup": (
        ".tex",
        ".rst",
        ".adoc",
        ".asciidoc",
        ".org",
        ".ipynb",
        ".nxml",
        ".xml",
        ".rtf",
        ".html",
        ".md",
        ".fodt",
    ),
    "mail": (".eml", ".mbox"),
    "sheets": (".xlsx", ".xlsm", ".xlsb", ".ods", ".fods", ".csv", ".tsv"),
    "images": (".png", ".jpg", ".jpeg", ".tif", ".webp", ".bmp", ".gif"),
}
FAILED = ("crashed", "timeout", "bug")
PACKED = (".xml", ".rels", ".xhtml", ".html", ".opf", ".ncx", ".htm", ".bin")
TAG, VALUE = re.compile(rb"<[^<>]+>"), re.compile(rb'="([^"]*)"')
NAME = re.compile(rb"</?([\w:.-]+)")
ODD = ("", "-1", "0", "99999999999999", "4294967296", "abc", "1e400", "NaN", "é€", "\u0663", "²", "../../x", "#", "8")
LARGEST = 30_000_000


@dataclass(frozen=True)
class Outcome:
    """How one file ended: `reason` is empty where it was read."""

    family: str
    reason: str
    seconds: float
    told: str = ""


def bytes_changed(data: bytes, dice: random.Random) -> bytes:
    """Flip, take out, double and cut off bytes."""
    broken = bytearray(data)
    for _ in range(dice.choice((1, 3, 20, 200))):
        if not broken:
            break
        at, what = dice.randrange(len(broken)), dice.random()
        if what < 0.5:
            broken[at] = dice.randrange(256)
        elif what < 0.7:
            del broken[at : at + dice.choice((1, 5, 100, 5000))]
        elif what < 0.95:
            other = dice.randrange(len(broken))
            broken[at:at] = broken[other : other + dice.choice((1, 10, 300))]
        elif dice.random() < 0.3:
            del broken[at:]
    return bytes(broken)


def odd_value(text: bytes, dice: random.Random) -> bytes:
    """Exchange the value of an attribute."""
    values = list(VALUE.finditer(text))
    if not values:
        return bytes_changed(text, dice)
    one = dice.choice(values)
    new = dice.choice((*(odd.encode() for odd in ODD), dice.choice(values)[1]))
    return text[: one.start(1)] + new + text[one.end(1) :]


def element_moved(text: bytes, dice: random.Random) -> bytes:
    """Drop an element or put it there again, up to 50 times."""
    tags = list(TAG.finditer(text))
    if not tags:
        return bytes_changed(text, dice)
    tag = dice.choice(tags)
    name = NAME.match(tag[0])
    close = -1 if name is None else text.find(b"</" + name[1] + b">", tag.end())
    end = tag.end() if name is None or tag[0].endswith(b"/>") or close < 0 else close + len(name[1]) + 3
    if dice.random() < 0.5:
        return text[: tag.start()] + text[end:]
    return text[:end] + text[tag.start() : end] * dice.choice((1, 3, 50)) + text[end:]


def renamed(text: bytes, dice: random.Random) -> bytes:
    """Give one element the name of another."""
    names = [found[1] for tag in TAG.finditer(text) if (found := NAME.match(tag[0]))]
    if not names:
        return bytes_changed(text, dice)
    old, new = dice.choice(names), dice.choice(names)
    return re.sub(rb"(</?)" + re.escape(old) + rb"(?=[\s/>])", lambda found: found[1] + new, text)


def nested(text: bytes, dice: random.Random) -> bytes:
    """Open an element up to 300 times."""
    tags = list(TAG.finditer(text))
    if not tags:
        return bytes_changed(text, dice)
    tag = dice.choice(tags)
    return text[: tag.start()] + tag[0] * dice.choice((10, 300)) + text[tag.end() :]


MARKED: Sequence[Callable[[bytes, random.Random], bytes]] = (
    odd_value, odd_value, element_moved, element_moved, renamed, nested, bytes_changed,
)  # fmt: skip


def text_changed(text: bytes, dice: random.Random) -> bytes:
    """Change text with marks in it, up to 20 times."""
    for _ in range(dice.choice((1, 2, 5, 20))):
        if not text or len(text) > LARGEST:
            break
        text = dice.choice(MARKED)(text, dice)
    return text


def packed_changed(data: bytes, dice: random.Random) -> bytes:
    """Change parts of a packed file."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        names = [name for name in archive.namelist() if name.lower().endswith(PACKED)]
        hit = {*dice.sample(names, min(len(names), dice.choice((1, 1, 2, 5))))}
        is_dropped = dice.random() < 0.1
        for name in archive.namelist():
            part = archive.read(name)
            if name in hit:
                part = bytes_changed(part, dice) if name.endswith(".bin") else text_changed(part, dice)
            if not (name in hit and is_dropped):
                made.writestr(name, part)
    return out.getvalue()


def changed(path: Path, dice: random.Random) -> bytes:
    """Return a file damaged in one of the ways that fit it."""
    data = path.read_bytes()
    if zipfile.is_zipfile(path):
        return bytes_changed(data, dice) if dice.random() < 0.25 else packed_changed(data, dice)
    is_text = b"\0" not in data[:4096]
    return text_changed(data, dice) if is_text and dice.random() < 0.6 else bytes_changed(data, dice)


def outcome(pool: ParserPool, family: str, path: Path) -> Outcome:
    """Read one file; the document that comes back is checked."""
    start = time.perf_counter()
    reason = told = ""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        data = pool.parse(path, name=path.name, digest=digest, ocr="never")
        Document.from_bytes(data)
    except SourceError as error:
        reason, told = error.reason, str(error)
    return Outcome(family, reason, time.perf_counter() - start, told)


def measure(options: argparse.Namespace, family: str, scratch: Path) -> list[Outcome]:
    sources = sorted(
        path for path in options.folder.rglob("*") if path.suffix.lower() in FAMILIES.get(family, (family,))
    )
    if not sources:
        return []

    def one(number: int) -> Outcome:
        source = sources[number % len(sources)]
        path = scratch / f"{number}{source.suffix}"
        path.write_bytes(changed(source, random.Random(f"{options.seed} {family} {number}")))
        found = outcome(pool, family, path)
        if found.reason in FAILED or found.seconds > options.most:
            print(
                f"{family} {number} {source.name}: {found.reason} {found.seconds:.1f} s {found.told[:300]}", flush=True
            )
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{family}-{number}{source.suffix}").write_bytes(path.read_bytes())
        path.unlink()
        return found

    with ParserPool(options.workers) as pool, ThreadPoolExecutor(options.workers) as threads:
        return list(threads.map(one, range(options.each)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=2000)
    parser.add_argument("--family", default=",".join(FAMILIES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--most", type=float, default=30.0, help="seconds a file may take")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    is_bad = False
    print(f"{'family':8} {'files':>6} {'read':>6} {'p50 s':>7} {'max s':>7}  errors", flush=True)
    for family in options.family.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            found = measure(options, family, Path(scratch))
        if not found:
            continue
        seconds = sorted(one.seconds for one in found)
        reasons = Counter(one.reason for one in found if one.reason)
        print(
            f"{family:8} {len(found):6} {sum(not one.reason for one in found):6} {seconds[len(seconds) // 2]:7.3f} "
            f"{seconds[-1]:7.2f}  " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()),
            flush=True,
        )
        is_bad |= any(one.reason in FAILED or one.seconds > options.most for one in found)
    sys.exit(is_bad)


if __name__ == "__main__":
    main()
