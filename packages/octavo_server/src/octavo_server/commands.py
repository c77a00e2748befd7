"""`octavo serve`, `octavo mcp` and `octavo key`: a corpus for browsers, programs and agents, and keys to a server."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli import context, terminal
from octavo.cli.options import CorpusOptions, JsonOption, ModelOption, RayOption, command, flag, text, whole
from octavo.cli.settings import load
from octavo.errors import OctavoError, UsageError
from octavo_server import IndexingSettings, ServerSettings

if TYPE_CHECKING:
    from octavo_server.store import Store


@dataclasses.dataclass(frozen=True, kw_only=True)
class ServeOptions(ModelOption, RayOption, CorpusOptions):
    """The options of `serve`."""

    host: str | None = text("--host", "ADDRESS", "Address to listen on. [default: 127.0.0.1]")
    port: str | None = text("--port", "N", "Port to listen on, 0 for any. [default: 8080]")
    allow_write: bool = flag("--allow-write", "Let agents whose key may write add and remove documents.")
    root: list[str] | None = text(
        "--root", "FOLDER", "Folder or https:// address agents may add from; may be repeated."
    )
    read_only: bool = flag("--read-only", "Take no documents, remove none, and write nothing in the corpus.")
    names: list[str] | None = text("--name", "HOST", "Name the server is called by, as behind a reverse proxy.")
    max_upload: str | None = text("--max-upload", "MB", "Largest file taken. [default: 500]")
    open: bool = flag("--open", "Open the page in the browser.")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    command(app, ServeOptions)(serve)
    command(app, KeyOptions)(key)
    command(app, McpOptions)(mcp)


def serve(
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE", hidden=True)] = None, *, options: ServeOptions
) -> None:
    """Serve a page, an HTTP API and tools for agents."""
    if files:
        named = shlex.join(files)
        raise UsageError(
            f"'octavo serve' serves what is in the corpus and takes no files; run: octavo add {named}, "
            "then: octavo serve (both with --corpus FOLDER to serve these alone)"
        )
    check_installed("serve", "starlette", "uvicorn", "jinja2")
    from octavo_server.run import serve as run

    chosen = load({**options.given(), "host": None, "port": None, "open": None, "names": None})
    settings = ServerSettings(
        warms_up=True,
        host=options.host or "127.0.0.1",
        port=whole("--port", options.port, 8080, least=0),
        read_only=options.read_only,
        agents_write=options.allow_write,
        roots=tuple(options.root or ()),
        indexing=IndexingSettings(
            ocr=chosen.ocr,
            layout_model=None if chosen.layout_model is None else str(chosen.layout_model),
            render=chosen.render,
            embedding=chosen.models.get("embedding", ""),
            embedding_key_env=chosen.key_env.get(chosen.models.get("embedding", "").partition(":")[0], ""),
            image_text=chosen.models.get("image_text"),
            late_interaction=chosen.models.get("late_interaction"),
            password=os.environ.get("OCTAVO_PASSWORD"),
        ),
        hosts=tuple(options.names or ()),
        max_upload=whole("--max-upload", options.max_upload, 500) << 20,
    )
    with context.open_to_search(chosen, read_only=options.read_only) as corpus:
        run(corpus, settings, lambda link: _announce(link, opens=options.open))
    terminal.write(_STOPPED_READ_ONLY if options.read_only else "Stopped; what was added and answered is kept.")


_STOPPED_READ_ONLY = "Stopped; nothing was written: answers and conversations of this run are forgotten."


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


@dataclasses.dataclass(frozen=True, kw_only=True)
class McpOptions(RayOption, CorpusOptions):
    """The options of `mcp`."""

    model: str | None = text("--model", "PROVIDER:NAME", "Language model that decides; none for the rules.")
    allow_write: bool = flag("--allow-write", "Let agents add and remove documents; files stay as they are.")
    root: list[str] | None = text(
        "--root", "FOLDER", "Folder or https:// address agents may add from; may be repeated."
    )
    base: str | None = text("--base", "URL", "Address of a running 'octavo serve', for links that open there.")
    connector: bool = flag("--connector", "Only search and fetch, in the form that ChatGPT's connectors ask for.")


def mcp(*, options: McpOptions) -> None:
    """Give agents tools over the corpus, by MCP over stdio."""
    if importlib.util.find_spec("mcp") is None:
        raise OctavoError("'octavo mcp' needs an extra: pip install 'octavo[mcp]'")
    if options.connector and options.allow_write:
        raise UsageError("--connector has no tools that write: leave out --allow-write")
    if options.root and not options.allow_write:
        raise UsageError("--root names folders to add files from: give --allow-write too")
    from octavo_server.library import Library
    from octavo_server.mcp.server import serve as serve_stdio
    from octavo_server.mcp.tool import ToolContext
    from octavo_server.mcp.writing import Indexer, Roots

    opened = context.open_corpus if options.allow_write else context.open_to_read
    with opened(load(options.given())) as corpus:
        corpus.builds_layers = options.allow_write
        tools = ToolContext(Library(corpus, can_write=options.allow_write), base=(options.base or "").rstrip("/"))
        if options.allow_write:
            tools.additions, tools.roots = Indexer(corpus), Roots(options.root or ())
        serve_stdio(tools, is_connector=options.connector)


@dataclasses.dataclass(frozen=True, kw_only=True)
class KeyOptions(JsonOption, CorpusOptions):
    """The options of `key`."""

    scope: str | None = text("--scope", "SCOPE", "What it may do: read, write (add and remove documents), admin. [add]")


Words = Annotated[
    list[str] | None, typer.Argument(metavar="add|list|remove [NAME]", help="What to do, and the name of the key.")
]


def key(words: Words = None, *, options: KeyOptions) -> None:
    """Make, list or remove keys of the server."""
    action, name = _asked(words or ["list"], options)
    check_installed("serve", "starlette", "uvicorn")
    from octavo_server.store import Store

    opened = context.open_corpus if action == "add" else context.open_to_read
    with opened(load({**options.given(), "scope": None})) as corpus:
        store = Store.beside(corpus.path)
    if store.path is None:
        raise UsageError("keys are kept in the corpus, whose folder cannot be written here")
    {"add": _add, "list": _list, "remove": _remove}[action](store, name, options)


def _asked(words: list[str], options: KeyOptions) -> tuple[str, str]:
    """Return what is to be done, and the name of a key or ""."""
    action, *names = words
    if action not in ("add", "list", "remove"):
        raise UsageError(f"'octavo key {action}': there is add, list and remove")
    if len(names) != (action != "list"):
        raise UsageError(f"'octavo key {action}' takes {'no name' if action == 'list' else 'the name of one key'}")
    if options.scope is not None and action != "add":
        raise UsageError("--scope goes with 'octavo key add'")
    return action, names[0] if names else ""


def _add(store: Store, name: str, options: KeyOptions) -> None:
    from octavo_server.guard import add_key

    scope = options.scope or "read"
    secret = add_key(store, name, scope)
    if options.json:
        terminal.write_json({"name": name, "scope": scope, "key": secret})
        return
    terminal.write(secret)
    terminal.note(f"octavo: this key may {scope}; it is shown this once, keep it well")


def _list(store: Store, _name: str, options: KeyOptions) -> None:
    keys = store.all_keys()
    if options.json:
        terminal.write_json({"keys": [{"name": key.name, "scope": key.scope, "created": key.created} for key in keys]})
        return
    for key in keys:
        terminal.write(f"{key.scope:<5}  {key.created[:10]}  {terminal.one_line(key.name)}")
    if not keys:
        terminal.note("octavo: there are no keys; make one with 'octavo key add NAME --scope read'")


def _remove(store: Store, name: str, _options: KeyOptions) -> None:
    if not store.remove_key(name):
        raise UsageError(f"there is no key called {name!r}; 'octavo key list' shows all")
