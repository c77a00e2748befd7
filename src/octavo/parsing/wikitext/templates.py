"""What a template in wikitext stands for where that can be told from its call alone: words, a box, else nothing.

Owns the table of templates whose words are part of the text. No template is fetched or run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from octavo.document import Kind
from octavo.document.grid import Grid
from octavo.parsing.flow import FlowBlock
from octavo.parsing.wikitext.kept import Kept
from octavo.parsing.wikitext.words import words

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


def template(body: str, kept: Kept) -> str:
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
        elif name.strip().isdigit():
            found.append(value.strip())
    return found


def _box(arguments: Arguments, kept: Kept) -> str:
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


_SHOWN = (
    "nowrap nobr small smaller big larger sc smallcaps abbr tooltip vanchor flag flagcountry nts ntsh number formatnum "
    "val math mvar sup sub ill illm nihongo2 keypress key code mono tt em strong var kbd samp dfn angbr linktext term "
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
_RULES: Mapping[str, Callable[[Arguments], str]] = {
    **dict.fromkeys(["convert", "cvt"], _measure),
    **dict.fromkeys(["lang", "color", "colour", "resize", "font color", "legend", "legend2"], _second),
    **dict.fromkeys(["transl", "transliteration"], _last),
    **dict.fromkeys(_SHOWN.split(), _first),
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
