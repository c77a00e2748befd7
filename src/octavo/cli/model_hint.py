"""The line under an answer of the rules that says how a model could answer.

It is said to a person at a terminal who has not said that no model is wanted. Models are looked for while the question
is answered, so that nobody waits for it; none is chosen.
"""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from octavo.cli import terminal
from octavo.models.spec import NONE

if TYPE_CHECKING:
    from octavo.cli.settings import Settings
    from octavo.models.finding import FoundModel

_PATIENCE = 0.3
"""Seconds that the line may come after the answer."""


def begin(settings: Settings, *, quiet: bool) -> Callable[[], None]:
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
        screen.print(Text(_line(found, screen.width), style="dim"), overflow="ellipsis", no_wrap=True)

    return say


def _line(found: list[FoundModel], width: int) -> str:
    """Return what there is, in one line that fits into `width` columns where it can."""
    if not found:
        return "octavo: answered by rule; 'octavo models' says how a model can answer"
    name = shlex.quote(terminal.one_line(found[0].name))
    line = f"octavo: answered by rule; to ask a model that is here: --model {name}"
    return line if len(line) <= width else "octavo: answered by rule; 'octavo models' lists the models that are here"
