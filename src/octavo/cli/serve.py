"""`octavo serve`: the page, the API and the tools of agents over one corpus."""

from __future__ import annotations

import dataclasses
import importlib.util
from typing import Annotated

import typer

from octavo.cli import context, terminal
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions, ModelOption, whole
from octavo.cli.settings import load
from octavo.errors import UsageError


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServeOptions(ModelOption, CorpusOptions):
    """The options of `serve`."""

    host: Annotated[
        str | None, typer.Option("--host", metavar="ADDRESS", help="Address to listen on. [default: 127.0.0.1]")
    ] = None
    port: Annotated[
        str | None, typer.Option("--port", metavar="N", help="Port to listen on, 0 for any. [default: 8080]")
    ] = None
    allow_write: Annotated[
        bool, typer.Option("--allow-write", help="Let agents whose key may write add and remove documents.")
    ] = False
    root: Annotated[
        list[str] | None,
        typer.Option("--root", metavar="FOLDER", help="Folder that agents may add files from; may be repeated."),
    ] = None
    read_only: Annotated[bool, typer.Option("--read-only", help="Take no documents and remove none.")] = False
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="Name the server is called by, as behind a reverse proxy."),
    ] = None
    max_upload: Annotated[
        str | None, typer.Option("--max-upload", metavar="MB", help="Largest file taken. [default: 500]")
    ] = None
    open: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, ServeOptions)(serve)


def serve(*, options: ServeOptions) -> None:
    """Serve a page, an HTTP API and tools for agents."""
    check_installed("serve", "starlette", "uvicorn", "jinja2")
    from octavo.server.run import serve as run
    from octavo.server.settings import Indexing, ServerSettings

    chosen = load({**options.given(), "host": None, "port": None, "open": None, "names": None})
    settings = ServerSettings(
        warms_up=True,
        host=options.host or "127.0.0.1",
        port=whole("--port", options.port, 8080, least=0),
        read_only=options.read_only,
        agents_write=options.allow_write,
        roots=tuple(options.root or ()),
        indexing=Indexing(
            ocr=chosen.ocr,
            layout_model=None if chosen.layout_model is None else str(chosen.layout_model),
            embedding=chosen.models.get("embedding", ""),
            embedding_key_env=chosen.key_env.get(chosen.models.get("embedding", "").partition(":")[0], ""),
            image_text=chosen.models.get("image_text"),
        ),
        hosts=tuple(options.names or ()),
        max_upload=whole("--max-upload", options.max_upload, 500) << 20,
    )
    with context.open_corpus(chosen) as corpus:
        run(corpus, settings, lambda link: _announce(link, opens=options.open))


def _announce(link: str, *, opens: bool) -> None:
    terminal.write(f"Octavo is at {link}")
    terminal.flush()
    if opens:
        import webbrowser

        webbrowser.open(link)


def check_installed(extra: str, *packages: str) -> None:
    """Raise UsageError that names the extra where one of its packages is not installed."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise UsageError(f"the package {package} is not installed; pip install 'octavo[{extra}]'")
