"""`octavo mcp`: the tools for agents over standard input and output."""

from __future__ import annotations

import dataclasses
import importlib.util
from typing import Annotated

import typer

from octavo.cli import context
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions
from octavo.cli.settings import load
from octavo.errors import OctavoError, UsageError


@dataclasses.dataclass(frozen=True, kw_only=True)
class McpOptions(CorpusOptions):
    """The options of `mcp`."""

    model: Annotated[
        str | None,
        typer.Option("--model", metavar="PROVIDER:NAME", help="Language model that decides; none for the rules."),
    ] = None
    allow_write: Annotated[
        bool, typer.Option("--allow-write", help="Let agents add and remove documents; files stay as they are.")
    ] = False
    root: Annotated[
        list[str] | None,
        typer.Option("--root", metavar="FOLDER", help="Folder that agents may add files from; may be repeated."),
    ] = None
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="URL", help="Address of a running 'octavo serve', for links that open there."),
    ] = None


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, McpOptions)(mcp)


def mcp(*, options: McpOptions) -> None:
    """Give agents tools over the corpus, by MCP over stdio."""
    if importlib.util.find_spec("mcp") is None:
        raise OctavoError("'octavo mcp' needs an extra: pip install 'octavo[mcp]'")
    if options.root and not options.allow_write:
        raise UsageError("--root names folders to add files from: give --allow-write too")
    from octavo.server.library import Library
    from octavo.server.mcp.stdio import serve
    from octavo.server.mcp.tool import Desk
    from octavo.server.mcp.writing import Indexer, Roots

    with context.open_corpus(load(options.given())) as corpus:
        desk = Desk(Library(corpus, can_write=options.allow_write), base=(options.base or "").rstrip("/"))
        if options.allow_write:
            desk.additions, desk.roots = Indexer(corpus), Roots(options.root or ())
        serve(desk)
