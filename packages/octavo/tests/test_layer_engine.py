"""Layers that only some systems read: when they are built, by whom, at what price, and what survives what."""

from __future__ import annotations

import json
import os
import signal
import string
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from pydantic import BaseModel

import octavo.systems
import storing
from cli_corpus import octavo as octavo_command
from engines import Engine
from octavo.cli import context
from octavo.corpus import Corpus
from octavo.corpus.index import sources
from octavo.corpus.index.pictures import Pictures
from octavo.corpus.judges import ModelConfig
from octavo.decisions.engine import Decision, Filled, Template
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Evidence, PassageTable, Query
from octavo.evidence.layer_tables import LayerTable
from octavo.layers import PASSAGES, TERMS
from octavo.layers.base import Layer, LayerInputs, no_model, text_embedding
from octavo.models.gateway import Caps, Price, Prices
from octavo.models.language import estimate_tokens
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run, Step
from octavo.operators.read.direct_reader import DirectReader
from octavo.systems import System
from octavo_documents.document.columns import pack
from storing import write

TEXT = "# Sales\nThey rose to 1,577.5 in 2015.\f# Costs\nThey fell."


class OtherEmbedder(storing.WordEmbedder):
    name = "other-words"


def _vectors(inputs: LayerInputs) -> bytes:
    texts = list(PassageTable.from_bytes(inputs.stored["passages"]).text)
    return pack({"vectors": inputs.embedder().embed(texts).astype(np.float16)}, {})


def vectors() -> Layer:
    return Layer("vectors", 1, ("passages",), _vectors, text_embedding)


class TestTheEmbeddingModel:
    @staticmethod
    def opened(folder: Path, embedding, log: list[str]) -> Corpus:
        def builders():
            made = storing.builders(log=log)
            return type(made)(
                "1", made.parser, made.recognizer, {layer.name: layer for layer in (PASSAGES, TERMS, vectors())}
            )

        return Corpus(storing.place_of(folder), embedding=embedding, builders=builders)

    def test_another_one_computes_the_vectors_anew_and_nothing_else(self, tmp_path: Path) -> None:
        files, log = write(tmp_path, a=TEXT, b="other text"), list[str]()
        with self.opened(tmp_path / "corpus", storing.WordEmbedder, log) as corpus:
            corpus.add(files)
            before = {(key.document_id, key.name): key.number for key in corpus._opened().store.published()}
        with self.opened(tmp_path / "corpus", OtherEmbedder, log) as corpus:
            assert len(corpus.add(files).added) == 2
            after = {(key.document_id, key.name): key.number for key in corpus._opened().store.published()}
        assert {name for (_, name), number in after.items() if number not in before.values()} == {"vectors"}
        assert len(log) == 2

    def test_documents_indexed_with_another_one_are_not_asked_by_meaning(self, tmp_path: Path) -> None:
        files, log = write(tmp_path, a=TEXT), list[str]()
        with self.opened(tmp_path / "corpus", storing.WordEmbedder, log) as corpus:
            corpus.add(files)
            assert corpus.search("sales rose").trace
        with self.opened(tmp_path / "corpus", OtherEmbedder, log) as corpus:
            found = corpus.search("sales rose")
            assert "another embedding model than other-words: run 'octavo add'" in found.words_alone
            assert len(found.evidence)
            assert not found.evidence.scores["dense"].any()
            assert not corpus.search("sales rose", system="bm25").words_alone
            corpus.add(files)
            assert not corpus.search("sales rose").words_alone

    def test_of_many_documents_none_is_ranked_in_a_foreign_space(self, tmp_path: Path) -> None:
        files, log = write(tmp_path, **{f"f{number}": f"text number{number}" for number in range(30)}), list[str]()
        with self.opened(tmp_path / "corpus", storing.WordEmbedder, log) as corpus:
            corpus.add(files)
        with self.opened(tmp_path / "corpus", OtherEmbedder, log) as corpus:
            corpus.add(files[:-1])
            found = corpus.search("text number29", system="bm25")
            assert found.words_alone.startswith("f29.pdf was indexed with another embedding model")
            (first_stage,) = (step for step in found.trace if step.step == "FirstStage")
            assert not any(step.step == "Dense" for step in first_stage.steps)


class Verdict(BaseModel):
    text: str


NOTE = Decision[str, Verdict](
    name="note",
    version="1",
    template=Template("Sum up.", string.Template("<text>\n$text\n</text>")),
    output=Verdict,
    render=lambda text, _room: Filled({"text": text}),
    rule=lambda text: Verdict(text=f"rule: {text[:20]}"),
    max_output_tokens=20,
)


class Workbench:
    """Layers whose builds are counted: notes (a decision a passage), what reads them, and one beside them."""

    def __init__(self) -> None:
        self.builds: list[str] = []
        self.slow = 0.0

    def _notes(self, inputs: LayerInputs) -> bytes:
        self.builds.append("notes")
        time.sleep(self.slow)
        texts = list(PassageTable.from_bytes(inputs.stored["passages"]).text)
        decided = inputs.judge.decide_many(NOTE, texts)
        return "\n".join(one.output.text for one in decided).encode()

    def _counted(self, name: str):
        def build(inputs: LayerInputs) -> bytes:
            self.builds.append(name)
            return name.encode() + b"".join(inputs.stored.values())

        return build

    @staticmethod
    def _estimate(inputs: LayerInputs) -> list[tuple[str, int, int]]:
        texts = PassageTable.from_bytes(inputs.stored["passages"]).text
        return [("note", estimate_tokens(f"Sum up.<text>\n{text}\n</text>"), 9) for text in texts]

    def optional(self, *, parameters: str = "", beside: int = 1) -> dict[str, Layer]:
        notes = Layer("notes", 1, ("passages",), self._notes, no_model, ("note",), parameters, self._estimate)
        digest = Layer("digest", 1, ("notes",), self._counted("digest"))
        other = Layer("beside", beside, (), self._counted("beside"))
        return {layer.name: layer for layer in (notes, digest, other)}

    def corpus(self, folder: Path, model=None, *, caps=None, **changed) -> Corpus:
        made = storing.builders()
        builders = replace(made, optional=self.optional(**changed))
        return Corpus(storing.place_of(folder), models=model, builders=lambda: builders)

    def taken(self) -> list[str]:
        done, self.builds = self.builds, []
        return done


def reply(_request) -> str:
    return json.dumps({"text": "by the model"})


NEEDS = {"reader": frozenset({"passages", "digest"}), "other": frozenset({"beside"})}


@dataclass(frozen=True)
class Read(Step[Query, Evidence]):
    """Finds every block, after a look at the layers of a system."""

    system: str

    def needs(self) -> frozenset[str]:
        return NEEDS[self.system]

    def apply(self, value: Query, using: Run) -> Evidence:
        for name in self.needs() - {"passages"}:
            using.view.layer(LayerTable(name, bytes, lambda each, _first: each))
        return Evidence.of(using.view, range(len(using.view)), source="all", relevance=[1.0] * len(using.view))


def systems() -> dict[str, System]:
    return {name: System(name, Read(name), Read(name) >> DirectReader()) for name in NEEDS}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Workbench:
    for name, system in systems().items():
        monkeypatch.setitem(octavo.systems.SYSTEMS, name, system)
    return Workbench()


PAGES = "\f".join(
    f"# Part {page}\nOn page {page} the crew wrote {page * 37} words about boats." for page in range(1, 9)
)


class TestWhatIsBuilt:
    def test_adding_builds_only_what_every_document_has(self, bench: Workbench, tmp_path: Path) -> None:
        with bench.corpus(tmp_path / "corpus") as corpus:
            [info] = corpus.add(write(tmp_path, a=TEXT)).added
            assert corpus.layers() == {info.id: {"passages": "rule", "terms": "rule", "vectors": "rule"}}
        assert bench.taken() == []

    def test_adding_for_a_system_builds_what_it_needs_and_all_that_reads(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        files = write(tmp_path, a=TEXT)
        with bench.corpus(tmp_path / "corpus") as corpus:
            [info] = corpus.add(files, systems=["reader"]).added
            assert bench.taken() == ["notes", "digest"]
            assert corpus.layers()[info.id].keys() == {"passages", "terms", "vectors", "notes", "digest"}
            assert corpus.add(files, systems=["reader"]).unchanged == (info,)
            assert corpus.add(files, systems=["reader", "other"]).added == (info,)
            assert bench.taken() == ["beside"]
            assert corpus.status().layers["notes"] == 1
            assert corpus.check().is_sound
            assert not corpus.status().jobs

    def test_asking_builds_what_is_missing_for_the_documents_in_scope_by_rule(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        model = ScriptedModel([])
        with bench.corpus(tmp_path / "corpus", model) as corpus:
            corpus.add(write(tmp_path, a=TEXT, b="two"))
            corpus.search("sales", documents=["a.pdf"], system="reader")
            assert bench.taken() == ["notes", "digest"]
            corpus.search("sales", documents=["a.pdf"], system="reader")
            assert bench.taken() == []
            corpus.search("sales", system="reader")
            assert bench.taken() == ["notes", "digest"]
        assert model.calls == 0

    def test_an_unknown_system_is_refused_before_anything_is_read(self, bench: Workbench, tmp_path: Path) -> None:
        with bench.corpus(tmp_path / "corpus") as corpus, pytest.raises(UsageError, match="no system called 'oracle'"):
            corpus.add(write(tmp_path, a=TEXT), systems=["oracle"])
        assert not (tmp_path / "corpus").exists()

    def test_a_damaged_layer_is_built_again(self, engine: Engine, bench: Workbench, tmp_path: Path) -> None:
        with bench.corpus(tmp_path / "corpus") as corpus:
            corpus.add(write(tmp_path, a=TEXT), systems=["reader"])
            engine.damage(tmp_path / "corpus", "name = 'notes'")
            bench.taken()
            assert not corpus.check().is_sound
            assert corpus.check(repair=True).is_sound
            assert bench.taken() == ["notes", "digest"]
            assert corpus.check().is_sound


class TestWhoDecides:
    def test_a_model_takes_the_place_of_the_rule_and_stays(self, bench: Workbench, tmp_path: Path) -> None:
        files = write(tmp_path, a=TEXT)
        with bench.corpus(tmp_path / "corpus") as corpus:
            [info] = corpus.add(files, systems=["reader"]).added
            assert corpus.layers()[info.id]["notes"] == "rule"
        bench.taken()
        model = ScriptedModel(reply)
        with bench.corpus(tmp_path / "corpus", model) as corpus:
            corpus.add(files)
            assert bench.taken() == []
            assert corpus.add(files, systems=["reader"]).usage.calls == model.calls > 0
            assert bench.taken() == ["notes", "digest"]
            assert corpus.layers()[info.id]["notes"] == "model"
            assert b"by the model" in bytes_of(corpus, "digest")
        with bench.corpus(tmp_path / "corpus") as corpus:
            assert corpus.add(files, systems=["reader"]).unchanged
            corpus.search("sales", system="reader")
            assert bench.taken() == []
            assert corpus.layers()[info.id]["notes"] == "model"
        other = ScriptedModel(reply, "scripted:other")
        with bench.corpus(tmp_path / "corpus", other) as corpus:
            corpus.add(files, systems=["reader"])
            assert other.calls == model.calls
            assert bench.taken() == ["notes", "digest"]

    def test_what_the_rules_decided_because_the_model_failed_is_tried_again(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        files = write(tmp_path, a=TEXT)
        with bench.corpus(tmp_path / "corpus", ScriptedModel(lambda _: "nonsense")) as corpus:
            [info] = corpus.add(files, systems=["reader"]).added
            assert corpus.layers()[info.id]["notes"] == "rule"
        with bench.corpus(tmp_path / "corpus", ScriptedModel(reply, "scripted:better")) as corpus:
            corpus.add(files, systems=["reader"])
            assert corpus.layers()[info.id]["notes"] == "model"


class TestWhatChanges:
    def test_new_parameters_build_again_only_what_depends_on_them(self, bench: Workbench, tmp_path: Path) -> None:
        files = write(tmp_path, a=TEXT)
        with bench.corpus(tmp_path / "corpus") as corpus:
            corpus.add(files, systems=["reader", "other"])
        bench.taken()
        with bench.corpus(tmp_path / "corpus", parameters="window=2") as corpus:
            corpus.add(files)
            assert bench.taken() == ["notes", "digest"]
        with bench.corpus(tmp_path / "corpus", parameters="window=2", beside=2) as corpus:
            corpus.search("sales", system="reader")
            assert bench.taken() == []
            corpus.search("sales", system="other")
            assert bench.taken() == ["beside"]

    def test_a_corpus_of_the_first_octavo_is_brought_up_to_date_without_reading_a_file(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        files, log = write(tmp_path, a=TEXT, b="two"), list[str]()
        with storing.corpus(tmp_path / "corpus", log=log) as corpus:
            infos = corpus.add(files).added
            store = corpus._opened().store
            with store.connections.writing() as connection:
                connection.execute(
                    "UPDATE parts SET fingerprint = replace(fingerprint, '.', '') WHERE name != 'document'"
                )
            assert corpus.list() == infos
            assert {info.id for info in corpus.add(files).added} == {info.id for info in infos}
            assert len(log) == 2
            assert corpus.search("sales", system="bm25").trace
            assert corpus.check().is_sound

    def test_a_document_read_anew_keeps_no_layer_of_what_it_was(self, bench: Workbench, tmp_path: Path) -> None:
        files = write(tmp_path, a=TEXT)
        with bench.corpus(tmp_path / "corpus") as corpus:
            corpus.add(files, systems=["reader"])
        bench.taken()
        builders = replace(storing.builders(version="2"), optional=bench.optional())
        with Corpus(storing.place_of(tmp_path / "corpus"), builders=lambda: builders) as corpus:
            [info] = corpus.add(files).added
            assert bench.taken() == ["notes", "digest"]
            assert corpus.add(files).unchanged == (info,)


class TestBudgets:
    def test_a_cap_keeps_what_is_done_and_the_next_run_pays_only_for_the_rest(
        self, bench: Workbench, tmp_path: Path
    ) -> None:
        files, model = write(tmp_path, a=PAGES, b=TEXT), ScriptedModel(reply)
        with bench.corpus(tmp_path / "corpus", model) as corpus:
            plan = corpus.plan(files, systems=["reader"])
            assert not corpus.list()
            report = corpus.add(files, systems=["reader"], caps=Caps(calls=4))
            assert report.stopped == "max_calls"
            assert len(report.added) == 2
            assert model.calls == 4
            assert all("notes" not in layers for layers in corpus.layers().values())
            assert not corpus.status().jobs
            again = corpus.add(files, systems=["reader"])
            assert again.stopped is None
            assert model.calls == plan.calls
            assert corpus.add(files, systems=["reader"]).usage.calls == 0
            assert model.calls == plan.calls
        with bench.corpus(tmp_path / "whole", ScriptedModel(reply)) as whole:
            whole.add(files, systems=["reader"])
            with bench.corpus(tmp_path / "corpus") as corpus:
                assert bytes_of(whole, "notes") == bytes_of(corpus, "notes")

    def test_a_plan_says_what_would_be_built_and_does_nothing(self, bench: Workbench, tmp_path: Path) -> None:
        files, model = write(tmp_path, a=PAGES), ScriptedModel(reply)
        means = ModelConfig(model, prices=Prices({"scripted:test": Price(2.0, 10.0)}))
        with bench.corpus(tmp_path / "corpus", means) as corpus:
            plan = corpus.plan(files, systems=["reader"])
            assert [part.part for part in plan.parts] == ["document", "passages", "terms", "vectors", "notes", "digest"]
            assert [part.models for part in plan.parts][-2:] == [("scripted:test",), ()]
            assert (corpus.list(), model.calls, bench.taken()) == ((), 0, [])
            assert not (tmp_path / "corpus").exists()
            corpus.add(files)
            later = corpus.plan(files, systems=["reader"])
            assert [part.part for part in later.parts] == ["notes", "digest"]
            assert later.calls == plan.calls
            usage = corpus.add(files, systems=["reader"]).usage
            assert plan.calls == usage.calls
            assert plan.tokens == pytest.approx(usage.input_tokens + usage.output_tokens, rel=0.15)
            assert plan.cost == pytest.approx(usage.cost, rel=0.15)
            assert corpus.plan(files, systems=["reader"]).parts == ()

    def test_a_model_without_a_price_has_no_cost_in_a_plan(self, bench: Workbench, tmp_path: Path) -> None:
        with bench.corpus(tmp_path / "corpus", ScriptedModel(reply)) as corpus:
            assert corpus.plan(write(tmp_path, a=PAGES), systems=["reader"]).cost is None

    def test_the_plan_is_announced_before_the_first_call(self, bench: Workbench, tmp_path: Path) -> None:
        model, heard = ScriptedModel(reply), list[tuple[int, int]]()
        with bench.corpus(tmp_path / "corpus", model) as corpus:
            corpus.add(
                write(tmp_path, a=PAGES),
                systems=["reader"],
                announce=lambda plan: heard.append((plan.calls, model.calls)),
            )
        assert heard == [(model.calls, 0)]


class TestPictures:
    def test_a_layer_that_a_seeing_model_decides_gets_crops_of_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.pdf"
        path.write_bytes((Path(__file__).parents[3] / "examples" / "deck.pdf").read_bytes())
        document = sources.document_id(str(path))
        with Pictures(document, str(path)) as pictures:
            draw = pictures.renderer()
            assert draw is not None
            raster = draw(1, (10.0, 10.0, 82.0, 46.0), 72.0)
            assert raster.shape == (36, 72, 3)
        path.write_bytes(b"another")
        with Pictures(document, str(path)) as pictures:
            assert pictures.renderer() is None


PAID = """
    import sys, time
    import octavo.systems
    import test_layer_engine as own
    from octavo.models.scripted import ScriptedModel

    octavo.systems.SYSTEMS.update(own.systems())

    def reply(request):
        with open({log!r}, "a") as log:
            log.write("call\\n")
        time.sleep(0.05)
        return own.reply(request)

    with own.Workbench().corpus({folder!r}, ScriptedModel(reply)) as corpus:
        corpus.add({files!r}, systems=["reader"])
"""


class TestKilled:
    @pytest.mark.parametrize("calls", [1, 7, 12])
    def test_a_killed_job_goes_on_where_it_was_and_pays_again_at_most_for_calls_under_way(
        self, engine: Engine, bench: Workbench, tmp_path: Path, calls: int
    ) -> None:
        files, log = (
            [str(path) for path in write(tmp_path, a=PAGES, b=PAGES.replace("crew", "guests"))],
            tmp_path / "log",
        )
        place = str(storing.place_of(tmp_path / "corpus"))
        code = textwrap.dedent(PAID).format(log=str(log), folder=place, files=files)
        process = subprocess.Popen(
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[3] / 'tests'}",
            },
        )
        while process.poll() is None and (not log.exists() or len(log.read_text().splitlines()) < calls):
            time.sleep(0.002)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        engine.end_leases_of_the_dead(tmp_path / "corpus")
        paid = len(log.read_text().splitlines())
        model = ScriptedModel(reply)
        with bench.corpus(tmp_path / "corpus", model) as corpus, bench.corpus(tmp_path / "whole", model) as whole:
            assert len(corpus.list()) == 2
            report = corpus.add(files, systems=["reader"])
            resumed = model.calls
            assert not report.failed
            assert not corpus.status().jobs
            assert corpus.check().is_sound
            whole.add(files, systems=["reader"])
            assert resumed + paid - (model.calls - resumed) <= Judge().workers
            for layer in ("notes", "digest"):
                assert bytes_of(corpus, layer) == bytes_of(whole, layer)


class TestTheCommand:
    @pytest.fixture
    def model(self, bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScriptedModel:
        model = ScriptedModel(reply)
        monkeypatch.setattr(context, "open_corpus", lambda _, **_options: bench.corpus(tmp_path / "corpus", model))
        return model

    def test_a_dry_run_lists_documents_layers_and_calls(self, model: ScriptedModel, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=PAGES)
        done = octavo_command("add", str(path), "--for", "reader", "--dry-run")
        assert done.status == 0
        assert "a.pdf" in done.out
        assert "scripted:test" in done.out
        assert "about 8 calls" in done.out
        assert "cost not known" in done.out
        whole = json.loads(octavo_command("add", str(path), "--for", "reader", "--dry-run", "--json").out)
        assert (whole["calls"], whole["cost"], model.calls) == (8, None, 0)

    def test_a_paid_job_says_first_what_it_may_take(self, model: ScriptedModel, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=PAGES)
        done = octavo_command("add", str(path), "--for", "reader,other")
        assert done.status == 0
        assert done.err.startswith("octavo: about 8 calls, ")
        assert model.calls == 8
        assert octavo_command("add", str(path), "--for", "reader", "--for", "other").err == ""

    def test_a_cap_ends_it_with_status_3(self, model: ScriptedModel, tmp_path: Path) -> None:
        [path] = write(tmp_path, a=PAGES)
        done = octavo_command("add", str(path), "--for", "reader", "--max-calls", "2", "--json")
        assert (done.status, json.loads(done.out)["stopped"]) == (3, "max_calls")
        assert json.loads(octavo_command("list", "--json").out)["documents"][0]["layers"].keys() == {
            "passages",
            "terms",
            "vectors",
        }
        assert octavo_command("add", str(path), "--for", "reader").status == 0
        assert model.calls == 8

    def test_an_unknown_system_is_one_line(self, model: ScriptedModel, tmp_path: Path) -> None:
        done = octavo_command("add", str(write(tmp_path, a=TEXT)[0]), "--for", "oracle")
        assert done.status == 2
        assert done.err.count("\n") == 1


def bytes_of(corpus: Corpus, layer: str) -> bytes:
    store = corpus._opened().store
    return b"".join(store.load(key) or b"" for key in sorted(store.published(), key=str) if key.name == layer)
