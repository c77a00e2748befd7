"""What the catalogues translate is what code says, and what the page says is in the catalogues."""

import ast
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from octavo.cli import main
from octavo_documents.document import FigureKind, Kind, LinkKind
from octavo_documents.document.document import PLACES
from octavo_documents.text.document_kinds import KINDS
from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import CATALOGUES, Catalogue, catalogue, speaking, translated

ROOT = Path(__file__).parents[1]
TEMPLATES = sorted((ROOT / "packages/octavo_server/src/octavo_server/pages/templates").glob("*.html"))
PAGE = sorted(
    one
    for one in (ROOT / "web/src").rglob("*.ts*")
    if one.name not in ("api-types.ts", "wording.ts") and "mcp-app" not in one.parts
)
"""Sources of the page; what a chat shows is in English, as all that programs for models are told."""
STRING = r'"((?:[^"\\]|\\.)*)"'
PLACE = re.compile(r"\{\w+\}")
LEAST = 20
"""Letters of a stretch between places that is looked for in code; shorter ones are put together there."""


def first() -> Catalogue:
    found = catalogue(next(iter(CATALOGUES)))
    assert found is not None
    return found


def counted(noun: str) -> str:
    return f"{{n}} {noun[:-1]}ies" if noun.endswith("y") else f"{{n}} {noun}s"


def said_by(path: Path) -> Iterator[str]:
    """Yield the texts that a module of the page or a template says, where they stand as such."""
    text = path.read_text(encoding="utf-8")
    for found in re.findall(rf"\bt\({STRING}(?! ~)", text):
        yield json.loads(f'"{found}"')
    for both in re.findall(rf'\bt\([\w.]+(?: === "[^"]*")? \? {STRING} : {STRING}', text):
        yield from (json.loads(f'"{one}"') for one in both)
    yield from map(counted, re.findall(r'plural\([^"`]+?, "(\w[\w ]*)"\)', text))
    yield from map(counted, re.findall(r'plural\("(\w+)"\)', text))


def named() -> set[str]:
    """Return the names of kinds and places that the server sends and the page translates."""
    kinds = {one.label for one in Kind} | {one.label for one in LinkKind} | {one.label for one in FigureKind}
    places = {f"{place} {{name}}" for place in PLACES} | {counted(place) for place in PLACES}
    beside = {f"{word} {place}" for word in ("This", "Previous", "Next") for place in PLACES}
    heads = {f"{place.title()}s" for place in PLACES}
    elements = {counted(kind) for kind in ("table", "figure", "chart")}
    return {kind.replace("_", " ") for kind in kinds if kind} | {*KINDS} | places | beside | heads | elements


def test_all_that_the_page_says_is_in_the_catalogues() -> None:
    said = {text: path.name for path in PAGE for text in said_by(path)}
    assert len(said) > 300
    assert {text: where for text, where in said.items() if text not in first().page} == {}
    assert named() - first().page.keys() == set()
    printed = {text for path in TEMPLATES for text in said_by(path)}
    assert printed - first().page.keys() - first().said.keys() == set()


def test_no_words_of_the_page_go_round_the_catalogues() -> None:
    attribute = re.compile(r'\b(?:aria-label|title|placeholder|label)="[A-Z][a-z]')
    between = re.compile(r"(?<![=\s])>\s*[A-Z][a-z]+[^<>{}`;=()]*</(?!code|kbd|b>|a>)")
    for path in [one for one in PAGE if one.suffix == ".tsx"]:
        text = path.read_text(encoding="utf-8")
        assert attribute.findall(text) == [], path
        assert [found for found in between.findall(text) if "Octavo" not in found] == [], path


@functools.cache
def strings() -> str:
    """Return all that code says, one text a line: constants of Python, of the page and of its templates."""
    told: list[str] = []
    for path in sorted((ROOT / "packages").glob("*/src/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                told.append(on_one_line(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = (one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
                told.append(on_one_line("".join(map(str, parts))))
    told += [path.read_text(encoding="utf-8").replace("\\'", "'") for path in (*PAGE, *TEMPLATES)]
    return "\n".join(told)


def stands(text: str) -> bool:
    """Return whether a text stands in code, or most runs of three of its words: several strings may make it."""
    words = text.rstrip(".,;:s").split()
    runs = [" ".join(words[at : at + 3]) for at in range(max(len(words) - 2, 1))]
    return sum(run in strings() for run in runs) * 2 > len(runs) - 1


# What Typer says, what the system says of files, and what is put together of several strings.
OTHERS = {
    "Install completion for the current shell.",
    "Show completion for the current shell, to copy it or customize the installation.",
    "Show this message and exit.",
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "No space left on device",
}
BY_OTHERS = ("No such option", "No such command", "Option {name} requires", "Searched and read on", "Went down")


@pytest.mark.parametrize("part", ["page", "said"])
def test_what_is_translated_is_said_somewhere(part: str) -> None:
    lost: list[str] = []
    for text in getattr(first(), part):
        if text in OTHERS or text.startswith(BY_OTHERS) or text in named():
            continue
        pieces = [on_one_line(piece).strip() for piece in PLACE.split(text)]
        long = [piece for piece in pieces if sum(map(str.isalpha, piece)) >= LEAST]
        lost += [text for piece in long if not stands(piece)]
    assert lost == []


def commands() -> Iterator[tuple[str, str]]:
    """Yield each command with what `octavo --help` says of it."""
    program = typer.main.get_command(main.all_commands())
    for name, command in getattr(program, "commands").items():  # noqa: B009
        yield name, on_one_line(command.get_short_help_str(200))


@pytest.mark.parametrize("code", CATALOGUES)
def test_every_command_says_what_it_does(code: str) -> None:
    with speaking(code):
        assert [name for name, told in commands() if translated(told) == told] == []
