"""The files of a language model on this machine: what they are, and what is known of the model without loading it.

Of a GGUF file the keys with values that stand before the weights are read, and which tensors there are.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from octavo.errors import ModelError
from octavo.models.language import SMALL
from octavo.models.spec import billions_of_parameters

_MAGIC = b"GGUF"
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a value by its type; the other types are text (8) and arrays (9)."""
_WHOLE_NUMBERS = {2: "<H", 4: "<I", 5: "<i", 10: "<Q", 11: "<q"}
_TEXT, _ARRAY = 8, 9
_MOST_KEYS, _LONGEST = 10_000, 1 << 26
"""Keys of a header, and bytes or entries of one value, at most: what says more is no header."""
_MOST_DIMENSIONS = 8
"""Of a tensor; ggml has 4."""
_LENGTH = struct.Struct("<Q")
_ALIGNMENT = 32
"""Bytes that weights are aligned to where the file does not say (GGUF specification)."""

_KINDS = {
    0: ("F32", 1, 4),
    1: ("F16", 1, 2),
    2: ("Q4_0", 32, 18),
    3: ("Q4_1", 32, 20),
    6: ("Q5_0", 32, 22),
    7: ("Q5_1", 32, 24),
    8: ("Q8_0", 32, 34),
    10: ("Q2_K", 256, 84),
    11: ("Q3_K", 256, 110),
    12: ("Q4_K", 256, 144),
    13: ("Q5_K", 256, 176),
    14: ("Q6_K", 256, 210),
    30: ("BF16", 1, 2),
}
"""Name of a kind of weights, weights of a block, bytes of a block. Of other kinds only the number is known."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """What is known of a model in a GGUF file; "" and 0 where the file does not say."""

    family: str = ""
    """The architecture, such as "llama"."""
    context_tokens: int = 0
    tokenizer: str = ""
    """The kind of its tokenizer, such as "gpt2"."""
    parts: int = 1
    """How many files the model was split into."""
    weights: frozenset[str] = frozenset()
    """The kinds of weights in its matrices, such as "Q4_K"."""
    size: int = 0
    """Bytes that the whole file has at least."""
    parameters: int = 0
    """How many weights there are in this file."""


def read_header(path: Path) -> GgufHeader:
    """Return what a GGUF file says. Raises ModelError for another file, and for one whose header is cut off."""
    with _opened(path) as data:
        try:
            return _header(data)
        except (struct.error, ValueError, OverflowError) as error:
            raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def family_of(path: Path) -> str:
    """Return the architecture a GGUF file names, "" for none, without reading past it. Raises as `read_header`."""
    with _opened(path) as data:
        try:
            return next((str(value) for key, value in _Reader(data).values() if key == "general.architecture"), "")
        except (struct.error, ValueError, OverflowError) as error:
            raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def _opened(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} is no whole GGUF file: fetch it again") from error


def _header(data: mmap.mmap) -> GgufHeader:
    reader = _Reader(data)
    said = {key: value for key, value in reader.values() if value is not None}
    family = str(said.get("general.architecture", ""))
    weights, end, parameters = reader.tensors()
    aligned = int(said.get("general.alignment", _ALIGNMENT)) or _ALIGNMENT
    return GgufHeader(
        family=family,
        context_tokens=int(said.get(f"{family}.context_length", 0)),
        tokenizer=str(said.get("tokenizer.ggml.model", "")),
        parts=int(said.get("split.count", 0)) or 1,
        weights=weights,
        size=-(-reader.at // aligned) * aligned + end if end else reader.at,
        parameters=parameters,
    )


class _Reader:
    """Goes through a header. What it is given came from anywhere: every length is checked."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self.at = 4
        if data[:4] != _MAGIC:
            raise ValueError("another format")
        _version, self._tensors, self._keys = self._unpack("<IQQ")

    def values(self) -> Iterator[tuple[str, str | int | None]]:
        """Yield every key with its text or whole number, None for other values."""
        for _ in range(min(self._keys, _MOST_KEYS)):
            key = self._text()
            (kind,) = self._unpack("<I")
            yield key, self._value(kind)

    def tensors(self) -> tuple[frozenset[str], int, int]:
        """Return the kinds of weights of the matrices, the bytes of all weights, and their count; after the values."""
        kinds: set[str] = set()
        end = count = 0
        for _ in range(min(self._tensors, _LONGEST)):
            self._skip(self._length())
            (dimensions,) = self._unpack("<I")
            if dimensions > _MOST_DIMENSIONS:
                raise ValueError("a shape no tensor has")
            *shape, number, offset = self._unpack(f"<{dimensions}QIQ")
            name, weights, size = _KINDS.get(number, (str(number), 1, 0))
            kinds |= {name} if dimensions > 1 else set()
            end = max(end, offset + math.prod(shape) // weights * size)
            count += math.prod(shape)
        return frozenset(kinds), end, count

    def _value(self, kind: int) -> str | int | None:
        if kind == _TEXT:
            return self._text()
        if kind in _WHOLE_NUMBERS:
            return int(self._unpack(_WHOLE_NUMBERS[kind])[0])
        if kind == _ARRAY:
            self._skip_array(*self._unpack("<IQ"))
        elif kind in _SIZES:
            self._skip(_SIZES[kind])
        else:
            raise ValueError("a type no header has")
        return None

    def _skip_array(self, kind: int, count: int) -> None:
        if count > _LONGEST or kind not in (*_SIZES, _TEXT):
            raise ValueError("an array no header has")
        if kind in _SIZES:
            self._skip(_SIZES[kind] * count)
            return
        # A vocabulary has 150,000 texts: this loop is most of the time a header takes.
        data, at, length_at = self._data, self.at, _LENGTH.unpack_from
        for _ in range(count):
            at += 8 + length_at(data, at)[0]
        self._skip(at - self.at)

    def _text(self) -> str:
        start = self.at + 8
        self._skip(self._length())
        return self._data[start : self.at].decode("utf-8", "replace")

    def _length(self) -> int:
        return self._unpack("<Q")[0]

    def _skip(self, count: int) -> None:
        self.at += count
        if count > _LONGEST or self.at > len(self._data):
            raise ValueError("a length no header has")

    def _unpack(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._data, self.at)
        self.at += struct.calcsize(form)
        return found


CARD = "octavo.json"
"""What a trained router says of itself, in its folder."""
ADAPTER = "adapter_config.json"
OPENVINO = "openvino_model.xml"
"""What a folder of a language model converted for OpenVINO holds."""
_OPENVINO_WEIGHTS = "openvino_model.bin"
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
    weighs_from: float = 0.0
    """The least probability (0..1) of a line to be in the reply, where all that may be are known; 0: it is written."""

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

    @property
    def is_small(self) -> bool:
        """Whether the model has fewer than 4 billion parameters, as far as its files tell.

        A GGUF file lists its weights. A folder for OpenVINO is taken at its name, else at half a byte for a parameter.
        """
        if self.gguf is not None:
            header = read_header(self.gguf)
            return header.parts == 1 and 0 < header.parameters < SMALL * 1e9
        weights = Path(self.base) / _OPENVINO_WEIGHTS
        size = billions_of_parameters(self.name) or (weights.stat().st_size / 5e8 if weights.is_file() else 0.0)
        return 0 < size < SMALL

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
    tokens, least = card.get("context_tokens"), card.get("weighs_from")
    return LocalFiles(
        base,
        path,
        sends_instructions=card.get("instructions") is not False,
        card_tokens=tokens if isinstance(tokens, int) else 0,
        weighs_from=float(least) if isinstance(least, int | float) and 0 < least <= 1 else 0.0,
    )


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
