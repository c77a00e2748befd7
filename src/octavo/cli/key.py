"""`octavo key`: the keys that open a server to programs and to people on other machines."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli import context, terminal
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions, JsonOption
from octavo.cli.serve import check_installed
from octavo.cli.settings import load
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.server.store import Store


@dataclasses.dataclass(frozen=True, kw_only=True)
class KeyOptions(JsonOption, CorpusOptions):
    """The options of `key`."""

    scope: Annotated[
        str | None,
        typer.Option(
            "--scope", metavar="SCOPE", help="What it may do: read, write (add and remove documents), admin. [add]"
        ),
    ] = None


Words = Annotated[
    list[str] | None, typer.Argument(metavar="add|list|remove [NAME]", help="What to do, and the name of the key.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, KeyOptions)(key)


def key(words: Words = None, *, options: KeyOptions) -> None:
    """Make, list or remove keys of the server."""
    action, name = _asked(words or ["list"], options)
    check_installed("serve", "starlette", "uvicorn")
    from octavo.server.store import Store

    with context.open_corpus(load({**options.given(), "scope": None})) as corpus:
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
    from octavo.server.access import add_key

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
