"""PDF libraries compared: time, words, word boxes, fonts, order and damaged files.

    python benchmarks/engines.py FOLDER... [--pages 6] [--engine NAME]... [--broken 30] [--whole]

Up to `--pages` pages of every PDF are read by every library that is installed; no two are trusted to be right alone:
each is scored against what the majority of the others, built on different code, says. With `--broken`, damaged copies
are read, each in a process of its own. With `--whole`, files are read as they are and only the time is shown.
Times are processor seconds of all threads. Libraries that are missing are named with the command that installs them.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import io
import os
import pickle
import random
import resource
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine_readers import ENGINES, Pages, Word

MODULES = {
    "pdf-inspector": "pdf_inspector",
    "docling-parse": "docling_parse",
    "pdfminer.six": "pdfminer",
    "playa-pdf": "playa",
}
LOADED_FIRST = {
    "octavo": ("octavo_documents.parsing.pdf", "octavo_documents.parsing.pdf.pdfium", "pypdfium2"),
    "pdfminer.six": ("pdfminer.high_level",),
    "docling-parse": ("docling_parse.pdf_parser",),
}
"""Modules imported before damaged files are read, each in a fork."""
SPEAKERS = (
    "pypdfium2",
    "pdf_oxide spans",
    "pdf-inspector",
    "docling-parse",
    "pdfminer.six",
    "playa",
    "pypdf",
    "PyMuPDF",
)
"""One library of each family: those whose votes make the consensus."""
SECONDS, MEMORY = 20.0, 4 << 30
RAW_ERRORS = ("TypeError", "KeyError", "AttributeError", "IndexError", "RecursionError", "AssertionError", "error")


@dataclass(frozen=True, slots=True)
class Reading:
    """What one library made of one file: words or an error, and processor seconds (graphics None: not read)."""

    pages: Pages | None
    error: str
    text_seconds: float
    graphics_seconds: float | None


# --- in the child: one library reads ----------------------------------------------------------------------------


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def read_one(name: str, path: Path) -> Reading:
    engine = ENGINES[name]
    try:
        found, seconds = timed(lambda: engine.read(path))
        read_graphics = engine.graphics
        graphics = timed(lambda: read_graphics(path))[1] if read_graphics else None
        return Reading(engine.words(found), "", seconds, graphics)
    except BaseException as error:  # noqa: BLE001  (what a foreign library raises is what is measured)
        return Reading(None, f"{type(error).__module__}.{type(error).__name__}: {error}"[:200], 0.0, None)


def child_read(name: str, folder: Path) -> dict[str, Reading]:
    paths = sorted(folder.glob("*.pdf"))
    read_one(name, paths[0])  # imports and tables are loaded before time is taken
    return {path.name: read_one(name, path) for path in paths}


def child_survive(name: str, folder: Path) -> dict[str, str]:
    """Read each file in a fork; the outcome is `read N`, `error NAME`, `crash SIGNAL`, or `hang`."""
    paths = sorted(folder.glob("*.pdf"))
    for module in LOADED_FIRST.get(name, (module_of(name),)):
        importlib.import_module(module)
    return {path.name: survive(name, path) for path in paths}


def survive(name: str, path: Path) -> str:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        reading = read_one(name, path)
        said = f"error {reading.error}" if reading.pages is None else f"read {sum(map(len, reading.pages))}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    if not select.select([reader], [], [], SECONDS)[0]:
        os.kill(child, signal.SIGKILL)
    said = os.read(reader, 4096).decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    os.close(reader)
    if said:
        return said
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    return "hang" if number == signal.SIGKILL else f"crash {number or os.WEXITSTATUS(status)}"


# --- in the parent ----------------------------------------------------------------------------------------------


def module_of(name: str) -> str:
    package = "octavo" if name == "octavo" else ENGINES[name].package
    return MODULES.get(package, package)


def installed(names: Iterable[str]) -> list[str]:
    found = [name for name in names if importlib.util.find_spec(module_of(name))]
    missing = sorted({ENGINES[name].package for name in names if name not in found})
    if missing:
        print("not installed, left out:", ", ".join(missing), f"  (pip install {' '.join(missing)})")
    return found


def run_child(task: str, name: str, folder: Path) -> Any:
    with tempfile.NamedTemporaryFile() as output:
        command = [sys.executable, __file__, "--child", task, name, output.name, str(folder)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return pickle.loads(output.read())


def write_samples(folders: Sequence[Path], target: Path, *, most: int) -> None:
    """Write a copy of each PDF with at most `most` of its pages, evenly spread."""
    import pikepdf

    for path in (path for folder in folders for path in sorted(folder.glob("*.pdf"))):
        with pikepdf.open(path) as source, pikepdf.new() as sample:
            count = len(source.pages)
            chosen = {round(index * (count - 1) / max(most - 1, 1)) for index in range(min(most, count))}
            for index in sorted(chosen):
                sample.pages.append(source.pages[index])
            sample.save(target / path.name)


def plain(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


@dataclass(slots=True)
class Page:
    """One page as one library read it: normalised words in its order, and where each unique one stands."""

    words: list[Word]
    tokens: list[str]
    unique: dict[str, int]

    @staticmethod
    def of(words: list[Word]) -> Page:
        pairs = [(word, token) for word in words if (token := plain(word.text))]
        counts = Counter(token for _, token in pairs)
        unique = {token: row for row, (_, token) in enumerate(pairs) if counts[token] == 1}
        return Page([word for word, _ in pairs], [token for _, token in pairs], unique)


def consensus(others: Sequence[Counter[str]]) -> Counter[str]:
    """Return the median count of each item over the others (the lower one of two)."""
    names = {name for other in others for name in other}
    return Counter({name: statistics.median_low([other[name] for other in others]) for name in names})


def f1(found: Counter[str], expected: Counter[str]) -> float:
    total = found.total() + expected.total()
    return 2 * (found & expected).total() / total if total else 1.0


def is_glued(token: str, dictionary: Counter[str]) -> bool:
    if len(token) < 5 or len(token) > 60 or dictionary[token]:
        return False
    reached = {0}
    for stop in range(2, len(token) + 1):
        if any(stop - start >= 2 and dictionary[token[start:stop]] for start in reached):
            reached.add(stop)
    return len(token) in reached


def is_split(a: str, b: str, dictionary: Counter[str]) -> bool:
    return len(a + b) >= 5 and dictionary[a + b] > 0 and not (dictionary[a] and dictionary[b])


def kendall(a: Page, b: Page) -> float | None:
    """Kendall's tau of the order of words unique on both pages, at most 150 of them."""
    shared = [token for token in a.unique if token in b.unique]
    if len(shared) < 10:
        return None
    shared = shared[:: max(1, len(shared) // 150)]
    ranks = np.array([b.unique[token] for token in shared])
    signs = np.sign(ranks[None, :] - ranks[:, None])[np.triu_indices(len(ranks), 1)]
    return float(signs.mean())


def overlap(a: Sequence[float], b: Sequence[float], axes: Sequence[int] = (0, 1)) -> float:
    """Intersection over union of two boxes, along the given axes only."""
    both = each_a = each_b = 1.0
    for axis in axes:
        both *= max(0.0, min(a[axis + 2], b[axis + 2]) - max(a[axis], b[axis]))
        each_a, each_b = each_a * (a[axis + 2] - a[axis]), each_b * (b[axis + 2] - b[axis])
    union = each_a + each_b - both
    return both / union if union > 0 else 0.0


def word_of(page: Page, token: str) -> Word | None:
    row = page.unique.get(token)
    return None if row is None else page.words[row]


def agree(page: Page, others: Sequence[Page]) -> dict[str, list[float]]:
    """Score box, size, weight and colour of the words that stand once on the page against the others."""
    found: dict[str, list[float]] = {"size": [], "bold": [], "color": []}
    for token, row in page.unique.items():
        word = page.words[row]
        rivals = [other for page_ in others if (other := word_of(page_, token))]
        sizes = [other.size for other in rivals if other.size]
        if word.size and len(sizes) >= 2:
            found["size"].append(abs(word.size / statistics.median_low(sizes) - 1) < 0.05)
        for name in ("bold", "color"):
            said = [value for other in rivals if (value := getattr(other, name)) is not None]
            value = getattr(word, name)
            if value is not None and len(said) >= 2:
                most, votes = Counter(said).most_common(1)[0]
                if 2 * votes > len(said):
                    found[name].append(value == most)
    return found


Scores = dict[str, dict[str, list[float]]]


def score_page(pages: dict[str, Page], scores: Scores, notes: list[tuple[float, str]], place: str) -> None:
    families = {name: ENGINES[name].family for name in pages}
    words = {name: Counter(page.tokens) for name, page in pages.items()}
    characters = {name: Counter("".join(page.tokens)) for name, page in pages.items()}
    for name, page in pages.items():
        others = [other for other in SPEAKERS if other in pages and families[other] != families[name]]
        if len(others) < 3:
            continue
        dictionary = consensus([words[other] for other in others])
        if dictionary.total() < 20:
            continue
        into = scores[name]
        value = f1(words[name], dictionary)
        notes.append((value, f"{value:.3f} {name} {place}"))
        into["word F1"].append(value)
        into["char F1"].append(f1(characters[name], consensus([characters[other] for other in others])))
        many = max(len(page.tokens), 1)
        into["glued"].append(1000 * sum(is_glued(token, dictionary) for token in page.tokens) / many)
        pairs = zip(page.tokens, page.tokens[1:], strict=False)
        into["split"].append(1000 * sum(is_split(a, b, dictionary) for a, b in pairs) / many)
        into["order"].extend(tau for other in others if (tau := kendall(page, pages[other])) is not None)
        for kind, values in agree(page, [pages[other] for other in others]).items():
            into[kind].extend(values)
        reference = pages.get("pypdfium2")
        if reference is not None and name != "pypdfium2":
            for token, row in page.unique.items():
                box, other = page.words[row].box, word_of(reference, token)
                if box and other and other.box:
                    into["IoU"].append(overlap(box, other.box))
                    into["x IoU"].append(overlap(box, other.box, (0,)))


MEASURES = ("word F1", "char F1", "glued", "split", "order", "IoU", "x IoU", "size", "bold", "color")


def compare(names: Sequence[str], folder: Path, *, worst: int) -> None:
    readings = {name: run_child("read", name, folder) for name in names}
    scores: Scores = {name: {measure: [] for measure in MEASURES} for name in names}
    notes: list[tuple[float, str]] = []
    for file in sorted(readings[names[0]]):
        read = {name: readings[name][file].pages for name in names}
        count = max((len(pages) for pages in read.values() if pages), default=0)
        for number in range(count):
            page = {name: Page.of(pages[number]) for name, pages in read.items() if pages and number < len(pages)}
            score_page(page, scores, notes, f"{file} {number + 1}")
    print("| library | ms/page text | ms/page all | errors |", " | ".join(MEASURES), "|")
    print("|---" * (4 + len(MEASURES)) + "|")
    for name in names:
        print_row(name, list(readings[name].values()), scores[name])
    for _, note in sorted(notes)[:worst]:
        print(note)


def print_row(name: str, readings: list[Reading], scores: dict[str, list[float]]) -> None:
    count = max(sum(len(reading.pages or ()) for reading in readings), 1)
    text = 1000 * sum(reading.text_seconds for reading in readings) / count
    graphics = [reading.graphics_seconds for reading in readings if reading.graphics_seconds is not None]
    everything = f"{1000 * sum(graphics) / count:.1f}" if graphics else ""
    failed = sum(reading.pages is None for reading in readings)
    cells = [f"{statistics.mean(scores[measure]):.3f}" if scores[measure] else "" for measure in MEASURES]
    print(f"| {name} | {text:.1f} | {everything} | {failed} |", " | ".join(cells), "|", flush=True)


# --- damaged files ----------------------------------------------------------------------------------------------


def flip(data: bytearray, chance: random.Random) -> bytes:
    for _ in range(20):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(data)


def truncate(data: bytearray, chance: random.Random) -> bytes:
    return bytes(data[: int(len(data) * chance.uniform(0.1, 0.98))])


def blank(data: bytearray, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    data[start : start + len(data) // 50] = bytes(len(data[start : start + len(data) // 50]))
    return bytes(data)


def swap(data: bytearray, chance: random.Random) -> bytes:
    buffer, size = io.BytesIO(data), 256
    a, b = (chance.randrange(max(1, len(data) - size)) for _ in range(2))
    parts = {a: data[b : b + size], b: data[a : a + size]}
    for place, part in parts.items():
        buffer.seek(place)
        buffer.write(part)
    return buffer.getvalue()


DAMAGES = {"flipped": flip, "truncated": truncate, "blanked": blank, "swapped": swap}


def keep_small(folder: Path) -> None:
    """Delete all but the 15 smallest files, so that damage meets structure rather than pixels."""
    for path in sorted(folder.glob("*.pdf"), key=lambda path: path.stat().st_size)[15:]:
        path.unlink()


def write_broken(source: Path, target: Path, *, each: int) -> dict[str, str]:
    """Write `each` damaged copies of each kind; return the name of the file each was made from."""
    chance = random.Random(7)
    paths = sorted(source.glob("*.pdf"))
    made: dict[str, str] = {}
    for kind, damage in DAMAGES.items():
        for number in range(each):
            path = chance.choice(paths)
            name = f"{kind}-{number}.pdf"
            (target / name).write_bytes(damage(bytearray(path.read_bytes()), chance))
            made[name] = path.name
    return made


def outcome(said: str, whole: int) -> str:
    kind, _, rest = said.partition(" ")
    if kind == "error":
        name = rest.split(":")[0].rsplit(".", 1)[-1]
        return "raw error" if name in RAW_ERRORS else "out of memory" if name == "MemoryError" else "error"
    if kind != "read":
        return kind
    return "read" if int(rest) >= 0.9 * whole else "read in part" if int(rest) else "read as empty"


def damaged(names: Sequence[str], samples: Path, *, each: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = write_broken(samples, Path(folder), each=each)
        columns = ("read", "read in part", "read as empty", "error", "raw error", "out of memory", "crash", "hang")
        print("| library |", " | ".join(columns), "| seconds |")
        print("|---" * (len(columns) + 2) + "|")
        for name in names:
            whole: dict[str, str] = run_child("survive", name, samples)
            sizes = {file: int(text.split()[1]) if text.startswith("read") else 0 for file, text in whole.items()}
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            said: dict[str, str] = run_child("survive", name, Path(folder))
            seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            counts = Counter(outcome(text, sizes[made[file]]) for file, text in said.items())
            print(
                f"| {name} |", " | ".join(str(counts[column]) for column in columns), f"| {seconds:.0f} |", flush=True
            )
            odd = sorted({text[:110] for text in said.values() if outcome(text, 0) in ("raw error", "crash")})
            print(*(f"    {text}" for text in odd[:4]), sep="\n", end="\n" if odd else "")


def whole_files(names: Sequence[str], folders: Sequence[Path]) -> None:
    print("| library | pages | ms/page text | ms/page all | errors | MB |")
    print("|---|---|---|---|---|---|")
    for name in names:
        readings: list[Reading] = [item for folder in folders for item in run_child("read", name, folder).values()]
        count = max(sum(len(reading.pages or ()) for reading in readings), 1)
        text = 1000 * sum(reading.text_seconds for reading in readings) / count
        graphics = 1000 * sum(reading.graphics_seconds or 0 for reading in readings) / count
        failed = sum(reading.pages is None for reading in readings)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        print(f"| {name} | {count} | {text:.2f} | {graphics:.2f} | {failed} | {memory} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=6)
    parser.add_argument("--engine", action="append", choices=list(ENGINES), default=[])
    parser.add_argument("--broken", type=int, default=0, metavar="N")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N pages that agree least")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        task, name, output = arguments.child
        work = {"read": child_read, "survive": child_survive}[task]
        Path(output).write_bytes(pickle.dumps(work(name, arguments.folders[0])))
        return
    names = installed(arguments.engine or list(ENGINES))
    if arguments.whole:
        whole_files(names, arguments.folders)
        return
    with tempfile.TemporaryDirectory() as folder:
        write_samples(arguments.folders, Path(folder), most=arguments.pages)
        if arguments.broken:
            keep_small(Path(folder))
        if arguments.broken:
            damaged(names, Path(folder), each=arguments.broken)
        else:
            compare(names, Path(folder), worst=arguments.worst)


if __name__ == "__main__":
    main()
