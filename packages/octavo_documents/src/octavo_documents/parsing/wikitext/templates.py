"""Templates and links of wikitext, which nest in each other, replaced by what they show.

Brackets are matched from the inside out and in one pass: those without a partner are dropped and what stands between
them stays. No template is run and no link is followed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.inline_marks import raised, struck
from octavo_documents.parsing.wikitext.text import Placeholders, words

_PARAMETER = re.compile(r"\{\{\{[^{}|\n]*+(?:\|([^{}]*+))?\}\}\}")
_BRACKETS = re.compile(r"(\{\{|\}\}(?:(?<=[^|]\}\})|(?!\}(?!\})))|\[\[|\]\](?!\](?!\])))")
"""Of three closing brackets the last two count: the first closes a table or a link to the web."""
_OPENER = {"}}": "{{", "]]": "[["}
_DEEPEST, _SHORT = 40, 1000
"""Longer words inside more brackets are dropped unread, as they would be gone over once per bracket."""
Arguments = Sequence[str]
_BOXES = ("infobox", "taxobox", "speciesbox", "automatic taxobox", "chembox", "drugbox", "geobox")
_ORNAMENT = re.compile(
    r"(?:image|img|photo|logo|flag|seal|coa|map|locator|pushpin|style|size|width|height|upright|alt|colou?r|"
    r"alignment|bgcolou?r|embed|child|module)(?:[_ ]\w{1,20}|\d{1,2})?|"
    r"\w{1,20}[_ ](?:size|style|alt|width|map)",
    re.IGNORECASE,
)
"""Names of a box's fields that say how it looks."""
_NAMED = re.compile(r"\s*+[\w\s-]{1,30}+=")
_YEAR = "January February March April May June July August September October November December"
_MONTHS = _YEAR.split()
_RANGES = {"-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "x": " × ", "by": " by ", "+/-": " ± "}
_SHOWN = (
    "nowrap nobr small smaller big larger sc smallcaps abbr tooltip vanchor flag flagcountry nts ntsh number formatnum "
    "val math mvar sub ill illm nihongo2 keypress key code mono tt em strong var kbd samp dfn angbr linktext term "
    "defn longitem underline url ship sclass align center"
)
"""Templates that show their first argument."""
_DATES = (
    "birth date",
    "birth date and age",
    "death date",
    "death date and age",
    "start date",
    "start date and age",
    "end date",
    "film date",
    "date",
    "dts",
)
_PICTURES = (
    "file image media datei bild fichier archivo imagen immagine ficheiro imagem bestand afbeelding plik grafika файл "
    "изображение fil tiedosto kuva soubor dosya ファイル 画像 文件 图像 파일 ملف"
)
_FILES = frozenset(_PICTURES.split())
_CATEGORIES = (
    "category kategorie catégorie categoría categoria categorie kategoria категория kategori luokka カテゴリ 分类 분류 "
    "تصنيف"
)
_UNSHOWN = frozenset(_CATEGORIES.split())
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10}){0,2}|simple")
_OPTION = re.compile(
    r"\s*+(?:thumb(?:nail)?|mini(?:atur|atura)?|vignette|frame(?:d|less)?|border|left|right|center|centre|none|links|"
    r"rechts|zentriert|gauche|droite|centré|izquierda|derecha|centro|upright|hochkant|baseline|middle|sub|super|top|"
    r"text-top|bottom|text-bottom|\d{0,5}x?\d{1,5}\s*+px|"
    r"(?:upright|hochkant|link|alt|page|lang|class|thumb|location|start|end|verweis)\s*+=.*+)\s*+",
    re.IGNORECASE | re.DOTALL,
)


def without_nesting(text: str, kept: Placeholders) -> str:
    """Return a text with its templates and links replaced."""
    if "{{{" in text:
        text = _PARAMETER.sub(r"\1", text)
    return _Nesting(kept).read(_BRACKETS.split(text))


class _Nesting:
    """The brackets open at a time, each with the pieces of text after it; first what stands in none."""

    def __init__(self, kept: Placeholders) -> None:
        self._kept = kept
        self._frames: list[tuple[str, list[str]]] = [("", [])]
        self._open = {"{{": 0, "[[": 0}

    def read(self, tokens: list[str]) -> str:
        """Return the text of tokens, brackets at the odd places."""
        for at, token in enumerate(tokens):
            if not at % 2:
                self._frames[-1][1].append(token)
            elif token in self._open:
                self._frames.append((token, []))
                self._open[token] += 1
            elif self._open[_OPENER[token]]:
                self._close(_OPENER[token])
        return self._joined(0)

    def _close(self, opener: str) -> None:
        at = len(self._frames) - 1
        while self._frames[at][0] != opener:
            at -= 1
        body = self._joined(at)
        if at <= _DEEPEST or len(body) <= _SHORT:
            self._frames[-1][1].append(template(body, self._kept) if opener == "{{" else link(body, self._kept))

    def _joined(self, at: int) -> str:
        """Take off the brackets from one on, those inside it without a partner, and return the text after it."""
        frames = self._frames[at:]
        del self._frames[at:]
        for opener, _ in frames[at == 0 :]:
            self._open[opener] -= 1
        return "".join(piece for _, pieces in frames for piece in pieces)


def template(body: str, kept: Placeholders) -> str:
    """Return what stands for a template with these words between its braces; a box of fields is kept as a table."""
    name, _, rest = body.partition("|")
    name = name.strip().lower().replace("_", " ")
    rule = _RULES.get(name)
    if rule:
        return rule(_unnamed(rest.split("|")))
    if name.startswith(_BOXES):
        return _box(rest.split("|"), kept)
    if name.startswith("lang-"):
        return _first(_unnamed(rest.split("|")))
    if name.startswith("formatnum:"):
        return name[10:].strip()
    return ""


def _unnamed(arguments: Arguments) -> list[str]:
    """Return the arguments that are given by their place, which may be named by its number."""
    found: list[str] = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not _NAMED.match(argument):
            found.append(argument.strip())
        elif name.strip().isdecimal():
            found.append(value.strip())
    return found


def _box(arguments: Arguments, kept: Placeholders) -> str:
    rows: list[list[str]] = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        text = words(value, kept)
        if text and name.strip() and not _ORNAMENT.fullmatch(name.strip()):
            rows.append([name.strip().replace("_", " "), text])
    if not rows:
        return ""
    grid = Grid.of_rows(rows, header_columns=1)
    return kept.put(FlowBlock(Kind.TABLE, grid.text(), grid=grid))


def _first(arguments: Arguments) -> str:
    return arguments[0] if arguments else ""


def _second(arguments: Arguments) -> str:
    return arguments[1] if len(arguments) > 1 else _first(arguments)


def _last(arguments: Arguments) -> str:
    return arguments[-1] if arguments else ""


def _paragraph(arguments: Arguments) -> str:
    return f"\n\n{_first(arguments)}\n\n"


def _listed(arguments: Arguments) -> str:
    lines = (line.lstrip("*# ").strip() for argument in arguments for line in argument.split("\n"))
    return ", ".join(line for line in lines if line)


def _lines(arguments: Arguments) -> str:
    return f"\n{_first(arguments)}\n"


def _joined(arguments: Arguments) -> str:
    return "".join(arguments)


def _fraction(arguments: Arguments) -> str:
    whole = f"{arguments[0]} " if len(arguments) > 2 else ""
    return whole + "/".join(arguments[-2:])


def _measure(arguments: Arguments) -> str:
    """Return a measure as it was given: "5 km", "5 to 10 km"."""
    text = _first(arguments)
    at = 1
    while len(arguments) > at + 1 and arguments[at] in _RANGES:
        text += _RANGES[arguments[at]] + arguments[at + 1]
        at += 2
    unit = arguments[at] if len(arguments) > at else ""
    return f"{text} {unit}".rstrip()


def _date(arguments: Arguments) -> str:
    """Return a date of a year, a month and a day, "2 January 1950", or as it was written."""
    parts = list(arguments[:3])
    if len(parts) == 3 and parts[1].isdecimal() and 1 <= int(parts[1][:3]) <= 12:
        parts = [parts[2].lstrip("0"), _MONTHS[int(parts[1]) - 1], parts[0]]
    return " ".join(part for part in parts if part)


def _as_of(arguments: Arguments) -> str:
    return f"As of {_date(arguments)}"


def _circa(arguments: Arguments) -> str:
    return f"c. {_first(arguments)}"


def _japanese(arguments: Arguments) -> str:
    named = [argument for argument in arguments[:3] if argument]
    return f"{named[0]} ({', '.join(named[1:])})" if len(named) > 1 else _first(named)


def _text(text: str) -> Callable[[Arguments], str]:
    def rule(arguments: Arguments) -> str:
        del arguments
        return text

    return rule


_RULES: Mapping[str, Callable[[Arguments], str]] = {
    **dict.fromkeys(["convert", "cvt"], _measure),
    **dict.fromkeys(["lang", "color", "colour", "resize", "font color", "legend", "legend2"], _second),
    **dict.fromkeys(["transl", "transliteration"], _last),
    **dict.fromkeys(_SHOWN.split(), _first),
    "sup": lambda arguments: raised(_first(arguments)),
    **dict.fromkeys(["strike", "strikethrough", "s", "del", "tq-strike"], lambda arguments: struck(_first(arguments))),
    **dict.fromkeys(["quote", "blockquote", "cquote", "quotation", "quote box", "poemquote", "bquote"], _paragraph),
    **dict.fromkeys(["hlist", "unbulleted list", "ubl", "ublist", "flatlist", "plainlist"], _listed),
    **dict.fromkeys(["div col", "columns-list"], _lines),
    **dict.fromkeys(["chem", "chem2", "nuclide", "simplenuclide"], _joined),
    **dict.fromkeys(["frac", "fraction", "sfrac"], _fraction),
    **dict.fromkeys(_DATES, _date),
    "as of": _as_of,
    "circa": _circa,
    "c.": _circa,
    "nihongo": _japanese,
    **{name: _text(text) for name, text in {"!": "|", "=": "=", "'": "'", "'s": "'s", "·": " · ", "•": " • "}.items()},
    **{name: _text(" ") for name in ("nbsp", "spaces", "space", "pad", "thinsp", "-", "clear")},
    **{name: _text(text) for name, text in {"ndash": "–", "mdash": "—", "spaced ndash": " – ", "snd": " – "}.items()},
}


def link(body: str, kept: Placeholders) -> str:
    """Return what stands for a link with these words between its brackets; a picture with a caption is kept."""
    target, bar, label = body.partition("|")
    prefix, colon, rest = target.partition(":")
    if colon:
        space = prefix.strip().lower()
        if space in _FILES:
            return _picture(label.split("|"), kept)
        if space in _UNSHOWN or (not bar and rest and _LANGUAGE.fullmatch(space)):
            return ""
    return label.strip("|") if label.strip() else target.lstrip(":").strip("[ ")


def _picture(options: Sequence[str], kept: Placeholders) -> str:
    text = words(_caption(options), kept)
    return kept.put(FlowBlock(Kind.FIGURE, text)) if text else ""


def _caption(options: Sequence[str]) -> str:
    """Return what a picture's options say of it: the last that is no option, else its alternative text, else ""."""
    alternative = ""
    for option in reversed(options):
        if option.strip() and not _OPTION.fullmatch(option):
            return option.strip()
        name, _, value = option.partition("=")
        if name.strip().lower() == "alt":
            alternative = value.strip()
    return alternative
