"""The examples in the documentation: found, run, compared, and written anew.

`python tests/documented.py docs/*.md` runs every example and writes what has changed into the pages. In an expected
output `...` stands for anything on a line, and a line that is only `...` for any number of lines.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
EXAMPLES = [ROOT / "examples" / "handbook.pdf", ROOT / "examples" / "deck.pdf"]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_ELISION = re.compile(r"(?<!\\\.)\\\.\\\.\\\.(?!\\\.)")
_LONGEST = 30
"""Lines of an output that are written; of a longer one the first and the last."""
_VOLATILE = (
    (re.compile(r"^( *\d+\. .*)   [\d.e-]+$", re.M), r"\1   ..."),
    (re.compile(r"(sha256:)[0-9a-f]{12,}"), r"\1..."),
    (re.compile(r"\b[\d.,]+ (ms|s)\b( \(\d+ pages/s\))?"), "..."),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "..."),
    (re.compile(r"(\"seconds\": )[\d.e-]+"), r"\1..."),
)


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    """Return the fenced blocks of a page in order."""
    for found in _BLOCK.finditer(page):
        yield Block(found[1], found[2])


def matches(expected: str, actual: str) -> bool:
    """Return whether an output is the expected one, elisions aside."""
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += _ELISION.sub(".*", re.escape(line)) + r"[ ]*\n"
    return re.fullmatch(pattern, actual.rstrip("\n") + "\n") is not None


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Return (command, expected output) pairs of a console block; a command starts with `$ `."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def run_command(command: str) -> str:
    """Run one `octavo` command in this process; return all it wrote and, unless 0, the exit status."""
    from cli_corpus import octavo

    words = shlex.split(command)
    done = octavo(*words[1:])
    status = f"(exit status {done.status})\n" if done.status else ""
    return done.out + done.err + status


def run_python(text: str, names: dict[str, Any]) -> str:
    """Run a Python block among the names of the blocks before it; return what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "<documentation>", "exec"), names)
    return out.getvalue()


@contextlib.contextmanager
def workplace(corpus: Path | None) -> Iterator[Path]:
    """Stand in a fresh folder with the example documents and a corpus, a copy of `corpus` or an empty one."""
    before, variables = Path.cwd(), dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        for path in EXAMPLES:
            shutil.copy(path, folder)
        if corpus is not None:
            shutil.copytree(corpus, Path(folder) / "corpus")
        os.environ["OCTAVO_CORPUS"] = str(Path(folder) / "corpus")
        os.environ["XDG_CONFIG_HOME"] = folder
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(variables)


def run_page(page: str) -> Iterator[tuple[str, str, str]]:
    """Run a page's examples; yield for each the command ("" for Python), the expected output and the actual one."""
    names: dict[str, Any] = {"__name__": "documentation"}
    found = list(blocks(page))
    for block, following in zip(found, [*found[1:], None], strict=True):
        if block.language == "console":
            for command, expected in commands(block.text):
                if command.split()[0] == "octavo":
                    yield command, expected, run_command(command)
        elif block.language == "python":
            printed = run_python(block.text, names)
            if following is not None and following.language == "text":
                yield "", following.text, printed


def is_empty_at_first(page: str) -> bool:
    """Return whether a page starts with an empty corpus; others start with the examples in it."""
    return "<!-- starts with an empty corpus -->" in page


def _steady(text: str) -> str:
    for pattern, put in _VOLATILE:
        text = pattern.sub(put, text)
    lines = text.splitlines(keepends=True)
    return text if len(lines) <= _LONGEST else "".join([*lines[: _LONGEST - 4], "...\n", *lines[-2:]])


def rewritten(page: str) -> str:
    """Return the page with every output that no longer holds replaced by the actual one."""
    for command, expected, actual in run_page(page):
        if expected.strip() == "..." or not matches(expected, actual):
            old = f"$ {command}\n{expected}" if command else expected
            new = f"$ {command}\n{_steady(actual)}" if command else _steady(actual)
            page = page.replace(old, new, 1)
    return page


def main(paths: list[str]) -> None:
    """Write the pages anew."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = Path(folder) / "corpus"
        with workplace(None) as place:
            run_command("octavo add handbook.pdf deck.pdf")
            shutil.copytree(place / "corpus", prepared)
        for path in map(Path, paths):
            page = path.read_text(encoding="utf-8")
            with workplace(None if is_empty_at_first(page) else prepared):
                path.write_text(rewritten(page), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
