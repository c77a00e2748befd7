"""Settings: option before environment before file before default.

Owns the keys of octavo.toml, where that file is looked for, and what a value may be. Knows nothing about commands.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from octavo.errors import UsageError

FILE_NAME = "octavo.toml"
OcrMode = Literal["auto", "always", "never"]
OCR_MODES: tuple[OcrMode, ...] = get_args(OcrMode)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What a command runs with, after every source was asked."""

    corpus: Path | None = None
    """Folder of the corpus; None for the per-user one."""
    system: str = "auto"
    limit: int = 10
    """Pages, at least 1."""
    ocr: OcrMode = "auto"
    layout_model: Path | None = None
    """ONNX file of a layout model; None for the rules alone."""
    model: str = "none"
    workers: int | None = None
    """Files parsed at once; None for as many as the machine has cores."""
    max_seconds: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None


@dataclasses.dataclass(frozen=True)
class Given:
    """A value as it was given and where: `source` is "--limit", "OCTAVO_LIMIT" or "/path/octavo.toml, key 'limit'"."""

    value: Any
    source: str
    folder: Path
    """Relative paths are seen from here."""


def load(
    options: Mapping[str, Any],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    user_folder: Path | None = None,
) -> Settings:
    """Return the settings a command runs with.

    Args:
        options: Values of command-line options by key; None for those not given. Unknown keys are left alone.
        environment: The environment, `os.environ` by default; OCTAVO_LIMIT sets `limit`, and so on.
        folder: Where the search for octavo.toml starts; the current folder by default.
        user_folder: The per-user configuration folder.

    Raises UsageError that names the option, the variable, or the file and key.
    """
    here = (folder or Path.cwd()).absolute()
    variables = os.environ if environment is None else environment
    given: dict[str, Given] = {}
    for path in reversed(files(here, user_folder)):
        given |= _from_file(path)
    for key in PARSERS:
        variable = f"OCTAVO_{key.upper()}"
        if variables.get(variable):
            given[key] = Given(variables[variable], variable, here)
        if options.get(key) is not None:
            given[key] = Given(options[key], "--" + key.replace("_", "-"), here)
    return Settings(**{key: _parse(key, value) for key, value in given.items()})


def files(folder: Path, user_folder: Path | None = None) -> list[Path]:
    """Return the octavo.toml files in force, the one that has precedence first."""
    candidates = [above / FILE_NAME for above in (folder, *folder.parents)]
    nearest = next((path for path in candidates if path.is_file()), None)
    personal = (user_folder or _user_folder()) / FILE_NAME
    found = [path for path in (nearest, personal) if path is not None and path.is_file()]
    return list(dict.fromkeys(found))


def _user_folder() -> Path:
    from platformdirs import user_config_path

    return user_config_path("octavo")


def _from_file(path: Path) -> dict[str, Given]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise UsageError(f"{path} is not valid TOML: {wrong}") from wrong
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong.strerror}") from wrong
    for key in values:
        if key not in PARSERS:
            raise UsageError(f"{path}: there is no setting '{key}'; {_nearest(key)}")
    return {key: Given(value, f"{path}, key '{key}'", path.parent) for key, value in values.items()}


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key.replace("-", "_").lower(), PARSERS, n=2, cutoff=0.5)
    if near:
        return "did you mean " + " or ".join(f"'{name}'" for name in near) + "?"
    return "the settings are " + ", ".join(PARSERS)


def _parse(key: str, given: Given) -> Any:
    try:
        return PARSERS[key](given)
    except ValueError as wrong:
        raise UsageError(f"{given.source}: {wrong}") from None


def _corpus(given: Given) -> Path:
    text = _text(given)
    if "://" in text:
        raise ValueError(f"a corpus is a folder on this machine in this version, not {text!r}")
    return given.folder / Path(text).expanduser()


def _text(given: Given) -> str:
    if not isinstance(given.value, str) or not given.value.strip():
        raise ValueError(f"needs a text, not {given.value!r}")
    return given.value.strip()


def _model(given: Given) -> str:
    name = _text(given)
    if name != "none":
        raise ValueError(f"model providers are not available in this version; use 'none', not {name!r}")
    return name


def _layout_model(given: Given) -> Path | None:
    text = _text(given)
    return None if text == "none" else given.folder / Path(text).expanduser()


def _ocr(given: Given) -> str:
    mode = _text(given)
    if mode not in OCR_MODES:
        raise ValueError(f"needs one of {', '.join(OCR_MODES)}, not {mode!r}")
    return mode


def _whole(least: int) -> Callable[[Given], int]:
    def parse(given: Given) -> int:
        try:
            number = int(str(given.value))
        except ValueError:
            number = None
        if number is None or number < least:
            raise ValueError(f"needs a whole number, {least} or more, not {given.value!r}")
        return number

    return parse


def _amount(given: Given) -> float:
    try:
        number = float(str(given.value))
    except ValueError:
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise ValueError(f"needs a number, 0 or more, not {given.value!r}")
    return number


def _seconds(given: Given) -> float:
    number = _amount(given)
    if number == 0:
        raise ValueError("needs more than 0 seconds")
    return number


PARSERS: dict[str, Callable[[Given], Any]] = {
    "corpus": _corpus,
    "system": _text,
    "limit": _whole(1),
    "ocr": _ocr,
    "layout_model": _layout_model,
    "model": _model,
    "workers": _whole(1),
    "max_seconds": _seconds,
    "max_calls": _whole(0),
    "max_tokens": _whole(0),
    "max_cost": _amount,
}
"""What turns a given value into a setting, by key. Each raises ValueError that says what is needed."""
