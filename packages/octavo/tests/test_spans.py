"""A question is a span with its steps and calls of models inside, as the real SDK of OpenTelemetry records them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import octavo
from octavo.errors import UnknownDocumentError
from octavo.models import spans as octavo_spans
from octavo.models.language import Reply
from octavo.models.scripted import ScriptedModel

trace = pytest.importorskip("opentelemetry.trace")
export = pytest.importorskip("opentelemetry.sdk.trace.export")
sdk = pytest.importorskip("opentelemetry.sdk.trace")
memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")

SECRET = "Zephyrine"
QUESTION = f"When was the {SECRET} pier built?"


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The exporter of a tracer provider that is set up as a program would."""
    exporter = memory.InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spans")
    (path / "pier.md").write_text(f"# Piers\n\nThe {SECRET} pier was built in 1987. It is 210 metres long.\n")
    with octavo.open(path / "library") as corpus:
        corpus.add(path / "pier.md")
    return path / "library"


@pytest.fixture
def asked(folder: Path) -> Iterator[octavo.Corpus]:
    with octavo.open(folder) as corpus:
        yield corpus


def tree(exporter: Any) -> dict[str, list[str]]:
    """Return the names of spans by that of the span they are in, "" for the outermost."""
    spans = exporter.get_finished_spans()
    names = {span.context.span_id: span.name for span in spans}
    found: dict[str, list[str]] = {}
    for span in sorted(spans, key=lambda one: one.start_time):
        found.setdefault(names[span.parent.span_id] if span.parent else "", []).append(span.name)
    return found


def test_a_search_is_a_span_with_a_step_for_each_of_its_trace(kept: Any, asked: octavo.Corpus) -> None:
    found = asked.search(QUESTION, system="hybrid")
    of = tree(kept)
    assert of[""] == ["retrieval hybrid"]
    traced = [step.step for step in found.trace]
    inside = [name.removeprefix("step ") for name in of["retrieval hybrid"]]
    assert inside
    assert [name for name in traced if name in inside] == inside
    outer = kept.get_finished_spans()[-1]
    assert outer.attributes["gen_ai.operation.name"] == "retrieval"
    assert outer.attributes["octavo.passages"] == len(found.passages)
    assert {span.kind for span in kept.get_finished_spans()} == {trace.SpanKind.INTERNAL}


@pytest.mark.parametrize("how", ["ask", "stream"])
def test_calls_of_models_stand_in_the_step_that_asked(kept: Any, folder: Path, how: str) -> None:
    model = ScriptedModel([Reply('{"answer": "1987", "quotes": []}', 12, 3)] * 20, id="openai:gpt-5")
    with octavo.open(folder, models=model) as corpus:
        answer = corpus.ask(QUESTION) if how == "ask" else [*corpus.stream(QUESTION)][-1]
    of = tree(kept)
    assert of[""] == ["invoke_workflow auto"]
    calls = [span for span in kept.get_finished_spans() if span.name == "chat gpt-5"]
    by_id = {span.context.span_id: span for span in kept.get_finished_spans()}
    assert calls
    for call in calls:
        assert call.kind == trace.SpanKind.CLIENT
        assert by_id[call.parent.span_id].name.startswith("step ")
    outer = next(span for span in kept.get_finished_spans() if span.parent is None)
    assert outer.attributes["gen_ai.usage.input_tokens"] == answer.usage.input_tokens


def test_no_span_holds_a_word_of_question_or_document(kept: Any, asked: octavo.Corpus) -> None:
    asked.ask(QUESTION)
    spans = kept.get_finished_spans()
    assert SECRET not in " ".join(span.to_json() for span in spans)
    # Times and ids are left out here: four figures may stand in them by chance.
    told = " ".join(
        f"{span.name} {span.status.description} {dict(span.attributes)} "
        f"{[(event.name, dict(event.attributes or {})) for event in span.events]}"
        for span in spans
    )
    assert "1987" not in told


def test_a_question_that_fails_ends_its_span_as_an_error(kept: Any, asked: octavo.Corpus) -> None:
    with pytest.raises(UnknownDocumentError):
        asked.ask(QUESTION, documents=["nowhere.pdf"])
    (span,) = kept.get_finished_spans()
    assert span.status.status_code == trace.StatusCode.ERROR
    assert span.attributes["error.type"] == "UnknownDocumentError"


def test_several_calls_at_once_stand_in_the_span_that_asked_for_them(kept: Any) -> None:
    from octavo.decisions.engine.judge import Judge

    judge = Judge(models={"language": ScriptedModel([])})

    def work(name: str) -> str:
        with octavo_spans.span(name, {}):
            return name

    with octavo_spans.span("outer", {}):
        judge.map(work, ["a", "b", "c"])
    of = tree(kept)
    assert of[""] == ["outer"]
    assert sorted(of["outer"]) == ["a", "b", "c"]


def test_a_library_that_another_thread_is_importing_records_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", ModuleType("opentelemetry.trace"))
    with octavo_spans.span("step", {}) as tell:
        tell({"octavo.rows": 1})
