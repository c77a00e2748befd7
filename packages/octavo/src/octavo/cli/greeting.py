"""What `octavo` alone says: what it is, what it finds here, and three commands to try."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from importlib.util import find_spec

from octavo.cli import context, terminal
from octavo.cli.settings import load
from octavo.errors import OctavoError
from octavo.example import example_file
from octavo_documents.wording import counted, t, translated

_QUESTION = "What is the greatest swell height for landing at North Gut?"


def greet() -> None:
    """Write the greeting."""
    from importlib import metadata  # takes longer than all else that `octavo --help` loads

    terminal.write(
        t(
            "Octavo {version} answers questions over documents and shows page and quote.",
            version=metadata.version("octavo"),
        )
    )
    for line in (*_here(), "", t("Try:"), *(f"  {command}" for command in _commands())):
        terminal.write(line)
    terminal.write("\n" + t("'octavo --help' lists all commands."))


def _here() -> Iterator[str]:
    try:
        settings = load({})
        with context.open_corpus(settings, read_only=True) as corpus:
            count, place = corpus.count() if corpus.is_there else 0, str(corpus.location)
    except OctavoError as error:
        yield f"{t('Here')}: {translated(terminal.one_line(str(error)))}"
        return
    documents = counted(count, "document") if count else t("no document yet")
    yield f"{t('Here')}: {documents} ({terminal.one_line(place)}); " + (
        t("rules decide, and nothing is sent anywhere")
        if settings.model == "none"
        else t("{model} decides", model=settings.model)
    )


def _commands() -> Iterator[str]:
    example = example_file()
    file = shlex.quote(str(example)) if example else "report.pdf"
    yield f"octavo ask {shlex.quote(_QUESTION)} {file}"
    yield "octavo add FOLDER" + f"   # {t('your own: PDF, office files, mail, books, web pages, scans')}"
    if find_spec("octavo_server"):
        yield "octavo serve --open" + f"   # {t('the page in the browser')}"
    else:
        yield "octavo doctor" + "   # " + t("what is usable here; pip install 'octavo[serve]' brings a page")
