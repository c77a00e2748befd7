"""`octavo about`: what a document is about, and setting it by hand."""

from __future__ import annotations

import csv
import dataclasses
from collections.abc import Sequence
from typing import Annotated

import typer

from octavo.about.fields import FIELDS, LISTS, field_called
from octavo.cli import context, terminal
from octavo.cli.options import CorpusOptions, JsonOption, ReadingOptions, command, text
from octavo.cli.settings import load
from octavo.errors import UsageError

File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or the name or id of a document in the corpus.")]


@dataclasses.dataclass(frozen=True, kw_only=True)
class AboutOptions(JsonOption, ReadingOptions, CorpusOptions):
    """The options of `about`."""

    set: list[str] | None = text(
        "--set", "FIELD=VALUE", f"Set a field by hand: {', '.join(FIELDS)}, or one of your own; tags=a,b. Repeatable."
    )
    unset: list[str] | None = text("--unset", "FIELD", "Take back what was set by hand. Repeatable.")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, AboutOptions)(about)


def about(file: File, *, options: AboutOptions) -> None:
    """Show what a document is about, or set it.

    What is set by hand goes before a file beside it, NAME.meta.json, and that before what rules found.
    """
    wanted = {**dict.fromkeys(options.unset or ()), **_set(options.set or ())}
    chosen = load(options.given())
    with context.open_corpus(chosen) as corpus:
        info = context.document_of(corpus, file, chosen, options)
        found = corpus.describe(info.id, wanted) if wanted else corpus.about(info.id)
    if options.json:
        terminal.write_json({"document": info.name, "document_id": info.id, **found.to_json()})
        return
    from octavo.cli.show.about import show_about

    show_about(terminal.console(), dataclasses.replace(found, name=info.name))


def _set(given: Sequence[str]) -> dict[str, object]:
    """Return what is set, by field: a field of a list may be given several times. Raises UsageError."""
    found: dict[str, list[str]] = {}
    for one in given:
        name, is_there, value = one.partition("=")
        name = field_called(name.strip())
        if not (name and is_there):
            raise UsageError(f"--set takes FIELD=VALUE, as in --set title='Annual report', not {one[:60]!r}")
        found.setdefault(name, []).extend(_listed(value) if name in LISTS else [value])
    twice = [name for name, values in found.items() if len(values) > 1 and name in {*FIELDS} - {*LISTS}]
    if twice:
        raise UsageError(f"{twice[0]} is set twice: it holds one text")
    return {
        name: values if name in LISTS or len(values) > 1 else _value(name, values[0]) for name, values in found.items()
    }


def _listed(text: str) -> list[str]:
    """Return texts with commas between them; one with a comma in it stands in double quotes."""
    return next(csv.reader([text], skipinitialspace=True), list[str]())


def _value(name: str, text: str) -> str | int | float:
    """Return the value of a field; in one of your own what is written as a number is one."""
    for kind in (int, float) if name not in FIELDS else ():
        try:
            value = kind(text)
        except ValueError:
            continue
        if str(value) == text.strip():  # "007" is a name, "1e3" too
            return value
    return text
