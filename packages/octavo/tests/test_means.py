"""What settings give a corpus: models with their time, and the reranker, asked through the gateway, else the rule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import octavo
from json_server import JsonServer
from octavo import systems
from octavo.cli.models_from_settings import config_of
from octavo.cli.settings import Settings
from octavo.corpus.judges import Judges, ModelConfig, indexing_decisions
from octavo.decisions.engine.judge import Judge, metered_reranker
from octavo.errors import ModelError, UsageError
from octavo.models import embedders, rerankers
from octavo.models.endpoint_models import EndpointReranker
from octavo.models.gateway import Budget, Caps, Gateway, Journal, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault
from octavo.models.ports import Reranker
from octavo.models.rerankers import RuleReranker
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from pdfs import say, write

TEXTS = ["The board met twice.", "Revenue rose by 4%."]
QUESTION = "How much did revenue rise?"


def scores(_path: str, body: Any) -> tuple[int, Any]:
    rows = [{"index": at, "relevance_score": 0.25 * (at + 1)} for at in range(len(body["documents"]))]
    return 200, {"results": rows, "usage": {"total_tokens": 41}}


@pytest.fixture
def server() -> Iterator[JsonServer]:
    with JsonServer(scores) as running:
        yield running


def rule() -> Reranker:
    return rerankers.reranker("rule")


def asking(server: JsonServer, caps: Caps | None = None, journal: Journal | None = None) -> tuple[Reranker, Judge]:
    limits = Limits(attempts=2, timeout=2.0, first_delay=0.001)
    judge = Judge(gateway=Gateway(journal, limits=limits), budget=Budget(caps))
    return metered_reranker(EndpointReranker("endpoint:r", "r", server.url, "sk-a-long-key"), judge, rule), judge


@pytest.mark.allow_hosts(["127.0.0.1"])
class TestThroughTheGateway:
    def test_a_call_is_counted_kept_and_not_made_again(self, server: JsonServer) -> None:
        journal = MemoryJournal()
        reranker, judge = asking(server, journal=journal)
        assert reranker.score(QUESTION, TEXTS) == pytest.approx([0.25, 0.5])
        again, other = asking(server, journal=journal)
        assert again.score(QUESTION, TEXTS) == pytest.approx([0.25, 0.5])
        assert len(server.asked) == 1
        assert [(record.name, record.by) for record in [*judge.records, *other.records]] == [
            ("rerank", "model"), ("rerank", "cache"),
        ]  # fmt: skip
        assert (judge.usage().calls, judge.usage().input_tokens, other.usage().cached_calls) == (1, 41, 1)
        assert judge.budget.spent.input_tokens == 41

    def test_at_a_cap_the_rule_scores(self, server: JsonServer) -> None:
        reranker, judge = asking(server, Caps(calls=0))
        assert reranker.score(QUESTION, TEXTS) == pytest.approx(rule().score(QUESTION, TEXTS))
        assert (server.asked, judge.stopped, judge.records[0].by) == ([], "max_calls", "rule")

    def test_a_server_that_fails_is_asked_again_and_then_the_rule_scores(self, server: JsonServer) -> None:
        server.answer = lambda _path, _body: (503, {})
        reranker, judge = asking(server)
        assert np.argmax(reranker.score(QUESTION, TEXTS)) == 1
        assert len(server.asked) == 2
        assert "overloaded" in judge.records[0].why
        assert judge.usage().calls == 0

    @pytest.mark.parametrize("reply", [(200, {"results": []}), (200, b"<html>"), (200, [])])
    def test_a_reply_of_another_shape_is_a_fault_that_may_have_been_billed(
        self, server: JsonServer, reply: tuple[int, Any]
    ) -> None:
        server.answer = lambda _path, _body: reply
        reranker, judge = asking(server)
        assert reranker.score(QUESTION, TEXTS).shape == (2,)
        assert (judge.records[0].by, judge.usage().calls) == ("rule", 2)

    def test_a_refused_key_is_an_error_that_does_not_show_it(self, server: JsonServer) -> None:
        server.answer = lambda _path, _body: (401, {})
        with pytest.raises(ModelError, match="401") as error:
            asking(server)[0].score(QUESTION, TEXTS)
        assert "sk-a-long-key" not in str(error.value)

    def test_money_is_capped_only_where_the_price_is_known(self, server: JsonServer) -> None:
        with pytest.raises(UsageError, match="no price is known for endpoint:r"):
            asking(server, Caps(cost=1.0))[0].score(QUESTION, TEXTS)
        assert server.asked == []

    def test_nothing_is_sent_for_no_texts(self, server: JsonServer) -> None:
        assert asking(server)[0].score(QUESTION, []).shape == (0,)
        assert server.asked == []


def test_local_rerankers_are_used_as_they_are() -> None:
    own = rule()
    assert metered_reranker(own, Judge(), rule) is own


def test_none_is_there_unless_the_means_name_one() -> None:
    made = Judges(None, MemoryJournal)  # type: ignore[arg-type]
    assert made.reranker(Judge(), embedders.embedder) is None
    assert config_of(Settings()) is None
    assert config_of(Settings(models={"reranking": "none"})) is None


def test_settings_and_means_name_the_rule_or_an_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RERANK_KEY", "sk-a-long-key")
    means = config_of(Settings(models={"reranking": "jina:r"}, key_env={"jina": "RERANK_KEY"}))
    assert means is not None
    assert callable(means.reranking)
    assert means.reranking().name == "jina:r"
    assert Judges(means, MemoryJournal).names() == {"reranking": "jina:r"}
    by_rule = Judges(ModelConfig(reranking="rule"), MemoryJournal).reranker(Judge(), embedders.embedder)
    assert by_rule is not None
    assert isinstance(by_rule(), RuleReranker)


@pytest.mark.parametrize(
    ("model", "given", "seconds"),
    [
        ("openai:m@http://localhost:1/v1", None, 600.0),
        ("openai:m@http://127.0.0.1:1/v1", None, 600.0),
        ("openai:m@http://[::1]:1/v1", None, 600.0),
        ("ollama:m", None, 600.0),
        ("openai:m@http://192.0.2.1/v1", None, 60.0),
        ("openai:m@http://localhost:1/v1", 5.0, 5.0),
    ],
)
def test_an_attempt_has_more_time_where_the_model_runs_on_this_machine(
    monkeypatch: pytest.MonkeyPatch, model: str, given: float | None, seconds: float
) -> None:
    for name in ("OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    means = config_of(Settings(model=model, timeout=given))
    assert means is not None
    assert means.limits is not None
    assert means.limits.timeout == seconds


def test_a_question_has_the_reranker_of_its_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[Run] = []
    real = systems.run_search
    monkeypatch.setattr(
        systems, "run_search", lambda system, query, run, *, shows: [runs.append(run), real(system, query, run)][1]
    )
    source = write(tmp_path / "report.pdf", say(*TEXTS))
    for means in (None, ModelConfig(reranking="rule")):
        with octavo.open(tmp_path / "corpus", models=means) as corpus:
            corpus.add(source)
            corpus.search(QUESTION)
    assert runs[0].reranker is None
    assert runs[1].reranker is not None
    assert isinstance(runs[1].reranker(), RuleReranker)


@pytest.mark.needs("octavo_methods")
def test_a_report_says_that_rules_decided_because_the_model_failed(tmp_path: Path) -> None:
    source = write(tmp_path / "report.pdf", say(*TEXTS))
    broken = ScriptedModel(lambda _request: ModelFault(FaultKind.CONNECTION, "nobody there"))
    means = ModelConfig(broken, limits=Limits(attempts=1))
    with octavo.open(tmp_path / "corpus", models=means) as corpus:
        report = corpus.add(source, systems=["raptor", "dmap"])
        capped = corpus.add(source, systems=["dmap"], caps=Caps(calls=0))
    said = "the model failed and rules took 1 of 1 decisions: summarize: connection: nobody there"
    assert report.notes[-1] == said
    assert capped.stopped == "max_calls"
    assert not any("rules took" in note for note in capped.notes)


class TestWhoDecides:
    def test_layers_may_be_built_by_the_rules_while_a_model_answers(self) -> None:
        means = config_of(Settings(model="ollama:large", layer_model="none"))
        assert means is not None
        judge = Judges(means, MemoryJournal).judge()
        assert judge.has_model("answer_from_evidence")
        assert not any(judge.has_model(name) for name in indexing_decisions())
        assert Judges(means, MemoryJournal).names() == {"language": "ollama:large"}

    def test_layers_may_be_built_by_a_model_while_the_rules_answer(self) -> None:
        judges = Judges(config_of(Settings(layer_model="ollama:small")), MemoryJournal)
        judge = judges.judge()
        assert not judge.has_model("answer_from_evidence")
        assert set(judges.names()) == indexing_decisions()

    @pytest.mark.needs("octavo_methods")
    def test_a_decision_named_by_itself_wins_over_the_model_of_layers(self) -> None:
        named = {"summarize": "ollama:tiny", "plan_question": "none"}
        judge = Judges(
            config_of(Settings(model="ollama:large", layer_model="none", decisions=named)), MemoryJournal
        ).judge()
        found = judge.model_for("summarize")
        assert found is not None
        assert found.id == "ollama:tiny"
        assert not judge.has_model("plan_question")
        assert judge.has_model("reflect")

    @pytest.mark.parametrize("named", [{"plan_question": "none"}, {}])
    @pytest.mark.needs("octavo_methods")
    def test_rules_everywhere_are_no_models(self, named: dict[str, str]) -> None:
        assert config_of(Settings(layer_model="none", decisions=named)) is None
        assert not Judges({"language": "none", **named}, MemoryJournal).has_model
