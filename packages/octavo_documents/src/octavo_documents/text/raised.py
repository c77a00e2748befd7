"""Raised text (superscripts) as it is written in plain text: marks of notes apart from powers.

A mark of a note is written in Unicode superscripts after its word ("320¹ dollars"), a power or the exponent of a unit
with a caret ("10^6", "m^2"): neither is ever a part of the number before it. What is neither stays as it is ("1st").
Knows nothing about formats: they say what is raised, and what stands before and after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from octavo_documents.lazy import lazy_regex

_PLAIN = "0123456789abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW+-−–()"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ⁺⁻⁻⁻⁽⁾"
_UP = str.maketrans(_PLAIN, _RAISED)
_DOWN = str.maketrans({**dict(zip(_RAISED, _PLAIN, strict=True)), "⁻": "-"})
SUPERSCRIPTS = "".join(dict.fromkeys(_RAISED))
"""The characters that marks are written in."""
HAS_SUPERSCRIPT = lazy_regex(f"[{SUPERSCRIPTS}]")
MARK = rf"(?:[{SUPERSCRIPTS}]+(?:,[{SUPERSCRIPTS}]+)*)"
"""Pattern of one mark or of several: "¹", "¹,²"."""

_NEAR = 40
"""Characters before raised text that can tell what it is."""
_SIGN = "[-−–‐+]"
_ITEM = r"(?:[1-9]\d{0,2}|[a-z]{1,2}|[ivx]{1,4}|T|[*†‡§¶#]{1,3})"
_MARKS = re.compile(rf"\(?{_ITEM}\)?(?:\s?[,;–-]\s?\(?{_ITEM}\)?){{0,7}}")
_BRACKETED_MARKS = re.compile(rf"(?:\({_ITEM}\)){{2,6}}")
_CAPITAL = lazy_regex(r"[A-Z]")
_BRACKET = lazy_regex(r"[)}\]]$")
_NAME = lazy_regex(r"[^\W\d_]{3,}$")
_LATE_LETTER, _NUMBER_ENDS = re.compile(r"[k-z]"), re.compile(r"\d$")
_SPACED_MARKS = re.compile(rf"{_ITEM}(?:\s{_ITEM}){{1,5}}")
_SIGNS_ALONE = lazy_regex(r"[*†‡§¶#\W]+")
_ORDINAL = lazy_regex(r"st|nd|rd|th|er|re|ers|ère|ere|nde?|d|e|es|ème|eme|os|as|ᵉʳ", re.IGNORECASE)
_COUNTED = lazy_regex(r"(?<![\d.,])\d{1,4}$")
_COUNTED_LARGE = lazy_regex(r"\d(?:st|nd|rd|th)?$")
_ROMAN = lazy_regex(r"\b[IVXLC]{1,7}$")
_NUMERO = lazy_regex(r"(?<![^\W_])[Nn]$")
_TRADE = {"TM": "™", "SM": "℠"}
_DEGREE = re.compile(r"(?:\d\s?|[-−–]\s?)$"), re.compile(r"\s?[CF](?![^\W_])")
_PRICE = lazy_regex(r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)|\bRs\.?)\s?\d{1,3}(?:,\d{3})*$")
_CENTS = frozenset(("00", "25", "49", "50", "75", "79", "80", "89", "90", "95", "97", "98", "99"))
_NUMERATOR = re.compile(r"\d{1,3}"), re.compile(r"\s?[/\u2044]\s?\d")

_DIGITS = lazy_regex(r"\d{1,3}(?:\.\d{1,2})?")
_SIGNED = lazy_regex(rf"{_SIGN}\s?\d{{1,3}}(?:[./]\d{{1,2}})?")
_CHARGE = lazy_regex(rf"\d{_SIGN}")
_ION = lazy_regex(r"[^\W_]$|[\])]$")
_ION_CHARGED = lazy_regex(r"[^\W\d_]\d{0,2}$|[\])]$")
_EXPRESSION = lazy_regex(r"[^\W_](?:\s?[-−–+/*·]\s?|(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d))[^\W_](?:[-−–+/*·]?[^\W_])?")
_TIMES = r"[x×·⋅∙*✕]\s?"
_TEN = lazy_regex(r"(?<![\w.,$€£¥])10$")
_TIMES_TEN = lazy_regex(rf"(?:{_TIMES}|[≈~<>≤≥=±]\s?)10$")
_LENGTH = r"(?:[kcdmnµμ]?m|ft|yd)"
_OTHER_UNIT = (
    r"(?:in|mi|miles?|inch(?:es)?|feet|foot|yards?|(?:kilo|centi|milli)?met(?:re|er)s?|s|sec|h|hr|min|d|day|yr|year"
    r"|dam|[hMGuµμ]m|[kmµμ]?g|lb|mol|[mµμ]?[lL]|Å|ha|[kM]?Pa|[kM]?W|[kM]?J|[kMG]?Hz|N|K|V|A|°C|cells?)"
)
_UNIT = lazy_regex(
    rf"(?<![^\W_]){_LENGTH}$|(?:\d\s?|[/·⋅.(\[]\s?|\b(?:per|square|cubic|sq\.?)\s|\^-?\d\s){_OTHER_UNIT}$"
)
_OF_UNIT = lazy_regex(r"[234]")
_SYMBOL = "α-ωΑ-ΩƒϑϕϖϱϵℏħℓÅ∂∆∇∑∏Ω\U0001d400-\U0001d7ff"
"""Letters that stand for variables and functions wherever they stand alone."""
_VARIABLE = re.compile(
    rf"(?<![^\W_])(?:[Rb-z{_SYMBOL}]|\d{{0,3}}π[a-z]|(?<=[=+(/*×·]\s)[A-Za-z]{{1,2}}|(?<=[=+(/*×·])[A-Za-z]{{1,2}})$"
)
_TERM = lazy_regex(r"(?<![^\W_])\d{0,3}[A-Za-z]{1,2}$")
_FUNCTION = lazy_regex(r"(?<![^\W_])(?:(?:arc)?(?:sin|cos|tan)h?|cot|sec|csc|log|ln|lg)$")
_OF_SOMETHING = lazy_regex(rf"\s?(?:[({{\\]|(?:\d{{0,2}}[A-Za-z{_SYMBOL}]|\d)(?![^\W_]))")
"""What a function is of: "x", "(x)", "2θ"."""
_NUMBER_BEFORE = lazy_regex(r"(?<![^\W_])(?<![.,$€£¥₹^])(?<![$€£¥₹]\s)\d{1,6}(?:\.\d{1,3})?$")
_NO_BASE = lazy_regex(
    r"\b(?:USD|EUR|GBP|CHF|Rs\.?|No\.?|Nr\.?)\s?[\d.]+$|\d[\d.,]*\s+[\d.]+$|(?<!\d)(?:1[5-9]|20)\d\d$"
)
"""Amounts, numbers in a row, years: what has a note's mark and is not raised to a power."""
_COUNTED_THINGS = lazy_regex(
    r"\s?(?:%|‰|per\s?cent|percent|dollars?|euros?|pounds?|francs?|crowns?|yen|cents?|rupees?|thousand|million|billion"
    r"|trillion|mn|bn|(?:second|minute|hour|day|week|month|year)s?|people|persons?|employees|members|households"
    r"|inhabitants|students|patients|visitors)(?![^\W_])",
    re.IGNORECASE,
)
_EQUALS = lazy_regex(r"\s?(?:[=≈]\s?[\d(]|[×·⋅∙*]\s?[\w(]|x\s\d)")
_TIMES_NUMBER = lazy_regex(r"(?:[×·⋅∙*/√]\s?|\d\s?x\s|[=≈]\s)[\d.]+$")
_LEAD_VARIABLE = re.compile(r"\A\s*[A-Za-zα-ωΑ-Ω]\Z")
_MATHS = re.compile(r"\((?=[^()]*[-+−–=/×·*^])(?![^()]*[^\W\d_]{3})[^()]{2,30}\)$")
_FORMULA_BASE = lazy_regex(r"(?:^|[=+×·*≤≥<>≈(]\s?|[-−/]\s)\d{1,6}(?:\.\d{1,3})?$")
_FORMULA_GOES_ON = lazy_regex(r"\s?[=+×·*≤≥<>≈]\s?\S")
_EXPONENT_LETTER = lazy_regex(r"[nxtkmpyzNT]")
_POWERFUL = lazy_regex(r"(?<![^\W_])(?:10|2|e)$")


def written(before: str, raised: str, after: str = "", *, is_note: bool | None = None) -> str:
    """Return what raised text is written as; it follows `before` without a space.

    Args:
        before: The text before it, "" at the start of a block or cell.
        raised: The raised characters.
        after: The text after it.
        is_note: True where a note with this mark is known and nothing surer bears it, False where there is none, None
            where nothing is known.
    """
    text, before, after = raised.strip(), before[-_NEAR:], after[:_NEAR]
    if not text or not before.strip() or HAS_SUPERSCRIPT.search(text):
        return raised
    here = _Raised(before, text, after, is_note)
    for rule in _RULES:
        if (found := rule(here)) is not None:
            return found
    return f" {text}" if text[0].isdigit() and before[-1].isdigit() else raised


def is_unsure(before: str, raised: str, after: str = "") -> bool:
    """Return whether a raised digit after a number may be an exponent as well as the mark of a note: "1000²" cells.

    No mark where the number is an amount of money, a year, a cell of its own, or counts what has no power.
    """
    return _is_unsure(_Raised(before[-_NEAR:], raised.strip(), after[:_NEAR], None))


def as_mark(text: str) -> str:
    """Return the mark of a note in superscripts; signs (*, †) and letters that have none stay as they are."""
    return re.sub(r"(?<=[,;])\s+|\s+(?=[,;])", "", text.strip()).replace(";", ",").replace(" ", ",").translate(_UP)


def plain_mark(text: str) -> str:
    """Return a text with superscripts as plain characters: "¹" is "1"."""
    return text.translate(_DOWN)


def with_plain_start(text: str) -> str:
    """Return a text whose own mark, at its start, is plain: a note begins with it."""
    found = _MARK_HERE.match(text) if text and not text[0].isascii() else None
    return plain_mark(found[0]) + text[found.end() :] if found else text


def without_marks(text: str) -> str:
    """Return a text without marks of notes in superscripts; powers stay, however they are written."""
    if not HAS_SUPERSCRIPT.search(text):
        return text
    return _MARK_HERE.sub(lambda found: found[0] if is_power(text[: found.start()], found[0]) else "", text)


_MARK_HERE = lazy_regex(MARK)


def marks_in(text: str) -> list[str]:
    """Return the marks of notes that stand in a text in superscripts, plain and each by itself: "1", "2" of "x¹,²"."""
    if not HAS_SUPERSCRIPT.search(text):
        return []
    runs = [found[0] for found in _MARK_HERE.finditer(text) if not is_power(text[: found.start()], found[0])]
    return [mark.strip("()") for run in runs for mark in plain_mark(run).split(",")]


def sure_marks(text: str) -> list[str]:
    """Return the marks of notes in a text, without those that may as well be exponents: of "yes², 1000³ cells" "2"."""
    unsure = {found.start() for found in _typed_unsure(text)}
    if not unsure:
        return marks_in(text)
    return marks_in("".join(sign for at, sign in enumerate(text) if at not in unsure))


def with_powers(text: str, notes: Container[str]) -> str:
    """Return a text whose superscripts after numbers are powers ("1000^2") where they may be and no note has them."""
    pieces, at = list[str](), 0
    for found in _typed_unsure(text):
        mark = plain_mark(found[0])
        if mark not in notes:
            pieces += [text[at : found.start()], f"^{mark}"]
            at = found.end()
    return "".join(pieces) + text[at:]


def _typed_unsure(text: str) -> Iterator[re.Match[str]]:
    """Yield the superscripts that were typed as characters and may be an exponent or the mark of a note."""
    for found in _TYPED.finditer(text) if not text.isascii() else ():
        if is_unsure(text[: found.start()], plain_mark(found[0]), text[found.end() :]):
            yield found


_TYPED = lazy_regex(f"(?<=\\d)[²³⁴⁵⁶⁷⁸⁹](?![{SUPERSCRIPTS}])")


def is_power(before: str, superscripts: str) -> bool:
    """Return whether superscripts are a power or the exponent of a unit, as in "m²" and "10⁶"."""
    text = plain_mark(superscripts)
    return bool(_power(_Raised(before[-_NEAR:], text, "", None)))


@dataclass(frozen=True, slots=True)
class _Raised:
    """Raised text with what stands around it."""

    before: str
    text: str
    after: str
    is_note: bool | None


_Rule = Callable[[_Raised], "str | None"]


def _ordinal(here: _Raised) -> str | None:
    """Return the ending of a number in words ("1st", "XIXe", "Nº"), in the languages that raise it."""
    if here.text.isdecimal():
        return None
    if here.text in ("o", "º") and _NUMERO.search(here.before):
        return "º"
    is_counted = bool(_COUNTED.search(here.before))
    if here.text == "o" and is_counted and not here.is_note:
        return "º"
    if here.text.lower() in ("st", "nd", "rd", "th") and _COUNTED_LARGE.search(here.before):
        return here.text
    if not _ORDINAL.fullmatch(here.text) or not (is_counted or _ROMAN.search(here.before)):
        return None
    # A letter alone may as well be a mark; only centuries and the like are raised so.
    is_alone = len(here.text) == 1
    return here.text if not is_alone or (here.text == "e" and not here.is_note and _is_short(here.before)) else None


def _is_short(before: str) -> bool:
    return bool(_ROMAN.search(before)) or bool(re.search(r"(?<![\d.,])\d{1,2}$", before))


def _sign(here: _Raised) -> str | None:
    """Return signs that are no marks of notes: of trade, of degrees."""
    if here.text in _TRADE:
        return _TRADE[here.text]
    if here.text == "R" and _NAME.search(here.before) and not here.is_note:
        return "®"
    if here.text == "0" and _COUNTED.search(here.before) and not _TEN.search(here.before):
        return "°"
    number, scale = _DEGREE
    return "°" if here.text in ("o", "0", "O") and number.search(here.before) and scale.match(here.after) else None


def _fraction(here: _Raised) -> str | None:
    numerator, rest = _NUMERATOR
    if not (numerator.fullmatch(here.text) and rest.match(here.after)):
        return None
    return f" {here.text}" if here.before[-1].isdigit() else here.text


def _cents(here: _Raised) -> str | None:
    is_price = here.text in _CENTS and not here.is_note and _PRICE.search(here.before)
    return f".{here.text}" if is_price else None


def _power_of(here: _Raised) -> str | None:
    exponent = _power(here)
    if not exponent and not here.is_note and _is_unsure(here):
        exponent = here.text  # a number that is not surely said is never read as a longer one
    return f"^{exponent}" if exponent else None


def _is_unsure(here: _Raised) -> bool:
    if len(here.text) != 1 or here.text not in "23456789" or not _NUMBER_BEFORE.search(here.before):
        return False
    is_cell = not here.after.strip() and _NUMBER_BEFORE.fullmatch(here.before.strip())
    if is_cell or _NO_BASE.search(here.before) or _COUNTED_THINGS.match(here.after):
        return False
    return not _is_exponent(here)


def _power(here: _Raised) -> str:
    """Return the exponent that raised text is, "" where it is none."""
    if _SIGNED.fullmatch(here.text):
        return _signed(here.text) if _ION.search(here.before) else ""
    if _CHARGE.fullmatch(here.text):
        return _signed(here.text) if _ION_CHARGED.search(here.before) else ""
    if _DIGITS.fullmatch(here.text):
        return here.text if _is_exponent(here) else ""
    if here.is_note or not _is_base(here.before):
        return ""
    if _EXPRESSION.fullmatch(here.text):
        return f"({_signed(here.text)})"
    return here.text if _EXPONENT_LETTER.fullmatch(here.text) else ""


def _is_exponent(here: _Raised) -> bool:
    """Return whether digits are an exponent; the surest signs come first."""
    is_ten = here.before.endswith("10")
    if is_ten and _TIMES_TEN.search(here.before):
        return True
    if _FUNCTION.search(here.before) and _OF_SOMETHING.match(here.after):
        return True
    if here.is_note or here.text == "1":
        return False
    if (is_ten and _TEN.search(here.before)) or (_OF_UNIT.fullmatch(here.text) and _UNIT.search(here.before)):
        return True
    return _is_in_formula(here) or _is_variable(here.before)


def _is_in_formula(here: _Raised) -> bool:
    """Return whether a number or a term of one or two letters is part of a calculation."""
    before, after = here.before, here.after
    if _FORMULA_GOES_ON.match(after) and (_FORMULA_BASE.search(before) or _TERM.search(before)):
        return True
    return bool(_NUMBER_BEFORE.search(before) and (_EQUALS.match(after) or _TIMES_NUMBER.search(before)))


def _is_base(before: str) -> bool:
    return _is_variable(before) or bool(_POWERFUL.search(before))


def _is_variable(before: str) -> bool:
    """Return whether a text is a variable or a formula in brackets; a word of three letters is neither."""
    if len(before) > 2 and before[-3:].isalpha():
        return False
    return any(one.search(before) for one in (_VARIABLE, _LEAD_VARIABLE, _MATHS))


def _signed(text: str) -> str:
    return re.sub(r"\s", "", re.sub("[−–‐]", "-", text))


def _mark(here: _Raised) -> str | None:
    if _SIGNS_ALONE.fullmatch(here.text):
        return here.text
    if _CAPITAL.fullmatch(here.text) and here.text != "T":
        # Letters of logos and units are raised too.
        return as_mark(here.text) if here.is_note or _BRACKET.search(here.before) else here.text
    if _LATE_LETTER.fullmatch(here.text) and _NUMBER_ENDS.search(here.before) and not here.is_note:
        return here.text  # of a unit: "45k"
    return as_mark(here.text) if _is_marks(here.text) else None


def _is_marks(text: str) -> bool:
    return any(one.fullmatch(text) for one in (_MARKS, _SPACED_MARKS, _BRACKETED_MARKS))


_RULES: tuple[_Rule, ...] = (_sign, _ordinal, _fraction, _cents, _power_of, _mark)
