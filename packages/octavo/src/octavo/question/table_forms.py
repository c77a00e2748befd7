"""Plain forms of questions over a table: what is to be worked out, of what, and with which numbers rows are compared.

What is told here is told by the question's words alone; `table_readings` finds the columns and cells that they mean.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from octavo.evidence.table_query import CellComparison, TableOperation
from octavo.question.german_table_forms import in_english_form
from octavo.question.table_periods import PeriodAsked, periods_asked
from octavo.question.words import MEASURE_NOUNS
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, fold
from octavo_documents.text.values import word_value


@dataclasses.dataclass(frozen=True, slots=True)
class AskedWord:
    """A word of a question, lower case and folded, with its term; "" where it has no content."""

    text: str
    term: str


@dataclasses.dataclass(frozen=True, slots=True)
class NumberAsked:
    """A number that cells are compared with, as in "more than 300 villages": its words are `[first, last]`.

    `measure` are terms of what is measured, where an adjective tells it: height in "taller than 450 feet".
    """

    comparison: CellComparison
    number: float
    first: int
    last: int
    measure: tuple[str, ...] = ()
    until: float | None = None
    """The last number of a range."""


@dataclasses.dataclass(frozen=True, slots=True)
class TableForm:
    """A form that a question may have: the operation, and which of its words say what; all by their places.

    `told` are the words that the form itself accounts for; `asked` those of what is asked for ("country" in "which
    country has the most medals"); `of` those of what the operation works on ("medals"); `around` those of what stands
    before or after. `measure` are terms of a column that the operation's adjective implies.
    """

    words: tuple[AskedWord, ...]
    operation: TableOperation
    told: frozenset[int]
    asked: tuple[int, ...] = ()
    of: tuple[int, ...] = ()
    measure: tuple[str, ...] = ()
    asks: str = ""
    """The word that asks: "who", "which", "how many"; "" for none."""
    numbers: tuple[NumberAsked, ...] = ()
    periods: tuple[PeriodAsked, ...] = ()
    is_distinct: bool = False
    """Whether different values are counted."""
    is_list: bool = False
    """Whether several are asked for."""
    is_choice: bool = False
    """Whether it asks which of two has more or less."""
    is_listed: bool = False
    """Whether it speaks of the order of the table itself."""
    is_change: bool = False
    """Whether a difference is that of a later row from an earlier one."""

    @property
    def free(self) -> tuple[int, ...]:
        """The places of words with content that the form does not account for."""
        taken = self.told.union(*(range(one.first, one.last + 1) for one in self.numbers))
        return tuple(at for at, word in enumerate(self.words) if word.term and at not in taken)


_WORD = lazy_regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?(?![\w])|[^\W_]+(?:['’]s\b)?|%|#")
_MOST = (
    "most|highest|largest|biggest|greatest|longest|tallest|oldest|deepest|heaviest|fastest|latest|widest|maximum|max|"
    "top"
)
_LEAST = "least|lowest|smallest|fewest|shortest|youngest|lightest|slowest|earliest|minimum|min|cheapest"
_ADJECTIVES = {
    "tallest": "tall", "taller": "tall", "highest": "high", "higher": "high", "longest": "long", "longer": "long",
    "shortest": "long", "shorter": "long", "oldest": "old", "older": "old", "youngest": "old", "younger": "old",
    "deepest": "deep", "deeper": "deep", "heaviest": "heavi", "heavier": "heavi", "lightest": "heavi",
    "lighter": "heavi", "fastest": "fast", "faster": "fast", "slowest": "fast", "slower": "fast", "widest": "wide",
    "wider": "wide", "largest": "larg", "larger": "larg", "biggest": "larg", "bigger": "larg", "smallest": "larg",
    "smaller": "larg",
}  # fmt: skip
_MORE_MEASURES = {
    "old": ("age",), "larg": ("size", "area", "popul"), "long": ("length", "durat"), "fast": ("speed",)
}  # fmt: skip
_ARTICLES = ("the", "a", "an", "all", "of", "this", "these", "those", "any", "his", "her", "its", "their")
_NUMBER = r"(?:(?:\$|€|£)\s?)?(?P<number>[-−]?\d[\d,]*(?:\.\d+)?|[a-z]+)(?![:\d-])"
_COMPARED = (
    (
        r"(?:more|greater|higher|larger|bigger|better|longer|taller|older|deeper|heavier|faster|wider) than(?! or)",
        CellComparison.MORE,
    ),
    (r"(?:less|fewer|lower|smaller|shorter|younger|lighter|slower) than(?! or)", CellComparison.LESS),
    (r"(?:at least|no less than|no fewer than|not less than|minimum of)", CellComparison.AT_LEAST),
    (r"(?:at most|no more than|not more than|up to|maximum of)", CellComparison.AT_MOST),
    (r"(?:over|above|exceeding)", CellComparison.MORE),
    (r"(?:under|below)", CellComparison.LESS),
)
_BEFORE_NUMBER = tuple((re.compile(rf"\b{form} {_NUMBER}(?=[\s?.,%]|$|[a-z])"), what) for form, what in _COMPARED)
_FROM_TO = lazy_regex(
    r"\b(?:between|from)(?: the years)? (?P<number>\d[\d,]*(?:\.\d+)?)\s?(?:and|to|until|through|-|–)\s?"
    r"(?P<last>\d[\d,]*(?:\.\d+)?)(?![:\d-])"
)
_OR_MORE = lazy_regex(
    rf"\b{_NUMBER} (?:or|and) (?P<way>more|above|higher|over|greater|better|less|fewer|below|lower|under)\b"
)
_UPWARDS = ("more", "above", "higher", "over", "greater", "better")

_ASKING = r"(?P<asks>who|whom|where|when|which|what|name|list|tell me(?: the| a)?)"
_COUNTING = re.compile(
    r"(?:^|, )(?P<told>how many(?: total| different| unique| distinct)?(?: of the| of)?"
    r"|(?:what (?:is|was|are|were|s) |tell me |give |find )?(?:the )?(?:total |full |overall |combined )?"
    r"(?:number|amount|count)s? of(?: total| different| unique| distinct)?(?: the)?|what number of(?: the)?) "
)
_AVERAGE = re.compile(r"\b(?:the )?(?:average|mean)(?: number| amount)?(?: of)?(?: the)?\b")
_SUM = re.compile(
    r"\b(?:the )?(?:(?:combined )?total|sum|combined)(?: number| amount| sum)?(?: of)?(?: all)?(?: the)?\b"
    r"|\bin total\b|\baltogether\b|\bcombined\b"
)
_DIFFERENCE = re.compile(
    r"\b(?:the )?difference (?:in|of|between)(?: the)?(?: number of| amount of)?|\bhow (?:many|much) more\b"
)
_CHANGE = lazy_regex(
    r"\b(?:the )?(?P<way>chang|increas|decreas|gr[eo]w|f[ae]ll|r[io]se|declin|drop)\w*(?: in| of)?(?: the)?\b"
)
_BY_HOW_MUCH = lazy_regex(r"\b(?:by )?(?:how much|how many|what)\b")
_NEXT = lazy_regex(
    r"\b(?:(?:right|immediately|directly|came|comes|come|is|listed|placed|finished|next) )*"
    r"(?P<way>after|before|following|preceding|prior to|above|below|under|next to)(?: the| a)?\b"
)
_NEXT_WORDS = lazy_regex(
    r"\b(?:next|previous|right|immediately|directly|come|comes|came|listed|placed|finished|follow|follows)\b"
)
_SUPERLATIVE = re.compile(
    rf"\b(?P<way>(?P<most>{_MOST})|(?P<least>{_LEAST}))(?: (?:number|amount|total|quantity) of)?\b"
)
_THAN_ANY = re.compile(r"\bmore (?=.*\bthan any(?: other)?\b)|\bthan any(?: other)?(?: \w+)?")
_CHOICE = lazy_regex(
    r"\b(?P<way>(?P<most>more|higher|larger|bigger|greater|longer|taller|older|deeper|heavier|faster|later|wider|most|"
    r"highest|largest|biggest|greatest|longest|tallest|oldest|deepest|heaviest|fastest|latest|widest)"
    r"|(?P<least>less|fewer|lower|smaller|shorter|younger|lighter|slower|earlier|least|lowest|smallest|fewest|shortest|"
    r"youngest|lightest|slowest|earliest))\b(?! than)(?! or less)(?: (?:number|amount|total) of)?"
)
"""Which of two has more of something: "which is longer, the Tern or the Gull"."""
_OR = lazy_regex(r"\bor\b(?! (?:more|less|fewer|above|below|higher|lower|over|under|greater|better))")
_IN_TERMS = lazy_regex(r"\bin terms of\b")
_RANK = lazy_regex(r"\b(?:rank|ranking|ranked|position|place|seed|placing)\b")
_END = lazy_regex(r"(?<!\bin )(?<!finished )(?<!placed )(?<!came )\b(?:the )?(?:very )?(?P<way>first|last)\b")
_LISTED = lazy_regex(r"\b(?:listed|shown|on (?:the|this) (?:list|chart|table)|in (?:the|this) (?:list|chart|table))\b")
_DISTINCT = lazy_regex(r"\b(?:different|unique|distinct)\b")
_YES_NO = lazy_regex(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b")
_SIZES = "tall|high|long|old|deep|heavy|fast|wide|large|big"
_HOW = lazy_regex(rf"^how (?P<way>{_SIZES}) (?:is|are|was|were)\b")
_UNPLAIN = lazy_regex(
    r"\b(?:consecutive|in a row|same|other than|besides|except|(?<!the )only|each|every|either|neither|ratio|"
    r"percent of|percentage of|without|else|not|no|never|per)\b|n['’]t\b|[.;] ?\w"
    rf"|^(?:why|explain|describe|how (?!many|much|(?:{_SIZES}) (?:is|are|was|were)))"
    r"|\b(?:and|,) (?:why|how|what|when|where|who|which)\b"
)
"""What plain forms do not say: questions with it are for a model."""

_ABBREVIATED = lazy_regex(r"(?<=[^\W\d_])\.(?= (?!(?:and|but|how|or|so|then|what|when|where|which|who|why)\b)[a-z%(])")
"""A point that ends no sentence: a small letter follows."""


_COMPARES = lazy_regex(r"\b(?:same|consecutive|in a row|other than|besides|except)\b")
_OF_SEVERAL = (
    TableOperation.SUM,
    TableOperation.AVERAGE,
    TableOperation.DIFFERENCE,
    TableOperation.BEFORE,
    TableOperation.AFTER,
)


@lru_cache(maxsize=256)
def table_forms(question: str) -> tuple[TableForm, ...]:
    """Return the forms that a question over a table may have, none for one that is not plain."""
    text = _folded(question).strip().rstrip("?!. ")
    if (_YES_NO.match(text) and not _OR.search(text)) or _UNPLAIN.search(text):
        return ()
    return tuple(_forms(_Read(text)))


def goes_over_rows(question: str) -> bool:
    """Return whether a question counts, adds up or compares what may be rows of a table, in a plain form or not."""
    text = _folded(question)
    return any(form.search(text) for form in (_COUNTING, _AVERAGE, _SUM, _DIFFERENCE, _SUPERLATIVE, _THAN_ANY))


def compares_rows(question: str) -> bool:
    """Return whether a question asks for what several rows come to, or stands beside or is like another: no one cell.

    The most and the least, counts and what comes first may be printed.
    """
    is_worked_out = any(form.operation in _OF_SEVERAL for form in table_forms(question))
    return is_worked_out or _COMPARES.search(_folded(question)) is not None


def _folded(question: str) -> str:
    """Return a question folded, in English form, without the points of abbreviations within it: "Turnout in %"."""
    return fold(_ABBREVIATED.sub("", in_english_form(question)))


def looks_up_alone(forms: Sequence[TableForm]) -> bool:
    """Return whether a question only looks up what rows have: it needs no others than those with its words."""
    return all(form.operation is TableOperation.VALUE for form in forms)


class _Read:
    """A question with the places of its words in its text."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = list(_WORD.finditer(text))
        self.starts = [one.start() for one in found]
        texts = [re.split("['’]", one.group())[0] for one in found]
        before = ["", *texts]
        self.words = tuple(
            AskedWord(text, text if text == "us" and last not in ("tell", "give", "show") else _term(text))
            for text, last in zip(texts, before, strict=False)
        )
        self.periods = tuple(
            dataclasses.replace(one, places=self.places(one.start, one.stop)) for one in periods_asked(text)
        )
        self.numbers = tuple(self._compared())

    def places(self, start: int, stop: int) -> tuple[int, ...]:
        """Return the places of the words that stand in [start, stop) of the text."""
        return tuple(at for at, begin in enumerate(self.starts) if start <= begin < stop)

    def run(self, start: int) -> tuple[int, ...]:
        """Return the places of the words from a character on, up to the first one without content."""
        taken: list[int] = []
        compared = {at for one in self.numbers for at in range(one.first, one.last + 1)}
        compared.update(at for one in self.periods for at in one.places)
        for at, begin in enumerate(self.starts):
            if begin < start:
                continue
            if at in compared or not self.words[at].term:
                if taken or at in compared or self.words[at].text not in _ARTICLES:
                    break
                continue
            taken.append(at)
        return tuple(taken)

    def _compared(self) -> Iterator[NumberAsked]:
        taken: set[int] = set()
        found = [(one, what) for form, what in _BEFORE_NUMBER for one in form.finditer(self.text)]
        found.extend(
            (one, CellComparison.AT_LEAST if one["way"] in _UPWARDS else CellComparison.AT_MOST)
            for one in _OR_MORE.finditer(self.text)
        )
        for one in _FROM_TO.finditer(self.text):
            places, ends = self.places(one.start(), one.end()), (_number(one["number"]), _number(one["last"]))
            if places and ends[0] is not None and ends[1] is not None:
                taken.update(places)
                yield NumberAsked(CellComparison.AT_LEAST, ends[0], places[0], places[-1], until=ends[1])
        for one, what in found:
            number = _number(one["number"])
            places = self.places(one.start(), one.end())
            if number is None or not places or taken.intersection(places):
                continue
            taken.update(places)
            yield NumberAsked(what, number, places[0], places[-1], _measured(self.words[places[0]].text))

    def form(self, operation: TableOperation, told: re.Match[str] | None, **named: object) -> TableForm:
        """Return a form whose operation is told by a stretch of the text."""
        places = frozenset(self.places(*told.span())) if told else frozenset[int]()
        asked = _asking(self)
        given: dict[str, object] = {
            "asked": asked[1],
            "asks": asked[0],
            "numbers": self.numbers,
            "periods": self.periods,
            "is_listed": _LISTED.search(self.text) is not None,
        }
        return TableForm(self.words, operation, places, **(given | named))  # pyright: ignore[reportArgumentType]


def _forms(read: _Read) -> Iterator[TableForm]:
    text = read.text
    if _OR.search(text) and (found := _CHOICE.search(text)):
        if not (_RANK.search(text) and found["way"] in ("higher", "lower", "highest", "lowest")):
            operation = TableOperation.MOST if found["most"] else TableOperation.LEAST
            of = read.run(found.end())
            yield read.form(operation, found, of=of, measure=_measured(found["way"]), is_choice=True)
    elif any(one.is_range for one in read.periods) and (found := _CHANGE.search(text)) and not _YES_NO.match(text):
        told = {*read.places(*found.span())}
        told.update(at for one in _BY_HOW_MUCH.finditer(text) for at in read.places(*one.span()))
        form = read.form(TableOperation.DIFFERENCE, found, is_change=True)
        yield dataclasses.replace(form, told=frozenset(told))
    elif not _YES_NO.match(text) and (found := _DIFFERENCE.search(text)):
        yield read.form(TableOperation.DIFFERENCE, found, of=read.run(found.end()))
    elif not _YES_NO.match(text):
        yield from _worked_out(read)


def _worked_out(read: _Read) -> Iterator[TableForm]:
    """Yield the forms of a question that asks neither for one of two things nor for a difference."""
    text = read.text
    counting = _COUNTING.search(text)
    if found := _AVERAGE.search(text):
        yield read.form(TableOperation.AVERAGE, found, of=read.run(found.end()))
    if counting:
        yield from _counted(read, counting)
    elif found := _SUM.search(text):
        yield read.form(TableOperation.SUM, found, of=read.run(found.end()) or read.run(0))
    found = _NEXT.search(text)
    if found and any(one.start <= found.start() < one.stop for one in read.periods):
        found = None  # "before 2010" says when, not which row stands before another
    is_compared = any(one.until is None for one in read.numbers)
    if found and not (is_compared and found["way"] in ("above", "below", "under")):
        yield from _beside(read, found)
    elif not counting:
        yield from _chosen(read)
    if not counting:
        sized = _HOW.match(text)
        yield read.form(TableOperation.VALUE, sized, measure=_measured(sized["way"]) if sized else ())


def _chosen(read: _Read) -> Iterator[TableForm]:
    """Yield the form of a question for the thing with the most or the least, or for the first or last one."""
    if found := _THAN_ANY.search(read.text):
        told = {at for one in _THAN_ANY.finditer(read.text) for at in read.places(*one.span())}
        form = read.form(TableOperation.MOST, found, of=read.run(found.end()))
        yield dataclasses.replace(form, told=frozenset(told))
    elif found := _SUPERLATIVE.search(read.text):
        yield from _superlative(read, found)
    elif found := _END.search(read.text):
        operation = TableOperation.FIRST if found["way"] == "first" else TableOperation.LAST
        yield read.form(operation, found, of=read.run(found.end()))


def _counted(read: _Read, found: re.Match[str]) -> Iterator[TableForm]:
    asked = read.run(found.end())
    is_distinct = _DISTINCT.search(found["told"]) is not None
    yield read.form(TableOperation.COUNT, found, asked=asked, asks="how many", is_distinct=is_distinct)


def _beside(read: _Read, found: re.Match[str]) -> Iterator[TableForm]:
    is_after = found["way"] in ("after", "following", "below", "under", "next to")
    told = {*read.places(*found.span())}
    for word in _NEXT_WORDS.finditer(read.text):
        told.update(read.places(*word.span()))
    form = read.form(TableOperation.AFTER if is_after else TableOperation.BEFORE, found)
    yield dataclasses.replace(form, told=frozenset(told))


def _superlative(read: _Read, found: re.Match[str]) -> Iterator[TableForm]:
    is_most = found["most"] is not None
    terms = _IN_TERMS.search(read.text)
    of = read.run(terms.end() if terms else found.end())
    ranked = _RANK.search(" ".join(read.words[at].text for at in of))
    if ranked and found["way"] in ("highest", "top", "lowest"):
        is_most = not is_most
    operation = TableOperation.MOST if is_most else TableOperation.LEAST
    yield read.form(operation, found, of=of, measure=_measured(found["way"]))


def _asking(read: _Read) -> tuple[str, tuple[int, ...]]:
    """Return the word that asks, and the words of what it asks for that stand right after it."""
    for at, word in enumerate(read.words):
        if word.text in ("who", "whom", "where", "when", "which", "what", "name", "list", "tell"):
            run: list[int] = []
            for place in range(at + 1, len(read.words)):
                text = read.words[place].text
                if text in ("the", "me", "of", "a", "an") and not run:
                    continue
                if not read.words[place].term:
                    break
                run.append(place)
            asks = word.text if word.text in ("who", "whom", "where", "when", "which", "what") else "which"
            return asks, tuple(run)
    return "", ()


def _term(word: str) -> str:
    """Return the term of a word; "percentage" is said by a sign over a column."""
    return "percent" if word == "percentage" else next(iter(analyze(word)), "")


def _measured(adjective: str) -> tuple[str, ...]:
    stem = _ADJECTIVES.get(adjective) or _term(adjective)
    return (*MEASURE_NOUNS.get(stem, ()), *_MORE_MEASURES.get(stem, ()))


def _number(text: str) -> float | None:
    digits = text.replace(",", "").replace("−", "-")
    if digits.lstrip("-").replace(".", "", 1).isdigit():
        return float(digits)
    return word_value(text)
