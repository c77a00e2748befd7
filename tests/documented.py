"""The examples in the documentation: found, run, compared, and written anew.

`python tests/documented.py docs/*.md` runs every example and writes what has changed into the pages. In an expected
output `...` stands for anything on a line, and a line that is only `...` for any number of lines.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import itertools
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kept_work
import zotero_folders

ROOT = Path(__file__).parent.parent
EXAMPLES = [ROOT / "examples" / name for name in ("handbook.pdf", "deck.pdf", "ferry.html")]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]

HOME = "/home/me"
"""What the folder the examples run in is called in the pages."""

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_ELISION = re.compile(r"(?<!\\\.)\\\.\\\.\\\.(?!\\\.)")
_GAP = re.compile(r"(?<=\S) {2,}")
_LONGEST = 30
"""Lines of an output that are written; of a longer one the first and the last."""
_VOLATILE = (
    (re.compile(r"^( *\d+\. .*)   [\d.e-]+$", re.M), r"\1   ..."),
    (re.compile(r"(sha256:)[0-9a-f]{12}(?= )"), r"\1...         "),
    (re.compile(r"(sha256:)[0-9a-f]{12,}"), r"\1..."),
    (re.compile(r"  (<?[\d.,]+ (?:ms|s))\b"), lambda found: "  " + "...".rjust(len(found[1]))),
    (re.compile(r"\b[\d.,]+ (ms|s)\b( \(\d+ pages/s\))?"), "..."),
    (re.compile(r"^(plan: ).*$", re.M), r"\1..."),
    (re.compile(r"^(read +)\d+( pages?, best first .*? \d+).*$", re.M), r"\1...\2..."),
    (re.compile(r"^(on disk +).*$", re.M), r"\1..."),
    (re.compile(r"(?<=  )[\d,]+( +)[\d,]+(?= +\.\.\.$)", re.M), r"...\1..."),
    (re.compile(r"(\"(?:blocks|sections|passages|score|rows_in|rows_out)\": )[\d.e-]+"), r"\1..."),
    (re.compile(r"(\| seconds a question, \w+ +\| +)[\d.]+"), r"\1 ..."),
    (re.compile(r"\d{4}-\d\d-\d\d.\d\d:\d\d(:\d\dZ)?"), "..."),
    (re.compile(r"(\"seconds\": )[\d.e-]+"), r"\1..."),
)


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block of a page and where its text starts there."""

    language: str
    text: str
    start: int


@dataclasses.dataclass(frozen=True)
class Example:
    """What was run, where its expected output stands in the page, and what came out."""

    call: str
    start: int
    expected: str
    actual: str

    @property
    def holds(self) -> bool:
        """Whether the output is the expected one; one that is elided altogether says nothing."""
        return self.expected.strip() != "..." and matches(self.expected, self.actual)


def blocks(page: str) -> Iterator[Block]:
    """Return the fenced blocks of a page in order."""
    for found in _BLOCK.finditer(page):
        yield Block(found[1], found[2], found.start(2))


def matches(expected: str, actual: str) -> bool:
    """Return whether an output is the expected one, elisions and the width of gaps aside."""
    pattern = ""
    for line in _GAP.sub(" ", expected).rstrip("\n").split("\n"):
        pattern += r"(?:.*\n)*" if line.strip() == "..." else _ELISION.sub(".*", re.escape(line)) + r"\n"
    return re.fullmatch(pattern, _GAP.sub(" ", actual).rstrip("\n") + "\n") is not None


def commands(block: Block) -> Iterator[tuple[str, int, str]]:
    """Return (command, where its expected output starts in the page, that output) of a console block."""
    for found in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.M):
        yield found[1], block.start + found.start(2), found[2]


_PIPED = re.compile(r"^printf (?P<text>'[^']*') \| (?P<command>octavo .*)$")
"""Lines that are piped into a command."""


def run_command(command: str) -> str:
    """Run one `octavo` command in this process, with what `printf` pipes into it; return all it wrote."""
    from unittest import mock

    from cli_corpus import octavo

    piped = _PIPED.match(command)
    lines = shlex.split(piped["text"])[0].replace("\\n", "\n") if piped else ""
    with mock.patch("sys.stdin", io.StringIO(lines)) if piped else contextlib.nullcontext():
        done = octavo(*shlex.split(piped["command"] if piped else command)[1:])
    return (done.out + done.err).replace(os.getcwd(), HOME)


def run_python(text: str, names: dict[str, Any]) -> str:
    """Run a Python block among the names of the blocks before it; return what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "<documentation>", "exec"), names)
    return out.getvalue().replace(os.getcwd(), HOME)


class Workplace:
    """A folder with the example documents and a corpus in which every page finds things as they were at first.

    The documents lie in it and in `examples`, as in the repository.
    """

    def __init__(self, folder: Path) -> None:
        self.place, self._filled = folder / "work", folder / "filled"
        self._documents: dict[Any, bytes] = {}
        self._vectors: dict[Any, Any] = {}
        with self.opened(empty=True):
            for path in EXAMPLES:
                run_command(f"octavo add {path.name}")
            shutil.copytree(self.place, self._filled)

    @contextlib.contextmanager
    def opened(self, *, empty: bool) -> Iterator[None]:
        """Stand in the folder; the corpus holds the examples or nothing.

        What a page before has read and embedded is done already: a corpus of the same files is made at once.
        """
        before, variables = Path.cwd(), dict(os.environ)
        shutil.rmtree(self.place, ignore_errors=True)
        if empty:
            (self.place / "examples").mkdir(parents=True)
            for path in EXAMPLES:
                shutil.copy2(path, self.place)
                shutil.copy2(path, self.place / "examples")
        else:
            shutil.copytree(self._filled, self.place)
        os.environ.update(OCTAVO_CORPUS=str(self.place / "corpus"), XDG_CONFIG_HOME=str(self.place))
        os.chdir(self.place)
        try:
            with kept_work.kept(self._documents, self._vectors):
                yield
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(variables)

    def run(self, page: str) -> list[Example]:
        """Run the examples of a page in order."""
        with self.opened(empty="<!-- starts with an empty corpus -->" in page):
            if "<!-- has a folder of Zotero's -->" in page:
                with zotero_folders.open_zotero(self.place / "Zotero") as folder:
                    zotero_folders.fill(folder)
            return list(_run(page))


def _run(page: str) -> Iterator[Example]:
    names: dict[str, Any] = {"__name__": "documentation"}
    found = list(blocks(page))
    for block, following in itertools.zip_longest(found, found[1:]):
        if block.language == "console":
            for command, start, expected in commands(block):
                if command.split()[0] == "octavo" or _PIPED.match(command):
                    yield Example(command, start, expected, run_command(command))
        elif block.language == "python":
            printed = run_python(block.text, names)
            if following is not None and following.language == "text":
                yield Example(block.text, following.start, following.text, printed)


def rewritten(page: str, examples: list[Example]) -> str:
    """Return the page with every output that does not hold replaced by the actual one."""
    for example in reversed(examples):
        if not example.holds:
            page = page[: example.start] + _steady(example.actual) + page[example.start + len(example.expected) :]
    return page


def _steady(text: str) -> str:
    for pattern, put in _VOLATILE:
        text = pattern.sub(put, text)
    lines = text.splitlines(keepends=True)
    return text if len(lines) <= _LONGEST else "".join([*lines[: _LONGEST - 4], "...\n", *lines[-2:]])


def main(paths: list[str]) -> None:
    """Write the pages anew."""
    with tempfile.TemporaryDirectory() as folder:
        workplace = Workplace(Path(folder))
        for path in map(Path, paths):
            page = path.read_text(encoding="utf-8")
            path.write_text(rewritten(page, workplace.run(page)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
