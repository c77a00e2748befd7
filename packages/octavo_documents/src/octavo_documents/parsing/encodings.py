"""Bytes to text: what a file says of its encoding, and what its letters tell where it says nothing."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from octavo_documents.parsing.flow import NoText

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
_CONTROLS = bytes((*range(9), *range(14, 32)))
_GUESSED_BY = 1 << 16
_NULLS = 0.3
"""Share of zero bytes at every other place, from which on a text is UTF-16."""
_SURE = 0.9
"""Share of the characters of a Chinese, Japanese or Korean text that are among the common ones."""
_FREQUENT = {
    "cp1251": "оеаинтсрвл",
    "koi8-r": "оеаинтсрвл",
    "iso8859-5": "оеаинтсрвл",
    "cp866": "оеаинтсрвл",
    "cp1253": "αοιετσνηυρ",
    "cp1255": "יוהלאמרבתש",
    "cp1256": "اليمنوترب",
    "iso8859-6": "اليمنوترب",
    "cp874": "านรกอเงมยลวดท่้",
}
"""The letters that come most often in a language of this encoding."""
_FREQUENTLY = 0.45
_FEW = 8
"""Bytes over 127 by which no language is told."""
_MOSTLY_HIGH = 0.35
"""Share of bytes over 127 among the letters of a text that is not in Latin letters."""
_WESTERN = "cp1252"
_LATIN = {
    _WESTERN: (
        "äöüß", "àâæçèéêëîïôœùûüÿ", "áéíñóúü¿¡ªº", "ãõâêôàáéíóúçªº", "àèéìíòóùú", "åäöæøé", "ðþýæöáéíóú", "ëïéèöü",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
    "iso8859-2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
    "cp1254": ("çğıöşüâîûi̇",),
    "cp850": (
        "äöüß", "àâæçèéêëîïôœùûüÿ", "áéíñóúü¿¡ªº", "ãõâêôàáéíóúçªº", "àèéìíòóùú", "åäöæøé", "ðþýæöáéíóú", "ëïéèöü",
    ),
}  # fmt: skip
"""The letters beside a to z of the languages that are written in an encoding, each language's apart."""
_PUNCTUATION = frozenset("‘’‚“”„«»‹›–—…•·°§©®™€£\u00a0")
_CLEARLY = 0.05
"""How much more of a text than Windows-1252 does another Latin encoding has to explain."""
_MOSTLY_ONE = 0.8
"""Share of the bytes at every other place that are 0 or one other value, from which on a text is UTF-16."""
_EAST = {
    "cp932": ("euc_jp", (0xB0, 0xCF)),
    "euc_jp": ("euc_jp", (0xB0, 0xCF)),
    "cp949": ("euc_kr", (0xB0, 0xC8)),
    "gb18030": ("gb2312", (0xB0, 0xD7)),
    "big5": ("big5", (0xA4, 0xC6)),
}
"""The encoding whose first bytes order its characters by how common they are, and those of the common ones."""
_KANA = range(0x3041, 0x30FF)


def text_of(data: bytes, *, says_encoding: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return bytes as text, and a warning when the encoding had to be guessed.

    A byte order mark decides, then what a file that `says_encoding` declares in its first lines, then UTF-8, then
    which letters come most often, then Windows-1252, which takes any byte. Raises NoText.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data.decode(encoding, "replace")), ()
    declared = _DECLARED.search(data[:_LOOKED_AT]) if says_encoding else None
    for encoding in (_known(declared[1]) if declared else "", utf16_variant(data), "utf-8"):
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


def guess_encoding(data: bytes) -> str:
    """Return the encoding that bytes are likely in which are no UTF-8, "" for Windows-1252 or one like it."""
    data = data[:_GUESSED_BY]
    east = max(_EAST, key=lambda one: _common(data, one))
    if _common(data, east) >= _SURE:
        return east
    high = sum(byte > 127 for byte in data)
    letters = high + sum(chr(byte).isalpha() for byte in data if byte < 128)
    if high < _FEW or high / letters < _MOSTLY_HIGH:
        return _latin(data)
    best = max(_FREQUENT, key=lambda one: _frequency(data, one))
    return best if _frequency(data, best) >= _FREQUENTLY else ""


def _latin(data: bytes) -> str:
    """Return the encoding in which the letters beside a to z are most of all those of one language."""
    shares = {encoding: _of_one_language(data, encoding) for encoding in _LATIN}
    best = max(shares, key=lambda one: shares[one])
    return best if shares[best] > shares[_WESTERN] + _CLEARLY else ""


def _of_one_language(data: bytes, encoding: str) -> float:
    text = data.decode(encoding, "replace").lower()
    shown = [letter for letter in text if letter > "\x7f" and letter not in _PUNCTUATION]
    return max(sum(map(alphabet.count, shown)) for alphabet in _LATIN[encoding]) / max(len(shown), 1)


def utf16_variant(data: bytes) -> str:
    """Return "utf-16-le" or "utf-16-be" for text of two bytes a letter that does not say so, else ""."""
    data = data[:_GUESSED_BY]
    half = max(len(data) // 2, 1)
    if data[1::2].count(0) > _NULLS * half and data[::2].count(0) < _NULLS * half / 4:
        return "utf-16-le"
    if data[::2].count(0) > _NULLS * half and data[1::2].count(0) < _NULLS * half / 4:
        return "utf-16-be"
    if 0 not in data:
        return ""
    even, odd = _of_one_value(data[::2]), _of_one_value(data[1::2])
    if max(even, odd) < _MOSTLY_ONE or min(even, odd) >= _MOSTLY_ONE:
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _of_one_value(column: bytes) -> float:
    """Return the share of the most common byte that is not 0, and of 0: how common one alphabet is in UTF-16."""
    counts = Counter(column)
    nulls = counts.pop(0, 0)
    return (nulls + max(counts.values(), default=0)) / max(len(column), 1) if nulls else 0.0


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
