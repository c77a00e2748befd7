"""What a plain question over a table may mean: queries whose columns and cells its words name, none left unsaid.

A reading is kept only where it accounts for every word with content: by the form of the question, by the head of a
column, by a cell, or by what stands over the table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.evidence.table_query import CellComparison, Condition, TableOperation, TableQuery
from octavo.evidence.whole_table import WholeTable
from octavo.question.expects import Expects, expected
from octavo.question.table_forms import table_forms
from octavo.question.table_links import HAPPENED, WHEN_HEADS, WORKED_OUT, LinkedForm
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.cell_values import plain_words

_CALLED_AMOUNT = frozenset(analyze("amount number count total sum"))
"""Terms of forms that a column may be called by, too."""
_MOSTLY_DIFFERENT = 0.6
"""Share of different texts from which on a first column says what each row is called."""
_OF_NUMBERS = (CellComparison.MORE, CellComparison.LESS, CellComparison.AT_LEAST, CellComparison.AT_MOST)
_PERSON_HEADS = frozenset(analyze("name player person driver rider athlete artist team nation country title member"))
_NAME, _BIRTH = frozenset(analyze("name")), frozenset(analyze("birth born"))
_OTHER_END = {TableOperation.MOST: TableOperation.LEAST, TableOperation.LEAST: TableOperation.MOST}
_WHOLES = (TableOperation.SUM, TableOperation.AVERAGE)
_WHERE_HEADS = frozenset(analyze("location place venue city site country address hometown town state"))


def table_readings(question: str, table: WholeTable) -> tuple[TableQuery, ...]:
    """Return the queries that a plain question may mean of a table, each once; none where it is not plain."""
    found: dict[TableQuery, None] = {}
    if len(table) and len(table.heads) > 1:
        is_list = expected(question) is Expects.LIST
        forms = table_forms(question)
        said = {form.words[at].text for form in forms for at in form.told} - {"amount", "number"}
        heads = {word for head in table.heads for word in plain_words(head).split()}
        asked = {word.text for form in forms[:1] for word in form.words}
        if any(not analyze(head) and plain_words(head) in asked for head in table.heads):
            return ()  # "For" and "Against" are no words that say anything
        is_ranked = any(form.operation in _OTHER_END for form in forms)
        for form in forms:
            if (
                is_ranked
                and form.operation in _WHOLES
                and not {form.words[at].text for at in form.told}.isdisjoint(heads)
            ):
                continue  # the most "total enrollment" is no sum where a column is called so
            if form.operation is TableOperation.VALUE and len(forms) > 1 and said.isdisjoint(heads):
                continue
            for query in _Reader(dataclasses.replace(form, is_list=is_list), table).queries():
                found.setdefault(query)
    return tuple(found)


class _Reader(LinkedForm):
    """What one form of a question may mean of a table."""

    def queries(self) -> Iterator[TableQuery]:
        """Yield the queries under which no word is left unsaid."""
        for said, conditions in self.conditions():
            yield from self._with(said, conditions)

    def _with(self, said: set[int], where: Sequence[Condition]) -> Iterator[TableQuery]:
        form = self.form
        conditions = tuple(where)
        said = said.union(*(self._says_of(self.table.column(one.column), form.asked) for one in where))
        free = [at for at in form.free if at not in said]
        asked, of = [at for at in form.asked if at in free], [at for at in form.of if at in free]
        if form.operation is TableOperation.COUNT:
            yield from self._counts(said, conditions, asked)
        elif form.operation in (TableOperation.SUM, TableOperation.AVERAGE, TableOperation.DIFFERENCE):
            if form.operation is not TableOperation.DIFFERENCE and self._is_of_label(conditions):
                return
            told = [at for at in sorted(form.told) if form.words[at].term in _CALLED_AMOUNT]
            for column in self.named([*(of or free), *told], values=True):
                if form.is_change:
                    yield from self._changes(said | self.says(column), conditions, column)
                elif self.table.is_of_numbers(column) and self.is_all_said(said | self.says(column)):
                    yield TableQuery(form.operation, conditions, self.table.heads[column])
        elif form.operation in (TableOperation.LEAST, TableOperation.MOST):
            yield from self._extremes(said, conditions, asked, of)
        elif form.operation in (TableOperation.FIRST, TableOperation.LAST):
            yield from self._ends(said, conditions, asked, of)
        elif conditions and all(one.comparison in _OF_NUMBERS or len(one.values) == 1 for one in conditions):
            yield from self._cells(said, conditions, asked, free)

    def _says_of(self, column: int, asked: Sequence[int]) -> set[int]:
        """Return the places of words that a head accounts for: of what is asked for no word of its group's head."""
        return {at for at in self.says(column) if at not in asked or self.form.words[at].term in self.own[column]}

    def _changes(self, said: set[int], where: tuple[Condition, ...], column: int) -> Iterator[TableQuery]:
        """Yield by how much a column changed between the two ends of a stretch of time."""
        ends = [one.column for one in where if one.comparison is CellComparison.IS and len(one.values) == 2]
        if len(ends) == 1 and self.table.is_of_numbers(column) and self.is_all_said(said):
            yield TableQuery(TableOperation.DIFFERENCE, where, self.table.heads[column], ends[0])

    def _is_of_label(self, where: Sequence[Condition]) -> bool:
        """Return whether rows are named by what each is called: two of one name are no things of a kind."""
        words = [text for text in self.table.words[0] if text]
        is_label = len(set(words)) > _MOSTLY_DIFFERENT * len(words) and not self.table.is_of_days(0)
        return is_label and any(one.column == self.table.heads[0] and len(one.values) == 1 for one in where)

    def _counts(self, said: set[int], where: tuple[Condition, ...], asked: Sequence[int]) -> Iterator[TableQuery]:
        told = [at for at in sorted(self.form.told) if self.form.words[at].term in _CALLED_AMOUNT]
        amounts = [at for at in self.named(told, values=True) if self.table.is_of_numbers(at)]
        if amounts:  # "the total amount of orders" over a column of amounts counts none
            if self.is_all_said(said | {*asked[-1:]}):
                yield from (TableQuery(TableOperation.SUM, where, self.table.heads[at]) for at in amounts)
            return
        numbers, texts = self.named(asked, values=True), self.named(asked, values=False)
        terms = {self.form.words[at].term for at in asked}
        if any(self.own[column] <= terms for column in texts):  # things are asked for by the name of their column
            numbers = [column for column in numbers if self.own[column] <= terms]
        for column in numbers:
            is_number = self.table.is_of_numbers(column)
            if where and is_number and self.is_all_said(said | self.says(column), spare=1):
                yield TableQuery(TableOperation.VALUE, where, shown=self.table.heads[column])
        for column in texts:
            if self.is_all_said(said | self.says(column)):
                yield from self._counted(where, column, is_named=True)
        # What a sheet lists may be called otherwise than its column: the last word of what is counted, and no other.
        is_unnamed = not numbers and not texts and self.table.is_of_sheet and not self._is_of_one(where)
        if is_unnamed and self.is_all_said(said | set(asked[-1:])):
            yield from self._counted(where, 0, is_named=False)

    def _counted(self, where: tuple[Condition, ...], column: int, *, is_named: bool) -> Iterator[TableQuery]:
        """Yield the number of rows and that of different values of a column: both have to be the same."""
        is_distinct = self.form.is_distinct
        if not is_distinct:
            yield TableQuery(TableOperation.COUNT, where)
        head = self.table.heads[column]
        if (is_named or not is_distinct) and not any(one.column == head for one in where):
            yield TableQuery(TableOperation.DISTINCT, where, head)

    def _is_of_one(self, where: Sequence[Condition]) -> bool:
        """Return whether a condition names one row by its key: of one nothing is counted."""
        keys = {head for at, head in enumerate(self.table.heads) if self.is_key(at) and at not in self.table.days}
        return any(one.column in keys and one.comparison is CellComparison.IS for one in where)

    def _measured(self, of: Sequence[int]) -> list[int]:
        """Return the columns that the most or the least is looked for in; no times of the fastest, who takes least."""
        found = self.named(of, values=True, besides=self.form.measure)
        return [column for column in found if "speed" not in self.form.measure or "time" not in self.heads[column]]

    def _extremes(
        self, said: set[int], where: tuple[Condition, ...], asked: Sequence[int], of: Sequence[int]
    ) -> Iterator[TableQuery]:
        form, operation = self.form, self.form.operation
        measured = self._measured(of)
        if not measured and "age" in form.measure:  # the oldest was born first
            measured, operation = self._births(), _OTHER_END[operation]
        if form.is_choice:
            yield from self._choices(operation, said, where, measured or self.named(form.free, values=True), of)
            return
        for column in measured:
            own = said | self._says_of(column, asked)
            left = [at for at in of if at not in own]
            terms = {form.words[at].term for at in of}
            is_value = 2 * len(self.heads[column] & terms) >= len(self.heads[column])
            if form.asks in ("what", "") and not asked and is_value:
                if self.is_all_said(own):
                    yield TableQuery(operation, where, self.table.heads[column])
                continue
            for shown, places in self._shown(asked or left, own, where):
                if shown != column and self.is_all_said(own | places, spare=1):
                    yield TableQuery(operation, where, self.table.heads[column], self.table.heads[shown])
        if not measured and form.operation is TableOperation.MOST:
            yield from self._oftenest(said | set(of[-1:]), where, asked)

    def _oftenest(self, said: set[int], where: tuple[Condition, ...], asked: Sequence[int]) -> Iterator[TableQuery]:
        for column in self.named(asked, values=None):
            if not self.is_key(column) and self.is_all_said(said | self.says(column), spare=1):
                yield TableQuery(TableOperation.OFTENEST, where, self.table.heads[column])

    def _births(self) -> list[int]:
        return [at for at, head in enumerate(self.heads) if head & _BIRTH and self.table.is_of_values(at)]

    def _choices(
        self,
        operation: TableOperation,
        said: set[int],
        where: tuple[Condition, ...],
        measured: Sequence[int],
        of: Sequence[int],
    ) -> Iterator[TableQuery]:
        """Yield which of two things has more or less."""
        pair = [one for one in where if one.comparison is CellComparison.IS and len(one.values) == 2]
        if len(pair) != 1:
            return
        head = pair[0].column
        for column in measured:
            if self.table.heads[column] != head and self.is_all_said(said | self.says(column), spare=1):
                yield TableQuery(operation, where, self.table.heads[column], head)
        if not measured and operation is TableOperation.MOST and self.is_all_said(said | set(of[-1:])):
            yield TableQuery(TableOperation.OFTENEST, where, head)

    def _ends(
        self, said: set[int], where: tuple[Condition, ...], asked: Sequence[int], of: Sequence[int]
    ) -> Iterator[TableQuery]:
        for shown, places in self._shown(asked or of, said, where):
            is_told = self.is_all_said(said | places, spare=None if self._order() is None else 0)
            if self._order() != -1 and is_told:
                yield TableQuery(self.form.operation, where, shown=self.table.heads[shown])

    def _order(self) -> int | None:
        """Return 1 where rows stand in the order of time, -1 where the latest stands first, None where neither shows.

        The order that a question speaks of itself is that of the table.
        """
        if self.form.is_listed:
            return 1
        for column in range(len(self.heads)):
            values = self.table.values(column)[self.table.is_data]
            if self.is_of_years(column) and self.table.is_of_values(column) and len(values) > 1:
                steps = np.diff(values[np.isfinite(values)])
                if (steps >= 0).all():
                    return 1
                if (steps <= 0).all():
                    return -1
        return None

    def _cells(
        self, said: set[int], where: tuple[Condition, ...], asked: Sequence[int], free: Sequence[int]
    ) -> Iterator[TableQuery]:
        taken = {one.column for one in where}
        for shown, places in self._shown(asked or free, said, where):
            own = said | places
            is_beside = self.form.operation in (TableOperation.BEFORE, TableOperation.AFTER)
            if is_beside and self._order() == -1:
                return
            if self._is_share_of(shown):
                continue
            if (is_beside or self.table.heads[shown] not in taken) and self.is_all_said(own, spare=1):
                is_list = self.form.is_list and self.form.operation is TableOperation.VALUE
                yield TableQuery(
                    TableOperation.VALUES if is_list else self.form.operation, where, shown=self.table.heads[shown]
                )

    def _is_share_of(self, column: int) -> bool:
        """Return whether a column has the per cent of a change, and no per cent is asked for."""
        terms = {word.term for word in self.form.words}
        return "%" in self.table.heads[column] and not terms.isdisjoint(WORKED_OUT) and "percent" not in terms

    def _shown(
        self, places: Sequence[int], said: set[int], where: Sequence[Condition]
    ) -> Iterator[tuple[int, set[int]]]:
        """Yield the columns whose cells may answer, and the words that each accounts for."""
        form, known = self.form, {one.column for one in where}
        open_ones = [at for at in places if at not in said]
        things = [at for at in open_ones if form.words[at].term not in HAPPENED]
        named = self.named(things, values=None) or self.named(open_ones, values=None, besides=self._sized())
        named = [column for column in named if not self._counts_what_is_asked(column)]
        if form.operation in (TableOperation.BEFORE, TableOperation.AFTER):
            named = self._beside(named, where)
        if named:
            yield from ((column, self.says(column)) for column in named)
            return
        kinds = {"who": _PERSON_HEADS, "whom": _PERSON_HEADS, "where": _WHERE_HEADS, "when": WHEN_HEADS}
        wanted = kinds.get(form.asks)
        if wanted is None:
            people = [at for at in form.asked[-1:] if form.words[at].term in _PERSON_HEADS]
            names = [at for at, head in enumerate(self.heads) if head == _NAME] if people else []
            if names:
                yield from ((at, {*people} - said) for at in names)
                return
            # What is asked for may be called otherwise than its column: by one word.
            if self.is_key(self.things) and self.table.is_of_sheet:
                yield self.things, {at for at in form.asked[-1:] if at not in said}
            return
        columns = [at for at, head in enumerate(self.heads) if head & wanted]
        if form.asks in ("who", "whom") and not columns:
            columns = [self.things]
        yield from ((column, set[int]()) for column in columns[:1] if self.table.heads[column] not in known)

    def _sized(self) -> Sequence[str]:
        """Return terms of what is asked for where an adjective tells it: height of "how tall is"."""
        return self.form.measure if self.form.operation is TableOperation.VALUE else ()

    def _counts_what_is_asked(self, column: int) -> bool:
        """Return whether a column has numbers of the things of which one is asked for: "Counties" of "which county"."""
        asked = {self.form.words[at].text for at in self.form.asked}
        words = plain_words(self.table.heads[column]).split()
        is_one = self.form.asks in ("which", "what", "who") and not self.form.is_list
        return is_one and self.table.is_of_numbers(column) and bool(asked) and len(words) == 1 and words[0] not in asked

    def _beside(self, named: Sequence[int], where: Sequence[Condition]) -> Sequence[int]:
        """Return the columns that answer what comes before or after a row: that by which the row is called, if none."""
        if self.form.asked and named:
            return named
        if asked := self.named(self.form.asked, values=None):
            return [column for column in asked if not self._counts_what_is_asked(column)]
        heads = [self.table.column(one.column) for one in where]
        own = [at for at in heads if not self.table.is_of_values(at)] or heads
        return own[:1]
