"""Systems side by side: what is indexed, asked, kept, taken up again, and counted when it fails."""

from __future__ import annotations

import dataclasses
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

import evaluating
import storing
from evaluating import HERON, MARBLE, NOTHING, OWL, benchmark
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.decisions.engine.judge import Judge
from octavo.errors import BudgetError, CorpusError, UsageError
from octavo.evidence import Answer, Outcome, Result
from octavo.models.gateway import Caps, Limits
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo.systems import SYSTEMS, System
from octavo.systems.baselines import BM25
from octavo_lab.journal import Journal
from octavo_lab.question import Response
from octavo_lab.report.page import page
from octavo_lab.runner import Evaluation, Options, evaluate
from octavo_lab.scoring import ModelAssessor, rule_fallbacks
from octavo_lab.summary import summarize
from octavo_methods.mmrag.typed_reader import TypedReader


class Counting:
    """A watcher that counts, and presses Ctrl-C at a given answer."""

    def __init__(self, interrupt_at: int | None = None) -> None:
        self.totals: list[tuple[int, int]] = []
        self.failures: list[str] = []
        self.asks = 0
        self.interrupt_at = interrupt_at

    def asking(self, total: int, known: int) -> None:
        self.totals.append((total, known))

    def asked(self, system: str, failed: str | None) -> None:
        self.asks += 1
        if failed:
            self.failures.append(failed)
        if self.asks == self.interrupt_at:
            raise KeyboardInterrupt


def run(folder: Path, *systems: str, watcher: Counting | None = None, **changes: Any) -> Evaluation:
    made = benchmark(folder, *changes.pop("questions", ()), **changes.pop("more", {}))
    with evaluating.corpus(folder) as corpus:
        return evaluate(corpus, made, systems or ("bm25",), folder / "out", options=Options(**changes), watcher=watcher)


def answers(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "out" / "journal.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, lines) if "response" in line]


def test_every_system_answers_every_question_in_order(tmp_path: Path) -> None:
    found = run(tmp_path)
    (bm25,) = found.runs
    assert [row.question.id for row in bm25.rows] == ["heron", "owl", "marble", "nothing"]
    assert all(row.response.error is None for row in bm25.rows)
    assert "Search" in bm25.plan
    heron = bm25.rows[0]
    assert heron.ranking[0] == 2
    assert heron.response.citations[0].is_verbatim
    assert heron.texts
    assert set(found.documents) == {"birds.pdf", "stones.pdf"}


def test_only_words_scope_and_limit_reach_a_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[Any, ...]] = []
    ask, search = Corpus.ask, Corpus.search

    def spy_ask(self: Corpus, question: str, **options: Any) -> Answer:
        given.append((question, *sorted(options.items())))
        return ask(self, question, **options)

    def spy_search(self: Corpus, question: str, **options: Any) -> Result:
        given.append((question, *sorted(options.items())))
        return search(self, question, **options)

    monkeypatch.setattr(Corpus, "ask", spy_ask)
    monkeypatch.setattr(Corpus, "search", spy_search)
    found = run(tmp_path, questions=(HERON,))
    ids = (found.documents["birds.pdf"].id,)
    assert given == [
        (HERON.question, ("documents", ids), ("limit", 10), ("system", BM25)),
        (HERON.question, ("documents", ids), ("limit", 20), ("system", BM25)),
    ]


def test_the_reader_gets_no_more_pages_than_asked_for_and_the_ranking_goes_on(tmp_path: Path) -> None:
    several = dataclasses.replace(OWL, question="Which hunts: the barn owl, the grey heron or the herring gull?")
    (row,) = run(tmp_path, questions=(several,), limit=1).runs[0].rows
    assert len(row.pages) == 1
    assert row.ranking[0] == row.pages[0]
    assert set(row.ranking) == {2, 3, 4}


def test_a_second_run_asks_nothing_and_finds_the_same(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    before, after = run(tmp_path, watcher=first), run(tmp_path, watcher=second)
    assert (first.totals, second.totals) == ([(4, 0)], [(4, 4)])
    assert (first.asks, second.asks, after.took[-1].from_journal) == (4, 0, 4)
    assert before.runs == after.runs


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, watcher=Counting(interrupt_at=2))
    rest = Counting()
    run(tmp_path, watcher=rest)
    assert rest.totals == [(4, 1)]
    assert run(tmp_path).took[-1].from_journal == 4


def test_questions_asked_at_once_are_answered_as_those_asked_in_turn(tmp_path: Path) -> None:
    systems = ("bm25", "hybrid", "dense@limit=bm25")
    in_turn = run(tmp_path / "turn", *systems)
    watcher = Counting()
    at_once = run(tmp_path / "once", *systems, watcher=watcher, parallel=4)

    def told(found: Evaluation) -> list[Any]:
        return [
            (one.name, row.question.id, row.prediction, row.response.citations, row.pages, row.ranking)
            for one in found.runs
            for row in one.rows
        ]

    assert told(at_once) == told(in_turn)
    assert (watcher.totals, watcher.asks, at_once.took[-1].answers) == ([(12, 0)], 12, 12)
    assert len(answers(tmp_path / "once")) == 12


def test_several_questions_are_asked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask, met = Corpus.ask, threading.Barrier(4)

    def waiting_ask(self: Corpus, question: str, **options: Any) -> Answer:
        met.wait(timeout=60)  # broken, and so an error, unless all four come
        return ask(self, question, **options)

    monkeypatch.setattr(Corpus, "ask", waiting_ask)
    assert all(row.response.error is None for row in run(tmp_path, parallel=4).runs[0].rows)


def test_of_questions_asked_at_once_an_interrupt_ends_all_and_loses_none_that_was_kept(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "bm25", "hybrid", watcher=Counting(interrupt_at=3), parallel=2)
    kept = len(answers(tmp_path))
    assert 2 <= kept < 8
    rest = Counting()
    run(tmp_path, "bm25", "hybrid", watcher=rest, parallel=2)
    assert rest.totals == [(8, kept)]


@pytest.mark.parametrize("cut", [2, 20, 200])
def test_half_a_line_of_a_killed_run_costs_that_question_only(tmp_path: Path, cut: int) -> None:
    run(tmp_path)
    path = tmp_path / "out" / "journal.jsonl"
    whole = "".join(json.dumps(line) + "\n" for line in answers(tmp_path))
    path.write_text(whole[:-cut])
    assert run(tmp_path).took[-1].from_journal == 3
    assert run(tmp_path).took[-1].from_journal == 4


def test_what_every_run_took_is_kept_an_interrupted_one_too(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, watcher=Counting(interrupt_at=2))
    first, second = run(tmp_path).took
    assert (first.answers, first.from_journal, second.answers, second.from_journal) == (1, 0, 4, 1)
    assert first.peak_memory


def test_foreign_lines_in_the_journal_are_passed_over(tmp_path: Path) -> None:
    run(tmp_path)
    path = tmp_path / "out" / "journal.jsonl"
    path.write_text('{"key": 1}\n[]\nnot json\n{"key": "x", "response": {"pages": 3}}\n' + path.read_text())
    assert run(tmp_path).took[-1].from_journal == 4


@pytest.mark.parametrize("text", ["half a pair \ud83d", "\x00\x1b[2J", "\u2028 line"])
def test_any_text_a_system_gives_is_kept(tmp_path: Path, text: str) -> None:
    made = Response(answer=text, value=text, outcome=Outcome.ANSWER)
    with Journal(tmp_path) as kept:
        kept.put("key", made, system="s", question="q")
    with Journal(tmp_path) as read:
        assert read.get("key") == made


def test_no_gold_is_written_to_the_journal(tmp_path: Path) -> None:
    secret = dataclasses.replace(HERON, answer="topsecretgold", evidence_pages=(3,), evidence_texts=("topsecretgold",))
    run(tmp_path, questions=(secret,))
    assert "topsecretgold" not in (tmp_path / "out" / "journal.jsonl").read_text()


@pytest.mark.parametrize("change", [{"answer": "other"}, {"evidence_pages": (3,)}, {"answer_format": "Str"}])
def test_a_corrected_gold_asks_nothing_again(tmp_path: Path, change: dict[str, Any]) -> None:
    run(tmp_path, questions=(HERON,))
    assert run(tmp_path, questions=(dataclasses.replace(HERON, **change),)).took[-1].from_journal == 1


def test_other_words_pages_or_documents_are_asked_again(tmp_path: Path) -> None:
    run(tmp_path, questions=(HERON,))
    assert run(tmp_path, questions=(dataclasses.replace(HERON, question="And the owl?"),)).took[-1].from_journal == 0
    assert run(tmp_path, questions=(dataclasses.replace(HERON, documents=()),)).took[-1].from_journal == 0
    assert run(tmp_path, questions=(HERON,), limit=3).took[-1].from_journal == 0
    assert run(tmp_path, questions=(HERON,)).took[-1].from_journal == 1


def test_a_document_that_is_indexed_anew_is_asked_again(tmp_path: Path) -> None:
    run(tmp_path)
    with storing.corpus(tmp_path / "corpus", version="2") as corpus:
        corpus.add(tmp_path / "documents")
        again = evaluate(corpus, benchmark(tmp_path), ["bm25"], tmp_path / "out")
    assert again.took[-1].from_journal == 0


def test_a_document_that_cannot_be_read_fails_its_questions_only(tmp_path: Path) -> None:
    broken = dataclasses.replace(OWL, documents=("broken.pdf",))
    watcher = Counting()
    found = run(tmp_path, questions=(HERON, broken), more={"broken": "!damaged"}, watcher=watcher)
    heron, owl = found.runs[0].rows
    assert heron.response.error is None
    assert owl.response.error is not None
    assert "question owl" in owl.response.error
    assert "broken.pdf" in owl.response.error
    assert len(found.failures) == 1
    assert watcher.failures == [owl.response.error]
    assert len(answers(tmp_path)) == 1  # a failure is tried again next time


def test_a_document_that_is_not_there_is_named(tmp_path: Path) -> None:
    (row,) = run(tmp_path, questions=(dataclasses.replace(OWL, documents=("gone.pdf",)),)).runs[0].rows
    assert row.response.error == "question owl: the document gone.pdf is not in the benchmark's folder"


def test_stopping_at_errors_names_the_first(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"question owl: the document gone\.pdf"):
        run(tmp_path, questions=(HERON, dataclasses.replace(OWL, documents=("gone.pdf",))), stop_on_error=True)
    assert len(answers(tmp_path)) == 1
    with pytest.raises(UsageError, match=r"broken\.pdf"):
        run(tmp_path, more={"broken": "!damaged"}, stop_on_error=True)


@pytest.mark.parametrize(
    "wrong", [CorpusError("damaged", "the index is damaged"), ZeroDivisionError("division by zero")]
)
def test_a_system_that_breaks_on_a_question_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: Exception
) -> None:
    ask = Corpus.ask

    def breaks(self: Corpus, question: str, **options: Any) -> Answer:
        if "owl" in question:
            raise wrong
        return ask(self, question, **options)

    monkeypatch.setattr(Corpus, "ask", breaks)
    rows = run(tmp_path).runs[0].rows
    assert [bool(row.response.error) for row in rows] == [False, True, False, False]
    assert str(wrong) in str(rows[1].response.error)
    with pytest.raises(UsageError, match="question owl, system bm25"):
        run(tmp_path, stop_on_error=True)


def test_an_unknown_system_is_told_before_anything_is_indexed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="bm25"):
        run(tmp_path, "bm25", "nope")
    assert not (tmp_path / "corpus").exists()


def test_questions_without_a_document_are_about_the_whole_benchmark(tmp_path: Path) -> None:
    everywhere = dataclasses.replace(MARBLE, documents=(), evidence_pages=(), evidence_documents=("stones.pdf",))
    (row,) = run(tmp_path, questions=(everywhere,)).runs[0].rows
    assert row.documents[0] == "stones.pdf"
    assert not row.has_gold_pages


def test_the_same_bytes_under_two_names_are_one_document(tmp_path: Path) -> None:
    twin = dataclasses.replace(HERON, documents=("twin.pdf",))
    found = run(tmp_path, questions=(HERON, twin), more={"twin": evaluating.BIRDS})
    assert found.documents["twin.pdf"].id == found.documents["birds.pdf"].id
    assert [row.response.error for row in found.runs[0].rows] == [None, None]


def test_a_refusal_of_an_unanswerable_question_is_seen(tmp_path: Path) -> None:
    (row,) = run(tmp_path, questions=(NOTHING,)).runs[0].rows
    assert row.response.answerable == (row.prediction != "Not answerable")


def test_an_out_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(CorpusError, match="choose another --out"):
        run(tmp_path)


def reading(request: Request) -> str:
    """Answer with the passage that speaks of grams, read short answers out, and judge by words."""
    text = request.turns[0].text
    if request.decision == "answer_from_evidence":
        found = re.search(r"<passage id=(\d+)>\n[^<]*1,500 grams", text)
        if found is None:
            return '{"answerable": false}'
        evidence = [{"id": int(found[1]), "quote": "1,500 grams"}]
        return json.dumps({"evidence": evidence, "answerable": True, "answer": "It weighs 1,500 grams, they say"})
    if request.decision == "judge_answer":
        return json.dumps({"correct": "1,500" in text})
    return json.dumps({"format": "Int", "answer": "1500"})


def test_a_model_answers_and_another_run_without_it_asks_anew(tmp_path: Path) -> None:
    model = ScriptedModel(reading)
    with evaluating.corpus(tmp_path, models=model) as corpus:
        made = benchmark(tmp_path, HERON)
        found = evaluate(corpus, made, ["bm25"], tmp_path / "out")
        (row,) = found.runs[0].rows
        assert row.response.answer == "It weighs 1,500 grams, they say"
        assert (row.response.usage["calls"], found.models) == (1, {"language": "scripted:test"})
    with evaluating.corpus(tmp_path) as corpus:
        again = evaluate(corpus, made, ["bm25"], tmp_path / "out")
    assert (again.took[-1].from_journal, again.models) == (0, {})
    assert again.runs[0].rows[0].response.decided_by == {"rule": 1}


def test_questions_are_asked_anew_with_another_reranker(tmp_path: Path) -> None:
    made = benchmark(tmp_path, HERON)
    for means, models in ((None, {}), (ModelConfig(reranking="rule"), {"reranking": "rule"})):
        with evaluating.corpus(tmp_path, models=means) as corpus:
            found = evaluate(corpus, made, ["bm25"], tmp_path / "out")
        assert (found.took[-1].from_journal, found.models) == (0, models)


@pytest.mark.parametrize("tell", [False, True])
def test_a_system_that_asks_by_type_is_told_the_type_of_the_answer_only_where_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tell: bool
) -> None:
    reader = TypedReader(summaries=0, pictures=0, pages=False)
    typed = System("typed", BM25.retrieve, BM25.retrieve >> reader, by_type=True)
    monkeypatch.setitem(SYSTEMS, "typed", typed)
    nothing = dataclasses.replace(OWL, answer="Not answerable", answer_format="None")
    model = ScriptedModel(lambda request: "no" if request.decision != "predict_answer_type" else '{"type": "list"}')
    with evaluating.corpus(tmp_path, models=model) as corpus:
        made = benchmark(tmp_path, HERON, nothing)
        found = evaluate(corpus, made, ["typed"], tmp_path / "out", options=Options(tell_format=tell))
    asked = {(one.decision, HERON.question in one.turns[0].text) for one in model.requests}
    read = {(name, of) for name, of in asked if name.startswith(("answer_", "predict_"))}
    of_nothing = {("predict_answer_type", False), ("answer_list", False)}
    told, untold = {("answer_integer", True)}, {("predict_answer_type", True), ("answer_list", True)}
    assert read == of_nothing | (told if tell else untold)
    assert ("were told the gold" in page(summarize(found))) is tell


def test_a_model_may_assess_and_never_sees_gold_when_it_extracts(tmp_path: Path) -> None:
    model = ScriptedModel(reading)
    made = dataclasses.replace(benchmark(tmp_path, dataclasses.replace(HERON, answer="1500 g or so")))
    made = dataclasses.replace(made, metrics=("judged", *made.metrics))
    with evaluating.corpus(tmp_path) as corpus:
        assessor = ModelAssessor(Judge({"language": model}), "scripted:test")
        found = evaluate(corpus, made, ["bm25"], tmp_path / "out", assessor=assessor)
    assert found.assessor == "scripted:test"
    assert found.assessed_by["model"] == model.calls
    assert f"by scripted:test (model {model.calls}, cache 0, rule 0)" in page(summarize(found))
    assert found.runs[0].rows[0].is_right is not None
    extracting = [one for one in model.requests if one.decision == "extract_answer_value"]
    assert not any("or so" in one.turns[0].text for one in extracting)
    assert any(one.decision == "judge_answer" for one in model.requests)


def test_an_answer_for_which_the_model_was_not_reached_is_told_and_asked_again(tmp_path: Path) -> None:
    faults = [ModelFault(FaultKind.TIMEOUT, "no reply within 60 seconds")]

    def reply(request: Request) -> str | ModelFault:
        return faults.pop() if faults else reading(request)

    made, limits = benchmark(tmp_path, HERON), Limits(attempts=1)
    with evaluating.corpus(
        tmp_path, models=ModelConfig(models={"language": ScriptedModel(reply)}, limits=limits)
    ) as corpus:
        found = evaluate(corpus, made, ["bm25"], tmp_path / "out")
        assert found.runs[0].rows[0].response.decided_by == {"rule": 1}
        usage = summarize(found)["systems"][0]["usage"]
        assert usage["stood_in"] == {"questions": 1, "why": {"timeout": 1}}
        assert usage["decided_by"] == {"model": 0.0, "cache": 0.0, "rule": 1.0}
        assert "a rule stood in: bm25: 1 of 1." in page(summarize(found))
        again = evaluate(corpus, made, ["bm25"], tmp_path / "out")
        assert (again.took[-1].from_journal, again.runs[0].rows[0].response.decided_by) == (0, {"model": 1})
        assert evaluate(corpus, made, ["bm25"], tmp_path / "out").took[-1].from_journal == 1


def test_a_step_that_had_no_model_to_ask_is_no_failure_of_one() -> None:
    step = {"step": "visual_search", "parameters": {"decided_by": "rule", "why": "skipped: no model is configured"}}
    gave_up = {"step": "reflect", "parameters": {"decided_by": "rule", "why": "a:b failed 5 times in a row and is not"}}
    assert not rule_fallbacks(Response(trace=({"step": "Search", "parameters": {}, "steps": [step]},)))
    assert rule_fallbacks(Response(trace=({"step": "Search", "parameters": {}, "steps": [gave_up]},))) == {
        "given up": 1
    }


def test_an_unusable_reply_is_told_and_kept(tmp_path: Path) -> None:
    with evaluating.corpus(tmp_path, models=ScriptedModel(lambda _: "no JSON at all")) as corpus:
        made = benchmark(tmp_path, HERON)
        found = evaluate(corpus, made, ["bm25"], tmp_path / "out")
        assert summarize(found)["systems"][0]["usage"]["stood_in"]["questions"] == 1
        assert evaluate(corpus, made, ["bm25"], tmp_path / "out").took[-1].from_journal == 1


def test_caps_of_the_whole_run_end_it_and_keep_what_was_answered(tmp_path: Path) -> None:
    model = ScriptedModel(reading)
    with evaluating.corpus(tmp_path, models=model) as corpus:
        made = benchmark(tmp_path, HERON, OWL)
        options = Options(total_caps=Caps(calls=1))
        with pytest.raises(BudgetError, match="max_calls"):
            evaluate(corpus, made, ["bm25"], tmp_path / "out", options=options)
        found = evaluate(corpus, made, ["bm25"], tmp_path / "out")
    assert found.took[-1].from_journal == 1
    assert model.calls == 2
