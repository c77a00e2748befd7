"""The process in which an engine runs: it loads the model and answers the calls of `engine_process`, line by line."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

from octavo.errors import ModelError
from octavo.models.engine_process import line_of
from octavo.models.genai_engine import GenaiEngine
from octavo.models.language import ModelFault, Request
from octavo.models.local_model import LocalEngine, Written


def main(path: str) -> None:
    """Load the engine and answer calls until nobody is left to ask."""
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever libraries print is no answer

    def answer(number: int, **what: Any) -> None:
        told.write(line_of({"number": number, **what}))
        told.flush()

    try:
        engine = GenaiEngine(Path(path))
    except ModelError as error:
        answer(0, unfit=str(error))
        return
    with contextlib.suppress(BrokenPipeError):
        answer(0, value=None)
        for number, found in _answered(engine, sys.stdin.buffer):
            answer(number, **found)


def _answered(engine: LocalEngine, calls: Iterable[bytes]) -> Generator[tuple[int, dict[str, Any]]]:
    """Yield the number of each call and its answer."""
    writing: Generator[Written] | None = None
    known = 0
    for line in calls:
        number, name, value = json.loads(line)
        found: Any = None
        try:
            if name == "prompt":
                found = engine.prompt(value)
            elif name == "text":
                found = engine.text(value)
            elif name == "step":
                written = next(writing, None) if writing else None
                if written is not None:
                    found = (list(written.tokens[known:]), written.finish, written.chance)
                    known = len(written.tokens)
            else:
                if writing:
                    writing.close()
                writing, known = None, 0
                if name == "begin":
                    prompt = value.pop("prompt")
                    writing = engine.write(prompt, Request("", "", "", (), **value))
            yield number, {"value": found}
        except ModelFault as fault:
            yield number, {"fault": [fault.kind.value, str(fault)]}
        except Exception as error:  # noqa: BLE001  (told to whoever asked)
            yield number, {"error": " ".join(str(error).split()) or type(error).__name__}


if __name__ == "__main__":
    main(sys.argv[1])
