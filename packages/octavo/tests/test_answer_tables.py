"""Tables of answers: filled, kept, gone on with, corrected by hand, over both engines."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import storing
from octavo.corpus import Corpus
from octavo.corpus.tables.cell import KeptCell
from octavo.corpus.tables.filling import CellFilled, TablePlan
from octavo.errors import CorpusError, UsageError
from octavo.exports.table_cells import page_of, quote_of
from octavo.models.gateway import Caps
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from storing import write

pytestmark = pytest.mark.usefixtures("engine")
ONE_ENGINE = pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
MASS, YEAR = "What is the mass of the bell?", "In which year was the bell cast?"
NORTH = "# Bells\nThe bell was cast in the year 1871.\nThe mass of the bell is 120 kg.\nIt hangs in the north tower."
SOUTH = "# Bells\nThe bell was cast in the year 1902.\nThe mass of the bell is 95 kg.\nIt hangs in the south tower."


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write(tmp_path / "files", north=NORTH, south=SOUTH)
    return tmp_path / "files"


@pytest.fixture
def corpus(tmp_path: Path, files: Path) -> Corpus:
    made = storing.corpus(tmp_path / "corpus")
    made.add(files)
    return made


def asked(corpus: Corpus, *questions: str, **how: object) -> list[tuple[str, int]]:
    """Fill a table and return the cells that had to be asked: document and column."""
    told = list[CellFilled]()
    table = corpus.table(questions, on_cell=told.append, workers=1, **how)  # type: ignore[arg-type]
    return [(table.rows[one.row].document, one.column) for one in told]


def test_each_question_is_asked_of_each_document_by_itself(corpus: Corpus) -> None:
    with corpus:
        table = corpus.table([MASS, YEAR])
        assert [row.document for row in table.rows] == ["north.pdf", "south.pdf"]
        assert not table.counts()["empty"]
        for row, mass, year in zip(table.rows, ("120", "95"), ("1871", "1902"), strict=True):
            for cell, value in zip(row.cells, (mass, year), strict=True):
                assert cell is not None
                assert cell["by"] == "rule"
                places = [*cell["citations"], *cell["passages"]]
                assert {one["document_id"] for one in places} == {row.document_id}
                assert value in "".join(one.get("quote", one.get("text", "")) for one in places)


def test_only_what_is_missing_is_asked(corpus: Corpus, files: Path) -> None:
    with corpus:
        assert len(asked(corpus, MASS)) == 2
        assert asked(corpus, MASS, YEAR) == [("north.pdf", 1), ("south.pdf", 1)]
        assert asked(corpus, YEAR, f"  {MASS} ") == []
        write(files, west=NORTH.replace("120", "130"))
        corpus.add(files)
        assert asked(corpus, MASS, YEAR) == [("west.pdf", 0), ("west.pdf", 1)]
        assert len(asked(corpus, MASS, again=True)) == 3
        assert len(asked(corpus, MASS, system="bm25")) == 3
        corpus.remove("west.pdf")
        assert asked(corpus, MASS, system="bm25") == []


def test_a_changed_file_is_asked_again(corpus: Corpus, files: Path) -> None:
    with corpus:
        asked(corpus, MASS)
        write(files, south=SOUTH.replace("95", "96"))
        corpus.add(files)
        assert asked(corpus, MASS) == [("south.pdf", 0)]


def test_what_was_filled_before_a_break_is_kept(corpus: Corpus) -> None:
    def break_off(filled: CellFilled) -> None:
        if filled.done == 3:
            raise KeyboardInterrupt

    with corpus:
        with pytest.raises(KeyboardInterrupt):
            corpus.table([MASS, YEAR], on_cell=break_off, workers=1)
        standing = corpus.table_filling([MASS, YEAR]).table
        assert standing.counts()["empty"] == 1
        assert asked(corpus, MASS, YEAR) == [("south.pdf", 1)]


def test_several_documents_are_asked_at_once(corpus: Corpus, files: Path) -> None:
    def break_off(filled: CellFilled) -> None:
        if filled.done == 3:
            raise KeyboardInterrupt

    with corpus:
        write(files, **{f"bell{at}": NORTH.replace("120", f"{at}0") for at in range(1, 7)})
        corpus.add(files)
        with pytest.raises(KeyboardInterrupt):
            corpus.table([MASS, YEAR], on_cell=break_off, workers=4)
        left = corpus.table_filling([MASS, YEAR]).due
        assert 0 < left <= 14
        told = list[CellFilled]()
        table = corpus.table([MASS, YEAR], on_cell=told.append, workers=4)
        assert [one.done for one in told] == [*range(1, left + 1)]
        assert not table.counts()["empty"]


def test_a_correction_stays_and_is_taken_back(corpus: Corpus, files: Path) -> None:
    with corpus:
        found = corpus.table([MASS]).cell(0, 0)
        assert found is not None
        told = corpus.correct("north.pdf", MASS, "121 kg", citation=found["passages"][0]["id"])
        assert told is not None
        assert (told["text"], told["by"], told["outcome"]) == ("121 kg", "hand", "answer")
        assert told["citations"][0]["document"] == "north.pdf"
        assert told["citations"][0]["quote"]
        assert asked(corpus, MASS, again=True, system="bm25") == [("south.pdf", 0)]
        kept = corpus.table([MASS]).cell(0, 0)
        assert kept is not None
        assert (kept["text"], kept["found"]) == ("121 kg", found["text"])
        nothing = corpus.correct("north.pdf", MASS, "")
        assert nothing is not None
        assert nothing["outcome"] == "nothing"
        back = corpus.correct("north.pdf", MASS, None)
        assert back is not None
        assert back["by"] == "rule"
        assert corpus.correct("north.pdf", "Never asked?", None) is None
        with pytest.raises(UsageError, match=r"is of north\.pdf, not of south\.pdf"):
            corpus.correct("south.pdf", MASS, "x", citation=found["passages"][0]["id"])


@ONE_ENGINE
@pytest.mark.parametrize(("text", "stands"), [("120 KG", True), ("121 kg", False), ("20 kg", False), ("12", False)])
def test_what_is_put_in_a_cell_stands_where_its_words_do(corpus: Corpus, text: str, stands: bool) -> None:
    with corpus:
        found = corpus.table([MASS], "north.pdf").cell(0, 0)
        assert found is not None
        assert page_of(found)
        told = corpus.correct("north.pdf", MASS, text)
        assert told is not None
        assert [one["id"] for one in told["passages"]] == [one["id"] for one in found["passages"]]  # to choose from
        assert (bool(page_of(told)), "120 kg" in quote_of(told)) == (stands, stands)


def test_cells_go_with_their_document(corpus: Corpus, files: Path) -> None:
    with corpus:
        corpus.correct("north.pdf", MASS, "121 kg")
        store, gone = corpus.backend.store, corpus.resolve("north.pdf").id
        corpus.remove("north.pdf")
        assert store.cells([gone]) == {}
        assert not store.keep_cell(gone, "00", "{}")
        assert corpus.check().is_sound
        corpus.add(files)
        cell = corpus.table([MASS], "north.pdf").cell(0, 0)
        assert cell is not None
        assert cell["by"] == "rule"


@ONE_ENGINE
def test_cells_of_no_document_are_found_and_taken_out(corpus: Corpus) -> None:
    with corpus:
        corpus.table([MASS])
        ids = [info.id for info in corpus.list()]
        connections = corpus.backend.store.connections  # type: ignore[attr-defined]
        with connections.writing() as connection:
            connection.execute("INSERT INTO meta (key, value) VALUES ('cell:sha256:ab:0f', '{}')")
        assert [one.message for one in corpus.check().findings if "cells of no document" in one.message]
        corpus.check(repair=True)
        assert corpus.check().is_sound
        assert corpus.backend.store.cells(ids).keys() == {*ids}


@ONE_ENGINE
def test_nothing_is_kept_where_nothing_may_be_written(corpus: Corpus, tmp_path: Path) -> None:
    with corpus:
        corpus.correct("north.pdf", MASS, "121 kg")
        spare = corpus.cell_store(is_written=False)
        filling = corpus.table_filling([MASS], store=spare)
        assert filling.due == 1
        filling.fill()
        assert corpus.table_filling([MASS]).due == 1
        again = corpus.table_filling([MASS], store=spare)
        assert again.due == 0
        first = again.table.cell(0, 0)
        assert first is not None
        assert first["by"] == "hand"


def test_wrong_calls_are_told_in_a_line(corpus: Corpus, tmp_path: Path) -> None:
    with corpus:
        for questions, what in (([], "needs a question"), ([" "], "is empty"), (["x"] * 2 + [""], "is empty")):
            with pytest.raises(UsageError, match=what):
                corpus.table(questions)
        with pytest.raises(UsageError, match="200 questions at most, not 201"):
            corpus.table([f"What is {at}?" for at in range(201)])
        with pytest.raises(UsageError, match="2,000 characters at most"):
            corpus.table(["x" * 2001])
        with pytest.raises(UsageError, match="2,000 characters at most"):
            corpus.correct("north.pdf", MASS, "x" * 2001)
    with storing.corpus(tmp_path / "empty") as empty, pytest.raises(CorpusError, match="there is no document"):
        empty.table([MASS])


def test_a_cell_that_cannot_be_read_is_damage() -> None:
    kept = KeptCell(MASS, mark="m")
    assert KeptCell.from_json(kept.to_json()) == kept
    for text in ("", "[]", '{"question": 1, "x": 2}', "{"):
        with pytest.raises(CorpusError, match="cannot be read"):
            KeptCell.from_json(text)


# With a model


def answering(request: Request) -> str:
    """Answer with the passage that speaks of the mass."""
    text = request.turns[-1].text
    passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", text, re.DOTALL)
    number, quote = next(
        (int(number), found[0]) for number, passage in passages if (found := re.findall(r"The mass of .*? kg", passage))
    )
    value = re.findall(r"\d+ kg", quote)[0]
    return json.dumps({"evidence": [{"id": number, "quote": quote}], "answerable": True, "answer": value})


@ONE_ENGINE
def test_what_models_take_is_told_first_and_capped(corpus: Corpus, tmp_path: Path) -> None:
    corpus.close()
    model, plans = ScriptedModel(answering), list[TablePlan]()
    with storing.corpus(tmp_path / "corpus", models=model) as paid:
        plan = paid.table_plan([MASS])
        assert model.calls == 0
        assert (plan.cells, plan.due, plan.models) == (2, 2, ("scripted:test",))
        assert plan.calls >= 2
        assert plan.input_tokens > 100
        short = paid.table([MASS], caps=Caps(calls=1))
        assert short.stopped == "max_calls"
        assert short.counts()["empty"] >= 1
        before = model.calls
        table = paid.table([MASS], announce=plans.append)
        assert [cell["text"] for row in table.rows for cell in row.cells if cell] == ["120 kg", "95 kg"]
        assert {cell["by"] for row in table.rows for cell in row.cells if cell} == {"model"}
        assert plans[0].due == short.counts()["empty"]
        paid.table([MASS], announce=plans.append)
        assert plans[1].due == plans[1].calls == 0
        assert model.calls > before


@ONE_ENGINE
def test_a_cell_that_a_failing_model_left_to_the_rules_is_asked_again(corpus: Corpus, tmp_path: Path) -> None:
    corpus.close()

    def failing(_request: Request) -> str:
        raise ModelFault(FaultKind.REFUSED, "no")

    with storing.corpus(tmp_path / "corpus", models=ScriptedModel(failing)) as paid:
        table = paid.table([MASS])
        assert not table.counts()["empty"]
        assert "the model failed" in table.notes[0]
        assert paid.table_filling([MASS]).due == 2
