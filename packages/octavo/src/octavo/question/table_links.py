"""A question's words laid on a table: which cells and columns they call, and whether any says what neither does."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from itertools import product

from octavo.evidence.table_query import CellComparison, Condition
from octavo.evidence.whole_table import WholeTable
from octavo.question.table_forms import AskedWord, NumberAsked, TableForm
from octavo.question.table_periods import PeriodAsked
from octavo.question.words import LESS, MORE
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, fold
from octavo_documents.text.cell_values import plain_words
from octavo_documents.text.measures import dimension, unit_in_head

_LONGEST_CELL = 9
"""Words of a question that may be one cell."""
_MOST_READINGS = 24
_FRAME = frozenset(
    analyze(
        "list listed table chart shown show according record recorded name named call called give find tell have had "
        "there total number amount many much column row entry entries following mention mentioned data "
        "in terms of all overall appear appears stated given only"
    )
)
"""Terms that say nothing of which cells are meant."""
HAPPENED = frozenset(
    analyze(
        "win won earn earned score scored get got receive received achieve play played finish finished take took hold "
        "held make made come came place placed post posted record reach reached belong include contain released "
        "become became serve served live weigh cost spend spent go went happen occur run did use used release"
    )
)
"""Terms of what things in a row do, which a cell of it tells by itself; what is counted may depend on them."""
WORKED_OUT = frozenset(
    analyze(
        "average mean change difference ratio increase decrease growth decline rise drop gain percentage percent "
        f"{MORE} {LESS}".replace("|", " ")
    )
)
"""Terms that ask for what no cell says by itself."""
_PEOPLE, _COUNTED = frozenset(analyze("people inhabitants residents")), frozenset(analyze("population"))
"""Terms of questions for what columns have under another."""
WHEN_HEADS = frozenset(analyze("date year season time day"))


_BEFORE_NAMES = frozenset(("did", "does", "do", "had", "has", "for", "by", "of", "from", "in", "at", "to", "with", "s"))
"""Words that a name follows right away."""
_JOINING = frozenset({"and", "or"})


@dataclasses.dataclass(frozen=True, slots=True)
class _Link:
    """A stretch of a question that a cell is called by: the words `[first, last]`, and the condition that it makes."""

    first: int
    last: int
    condition: Condition


class LinkedForm:
    """One form of a question, its words laid on a table."""

    def __init__(self, form: TableForm, table: WholeTable) -> None:
        self.form, self.table = form, table
        heads = [frozenset(analyze(head)) | _written_short(head, form.words) for head in table.heads]
        people = _PEOPLE.intersection(word.term for word in form.words).difference(*heads)
        self.heads = [head | people if _COUNTED & head else head for head in heads]
        own = [frozenset(analyze(head)) | _written_short(head, form.words) for head in table.own_heads]
        self.own = [head & self.heads[at] for at, head in enumerate(own)]
        self.over = frozenset((*analyze(table.about), *plain_words(table.about).split()))  # "us" of a file's name

    def conditions(self) -> Iterator[tuple[set[int], list[Condition]]]:
        """Yield what rows must have, by the cells and numbers that the question names, and the words that say so."""
        periods = [(one, self._period_conditions(one)) for one in self.form.periods]
        if any(not told and (one.is_range or self._is_in_may(one)) and "-" in one.since for one, told in periods):
            return  # of months that stand between two only these are named, and "may" is no word with content
        timed = {at for one, told in periods if told for at in one.places}
        numbers = [one for one in self.form.numbers if timed.isdisjoint(range(one.first, one.last + 1))]
        numbered = [list(self._number_conditions(one)) for one in numbers]
        numbered += [[(frozenset(one.places), told)] for one, told in periods if told]
        if not all(numbered):
            return
        for chosen in product(*numbered):
            said = {at for places, _ in chosen for at in places}
            conditions = [condition for _, several in chosen for condition in several]
            for links in self._linked([at for at in self.form.free if at not in said]):
                own = said | {at for link in links for at in range(link.first, link.last + 1)}
                yield own, list(dict.fromkeys((*conditions, *(link.condition for link in links))))

    def _period_conditions(self, one: PeriodAsked) -> tuple[Condition, ...]:
        """Return what a stretch of time says of the one column of days, or of years; none where there is no such."""
        is_of_years = "-" not in one.since + one.until
        columns = self.table.days or [at for at in range(len(self.heads)) if is_of_years and self._has_years(at)]
        if len(columns) != 1:
            return ()
        head = self.table.heads[columns[0]]
        if self.form.is_change and one.is_range:
            return (Condition(head, CellComparison.IS, (one.since, one.until)),)
        lower, upper = CellComparison.AT_LEAST, CellComparison.AT_MOST
        if one.is_without:
            lower, upper = CellComparison.MORE, CellComparison.LESS
        ends = ((lower, one.since), (upper, one.until))
        return tuple(Condition(head, comparison, (told,)) for comparison, told in ends if told)

    def _is_in_may(self, one: PeriodAsked) -> bool:
        return any(self.form.words[at].text == "may" for at in one.places)

    def _has_years(self, column: int) -> bool:
        return self.is_of_years(column) and self.table.is_of_numbers(column)

    def _number_conditions(self, one: NumberAsked) -> Iterator[tuple[frozenset[int], tuple[Condition, ...]]]:
        """Yield columns that a number may be compared with, and the words that name each."""
        after = self._near(range(one.last + 1, min(one.last + 5, len(self.form.words))))
        before = self._near(range(one.first - 1, max(one.first - 6, -1), -1))
        best: list[tuple[int, int, frozenset[int]]] = []
        for column, terms in enumerate(self.heads):
            if not self.table.is_of_numbers(column) or not self.is_measure(column):
                continue
            named = [at for at in (*after, *before) if self.form.words[at].term in terms]
            if one.until is not None and not named and self.is_of_years(column):
                named = [one.first]  # years need no word
            implied = _implied(terms, one.measure)
            unit = [at for at in after[:1] if self._is_unit(column, at)]
            if named or implied or unit:
                best.append((2 * len(named) + 2 * implied + len(unit), column, frozenset((*named, *unit))))
        most = max((score for score, _, _ in best), default=0)
        for score, column, places in best:
            if score == most:
                units = frozenset(at for at in after[:1] if self._is_unit(column, at))
                counted = frozenset(at for at in after[:1] if at == one.last + 1 and self._stands_nowhere(at))
                head = self.table.heads[column]
                conditions = (Condition(head, one.comparison, (_digits(one.number),)),)
                if one.until is not None:
                    conditions += (Condition(head, CellComparison.AT_MOST, (_digits(one.until),)),)
                yield places | units | counted, conditions

    def is_of_years(self, column: int) -> bool:
        """Return whether a column is called year, season or so."""
        return not self.heads[column].isdisjoint(WHEN_HEADS)

    def _near(self, places: Sequence[int] | range) -> list[int]:
        taken = {at for one in self.form.numbers for at in range(one.first, one.last + 1)}
        return [at for at in places if self.form.words[at].term and at not in self.form.told and at not in taken]

    def _is_unit(self, column: int, at: int) -> bool:
        """Return whether a word is the unit that a column's head or its cells tell."""
        word = self.form.words[at].text
        measured = dimension(word)
        if measured and measured == dimension(unit_in_head(self.table.heads[column])):
            return True
        cells = self.table.columns[column]
        first = next((text for text in cells if text.strip()), "")
        return word in plain_words(f"{self.table.heads[column]} {first}").split() or (
            len(word) > 2 and any(word.startswith(unit) for unit in plain_words(first).split() if unit.isalpha())
        )

    def _linked(self, free: Sequence[int]) -> Iterator[tuple[_Link, ...]]:
        """Yield choices of the cells that a question names, the longest names first; words of heads may be none."""
        spans: list[list[_Link | None]] = []
        taken: set[int] = set()
        for first, last in self._stretches(free):
            if taken.intersection(range(first, last + 1)):
                continue
            links = list(self._cells_called(first, last))
            if not links:
                continue
            taken.update(range(first, last + 1))
            is_head = all(
                any(self.form.words[at].term in terms for terms in self.heads)
                for at in range(first, last + 1)
                if self.form.words[at].term
            )
            spans.append([*links, None] if is_head else [*links])
        for count, chosen in enumerate(product(*spans)):
            if count >= _MOST_READINGS:
                return
            united = _united([link for link in chosen if link is not None], self.form.words)
            if united is not None:
                yield united

    def _stretches(self, free: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the stretches of words that may be a cell, longest first, from the left."""
        open_ones = set(free)
        words = self.form.words
        for length in range(_LONGEST_CELL, 0, -1):
            for first in range(len(words) - length + 1):
                last = first + length - 1
                inside = range(first, last + 1)
                if any(at in self.form.told or (words[at].term and at not in open_ones) for at in inside):
                    continue
                if any(words[at].term for at in inside):
                    yield first, last

    def _cells_called(self, first: int, last: int) -> Iterator[_Link]:
        text = plain_words(" ".join(word.text for word in self.form.words[first : last + 1]))
        forms = [text] if len(text) < 4 or not text.endswith("s") else [text, text[:-1]]
        if {self.form.words[at].term for at in range(first, last + 1)} - {""} <= _FRAME:
            return
        for form in forms:
            columns = [at for at in range(len(self.heads)) if form in self.table.called[at]]
            for column in columns:
                yield _Link(first, last, Condition(self.table.heads[column], CellComparison.IS, (form,)))
            if columns:
                return

    def _holds(self, column: int, text: str) -> bool:
        return f" {text} " in self.table.joined[column]

    def named(self, places: Sequence[int], *, values: bool | None, besides: Sequence[str] = ()) -> list[int]:
        """Return the columns that words name best: of values or not, or either; none where no word names one."""
        terms = [self.form.words[at].term for at in places]
        scored: list[tuple[float, int]] = []
        for column, head in enumerate(self.heads):
            if values is not None and self.is_measure(column) != values:
                continue
            shared = sum(term in head for term in terms) + _implied(head, besides)
            if shared:
                words = len(plain_words(self.table.own_heads[column]).split())
                scored.append((shared + 0.5 * len(self.own[column].intersection(terms)) / max(words, 1), column))
        most = max((score for score, _ in scored), default=0.0)
        return [column for score, column in scored if score == most]

    @property
    def things(self) -> int:
        """The column that says what each row is."""
        return self.table.things

    def is_measure(self, column: int) -> bool:
        """Return whether a column has values, and not the numbers by which its rows are called."""
        if not self.table.is_of_values(column):
            return False
        return column > 0 or not self.is_key(column) or self.is_of_years(column)

    def is_key(self, column: int) -> bool:
        """Return whether no two rows have the same in a column."""
        words = [text for text in self.table.words[column] if text]
        return len(set(words)) == len(words)

    def says(self, column: int) -> set[int]:
        """Return the places of words that the head of a column accounts for."""
        return {at for at in self.form.free if self.form.words[at].term in self.heads[column]}

    def is_all_said(self, said: set[int], *, spare: int | None = None) -> bool:
        """Return whether no word is left that may say more than a query does.

        What the first column calls each row is said of all of them. Where `spare` is given, words for what things do
        may be left, and of a sheet so many others that it has nowhere.
        """
        happened = HAPPENED if spare is not None else frozenset[str]()
        excused = _FRAME | self.over | self.heads[0] | happened
        left = [at for at in self.form.free if at not in said and self.form.words[at].term not in excused]
        return len(left) <= (spare or 0) * self.table.is_of_sheet and all(map(self._is_spare, left))

    def _is_spare(self, at: int) -> bool:
        """Return whether a word may go unsaid: it stands nowhere, and tells nothing of which cells are meant.

        A number, what stands right before the name of a column ("red boats") and whom or where right after a small word
        ("did Maier", "in Wick") tell of which rows or cells a question speaks.
        """
        words = self.form.words
        if words[at].term in WORKED_OUT or not self._stands_nowhere(at) or any(map(str.isdigit, words[at].text)):
            return False
        before = words[at - 1].text if at else ""
        following = words[at + 1].term if at + 1 < len(words) else ""
        is_attribute = bool(following) and any(following in head for head in self.heads)
        return at in self.form.asked[-1:] or (before not in _BEFORE_NAMES and not is_attribute)

    def _stands_nowhere(self, at: int) -> bool:
        """Return whether a word is neither in a head nor in a cell: it tells nothing of the table apart."""
        word = self.form.words[at]
        columns = range(len(self.heads))
        return not any(word.term in self.heads[column] or self._holds(column, word.text) for column in columns)


_SHORT = lazy_regex(r"(?<![^\W_])([^\W\d_]{3,})\.(?!\w)")
_BROKEN = lazy_regex(r"([^\W\d_]{2,})[-\u00ad]\s+([^\W\d_]{2,})")


def _written_short(head: str, words: Sequence[AskedWord]) -> frozenset[str]:
    """Return the terms of a question's words that a head has cut short or broken: "Turn." and "Turn- out"."""
    short = tuple(fold(one[1]) for one in _SHORT.finditer(head))
    whole = {fold(one[1] + one[2]) for one in _BROKEN.finditer(head)}
    return frozenset(word.term for word in words if word.term and (word.text.startswith(short) or word.text in whole))


def _implied(head: frozenset[str], measure: Sequence[str]) -> bool:
    """Return whether a head begins with what an adjective measures: "Height (ft)" for tall."""
    return any(term.startswith(told) for term in head for told in measure)


def _digits(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)


def _united(links: Sequence[_Link], words: Sequence[AskedWord]) -> tuple[_Link, ...] | None:
    """Return links with the names of one column as one of either: "Avanti or Motaworld"; None where no word says so."""
    named: dict[str, list[str]] = {}
    for link in links:
        named.setdefault(link.condition.column, []).extend(link.condition.values)
    if any(len(values) > 1 for values in named.values()) and not _JOINING.intersection(word.text for word in words):
        return None
    together = (dataclasses.replace(one.condition, values=tuple(named[one.condition.column])) for one in links)
    return tuple(dataclasses.replace(one, condition=both) for one, both in zip(links, together, strict=True))
