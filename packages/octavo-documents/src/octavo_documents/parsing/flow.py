"""What a parser of flowing text yields: blocks with the kind and level the source gives, without pages or geometry.

Text that is not UTF-8 and does not say its encoding is told by which letters come most often. Numbers are those that
lists and notes print.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.marks import bare, settled, without
from octavo_documents.text.things import roman_numeral

_GUESSED_BY = 1 << 16
_NULLS = 0.3
"""Share of zero bytes at every other place, from which on a text is UTF-16."""
_SURE = 0.9
"""Share of the characters of a Chinese, Japanese or Korean text that are among the common ones."""
_FREQUENT = {
    "cp1251": "оеаинтсрвл",
    "koi8-r": "оеаинтсрвл",
    "cp1253": "αοιετσνηυρ",
    "cp1255": "יוהלאמרבתש",
    "cp1256": "اليمنوترب",
}
"""The letters that come most often in a language of this encoding."""
_FREQUENTLY = 0.45
_FEW = 8
"""Bytes over 127 by which no language is told."""
_MOSTLY_HIGH = 0.35
"""Share of bytes over 127 among the letters of a text that is not in Latin letters."""


def guess_encoding(data: bytes) -> str:
    """Return the encoding that bytes are likely in which are no UTF-8, "" for Windows-1252 or one like it."""
    data = data[:_GUESSED_BY]
    east = max(_EAST, key=lambda one: _common(data, one))
    if _common(data, east) >= _SURE:
        return east
    high = sum(byte > 127 for byte in data)
    letters = high + sum(chr(byte).isalpha() for byte in data if byte < 128)
    if high < _FEW or high / letters < _MOSTLY_HIGH:
        return ""
    best = max(_FREQUENT, key=lambda one: _frequency(data, one))
    return best if _frequency(data, best) >= _FREQUENTLY else ""


def wide(data: bytes) -> str:
    """Return "utf-16-le" or "utf-16-be" for text of two bytes a letter that does not say so, else ""."""
    data = data[:_GUESSED_BY]
    half = max(len(data) // 2, 1)
    if data[1::2].count(0) > _NULLS * half and data[::2].count(0) < _NULLS * half / 4:
        return "utf-16-le"
    if data[::2].count(0) > _NULLS * half and data[1::2].count(0) < _NULLS * half / 4:
        return "utf-16-be"
    return ""


_EAST = {
    "cp932": ("euc_jp", (0xB0, 0xCF)),
    "euc_jp": ("euc_jp", (0xB0, 0xCF)),
    "cp949": ("euc_kr", (0xB0, 0xC8)),
    "gb18030": ("gb2312", (0xB0, 0xD7)),
    "big5": ("big5", (0xA4, 0xC6)),
}
"""The encoding whose first bytes order its characters by how common they are, and those of the common ones."""
_KANA = range(0x3041, 0x30FF)


def _common(data: bytes, encoding: str) -> float:
    """Return the share of common characters among those that are not ASCII, 0 for bytes that are no such text."""
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(data, False)  # noqa: FBT003
    except UnicodeDecodeError:
        return 0.0
    ordered, (first, last) = _EAST[encoding]
    shown = [letter for letter in text if letter > "\x7f"]
    if not shown:
        return 0.0
    common = 0.0
    kana = sum(ord(letter) in _KANA for letter in shown)
    for letter in shown:
        start = letter.encode(ordered, "replace")[:1]
        is_sign = 0x3000 <= ord(letter) <= 0x303F or 0xFF01 <= ord(letter) <= 0xFF5E
        common += bool(first <= start[0] <= last or is_sign or (ord(letter) in _KANA and ordered == "euc_jp"))
    # Between two that fit, kana speak for Japanese, and a text of Hangul alone for Korean.
    extra = 0.01 * (kana / len(shown)) if ordered == "euc_jp" else 0.005 * (encoding == "cp949")
    return common / len(shown) + extra


def _frequency(data: bytes, encoding: str) -> float:
    """Return the share of the most frequent letters among the characters over 127."""
    shown = [letter for letter in data.decode(encoding, "replace") if letter > "\x7f"]
    return sum(letter in _FREQUENT[encoding] for letter in shown) / max(len(shown), 1)


class NoText(Exception):
    """The bytes are no document of their format, or one that only sends on to another.

    `reason` is `redirect` or one of `SourceError`: `format`, `empty`, `damaged`, `encrypted`, `too_large`.
    """

    def __init__(self, message: str, reason: str = "format") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FlowBlock:
    """One block. `level` is the depth of a heading or the nesting of a list item, both from 1; 0 elsewhere."""

    kind: Kind
    text: str
    level: int = 0
    grid: Grid | None = None
    """The cells of a table."""
    bold: bool = False
    """Whether all of it is set bold."""
    part: str = ""
    """The label of the part that begins with it, "slide 4" or "sheet Costs"; "" for one that goes on."""


@dataclass(frozen=True, slots=True)
class FlowContent:
    """A whole source file as read. `title` is what the file says of itself, not a heading in its text."""

    blocks: tuple[FlowBlock, ...]
    title: str = ""
    author: str = ""
    created: str = ""
    warnings: tuple[str, ...] = field(default=())


def table(rows: list[list[str]], header_rows: int, *, header_columns: int = 0) -> FlowBlock | None:
    """Return the block of a table of plain rows; None when no cell says anything."""
    if not any(any(texts) for texts in rows):
        return None
    grid = Grid.of_rows(rows, header_rows=min(header_rows, len(rows)), header_columns=header_columns)
    return FlowBlock(Kind.TABLE, grid.text(), grid=grid)


MOST_CELLS = 200_000
"""Places in a table; cells that span beyond are taken as cells of one place."""


class Places:
    """Gives the cells of a table with spans their places, row after row, from left to right."""

    def __init__(self) -> None:
        self._taken: set[tuple[int, int]] = set()

    def put(self, row: int, column: int, down: int, across: int) -> tuple[int, int, int]:
        """Return the first free column of a row from one on, and how far down and across a cell there may reach."""
        while (row, column) in self._taken:
            column += 1
        if len(self._taken) + down * across > MOST_CELLS:
            down = across = 1
        if down == across == 1:
            self._taken.add((row, column))
        else:
            self._taken.update((row + y, column + x) for y in range(down) for x in range(across))
        return column, down, across

    @property
    def width(self) -> int:
        """How many columns are taken."""
        return max((column for _, column in self._taken), default=-1) + 1


def collapse_whitespace(text: str) -> str:
    """Return running text on one line: white space of any sort and length is one space, raised text written out."""
    words = " ".join(text.split())
    return settled(words) if words else ""


def whole_number(text: str, *, digits: int = 8) -> int | None:
    """Return the whole number that a file writes; None where it writes none, or one of more digits.

    `str.isdigit` takes "²" for a number, and `int` refuses numbers of thousands of digits.
    """
    return int(text) if text.isdecimal() and len(text) <= digits else None


def span(text: str | None, most: int) -> int:
    """Return how many rows or columns a cell covers as a file writes it, at most `most`; 1 where it writes none."""
    return min(max(whole_number(text or "") or 1, 1), most)


# Bytes to text

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._:-]{2,40})""")
_LOOKED_AT = 2048
_BINARY = 0.02
"""Share of control characters from which on bytes are no text."""


def text_of(data: bytes, *, says_encoding: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return bytes as text, and a warning when the encoding had to be guessed.

    A byte order mark decides, then what a file that `says_encoding` declares in its first lines, then UTF-8, then
    which letters come most often, then Windows-1252, which takes any byte. Raises NoText.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data.decode(encoding, "replace")), ()
    declared = _DECLARED.search(data[:_LOOKED_AT]) if says_encoding else None
    for encoding in (_known(declared[1]) if declared else "", wide(data), "utf-8"):
        if encoding:
            try:
                return _checked(data.decode(encoding)), ()
            except UnicodeDecodeError:
                continue
    encoding = guess_encoding(data)
    return _checked(data.decode(encoding or "cp1252", "replace")), (f"not UTF-8: read as {encoding or 'Windows-1252'}",)


def _known(name: bytes) -> str:
    """Return the name of a text encoding there is, "" for any other."""
    try:
        found = codecs.lookup(name.decode("ascii"))
    except LookupError:
        return ""
    return found.name if found._is_text_encoding else ""  # pyright: ignore[reportPrivateUsage]


def _checked(text: str) -> str:
    # Bytes are gone through by table, ten times faster than characters.
    data = text.encode("utf-8", "surrogatepass")
    shown = data.translate(None, _CONTROLS)
    controls = len(data) - len(shown)
    if controls > max(_BINARY * len(text), 8):
        raise NoText("its bytes are those of another kind of file")
    if controls:
        text = shown.decode("utf-8", "surrogatepass")
    return text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")


_CONTROLS = bytes((*range(9), *range(14, 32)))


class Unseen:
    """Gathers the words that a file holds and its pages do not show; `where` is what they are not shown on."""

    _FIRST = 60
    """Characters of the first words that are told."""

    def __init__(self, where: str = "the page") -> None:
        self._where = where
        self.words = 0
        self._first = ""

    def hide(self, text: str) -> None:
        """Note that words are left out, as they are not shown."""
        words = without(text).split()
        self.words += len(words)
        self._first = self._first or " ".join(words)

    def warnings(self, said: str = "left out: {} not shown on {}") -> tuple[str, ...]:
        """Return a line that says how much is left out, and how it begins; nothing where nothing is."""
        if not self.words:
            return ()
        cut = "" if len(self._first) <= self._FIRST else "…"
        words = "1 word" if self.words == 1 else f"{self.words:,} words"
        return (f'{said.format(words, self._where)}, beginning "{self._first[: self._FIRST]}{cut}"',)


class Counted:
    """Counts what is left out, by what it is called in the singular."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.unseen = Unseen()

    def count(self, what: str, times: int = 1) -> None:
        """Note that something is left out: "embedded object"."""
        if times:
            self._counts[what] += times

    def warnings(self) -> tuple[str, ...]:
        """Return a line for each sort of thing: "left out: 2 × embedded object"."""
        counted = (f"left out: {times:,} × {what}" for what, times in sorted(self._counts.items()))
        return (*counted, *self.unseen.warnings())


_NUMBER = re.compile(r"[^A-Za-z]*\d[\d.,:/ \u00a0-]*\s?(?:%|[A-Za-z]{1,3})?|[-–—.]|n/?a", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST = 120
"""Characters of a column's name."""


def is_headed(rows: Sequence[Sequence[str]], *, is_apart: bool, is_likely: bool) -> bool:
    """Tell whether the first row holds names: of two columns or more, one text each, none a number.

    `is_apart` says that it is set apart, such as in bold; `is_likely` that the file may mean it. Without the first it
    must stand over numbers, or the file mean it in a table of three columns or more.
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    first = rows[0]
    names = [text for text in first[1:] if not _YEAR.fullmatch(text)]
    if not all(first[1:]) or any(_is_value(text) for text in names) or max(map(len, first)) > _LONGEST:
        return False
    return is_apart or _is_over_numbers(rows) or (is_likely and len(first) > 2 and bool(first[0]))


def _is_over_numbers(rows: Sequence[Sequence[str]]) -> bool:
    below = [[row[column] for row in rows[1:] if row[column]] for column in range(1, len(rows[0]))]
    return any(texts and sum(map(_is_value, texts)) > len(texts) / 2 for texts in below)


def _is_value(text: str) -> bool:
    return bool(_NUMBER.fullmatch(bare(text)))


BULLET, NO_NUMBER = "bullet", "none"


def numeral(value: int, form: str = "decimal") -> str:
    """Return a number in a form of Office ("upperRoman"), in digits for forms that are not known."""
    make = _FORMS.get(form)
    return make(value) if make and value > 0 else "" if form in (BULLET, NO_NUMBER) else str(value)


def _roman(value: int) -> str:
    return str(value) if value >= 5000 else roman_numeral(value)


def _letters(value: int) -> str:
    """Return a number as lists are lettered: a to z, then aa to zz, aaa to zzz."""
    times, at = divmod(value - 1, 26)
    return chr(ord("a") + at) * min(times + 1, 20)


def _ordinal(value: int) -> str:
    ending = "th" if 10 < value % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


_FORMS: Mapping[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda value: _roman(value).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda value: _letters(value).upper(),
    "ordinal": _ordinal,
    "decimalZero": lambda value: f"{value:02}",
}
