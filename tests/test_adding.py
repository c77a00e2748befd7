"""What ARCHITECTURE.md says of adding things: a module and a row in a table are all it takes.

Each test writes a module into a folder that its package then looks into as well, puts its row into the table, uses it
on a small document, and finds the table as it was afterwards. Tables that name modules in the code are given the thing
itself here. A format is read by a process of its own, which takes nothing from this one: there the package is copied
and its table is edited.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import octavo_documents
import storing
from cli_corpus import octavo as octavo_command
from octavo.cli import context
from octavo.corpus import Corpus
from octavo.decisions import DECISIONS
from octavo.evidence import Evidence, Query
from octavo.evidence.layer_tables import LayerTable
from octavo.layers import OPTIONAL_LAYERS
from octavo.models.scripted import ScriptedModel
from octavo.operators import OPERATORS
from octavo.operators.core import Run, Step
from octavo.operators.keep import RankPages
from octavo.operators.plan_parser import read_plan
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.search import Search
from octavo.systems import SYSTEMS, System, from_plan
from octavo_documents.document.columns import unpack
from octavo_lab.benchmarks import BENCHMARKS

BIRDS = "\f".join(
    [
        "# Herons\nThe heron eats fish.\nThe grey heron weighs 1,500 grams and eats fish, frogs and voles.",
        "# Owls\nThe barn owl hunts voles at night.",
    ]
)
QUESTION = "What does the heron eat?"
TABLES: tuple[MutableMapping[str, Any], ...] = (OPERATORS, SYSTEMS, DECISIONS, OPTIONAL_LAYERS, BENCHMARKS)


@dataclasses.dataclass(frozen=True)
class Adding:
    """Puts modules into packages and rows into tables until the test is over."""

    folder: Path
    patch: pytest.MonkeyPatch
    added: list[str] = dataclasses.field(default_factory=list)

    def module(self, package: str, name: str, source: str, *, beside: str = "") -> ModuleType:
        """Write a module of a package, with a Markdown file beside it, and import it."""
        folder = self.folder / package
        folder.mkdir()
        (folder / f"{name}.py").write_text(dedent(source))
        (folder / f"{name}.md").write_text(dedent(beside))
        parent = import_module(package)
        self.patch.setattr(parent, "__path__", [*parent.__path__, str(folder)])
        self.added.append(f"{package}.{name}")
        return import_module(f"{package}.{name}")

    def row(self, table: MutableMapping[str, Any], name: str, value: Any) -> None:
        self.patch.setitem(table, name, value)

    def take_out(self) -> None:
        self.patch.undo()
        for name in self.added:
            package, _, last = name.rpartition(".")
            sys.modules.pop(name, None)
            vars(sys.modules[package]).pop(last, None)


@pytest.fixture
def adding(tmp_path: Path) -> Iterator[Adding]:
    before = [list(table) for table in TABLES]
    one = Adding(tmp_path, pytest.MonkeyPatch())
    yield one
    one.take_out()
    assert [list(table) for table in TABLES] == before


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Return a corpus of one document whose optional layers are those of the table."""
    builders = dataclasses.replace(storing.builders(), optional=OPTIONAL_LAYERS)
    with Corpus(tmp_path / "corpus", builders=lambda: builders) as opened:
        opened.add(storing.write(tmp_path, birds=BIRDS))
        yield opened


def test_a_format(tmp_path: Path) -> None:
    package = tmp_path / "octavo_documents"
    shutil.copytree(Path(octavo_documents.__file__).parent, package)
    (package / "parsing" / "shouted.py").write_text(
        dedent('''
        """Text whose headings are the lines that end in an exclamation mark."""

        from octavo_documents.document import Kind
        from octavo_documents.parsing.encodings import text_of
        from octavo_documents.parsing.flow import FlowBlock, FlowContent


        def read(data: bytes) -> FlowContent:
            """Return the blocks of a file, a line each. Raises NoText."""
            text, warnings = text_of(data)
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            blocks = [
                FlowBlock(Kind.HEADING, line.strip("!"), 1) if line.endswith("!") else FlowBlock(Kind.PARAGRAPH, line)
                for line in lines
            ]
            return FlowContent(tuple(blocks), warnings=warnings)
        ''')
    )
    table = package / "parsing" / "formats.py"
    first, row, rest = table.read_text().partition('    ".txt": "plain",\n')
    assert row
    table.write_text(f'{first}    ".shout": "shouted",\n{row}{rest}')
    (tmp_path / "herons.shout").write_text("Food!\nThe heron eats fish.\nWeight!\nThe grey heron weighs 1,500 grams.\n")

    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "OCTAVO_CORPUS": str(tmp_path / "corpus")}
    asked = [sys.executable, "-m", "octavo", "ask", "How much does the heron weigh?", "herons.shout", "--json"]
    done = subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["citations"][0]["section"] == ["Weight"]
    assert "1,500 grams" in answer["citations"][0]["quote"]


def test_an_operator(adding: Adding, corpus: Corpus) -> None:
    module = adding.module(
        "octavo.operators.score",
        "longest",
        '''
        """The longest blocks of the evidence."""

        from __future__ import annotations

        import dataclasses

        import numpy as np

        from octavo.evidence import Evidence
        from octavo.operators.core import Run, Step


        @dataclasses.dataclass(frozen=True)
        class KeepLongest(Step[Evidence, Evidence]):
            """Keep the `most` longest blocks."""

            most: int = 1

            def apply(self, value: Evidence, using: Run) -> Evidence:
                """Return the blocks that are kept."""
                lengths = np.array([len(value.view.blocks.text[int(row)]) for row in value.rows])
                return value.keep(np.isin(np.arange(len(value)), np.argsort(-lengths, kind="stable")[: self.most]))
        ''',
    )
    adding.row(OPERATORS, "KeepLongest", module.KeepLongest)

    plan = from_plan("Search('bm25') >> KeepLongest(most=1) >> RankPages('bm25')")
    found = corpus.search(QUESTION, system=plan)
    assert [found.evidence.view.blocks.text[int(row)] for row in found.evidence.rows] == [
        "The grey heron weighs 1,500 grams and eats fish, frogs and voles."
    ]
    assert [step.step for step in found.trace] == ["Search", "KeepLongest", "RankPages"]
    assert read_plan(repr(plan.retrieve)) == plan.retrieve


def test_a_system(adding: Adding, corpus: Corpus) -> None:
    module = adding.module(
        "octavo.systems",
        "first_page",
        '''
        """The page that has most of the question's words, and no other."""

        from octavo.operators.keep import RankPages
        from octavo.operators.read.direct_reader import DirectReader
        from octavo.operators.score.search import Search
        from octavo.systems import System

        _RETRIEVE = Search("coverage") >> RankPages("coverage", most=1)
        FIRST_PAGE = System("first-page", _RETRIEVE, _RETRIEVE >> DirectReader())
        ''',
    )
    adding.row(SYSTEMS, "first-page", module.FIRST_PAGE)

    assert corpus.search(QUESTION, system="first-page").evidence.summary().endswith("on 1 pages of 1 documents")
    answer = corpus.ask(QUESTION, system="first-page")
    assert answer.system == "first-page"
    assert answer.passages[0].page == 1


def test_a_decision(adding: Adding, tmp_path: Path) -> None:
    module = adding.module(
        "octavo.decisions",
        "is_polite",
        '''
        """Whether a question is asked politely."""

        from __future__ import annotations

        from pydantic import BaseModel

        from octavo.decisions.engine import Decision, Filled, Template, inert, shorten


        class Politeness(BaseModel):
            """The verdict."""

            polite: bool


        def _render(question: str, room: int) -> Filled:
            shown, cut = shorten(question, room)
            return Filled({"question": inert(shown)}, left_out=bool(cut))


        IS_POLITE: Decision[str, Politeness] = Decision(
            name="is_polite",
            version="1",
            template=Template.beside(__file__),
            output=Politeness,
            render=_render,
            rule=lambda question: Politeness(polite="please" in question.lower()),
        )
        ''',
        beside="""\
        Tell whether a question is asked politely. Reply with one JSON object: {"polite": TRUE OR FALSE}
        ---
        <question>
        $question
        </question>
        """,
    )
    adding.row(DECISIONS, "is_polite", module.IS_POLITE)

    @dataclasses.dataclass(frozen=True)
    class OnlyIfPolite(Step[Evidence, Evidence]):
        def apply(self, value: Evidence, using: Run) -> Evidence:
            decided = using.judge.decide(DECISIONS["is_polite"], using.query.question)
            return value if decided.output.polite else value.keep(np.zeros(len(value), np.bool_))

    search = Search("bm25") >> OnlyIfPolite() >> RankPages("bm25")
    system = System("polite", search, search >> DirectReader())
    files = storing.write(tmp_path, birds=BIRDS)
    model = ScriptedModel(['{"polite": true}'])
    with storing.corpus(tmp_path / "corpus", models=model) as corpus:
        corpus.add(files)
        found = corpus.search(QUESTION, system=system)
        assert len(found.evidence)
        assert found.decided_by == {"model": 1}
        assert QUESTION in model.requests[0].turns[0].text
    with storing.corpus(tmp_path / "corpus", models={"language": model, "is_polite": "none"}) as corpus:
        found = corpus.search(QUESTION, system=system)
        assert not len(found.evidence)
        assert found.decided_by == {"rule": 1}


def test_a_layer(adding: Adding, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    module = adding.module(
        "octavo.layers",
        "lengths",
        '''
        """The lengths layer: how many characters each block has."""

        import numpy as np

        from octavo_documents.document.columns import pack
        from octavo.layers.base import Layer, LayerInputs


        def build(inputs: LayerInputs) -> bytes:
            """Return the packed "lengths", (n_blocks,) int32."""
            return pack({"lengths": np.array([len(text) for text in inputs.document.blocks.text], np.int32)}, {})


        LENGTHS = Layer(name="lengths", version=1, reads=(), build=build)
        ''',
    )
    adding.row(OPTIONAL_LAYERS, "lengths", module.LENGTHS)

    lengths_table = LayerTable(
        "lengths", lambda data: unpack(data)[0]["lengths"], lambda each, _first: np.concatenate(each)
    )

    @dataclasses.dataclass(frozen=True)
    class SearchLong(Step[Query, Evidence]):
        def needs(self) -> frozenset[str]:
            return frozenset({"lengths"})

        def apply(self, value: Query, using: Run) -> Evidence:
            lengths = using.view.layer(lengths_table)
            return Evidence.of(using.view, range(len(using.view)), source="length", length=lengths)

    search = SearchLong() >> RankPages("length", most=1)
    corpus: Corpus = request.getfixturevalue("corpus")
    found = corpus.search(QUESTION, system=System("long", search, search >> DirectReader()))
    assert max(found.evidence.scores["length"]) == len(
        "The grey heron weighs 1,500 grams and eats fish, frogs and voles."
    )
    (layers,) = corpus.layers().values()
    assert layers["lengths"] == "rule"


def test_a_benchmark(adding: Adding, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = adding.module(
        "octavo_lab.benchmarks",
        "riddles",
        '''
        """Riddles: a made-up benchmark of one question a line."""

        from octavo_lab.benchmarks.rows import Definition
        from octavo_lab.benchmarks.rows import Row
        from octavo_lab.question import Question


        def _question(row: Row) -> Question:
            return Question(
                id=row.text("number"),
                question=row.text("riddle"),
                answer=row.text("solution"),
                documents=(row.text("book"),),
                evidence_pages=row.pages("leaf"),
            )


        RIDDLES = Definition(
            name="riddles",
            title="Riddles",
            source="https://example.org/riddles",
            files=("riddles.jsonl",),
            question=_question,
            metrics=("exact_match", "token_f1"),
        )
        ''',
    )
    adding.row(BENCHMARKS, "riddles", module.RIDDLES)

    folder = tmp_path / "riddles"
    storing.write(folder / "documents", birds=BIRDS)
    row = {
        "number": 1,
        "riddle": "What hunts voles at night?",
        "solution": "barn owl",
        "book": "birds.pdf",
        "leaf": [2],
    }
    (folder / "riddles.jsonl").write_text(json.dumps(row))
    monkeypatch.setattr(context, "open_corpus", lambda settings: storing.corpus(settings.corpus))
    monkeypatch.delenv("OCTAVO_CORPUS", raising=False)
    monkeypatch.chdir(tmp_path)
    done = octavo_command("evaluate", "riddles", "--documents", str(folder), "--out", "out", "--system", "bm25")
    assert done.status == 0, done.err
    (system,) = json.loads((tmp_path / "out" / "report.json").read_text())["systems"]
    assert system["metrics"]["pr"] == 1.0
    assert "token_f1" in system["metrics"]
