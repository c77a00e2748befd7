"""The symbolic query: what may be asked of the document graph, as a closed and typed value (LAD-RAG section 2.2).

The paper runs code that a model writes; here nothing is ever executed but these fields. Each has bounds, and a
wrong one is answered in words that a model can act on.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from octavo.evidence.document_graph import POSITIONS
from octavo_documents.document import Kind, LinkKind
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.things import KindName, kinds_named

LinkName = Literal["caption_of", "refers_to", "continues", "explains", "footnote_of", "part_of", "next"]
Ways = Literal["out", "in", "both"]
Position = Literal["top-left", "top", "top-right", "left", "center", "right", "bottom-left", "bottom", "bottom-right"]
# Bounds of what a model may write, chosen by hand.
MOST_HOPS = 5
MOST_BLOCKS = 500
_MOST_NAMES = 20
"""Values of one condition."""
_LONGEST = 200
"""Characters of a name or of words."""
_SHOWN_ERRORS = 5
_LONGEST_PATTERN = 200
_MOST_PIECES = 20
"""Stars of a pattern, and one."""
LONGEST_TEXT = 20_000
"""Characters of a block in which words and patterns are looked for."""
_CONDITIONS = {"kinds", "pages", "positions", "sections", "contains", "matches", "max_characters", "entities"}
_RANGE = re.compile(r"\s*(\d{1,5})\s*(?:(?:-|–|to)\s*(\d{1,5}))?\s*", re.IGNORECASE)
_REGULAR = re.compile(r"\\|\.\*|\.\+|\[(?:\^|[^\]]*\w-\w)[^\]]*\]|\(\?|\{\d")
"""What tells a regular expression, once its commonest pieces are taken for what they mean."""
_MEANINGS = (
    (re.compile(r"\.[*+]\??|\\w[*+]"), "*"),
    (re.compile(r"(?:\\d|\[0-9\])[*+]"), "#*"),
    (re.compile(r"\\d|\[0-9\]"), "#"),
    (re.compile(r"\\s[*+]?"), " "),
    (re.compile(r"\\b|^\^|\$$"), ""),
    (re.compile(r"\\([.$()\[\]%/-])"), r"\1"),
)
"""Pieces of regular expressions, as models write them, and what they are here."""
_CLASSES = {"?": ".", "#": r"\d", " ": r"\s"}


class InvalidQuery(ValueError):
    """The query is not one, or takes too long; the message says what to change, in words a model can act on."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, (str, int)) else value


def _kind_names(value: Any) -> Any:
    """Take "Charts" for "chart"; names there are not stay, for the model to be told."""
    if not isinstance(value, (str, list)):
        return value
    known = get_args(KindName)
    names: list[Any] = []
    for one in _listed(value):
        name = str(one).strip().lower().replace(" ", "_")
        names += [name] if name in known else kinds_named(name.replace("_", " ")) or [one]
    return list(dict.fromkeys(names))


def _position_names(value: Any) -> Any:
    """Take "upper left" and "TOP_LEFT" for "top-left"."""
    if not isinstance(value, (str, list)):
        return value
    plain = [re.sub(r"[\s_]+", "-", str(one).strip().lower()) for one in _listed(value)]
    return [one.replace("upper", "top").replace("lower", "bottom").replace("middle", "center") for one in plain]


def _page_ranges(value: Any) -> Any:
    """Take 5, "5", "3-10" and [3, 10] in a list for ranges."""
    return [_page_range(one) for one in _listed(value)] if isinstance(value, (str, int, list)) else value


def _page_range(one: Any) -> Any:
    found = _RANGE.fullmatch(str(one)) if isinstance(one, (str, int)) else None
    return (int(found[1]), int(found[2] or found[1])) if found else one


Text = Annotated[str, Field(min_length=1, max_length=_LONGEST)]
Names = Annotated[list[Text], BeforeValidator(_listed), Field(max_length=_MOST_NAMES)]
PageNumber = Annotated[int, Field(ge=1, le=100_000)]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Style(_Closed):
    """How text looks. Every attribute that is given must hold; sizes are in points.

    Words of a block are enough for what is bold, italic, underlined or highlighted.
    """

    bold: bool | None = None
    italic: bool | None = None
    underlined: bool | None = None
    highlighted: bool | None = None
    colored: bool | None = None
    """Another colour than the document's commonest."""
    larger: bool | None = None
    """Larger than the document's commonest size."""
    min_size: Annotated[float, Field(ge=0, le=1000)] | None = None
    max_size: Annotated[float, Field(ge=0, le=1000)] | None = None


class SymbolicQuery(_Closed):
    """Blocks that meet every condition given, and what lies some links from them.

    Within a condition one of several values is enough. `count` and the groups of `group_by` are told of the result.
    """

    kinds: Annotated[list[KindName], BeforeValidator(_kind_names), Field(max_length=_MOST_NAMES)] = Field(
        default_factory=list[KindName]
    )
    pages: Annotated[
        list[tuple[PageNumber, PageNumber]], BeforeValidator(_page_ranges), Field(max_length=_MOST_NAMES)
    ] = Field(default_factory=list[tuple[int, int]])
    """(first, last), both included, as physical pages: 1 for the first of the file."""
    sections: Names = Field(default_factory=list[str])
    """Titles, words of titles, or labels such as "Appendix B" or "3.1"; what stands in subsections counts."""
    positions: Annotated[list[Position], BeforeValidator(_position_names), Field(max_length=_MOST_NAMES)] = Field(
        default_factory=list[Position]
    )
    """Where on its page a block stands: "top" is the upper third, "top-left" a ninth, "center" the middle one."""
    contains: Names = Field(default_factory=list[str])
    """Whole words in the block or its caption, case and number aside: "crew" finds "crews", "Table 1" no "Table 12"."""
    matches: Annotated[str, Field(max_length=_LONGEST)] = ""
    """A pattern in the block: `*` stands for any characters, `?` for one, `#` for a digit."""
    max_characters: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """The longest text: what is short is a title or a label, however it was set."""
    style: Style = Field(default_factory=Style)
    entities: Names = Field(default_factory=list[str])
    """Names or aliases of entities that the block mentions."""
    follow: Annotated[list[LinkName], BeforeValidator(_listed), Field(max_length=len(LinkKind))] = Field(
        default_factory=list[LinkName]
    )
    """Links that are followed from what is found; empty with hops stands for all."""
    hops: Annotated[int, Field(ge=0, le=MOST_HOPS)] = 0
    direction: Ways = "both"
    reached: Annotated[list[KindName], BeforeValidator(_kind_names), Field(max_length=_MOST_NAMES)] = Field(
        default_factory=list[KindName]
    )
    """Kinds that are kept once links were followed; empty keeps all, where it started too."""
    operation: Literal["select", "count"] = "select"
    group_by: Literal["", "page", "section"] = ""
    limit: Annotated[int, Field(ge=1, le=MOST_BLOCKS)] = MOST_BLOCKS
    """The most blocks of the result, the first in reading order."""

    @model_validator(mode="after")
    def _asks_something(self) -> SymbolicQuery:
        if not self.conditions():
            raise ValueError(
                "give at least one of kinds, pages, sections, positions, contains, matches, style, entities"
            )
        if any(first > last for first, last in self.pages):
            raise ValueError("pages: the first page of a range comes before the last")
        return self

    def conditions(self) -> dict[str, Any]:
        """Return the conditions that are given, by name."""
        named = self.model_dump(include=_CONDITIONS)
        style = self.style.model_dump(exclude_none=True)
        return {name: value for name, value in {**named, "style": style}.items() if value}

    @property
    def fields_of_page(self) -> tuple[int, ...]:
        """The indices of `POSITIONS` that are meant; one that says a side alone means all fields there."""
        return tuple(
            at
            for at, name in enumerate(POSITIONS)
            if any(one == name or (one in name.split("-") and "-" in name) for one in self.positions)
        )

    @property
    def of_kinds(self) -> tuple[Kind, ...]:
        """The kinds of block as the table has them."""
        return _blocks_of(self.kinds)

    @property
    def reached_kinds(self) -> tuple[Kind, ...]:
        """The kinds that are kept after following; all of them where none is named."""
        return _blocks_of(self.reached) or tuple(Kind)

    @property
    def kinds_found(self) -> tuple[Kind, ...]:
        """The kinds that what is found has; empty where it may have any."""
        return _blocks_of(self.reached if self.hops else self.kinds)

    @property
    def links(self) -> tuple[LinkKind, ...]:
        """The kinds of link to follow; all of them where hops are asked for and none is named."""
        return tuple(LinkKind[name.upper()] for name in self.follow) or tuple(LinkKind)


def _blocks_of(names: list[KindName]) -> tuple[Kind, ...]:
    """Return kinds of block; who asks for titles means headings too."""
    named = tuple(Kind[name.upper()] for name in names)
    return (*named, Kind.HEADING) if Kind.TITLE in named else named


def parse(value: Any) -> SymbolicQuery:
    """Return a query from JSON values; raise InvalidQuery saying what is wrong with which field."""
    try:
        return SymbolicQuery.model_validate(value)
    except ValidationError as wrong:
        raise InvalidQuery(_explain(wrong)) from wrong


def _explain(wrong: ValidationError) -> str:
    errors = wrong.errors(include_url=False, include_input=False)
    lines = [f"{'.'.join(map(str, one['loc'])) or 'query'}: {one['msg']}" for one in errors[:_SHOWN_ERRORS]]
    if any(one["type"] == "extra_forbidden" for one in errors):
        lines.append(f"fields are {', '.join(SymbolicQuery.model_fields)}")
    return "; ".join(lines)


# Patterns


class Pattern:
    """A pattern, ready to be looked for in many texts: `*` for any characters, `?` for one, `#` for a digit.

    Everything else stands for itself, and the commonest pieces of regular expressions are taken for what they mean. A
    pattern that begins or ends with a letter or digit does so at the edge of a word: "cat" is not in "concatenate",
    "cat*" is in "cats". Matching takes time that grows with the text alone: a pattern is cut at its stars into pieces
    of fixed length, and the leftmost place of each piece after the one before decides, so nothing is tried twice.
    """

    def __init__(self, pattern: str) -> None:
        """Compile a pattern; raise InvalidQuery for one that is too long, empty, or a regular expression of its own."""
        for piece, meant in _MEANINGS:
            pattern = piece.sub(meant, pattern[: 2 * _LONGEST_PATTERN])
        if _REGULAR.search(pattern):
            raise InvalidQuery("matches: no regular expressions; * is any characters, ? one character, # a digit")
        plain = pattern.strip()
        pieces = [on_one_line(piece) for piece in plain.split("*")]
        is_open, is_open_at_end = not pieces[0], not pieces[-1]
        pieces = [piece for piece in pieces if piece]
        if not pieces:
            raise InvalidQuery("matches: the pattern has nothing to look for")
        if len(pattern) > _LONGEST_PATTERN or len(pieces) > _MOST_PIECES:
            raise InvalidQuery(f"matches: at most {_LONGEST_PATTERN} characters and {_MOST_PIECES} stars")
        # Each is a run of single characters without repeats: there is nothing to go back to.
        whole = ["".join(map(_expression, piece)) for piece in pieces]
        if not is_open and pieces[0][0].isalnum():
            whole[0] = rf"(?<!\w){whole[0]}"
        if not is_open_at_end and pieces[-1][-1].isalnum():
            whole[-1] = rf"{whole[-1]}(?!\w)"
        self._pieces = [re.compile(piece, re.IGNORECASE | re.DOTALL) for piece in whole]

    def is_in(self, text: str) -> bool:
        """Return whether the pieces stand in the text one after the other."""
        text, at = text[:LONGEST_TEXT], 0
        for piece in self._pieces:
            found = piece.search(text, at)
            if found is None:
                return False
            at = found.end()
        return True


def _expression(character: str) -> str:
    return _CLASSES.get(character) or re.escape(character)
