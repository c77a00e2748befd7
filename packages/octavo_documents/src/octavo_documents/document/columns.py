"""Columns of text and tables of columns, and their packing into bytes.

Nothing is pickled: packed bytes are a JSON header and raw little-endian arrays, checked when read.
"""

from __future__ import annotations

import bisect
import dataclasses
import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from octavo_documents.errors import CorpusError

Array: TypeAlias = npt.NDArray[Any]
Rows: TypeAlias = npt.NDArray[np.int64]
"""(n,) int64 row numbers."""
Mask: TypeAlias = npt.NDArray[np.bool_]
"""(n_rows,) bool."""

_MAGIC = b"OCTV1\n"
_ALIGN = 16
"""Bytes that arrays are aligned to, so that they can be read in place."""
_DTYPES = frozenset({"|u1", "|i1", "|b1", "<i4", "<i8", "<u4", "<f2", "<f4", "<f8", "<u2"})
_MAX_HEADER = 16 * 1024 * 1024


class TextColumn(Sequence[str]):
    """A column of strings held as one UTF-8 buffer and (n + 1) int64 offsets; `column[row]` decodes one string."""

    __slots__ = ("data", "offsets")

    def __init__(self, data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> None:
        self.data = data
        self.offsets = offsets

    @classmethod
    def of(cls, texts: Iterable[str]) -> TextColumn:
        """Build from strings; lone surrogates (seen in damaged files) become "?"."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(item) for item in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[index] for index in range(*row.indices(len(self)))]
        index = int(row)
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(row)
        return self._one(index)

    def _one(self, row: int) -> str:
        return self.data[self.offsets[row] : self.offsets[row + 1]].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        data = self.data.tobytes()
        bounds: list[int] = self.offsets.tolist()
        for start, stop in itertools.pairwise(bounds):
            yield data[start:stop].decode("utf-8")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextColumn):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(self.data, other.data)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        return f"TextColumn({len(self)} texts, {len(self.data)} bytes)"

    def take(self, rows: Iterable[int]) -> list[str]:
        """Return the strings of some rows, in that order."""
        return [self[row] for row in rows]

    def lengths(self) -> npt.NDArray[np.int64]:
        """Return (n,) int64 lengths in bytes."""
        return np.diff(self.offsets)

    @staticmethod
    def join(columns: Sequence[TextColumn]) -> TextColumn:
        """Return the columns one after the other, without copying their text."""
        return columns[0] if len(columns) == 1 else _JoinedText(columns)

    def check(self) -> None:
        """Raise ValueError unless the offsets are sound and the bytes are UTF-8 with every offset on a character."""
        offsets = self.offsets
        if not (
            len(offsets) and offsets[0] == 0 and offsets[-1] == len(self.data) and bool((np.diff(offsets) >= 0).all())
        ):
            raise ValueError("text offsets do not fit the text")
        self.data.tobytes().decode("utf-8")
        starts = offsets[:-1][offsets[:-1] < len(self.data)]
        if bool(((self.data[starts] & 0xC0) == 0x80).any()):
            raise ValueError("a text starts inside a character")


class _JoinedText(TextColumn):
    """Several columns as one, which goes on reading theirs; text is put together only where `data` is asked for."""

    __slots__ = ("_columns", "_starts")

    def __init__(self, columns: Sequence[TextColumn]) -> None:
        self._columns = tuple(columns)
        self._starts = [0, *itertools.accumulate(map(len, self._columns))]

    @property
    def data(self) -> npt.NDArray[np.uint8]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return np.concatenate([np.zeros(0, np.uint8), *(column.data for column in self._columns)])

    @property
    def offsets(self) -> npt.NDArray[np.int64]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.lengths())])

    def __len__(self) -> int:
        return self._starts[-1]

    def _one(self, row: int) -> str:
        at = bisect.bisect_right(self._starts, row) - 1
        return self._columns[at]._one(row - self._starts[at])

    def __iter__(self) -> Iterator[str]:
        return itertools.chain.from_iterable(self._columns)

    def lengths(self) -> npt.NDArray[np.int64]:
        return np.concatenate([np.zeros(0, np.int64), *(column.lengths() for column in self._columns)])


def column(dtype: str, *, width: int = 0, rows_of: str = "", absent: int | None = None) -> Any:
    """Declare a column of a `Table`: its dtype, its width when two-dimensional, and the table its numbers point into.

    A column with `rows_of` holds row numbers of that table, -1 for none; joining tables shifts them. `absent` is for
    columns that later versions add: the value of all rows where a table is made or was packed without the column.
    """
    metadata = {"dtype": dtype, "width": width, "rows_of": rows_of}
    return dataclasses.field(default=dataclasses.MISSING if absent is None else absent, metadata=metadata)


def text_column(*, absent: str | None = None) -> Any:
    """Declare a column of strings of a `Table`; `absent` is what each row says where the column is not given."""
    default: Any = dataclasses.MISSING if absent is None else absent
    return dataclasses.field(default=default, metadata={"dtype": "text", "width": 0, "rows_of": ""})


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Base of tables of columns: frozen dataclasses whose fields are declared by `column` and `text_column`."""

    row_space: ClassVar[str] = ""
    """Name under which other columns point into this table."""

    def __post_init__(self) -> None:
        size = len(self)
        for spec in dataclasses.fields(self):
            values = getattr(self, spec.name)
            if isinstance(values, str):
                values = TextColumn.of([values] * size)
                object.__setattr__(self, spec.name, values)
            if isinstance(values, int):
                values = np.full(size, values)
            if len(values) != size:
                raise ValueError(f"column {spec.name} has {len(values)} rows, not {size}")
            if spec.metadata["dtype"] != "text":
                tail = (spec.metadata["width"],) if spec.metadata["width"] else ()
                fixed = np.asarray(values, np.dtype(spec.metadata["dtype"])).reshape((size, *tail))
                object.__setattr__(self, spec.name, _frozen(fixed))

    def __len__(self) -> int:
        return len(getattr(self, dataclasses.fields(self)[0].name))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, spec.name), getattr(other, spec.name)) for spec in dataclasses.fields(self))

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    @classmethod
    def empty(cls) -> Self:
        """Return a table without rows."""
        return cls(**{spec.name: _empty(spec.metadata) for spec in dataclasses.fields(cls)})

    @classmethod
    def join(cls, tables: Sequence[Self], shifts: Mapping[str, Sequence[int]] | None = None) -> Self:
        """Return the tables one after the other; `shifts[space][i]` is added to table i's columns that point there."""
        if len(tables) == 1 and not any(any(own) for own in (shifts or {}).values()):
            return tables[0]
        joined: dict[str, Any] = {}
        for spec in dataclasses.fields(cls):
            parts = [getattr(table, spec.name) for table in tables]
            joined[spec.name] = _join(parts, spec.metadata, (shifts or {}).get(spec.metadata["rows_of"]))
        return cls(**joined)

    def take(self, rows: Rows) -> Self:
        """Return a table of some rows, in the order of `rows`; numbers of rows in it stay as they are."""
        taken: dict[str, Any] = {}
        for spec in dataclasses.fields(self):
            values = getattr(self, spec.name)
            is_text = isinstance(values, TextColumn)
            taken[spec.name] = TextColumn.of(values.take(rows.tolist())) if is_text else values[rows]
        return type(self)(**taken)

    def arrays(self, prefix: str) -> dict[str, Array]:
        """Return the columns as named arrays for `pack`."""
        named: dict[str, Array] = {}
        for spec in dataclasses.fields(self):
            values = getattr(self, spec.name)
            if isinstance(values, TextColumn):
                named[f"{prefix}.{spec.name}.text"] = values.data
                named[f"{prefix}.{spec.name}.offsets"] = values.offsets
            else:
                named[f"{prefix}.{spec.name}"] = values
        return named

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Array], prefix: str) -> Self:
        """Rebuild from `arrays`; raise ValueError when a column is missing or has the wrong shape."""
        columns: dict[str, Any] = {}
        for spec in dataclasses.fields(cls):
            name = f"{prefix}.{spec.name}"
            first = f"{name}.text" if spec.metadata["dtype"] == "text" else name
            if first not in arrays and spec.default is not dataclasses.MISSING:
                continue
            try:
                if spec.metadata["dtype"] == "text":
                    columns[spec.name] = TextColumn(
                        arrays[f"{name}.text"].astype(np.uint8, copy=False),
                        arrays[f"{name}.offsets"].astype(np.int64, copy=False),
                    )
                    columns[spec.name].check()
                else:
                    columns[spec.name] = arrays[name]
            except KeyError as missing:
                raise ValueError(f"column {missing} is missing") from None
        return cls(**columns)

    def to_bytes(self) -> bytes:
        """Pack the whole table."""
        return pack(self.arrays("table"), {})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Unpack a table; raise CorpusError (`damaged`) when the bytes are not one."""
        arrays, _ = unpack(data)
        try:
            return cls.of_arrays(arrays, "table")
        except (ValueError, TypeError) as wrong:
            raise damaged(str(wrong)) from wrong


def _frozen(values: Array) -> Array:
    if values.flags.writeable:
        values = values.view()
        values.flags.writeable = False
    return values


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, TextColumn):
        return left == right
    floating = bool(np.issubdtype(left.dtype, np.floating))
    return bool(np.array_equal(left, right, equal_nan=floating))


def _empty(metadata: Mapping[str, Any]) -> Any:
    if metadata["dtype"] == "text":
        return TextColumn.of(())
    return np.zeros((0, metadata["width"]) if metadata["width"] else 0, metadata["dtype"])


def _join(parts: Sequence[Any], metadata: Mapping[str, Any], shifts: Sequence[int] | None) -> Any:
    if not parts:
        return _empty(metadata)
    if metadata["dtype"] == "text":
        return TextColumn.join(parts)
    if shifts is not None:
        parts = [np.where(part < 0, part, part + shift) for part, shift in zip(parts, shifts, strict=True)]
    return np.concatenate(parts)


def pack(arrays: Mapping[str, Array], header: Mapping[str, Any]) -> bytes:
    """Write arrays and a JSON header into one buffer that `unpack` reads without copying."""
    return b"".join(packed(arrays, header))


def packed(arrays: Mapping[str, Array], header: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield what `pack` writes, piece by piece."""
    entries: list[dict[str, Any]] = []
    chunks: list[Array] = []
    position = 0
    for name, values in arrays.items():
        contiguous = np.ascontiguousarray(values)
        little = contiguous.astype(contiguous.dtype.newbyteorder("<"), copy=False)
        entries.append({"name": name, "dtype": little.dtype.str, "shape": list(values.shape), "at": position})
        chunks.append(little)
        position += little.nbytes + -little.nbytes % _ALIGN
    text = json.dumps({"header": header, "arrays": entries}, separators=(",", ":")).encode()
    text += b" " * (-(len(_MAGIC) + 8 + len(text)) % _ALIGN)
    yield b"".join((_MAGIC, len(text).to_bytes(8, "little"), text))
    for little in chunks:
        yield little.tobytes()
        yield bytes(-little.nbytes % _ALIGN)


def unpack(data: bytes) -> tuple[dict[str, Array], dict[str, Any]]:
    """Read what `pack` wrote; raise CorpusError (`damaged`) on anything else. Arrays are read-only views of `data`."""
    try:
        return _unpack(data)
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise damaged(str(wrong)) from wrong


def _unpack(data: bytes) -> tuple[dict[str, Array], dict[str, Any]]:
    start = len(_MAGIC) + 8
    if data[: len(_MAGIC)] != _MAGIC:
        raise ValueError("not a table of columns")
    size = int.from_bytes(data[len(_MAGIC) : start], "little")
    if size > _MAX_HEADER:
        raise ValueError("header too long")
    described = json.loads(data[start : start + size])
    base = start + size
    arrays: dict[str, Array] = {}
    for entry in described["arrays"]:
        if entry["dtype"] not in _DTYPES:
            raise ValueError(f"dtype {entry['dtype']} is not allowed")
        shape = tuple(int(extent) for extent in entry["shape"])
        if len(shape) > 2 or any(extent < 0 for extent in shape):
            raise ValueError("wrong shape")
        count = math.prod(shape)
        values = np.frombuffer(data, np.dtype(entry["dtype"]), count, base + int(entry["at"])) if count else None
        arrays[str(entry["name"])] = (np.zeros(shape, entry["dtype"]) if values is None else values).reshape(shape)
    return arrays, dict(described["header"])


def damaged(detail: str) -> CorpusError:
    """Return the error for stored data that cannot be read back."""
    return CorpusError("damaged", f"stored data is damaged ({detail}); run 'octavo check --repair'")
