"""A package from outside adds one of each kind by its entry points alone, and no table of ours is touched."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from octavo_documents import plugins
from outside import in_turn, octavo

MODULES = {
    "shouted": '''
        """Text whose headings are the lines that end in an exclamation mark."""

        from octavo_documents.document import Kind
        from octavo_documents.parsing.encodings import text_of
        from octavo_documents.parsing.flow import FlowBlock, FlowContent


        def read(data):
            text, warnings = text_of(data)
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            blocks = [
                FlowBlock(Kind.HEADING, line.strip("!"), 1) if line.endswith("!") else FlowBlock(Kind.PARAGRAPH, line)
                for line in lines
            ]
            return FlowContent(tuple(blocks), warnings=warnings)
        ''',
    "lengths": '''
        """The longest blocks: a layer with the lengths, and an operator that keeps the longest."""

        import dataclasses

        import numpy as np

        from octavo.evidence import Evidence
        from octavo.evidence.layer_tables import LayerTable
        from octavo.layers.base import Layer
        from octavo.operators.columns import Columns
        from octavo.operators.core import Step
        from octavo.operators.sentence_forms import kept
        from octavo_documents.document.columns import pack, unpack


        def build(inputs):
            return pack({"lengths": np.array([len(text) for text in inputs.document.blocks.text], np.int32)}, {})


        LENGTHS = Layer(name="lengths", version=1, reads=(), build=build)
        LENGTHS_OF_BLOCKS = LayerTable(
            "lengths", lambda data: unpack(data)[0]["lengths"], lambda each, first: np.concatenate(each)
        )


        @dataclasses.dataclass(frozen=True)
        class KeepLongest(Step[Evidence, Evidence]):
            """Keep the `most` longest blocks."""

            declares = Columns()
            sentence = kept("Kept the longest words")

            most: int = 1

            def needs(self):
                return frozenset({"lengths"})

            def apply(self, value, using):
                lengths = using.view.layer(LENGTHS_OF_BLOCKS)
                order = np.argsort(-lengths[value.rows], kind="stable")[: self.most]
                return value.keep(np.isin(np.arange(len(value)), order))


        @dataclasses.dataclass(frozen=True)
        class Unsaid(Step[Evidence, Evidence]):
            """Write a column without a word on it."""

            def apply(self, value, using):
                return value.with_score("new", np.ones(len(value)))
        ''',
    "polite": '''
        """A decision, and a system that asks it."""

        import dataclasses

        import numpy as np
        from pydantic import BaseModel

        from octavo.decisions import DECISIONS
        from octavo.decisions.engine import Decision, Filled, Template, inert, shorten
        from octavo.evidence import Evidence
        from octavo.operators import OPERATORS
        from octavo.operators.core import Step
        from octavo.operators.keep import RankPages
        from octavo.operators.read.direct_reader import DirectReader
        from octavo.operators.score.search import Search
        from octavo.systems import System


        class Politeness(BaseModel):
            polite: bool


        def _render(question, room):
            shown, cut = shorten(question, room)
            return Filled({"question": inert(shown)}, left_out=bool(cut))


        IS_POLITE = Decision(
            name="is_polite",
            version="1",
            template=Template.beside(__file__),
            output=Politeness,
            render=_render,
            rule=lambda question: Politeness(polite="please" in question.lower()),
        )


        @dataclasses.dataclass(frozen=True)
        class OnlyIfPolite(Step[Evidence, Evidence]):
            def apply(self, value, using):
                decided = using.judge.decide(DECISIONS["is_polite"], using.query.question)
                return value if decided.output.polite else value.keep(np.zeros(len(value), np.bool_))


        _RETRIEVE = Search("bm25") >> OnlyIfPolite() >> OPERATORS["KeepLongest"](most=1) >> RankPages("bm25")
        POLITE = System("polite", _RETRIEVE, _RETRIEVE >> DirectReader(), about="Answers the polite.")
        ''',
    "riddles": '''
        """Riddles: a benchmark of one question a line."""

        from octavo_lab.benchmarks.rows import Definition
        from octavo_lab.question import Question


        def _question(row):
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
    "wave": '''
        """A command, and an engine of stores."""

        import typer

        from octavo.corpus import backend


        def register(app):
            @app.command()
            def wave() -> None:
                """Wave."""
                typer.echo("o/")


        def opened(place, ray, *, partial):
            return backend.empty(place)


        def connect(ray):
            pass
        ''',
}
ENTRY_POINTS = """
[octavo.systems]
polite = outside.polite:POLITE

[octavo.operators]
KeepLongest = outside.lengths:KeepLongest
Unsaid = outside.lengths:Unsaid

[octavo.decisions]
is_polite = outside.polite:IS_POLITE

[octavo.layers]
lengths = outside.lengths:LENGTHS

[octavo.formats]
shout = outside.shouted
md = outside.shouted
png = outside.shouted

[octavo.commands]
wave = outside.wave:register

[octavo.stores]
nowhere = outside.wave

[octavo.benchmarks]
riddles = outside.riddles:RIDDLES

[console_scripts]
octavo-outside = outside.wave:register
"""
PROMPT = """\
Tell whether a question is asked politely. Reply with one JSON object: {"polite": TRUE OR FALSE}
---
<question>
$question
</question>
"""
HERONS = "Food!\nThe heron eats fish.\nWeight!\nThe grey heron weighs 1,500 grams and eats fish, frogs and voles.\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder of installed packages with one from outside."""
    folder = tmp_path / "site"
    for name, source in MODULES.items():
        path = folder / "outside" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source))
    (folder / "outside" / "__init__.py").write_text("")
    (folder / "outside" / "polite.md").write_text(PROMPT)
    metadata = folder / "octavo_outside-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: octavo-outside\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


def test_a_format_an_operator_a_layer_a_decision_and_a_system(site: Path) -> None:
    (site.parent / "herons.shout").write_text(HERONS)
    asked, rude, planned = in_turn(
        site,
        ("ask", "Please, how much does the heron weigh?", "herons.shout", "--json", "--system", "polite"),
        ("search", "How much does the heron weigh?", "--json", "--system", "polite"),
        ("search", "heron", "--json", "--plan", "Search('bm25') >> KeepLongest(most=1) >> RankPages('bm25')"),
    )
    assert asked.status == 0, asked.err
    answer = json.loads(asked.out)
    assert answer["passages"][0]["section"] == ["Weight"]
    assert "1,500 grams" in answer["passages"][0]["text"]
    assert answer["decided_by"]["rule"] >= 1
    assert json.loads(rude.out)["pages"] == []
    (block,) = json.loads(planned.out)["blocks"]
    assert block["text"].startswith("The grey heron weighs")


def test_an_operator_with_columns_and_a_sentence(site: Path) -> None:
    (site.parent / "herons.shout").write_text(HERONS)
    plan = "Search('bm25') >> KeepLongest() >> RankPages('bm25')"
    unsaid = plan.replace("Search('bm25')", "Search('bm25') >> Unsaid()").replace(
        "RankPages('bm25')", "RankPages('new')"
    )
    shown, wrong, found = in_turn(
        site,
        ("search", "heron", "herons.shout", "--plan", plan, "--trace"),
        ("search", "heron", "--plan", plan.replace("RankPages('bm25')", "RankPages('dense')")),
        ("search", "heron", "--plan", unsaid, "--json"),
    )
    assert "- Kept the longest words (1 of " in shown.out, shown.err
    assert wrong.status == 2
    assert "RankPages reads the column 'dense'" in wrong.err
    assert json.loads(found.out)["pages"], found.err


def test_a_format_takes_no_place_of_one_of_ours_which_is_said(site: Path) -> None:
    (site.parent / "herons.md").write_text("# Weight\n\nThe grey heron weighs 1,500 grams.\n")
    (site.parent / "herons.shout").write_text(HERONS)
    added, read = in_turn(site, ("add", "herons.md", "herons.shout"), ("outline", "herons.md"))
    assert added.err.count("outside.shouted") == 1
    assert "which a package brings for .md, is not used: Octavo reads such files itself" in added.err
    assert "Weight" in read.out


def test_a_command_and_an_engine_of_stores(site: Path) -> None:
    waved, helped, listed, unknown = in_turn(
        site,
        ("wave",),
        ("--help",),
        ("list", "--corpus", "nowhere://at/all"),
        ("list", "--corpus", "elsewhere://at/all"),
    )
    assert waved.out == "o/\n"
    assert "Wave." in helped.out
    assert listed.status == 0, listed.err
    assert unknown.status == 2


def test_a_benchmark(site: Path) -> None:
    folder = site.parent / "riddles"
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "birds.shout").write_text(HERONS)
    row = {"number": 1, "riddle": "What does the heron eat?", "solution": "fish", "book": "birds.shout", "leaf": [1]}
    (folder / "riddles.jsonl").write_text(json.dumps(row))
    done = octavo(site, "evaluate", "riddles", "--documents", "riddles", "--out", "out", "--system", "bm25")
    assert done.returncode == 0, done.stderr
    (system,) = json.loads((site.parent / "out" / "report.json").read_text())["systems"]
    assert system["metrics"]["pr"] == 1.0


def test_one_that_cannot_be_loaded_is_named_in_one_line(site: Path) -> None:
    (site / "outside" / "wave.py").write_text("import nothing_of_this_name\n")
    done = octavo(site, "wave")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "nothing_of_this_name" in done.stderr


def test_other_groups_and_broken_metadata_are_left_alone(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = site / "broken-1.0.dist-info"
    broken.mkdir()
    (broken / "entry_points.txt").write_bytes(b"[octavo.systems]\n\xff\xfe = x\n")
    monkeypatch.syspath_prepend(str(site))
    plugins.forget()
    try:
        assert "polite" in plugins.names("octavo.systems")
        assert plugins.names("console_scripts") == ()
        assert plugins.value("octavo.formats", "shout") == "outside.shouted"
        with pytest.raises(KeyError):
            plugins.load("octavo.systems", "nobody")
    finally:
        plugins.forget()
