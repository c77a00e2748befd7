"""What a value of each setting may be, and what it becomes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from octavo.errors import UsageError

_Said = TypeVar("_Said")
OcrMode = Literal["auto", "always", "never"]
_SWITCHES = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
OCR_MODES: tuple[OcrMode, ...] = get_args(OcrMode)


@dataclasses.dataclass(frozen=True)
class Given:
    """A value as it was given and where: `source` is "--limit", "OCTAVO_LIMIT" or "/path/octavo.toml, key 'limit'"."""

    value: Any
    source: str
    folder: Path
    """Relative paths are seen from here."""


def _corpus(given: Given) -> Path | str:
    from octavo.corpus.location import ENGINES, without_password

    text = _text(given)
    if text.startswith(ENGINES):
        return text
    if "://" in text:
        raise ValueError(f"a corpus is a folder, or postgresql://HOST/DATABASE, not {without_password(text)!r}")
    return _path(given, text)


def _text(given: Given) -> str:
    if not isinstance(given.value, str) or not given.value.strip():
        raise ValueError(f"needs a text, not {given.value!r}")
    return given.value.strip()


def _model(given: Given) -> str:
    from octavo.models.language_models import LANGUAGE_MODELS
    from octavo.models.spec import LOCAL, NONE, parse_spec

    text = _text(given)
    if text == NONE:
        return text
    spec = _said(lambda: parse_spec(text, LANGUAGE_MODELS))
    return f"{LOCAL}:{_path(given, spec.name)}" if spec.provider == LOCAL else str(spec)


def _router(given: Given) -> str:
    """Return what names the model in a file or folder, whose path may be given alone."""
    text = _text(given)
    return _model(dataclasses.replace(given, value=text if text.startswith("local:") else f"local:{text}"))


def _embedding(given: Given) -> str:
    from octavo.models.embedders import parse_embedder

    return _said(lambda: str(parse_embedder(_text(given), folder=given.folder)))


def _reranking(given: Given) -> str:
    from octavo.models.rerankers import parse_reranker

    return _said(lambda: str(parse_reranker(_text(given))))


def _image_text(given: Given) -> str:
    from octavo.models.embedders import parse_image_text

    return _said(lambda: str(parse_image_text(_text(given))))


def _said(parse: Callable[[], _Said]) -> _Said:
    """Return what `parse` does; what it finds wrong is told with the source of the value."""
    try:
        return parse()
    except UsageError as wrong:
        raise ValueError(str(wrong)) from None


def _variable(given: Given) -> str:
    name = _text(given)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("needs the name of an environment variable that holds the key, not the key itself")
    return name


def _price(given: Given) -> tuple[float, float]:
    """Return what a million tokens of input and of output cost."""
    value: Any = given.value
    if not isinstance(value, dict) or value.keys() != {"input", "output"}:  # pyright: ignore[reportUnknownMemberType]
        raise ValueError("needs { input = X, output = Y }, the prices of a million tokens")
    reading, writing = (_amount(dataclasses.replace(given, value=value[key])) for key in ("input", "output"))
    return reading, writing


def _layout_model(given: Given) -> Path | None:
    text = _text(given)
    return None if text == "none" else _path(given, text)


def _switch(given: Given) -> bool:
    """Return yes or no: true and false of a file, words for them in the environment."""
    found = _SWITCHES.get(str(given.value).strip().lower())
    if found is None:
        raise ValueError(f"needs true or false, not {given.value!r}")
    return found


def _path(given: Given, text: str) -> Path:
    try:
        return given.folder / Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f"there is no user whose folder {Path(text).parts[0]} could be") from None


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
    "ray": _text,
    "system": _text,
    "limit": _whole(1),
    "ocr": _ocr,
    "layout_model": _layout_model,
    "render": _switch,
    "model": _model,
    "layer_model": _model,
    "router": _router,
    "workers": _whole(1),
    "max_seconds": _seconds,
    "max_calls": _whole(0),
    "max_tokens": _whole(0),
    "max_cost": _amount,
    "context_tokens": _whole(1024),
    "concurrency": _whole(1),
    "timeout": _seconds,
}
"""What turns a given value into a setting, by key. Each raises ValueError that says what is needed."""

ANY = "*"

TABLES: dict[str, dict[str, Callable[[Given], Any]]] = {
    "models": {
        "language": _model,
        "vision": _model,
        "embedding": _embedding,
        "reranking": _reranking,
        "image_text": _image_text,
    },
    "decisions": {ANY: _model},
    "prices": {ANY: _price},
    "key_env": {ANY: _variable},
}
"""The same for the entries of a table of octavo.toml, by their names; ANY stands for whatever name."""


def entry_parser(table: str, name: str) -> Callable[[Given], Any] | None:
    """Return what parses an entry of a table, None when the table has no such entry."""
    return TABLES[table].get(name) or TABLES[table].get(ANY)
