"""The files of a language model on this machine: what they are, and what is known of the model without loading it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from octavo.errors import ModelError
from octavo.models.gguf_header import read_header

CARD = "octavo.json"
"""What a trained router says of itself, in its folder."""
ADAPTER = "adapter_config.json"
OPENVINO = "openvino_model.xml"
"""What a folder of a language model converted for OpenVINO holds."""
_CONFIG = "config.json"
_CONTEXT_KEYS = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len")
_SUFFIXES = frozenset({".json", ".safetensors", ".bin", ".xml", ".gguf", ".model", ".txt", ".jinja"})
_WHOLE = 64 * 2**20
"""Bytes of a file up to which all of it counts in a digest: weights would take seconds to read."""
_END = 2**20
"""Bytes of each end of a larger one that count."""


@dataclass(frozen=True, slots=True)
class LocalFiles:
    """A model's files: a base, and an adapter trained on it where there is one.

    `base` is a folder of OpenVINO, one as transformers saves it, a GGUF file, or the name of a model on the hub.
    """

    base: Path | str
    adapter: Path | None = None
    sends_instructions: bool = True
    """Whether a decision's instructions are part of the prompt; a router may have learnt to do without them."""
    card_tokens: int = 0
    """The longest prompt with its reply that the adapter was trained for, 0 where nothing says."""

    @property
    def name(self) -> str:
        """What the model is called: the last part of the adapter's path, or of the base's."""
        return (self.adapter or Path(self.base)).name

    @property
    def gguf(self) -> Path | None:
        """The GGUF file, None when the base is no such file."""
        return self.base if isinstance(self.base, Path) and self.base.suffix.lower() == ".gguf" else None

    @property
    def context_tokens(self) -> int:
        """How many tokens the model takes, as its files say; 0 where they do not."""
        if self.card_tokens or isinstance(self.base, str):
            return self.card_tokens
        if self.gguf is not None:
            return read_header(self.gguf).context_tokens
        config = read_object(self.base / _CONFIG) if (self.base / _CONFIG).is_file() else {}
        nested = config.get("text_config")
        found = {**(cast("dict[str, Any]", nested) if isinstance(nested, dict) else {}), **config}
        return next((int(found[key]) for key in _CONTEXT_KEYS if isinstance(found.get(key), int)), 0)

    def digest(self) -> str:
        """Return 12 hex digits that change with any of the files; of files over 64 MiB, size and both ends count."""
        named = self.base if isinstance(self.base, str) else ""
        whole = hashlib.sha256(f"{named} {self.sends_instructions}".encode())
        for path in self._files():
            whole.update(path.name.encode() + _content(path))
        return whole.hexdigest()[:12]

    def _files(self) -> Iterator[Path]:
        for place in (self.base, self.adapter):
            if isinstance(place, Path):
                inside = place.iterdir() if place.is_dir() else (place,)
                yield from sorted(path for path in inside if path.suffix.lower() in _SUFFIXES and path.is_file())


def local_files(path: Path) -> LocalFiles:
    """Return what lies at a path.

    Raises ModelError when there is no model, or the base of an adapter is not there.
    """
    if path.is_file() and path.suffix.lower() == ".gguf":
        return LocalFiles(path)
    if (path / ADAPTER).is_file():
        return _adapted(path)
    if (path / OPENVINO).is_file() or (path / _CONFIG).is_file():
        return LocalFiles(path)
    wanted = f"a .gguf file, or a folder with {OPENVINO}, {_CONFIG} or {ADAPTER}"
    raise ModelError(f"{path} {'is no language model' if path.exists() else 'does not exist'}: name {wanted}")


def base_files(name: str) -> LocalFiles:
    """Return the files of a model that is named by its path, or by its name on the hub: OWNER/NAME.

    Raises ModelError when it is neither.
    """
    path = Path(name).expanduser()
    if path.exists() or not _is_hub_name(name):
        return local_files(path.absolute())
    return LocalFiles(name)


def _adapted(path: Path) -> LocalFiles:
    named = read_object(path / ADAPTER).get("base_model_name_or_path")
    if not isinstance(named, str) or not named:
        raise ModelError(f"{path / ADAPTER} names no base model: save the adapter again")
    beside = path / named
    base: Path | str = named if not beside.exists() and _is_hub_name(named) else beside
    if isinstance(base, Path) and not base.exists():
        raise ModelError(f"the base model {named} of the adapter {path} is gone: put it back, or correct {ADAPTER}")
    card = read_object(path / CARD) if (path / CARD).is_file() else {}
    tokens = card.get("context_tokens", 0)
    return LocalFiles(base, path, card.get("instructions") is not False, tokens if isinstance(tokens, int) else 0)


def _is_hub_name(name: str) -> bool:
    owner, _, rest = name.partition("/")
    return bool(owner.strip(".~")) and bool(rest) and "/" not in rest and not name.lower().endswith(".gguf")


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file. Raises ModelError when there is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read as JSON: fetch or save the model again") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} holds no JSON object: fetch or save the model again")
    return cast("dict[str, Any]", found)


def _content(path: Path) -> bytes:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= _WHOLE:
            return hashlib.file_digest(file, "sha256").digest()
        ends = file.read(_END)
        file.seek(-_END, 2)
        return hashlib.sha256(ends + file.read() + str(size).encode()).digest()
