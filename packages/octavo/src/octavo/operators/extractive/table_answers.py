"""Questions over whole tables: queries that fit are carried out, and the answer is shown with the rows it stands on.

An answer is stated where everything that the question may mean comes to the same, in every table that has it all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import partial

from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Outcome, Passage, View
from octavo.evidence.citation import cell_of
from octavo.evidence.meant_documents import MeantDocuments
from octavo.evidence.table_query import TableOperation, TableQuery
from octavo.evidence.whole_table import WholeTable
from octavo.operators.extractive.fits import ShortAnswer
from octavo.operators.extractive.meant_answers import may_be_stated
from octavo.operators.extractive.passages import expand_passage
from octavo.operators.extractive.shown_rows import more_of
from octavo.operators.extractive.table_cells import printed_cell
from octavo.operators.extractive.table_queries import Worked, in_words, work
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import is_wide, stream_of
from octavo.operators.extractive.whole_tables import OneTable, whole_table
from octavo.operators.keep import RELEVANCE
from octavo.question.table_forms import compares_rows, looks_up_alone, table_forms
from octavo.question.table_readings import table_readings
from octavo_documents.document.grid import Grid, without_cells
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.values import Value, plain, values_in
from octavo_documents.wording import t, translated

SURE = 0.8
"""The chance that such an answer is right: of 52 on tables that the rules were not made on 43 were."""
_TABLES = 4
"""Tables that a question is tried on, those of the best units."""
_MOST_CITED = 100
"""Rows that are cited one by one."""
_MOST_SHOWN = 12
"""Rows that a passage shows."""
_MOST_RIVALS = 4
"""Cells that one key names for them to be told."""


@dataclasses.dataclass(frozen=True)
class QueriedTable:
    """What came of a query over one table."""

    of: OneTable
    query: TableQuery
    worked: Worked

    @property
    def table(self) -> WholeTable:
        """The table itself."""
        return self.of.table

    @property
    def places(self) -> list[tuple[int, int]]:
        """The rows of the view's blocks, and the rows in their grids, that the answer stands on."""
        chosen = (self.table.places[row] for row in self.worked.rows)
        return [(self.of.first + block, at) for block, at in chosen]


def asked_of_tables(
    question: str, view: View, units: Sequence[ScoredUnit], meant: MeantDocuments
) -> list[QueriedTable]:
    """Return what a plain question comes to in the tables of the best units, all readings; none where it is not plain.

    Those in documents that the question does not mean are left out, and so are cells of a text's table that are no
    values: they may be parts of what is meant.
    """
    forms = table_forms(question)
    if not forms:
        return []
    words = [one.text for one in forms[0].words if one.term] if looks_up_alone(forms) else []
    found = [asked for one in _tables(view, units, words) for asked in readings_of(question, one)]
    told = (one for one in found if one.table.is_of_sheet or not _is_look_up([one]) or value_of(one.worked.text))
    return [one for one in told if may_be_stated(view, one.places[0][0], meant, partial(_said, one))]


def readings_of(question: str, one: OneTable) -> list[QueriedTable]:
    """Return what a plain question comes to in one table, all readings that come to anything."""
    return carried_out(table_readings(question, one.table), one)


def carried_out(queries: Sequence[TableQuery], one: OneTable) -> list[QueriedTable]:
    """Return what queries over a table come to, without those that come to nothing."""
    worked = ((query, work(query, one.table)) for query in queries)
    return [QueriedTable(one, query, result) for query, result in worked if result is not None]


def but_cells_compared(question: str, view: View, found: Sequence[ShortAnswer]) -> list[ShortAnswer]:
    """Return the short answers that may be stated: a cell of a sheet is none to a question that compares its rows."""
    if not any(one.source.unit.is_table_row for one in found) or not compares_rows(question):
        return [*found]
    return [one for one in found if not _is_of_sheet(view, one)]


def _is_of_sheet(view: View, found: ShortAnswer) -> bool:
    source = found.source.unit
    return source.is_table_row and without_cells(view.blocks.grid[source.row]).origin is not None


def value_of(text: str) -> Value | None:
    """Return the one value that a cell is; None for other cells."""
    values = values_in(text)
    return values[0] if len(values) == 1 and 2 * len(values[0].text) >= len(text) else None


def _said(asked: QueriedTable) -> str:
    cells = (" ".join(column[row] for column in asked.table.columns) for row in asked.worked.rows[:_MOST_SHOWN])
    return "\n".join((asked.table.about, *asked.table.heads, *cells))


def _tables(view: View, units: Sequence[ScoredUnit], words: Sequence[str]) -> Iterator[OneTable]:
    """Yield the tables of the best units, each once."""
    seen: set[int] = set()
    count = 0
    for one in units:
        row = one.unit.row
        if not one.unit.is_table_row or row in seen or count == _TABLES:
            continue
        document, number = view.locate_page(one.page)
        if view.documents[document].pages.is_scanned[number - 1]:
            continue
        first = int(view.row_starts[document])
        table = whole_table(view.parts[document], row - first, words)
        seen.add(row)
        if table is not None and len(table):
            count += 1
            seen.update(first + block for block, _ in table.places)
            yield OneTable(table, first)


def looked_up(view: View, units: Sequence[ScoredUnit], found: Sequence[QueriedTable]) -> ShortAnswer | None:
    """Return the cell that a look-up comes to, with the unit and scale that its table tells, in the row it stands in.

    None for what is no look-up, and where rows or readings differ.
    """
    texts = {one.worked.text for one in found}
    if not _is_look_up(found) or len(texts) != 1 or "" in texts:
        return None
    best = found[0]
    text = texts.pop()
    here = source_of(view, units, *best.places[0])
    if here is None:
        return None
    value = value_of(text)
    return ShortAnswer(printed_cell(text, view, here.unit, value, head=best.query.shown), text, here, 1.0, 1.0, value)


def source_of(view: View, units: Sequence[ScoredUnit], block: int, at: int) -> ScoredUnit | None:
    """Return the row of a table's block, by its number there, as the source of an answer; None where it is no unit."""
    page = int(view.page_index[block])
    stream = stream_of(view, page)
    own = [place for place, unit in enumerate(stream.units) if unit.is_table_row and unit.key == (block, at)]
    source = next((one for one in units if one.unit.is_table_row), None)
    if not own or source is None:
        return None
    span = expand_passage(view, stream, own[0])
    return dataclasses.replace(source, stream=stream, at=own[0], span=span, page=page)


def stated(question: str, evidence: Evidence, found: Sequence[QueriedTable]) -> Answer | None:
    """Return the answer where all readings come to one text; where rows tie or readings differ, these as rivals."""
    if not found:
        return None
    texts = list(dict.fromkeys(one.worked.text for one in found))
    if texts == [""] or len(texts) > 1:
        is_by_key = _is_look_up(found) and all(one.table.is_of_sheet for one in found)
        return _undecided(question, evidence, found) if is_by_key else None
    best = found[0]
    view, lines = evidence.view, _Lines(evidence.view)
    rows = (_cited(view, lines[block], block, at) for block, at in best.places[:_MOST_CITED])
    cited = [one for one in rows if one is not None]
    if not cited:
        return None
    if len(best.places) == 1:
        cells = cell_of(view, best.places[0][0], cited[0].quote, best.worked.text)
        cited = [dataclasses.replace(cited[0], cells=cells)]
    value, form = _typed(best)
    return Answer(
        question=question,
        system="",
        text=_told(best),
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=value,
        format=form,
        citations=tuple(dict.fromkeys(cited)),
        confidence=SURE,
        passages=(_passage(view, lines, best),),
        opening=_opening(best),
    )


def _is_look_up(found: Sequence[QueriedTable]) -> bool:
    return bool(found) and all(one.query.operation is TableOperation.VALUE for one in found)


def _undecided(question: str, evidence: Evidence, found: Sequence[QueriedTable]) -> Answer | None:
    """Return the rows that a key names, each with its cell, none stated."""
    view, lines = evidence.view, _Lines(evidence.view)
    rivals: dict[str, None] = {}
    passages: list[Passage] = []
    for one in found:
        column = one.table.columns[one.table.column(one.query.shown)]
        rivals.update(dict.fromkeys(column[row] for row in one.worked.rows))
        passages.append(_passage(view, lines, one))
    if len(rivals) > _MOST_RIVALS:
        return None
    rows = {place for one in found for place in one.places}
    count, texts = len(rows), tuple(filter(None, rivals))
    rivals_told = t("{n} rows fit: {texts}?", n=count, texts=either(texts))
    if count == 1:
        rivals_told = t("{n} cells fit: {texts}?", n=len(texts), texts=either(texts))
    told = rivals_told if len(texts) > 1 else t("{n} rows fit", n=count)
    return Answer(
        question=question,
        system="",
        text=t("No sure short answer. {told}", told=told),
        outcome=Outcome.PASSAGES,
        evidence=evidence,
        by=RELEVANCE,
        format=AnswerFormat.NONE,
        passages=tuple(dict.fromkeys(passages))[:_MOST_RIVALS],
        rivals=texts if len(texts) > 1 else (),
        opening=told,
    )


def either(texts: Sequence[str]) -> str:
    """Return texts as alternatives: "“60.00” or “63.00”"."""
    quoted = [f"“{on_one_line(text)}”" for text in texts]
    return t(" or ").join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _told(asked: QueriedTable) -> str:
    """Return what is answered; a sum, an average or a difference with its formula."""
    worked = asked.worked
    is_worked_out = asked.query.operation in (TableOperation.SUM, TableOperation.AVERAGE, TableOperation.DIFFERENCE)
    return f"{worked.text} = {worked.formula}" if is_worked_out else worked.text


def _typed(asked: QueriedTable) -> tuple[str | int | float | list[str] | None, AnswerFormat]:
    number, text = asked.worked.number, asked.worked.text
    if asked.query.operation is TableOperation.VALUES:
        return text.split("; "), AnswerFormat.LIST
    if number is None or number != number:
        return text, AnswerFormat.STR
    whole = plain(number)
    return whole, AnswerFormat.INT if isinstance(whole, int) else AnswerFormat.FLOAT


_OPENINGS = {
    TableOperation.COUNT: "Counted {some} of {n} rows{under}",
    TableOperation.DISTINCT: "Counted the different values of {column} in {some} of {n} rows{under}",
    TableOperation.SUM: "Added up {column} of {some} of {n} rows{under}",
    TableOperation.AVERAGE: "The average of {column} over {some} of {n} rows{under}",
    TableOperation.DIFFERENCE: "The difference of {column} between two of {n} rows{under}",
    TableOperation.LEAST: "The least {column} of {n} rows{under}",
    TableOperation.MOST: "The most {column} of {n} rows{under}",
    TableOperation.OFTENEST: "The {column} of most of {n} rows{under}",
    TableOperation.FIRST: "The first of {n} rows{under}",
    TableOperation.LAST: "The last of {n} rows{under}",
    TableOperation.BEFORE: "The row before the one{under}",
    TableOperation.AFTER: "The row after the one{under}",
}


def _opening(asked: QueriedTable) -> str:
    """Return what is said first of a query over a table: what was worked out, of how many rows, under which conditions.

    A look-up says nothing of its own.
    """
    query, table, rows = asked.query, asked.table, asked.worked.rows
    if query.operation in (TableOperation.VALUE, TableOperation.VALUES):
        return ""
    under = in_words(query, table)
    # What is the most or the first is so of the rows under the conditions; what is counted or added up, some of all.
    count = asked.worked.of or int(table.is_data.sum())
    values = {"some": len(rows), "n": count, "column": query.column, "under": under}
    return t(_OPENINGS[query.operation], **values)


class _Lines(dict[int, list[str]]):
    """The rows of blocks of tables as they are printed, by the block; read when they are first asked for."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self._view = view

    def __missing__(self, block: int) -> list[str]:
        rows = Grid.from_json(self._view.blocks.grid[block]).rows()
        self[block] = lines = [" | ".join(row).rstrip(" |") for row in rows]
        return lines


def _cited(view: View, lines: Sequence[str], block: int, at: int) -> Citation | None:
    """Return a citation of one row of a table."""
    start = sum(len(line) + 1 for line in lines[:at])
    stop = start + len(lines[at])
    if view.blocks.text[block][start:stop] == lines[at]:
        return Citation.between(view, block, start, stop)
    return Citation.of(view, block, lines[at])


def _passage(view: View, lines: _Lines, asked: QueriedTable) -> Passage:
    """Return the rows that an answer stands on under the heads of their table, as one passage.

    Of a wide table these are the first column, the first of words, and those that the query names.
    """
    places = asked.places
    shown = places[:_MOST_SHOWN]
    heads = asked.table.heads
    named = {0, asked.table.things, *map(asked.table.column, asked.query.columns)} - {-1}
    chosen = sorted(named) if is_wide(len(heads), len(" | ".join(heads))) else [*range(len(heads))]
    more = [translated(more_of(len(heads) - len(chosen), "column"))] if len(chosen) < len(heads) else []
    text = " | ".join((*(heads[at] for at in chosen), *more))
    marks: list[tuple[int, int]] = []
    for block, at in shown:
        line = on_one_line(lines[block][at])
        if more:
            cells = Grid.from_json(view.blocks.grid[block]).rows()[at]
            line = on_one_line(" | ".join(cells[one] for one in chosen))
        marks.append((len(text) + 1, len(text) + 1 + len(line)))
        text = f"{text}\n{line}"
    if left_out := translated(more_of(len(places) - len(shown), "row")):
        text = f"{text}\n{left_out}"
    whole = "\n".join(lines[block][at] for block, at in shown) if more else ""
    return Passage.at(view, places[0][0], text, emphasis=tuple(marks), score=SURE, whole=whole)
