"""`octavo models`: the language models on this machine, choosing one for good, and the line that hints at them.

The line stands under an answer of the rules and says how a model could answer. It is said to a person at a terminal who
has not said that no model is wanted. Models are looked for meanwhile, so that nobody waits for it.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from octavo.cli import settings, terminal
from octavo.cli.models_from_settings import model_of
from octavo.cli.options import CONTEXT, PlainGroup, command
from octavo.models.spec import NONE

if TYPE_CHECKING:
    from octavo.cli.settings import Settings
    from octavo.models.finding import FoundModel


Name = Annotated[
    str,
    typer.Argument(metavar="NAME", help="The model, as the table names it and as --model takes it; none for rules."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]

_group = typer.Typer(cls=PlainGroup, context_settings=CONTEXT, rich_markup_mode=None, invoke_without_command=True)


@dataclasses.dataclass(frozen=True, kw_only=True)
class UseOptions:
    """`use` has no options."""


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(_group, name="models")
    command(_group, UseOptions)(use)


@_group.callback()
def models(context: typer.Context, json: Json = False) -> None:  # noqa: FBT002
    """List the language models on this machine.

    Those of servers that run here (Ollama, LM Studio, llama.cpp, vLLM) and those in the folders where programs keep
    them. None is started or asked anything.
    """
    if context.invoked_subcommand is not None:
        return
    from octavo.models.finding import find_models

    chosen, found = settings.load({}).model, find_models()
    if json:
        terminal.write_json({"model": chosen, "models": [dataclasses.asdict(model) for model in found]})
        return
    from octavo.cli.health import show_models

    show_models(terminal.console(), found, chosen)


def use(name: Name, *, options: UseOptions) -> None:
    """Let a model answer from now on: write it to octavo.toml.

    To the file that is in force here, or to the user's own where there is none.
    """
    del options
    chosen = settings.load({"model": name})
    if chosen.model != NONE:
        model_of(chosen.model, chosen)
    path = next(iter(settings.files(Path.cwd())), settings.user_file()).resolve()
    _write(path, chosen.model)
    terminal.write(f"{path}: the model is {chosen.model} from now on")
    if variable := os.environ.get("OCTAVO_MODEL"):
        terminal.note(f"octavo: the variable OCTAVO_MODEL goes before the file and names {variable}: unset it")


def _write(path: Path, model: str) -> None:
    """Put the model into a settings file, which keeps its comments and everything else in it."""
    import tomlkit

    # It was read as TOML before this, where it is there: whatever is wrong with it was told then.
    content = path.read_bytes().decode("utf-8") if path.exists() else ""
    document = cast("dict[str, Any]", tomlkit.parse(content))
    roles: Any = document.get("models", {})
    if "language" in roles:
        roles["language"] = model
    else:
        document["model"] = model
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(tomlkit.dumps(document).encode("utf-8"))
    if path.exists():
        part.chmod(path.stat().st_mode & 0o777)
    part.replace(path)


_PATIENCE = 0.3
"""Seconds that the line may come after the answer."""


def begin_hint(settings: Settings, *, quiet: bool) -> Callable[[], None]:
    """Begin to look for models; the function returned says what there is. It says nothing where nobody wants to know.

    Nobody does with `quiet`, in a pipe, and where a model is named, `model = "none"` included.
    """
    is_seen = terminal.is_terminal(sys.stdout) and terminal.is_terminal(sys.stderr)
    if quiet or not is_seen or settings.model != NONE or settings.names_model:
        return lambda: None
    found: list[FoundModel] = []

    def look() -> None:
        from octavo.models.finding import find_models

        found.extend(model for model in find_models() if not model.problem)

    thread = threading.Thread(target=look, name="octavo-models", daemon=True)
    thread.start()

    def say() -> None:
        from rich.text import Text

        thread.join(_PATIENCE)
        screen = terminal.console(sys.stderr)
        screen.print(Text(_hint(found, screen.width), style="dim"), overflow="ellipsis", no_wrap=True)

    return say


def _hint(found: list[FoundModel], width: int) -> str:
    """Return what there is, in one line that fits into `width` columns where it can."""
    if not found:
        return "octavo: answered by rule; 'octavo models' says how a model can answer"
    name = shlex.quote(terminal.one_line(found[0].name))
    line = f"octavo: answered by rule; to ask a model that is here: --model {name}"
    return line if len(line) <= width else "octavo: answered by rule; 'octavo models' lists the models that are here"
