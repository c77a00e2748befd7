"""`octavo train-router`: curating, checking and telling, none of which needs torch."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

import generated_collection
from cli_corpus import octavo
from octavo.errors import UsageError
from octavo.models.language import Request
from octavo.models.local_files import LocalFiles
from octavo_lab.commands import train_router_run
from octavo_lab.commands.train_router_options import TrainOptions
from octavo_lab.training import scoring
from octavo_lab.training.example import decision_of, read_all, reply_of, request_for, write_all
from octavo_lab.training.job import kinds
from routing_examples import example

TOPICS = ("town", "ferry")


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("collection")
    made = generated_collection.generate(5, 8, 4, topics=TOPICS)
    generated_collection.write(folder, iter(made.articles), made.questions, as_files=True)
    return folder


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if torch, transformers and peft were there."""
    monkeypatch.setattr("octavo_lab.commands.train_router_run._check_packages", lambda: None)


def curated(folder: Path) -> Path:
    write_all(folder / "examples.jsonl", [example((3,)), example((), (5,)), example()])
    return folder


@pytest.mark.slow
def test_examples_are_made_from_gold_and_split(collection: Path, tmp_path: Path) -> None:
    call = ("train-router", str(collection), "--only", "curate", "--hold-out", "0.3", "--out", str(tmp_path), "--json")
    done = octavo(*call)
    assert done.status == 0, done.err
    told = json.loads(done.out)["examples"]
    train = read_all(tmp_path / "examples.jsonl")
    assert told["train"] == len(train)
    assert told["kinds"] == kinds(train)
    assert told["kinds"]["answer"] > 0
    questions = {row["id"]: row for row in map(json.loads, (collection / "questions.jsonl").read_text().splitlines())}
    for one in train:
        lines = {line.id: line.text for line in one.routing.lines}
        gold = [" ".join(text.removeprefix("- ").split()) for text in questions[one.question_id]["evidence_text"]]
        for answer in one.actions.answer:
            assert any(text in lines[answer] for text in gold)
    written = (tmp_path / "examples.jsonl").stat().st_mtime_ns
    assert octavo(*call).out == done.out
    assert (tmp_path / "examples.jsonl").stat().st_mtime_ns == written


def test_a_dry_run_counts_what_is_curated(tmp_path: Path) -> None:
    call = ("train-router", "--dry-run", "--base", "owner/name", "--batch", "2", "--epochs", "4", "--json")
    told = json.loads(octavo(*call, "--out", str(curated(tmp_path))).out)
    assert (told["examples"], told["steps"], told["labelling_calls"]) == (3, 6, 0)
    assert told["tokens_trained"] == 6 * 2 * told["tokens_per_example"]
    nothing = octavo(*call[:-1], "--out", str(tmp_path / "new"))
    assert re.search(r"^tokens per example +not known$", nothing.out, re.MULTILINE)
    shorter = json.loads(octavo(*call, "--out", str(tmp_path), "--no-instructions").out)
    assert shorter["tokens_per_example"] < told["tokens_per_example"] / 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--out FOLDER is needed"),
        (("--out", "x"), "--base MODEL is needed"),
        (("--out", "x", "--only", "dream"), "--only: needs one of curate, train, evaluate"),
        (("--out", "x", "--base", "owner/name", "--rank", "none"), "--rank: needs a whole number"),
        (("--out", "x", "--base", "owner/name", "--epochs", "0"), "--epochs one above 0"),
        (("--out", "x", "--base", "nowhere"), "does not exist"),
        (("--out", "x", "--only", "curate"), "name a benchmark"),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_a_line(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    done = octavo("train-router", *(str(tmp_path / one) if one == "x" else one for one in arguments))
    assert done.status != 0
    assert told in done.err
    assert done.err.count("\n") == 1


def test_what_could_not_be_labelled_is_told(tmp_path: Path) -> None:
    made = {"train": 2, "held_out": 0, "kinds": {"answer": 2, "expand": 0, "refuse": 0}, "skipped": 3}
    work = train_router_run._Work(None, TrainOptions(out=str(tmp_path), only="curate"))
    work.run_told = {"examples": made, "training": None}
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(train_router_run.terminal, "write", said.append)
        work.tell(())
    assert said == [
        "2 examples to learn from (2 answer, 0 expand, 0 refuse), 0 held out",
        "3 steps or questions left out: the evidence was not found, or no action leads to it",
    ]


def test_questions_without_evidence_need_a_model_that_labels(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "harbour.md").write_text("# Harbour\n\nNine moorings.\n")
    (tmp_path / "questions.jsonl").write_text('{"question": "How many moorings?", "answer": "nine"}\n')
    done = octavo("train-router", str(tmp_path), "--only", "curate", "--out", str(tmp_path / "out"))
    assert done.status == 2
    assert "has no gold evidence: add evidence_text" in done.err


def test_without_torch_the_extra_is_named_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)

    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("octavo.models.torch_engine.importlib.import_module", missing)
    done = octavo("train-router", "--base", "owner/name", "--out", str(curated(tmp_path)))
    assert done.status == 1
    assert "pip install 'octavo[train]'" in done.err


@pytest.mark.usefixtures("packages")
def test_training_and_measuring_are_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from octavo.models.scripted import ScriptedModel
    from octavo_lab.training.finetuning import Finetuned

    write_all(curated(tmp_path) / "held-out.jsonl", [example((3,), question_id="q2", document_id="d2")])
    seen: list[LocalFiles] = []

    def finetune(base: LocalFiles, examples: object, plan: object, out: Path, **_rest: object) -> Finetuned:
        seen.append(base)
        return Finetuned(out / "router", (2.0, 1.0, 0.5), 3, 0, 0, "cpu", 1.0, (2.0, 0.7))

    monkeypatch.setattr("octavo_lab.training.job.finetune", finetune)
    monkeypatch.setattr(
        "octavo_lab.commands.train_router_run._Work._routers",
        lambda _work: {"rule": None, "after": ScriptedModel(["[ANSWER] 3: The east quay", "[EXPAND] 9"])},
    )
    done = octavo("train-router", "--base", "owner/name", "--no-instructions", "--out", str(tmp_path))
    assert done.status == 0, done.err
    assert seen == [LocalFiles("owner/name", sends_instructions=False)]
    run = json.loads((tmp_path / "report.json").read_text())
    assert run["routers"]["after"]["answer_f1"] == 1.0
    assert run["training"]["losses"] == [2.0, 1.0, 0.5]
    assert "| answer_f1 |" in done.out
    page = (tmp_path / "report.html").read_text()
    assert "<polyline" in page
    assert "loss 2.000 at first, 0.500 at last" in page


def test_a_report_escapes_what_it_is_given_and_draws_no_curve_without_a_training() -> None:
    run = {"name": "<b>x</b>", "examples": {"train": 1, "held_out": 0, "kinds": {"answer": 1}}, "training": None}
    page = scoring.page(run)
    assert "<b>x</b>" not in page
    assert "<svg" not in page
    assert scoring.markdown(run).startswith("# Router trained on <b>x</b>")


def asqa(folder: Path) -> Path:
    """Write a file in the layout of ASQA with an article about its questions; return the folder."""
    (folder / "articles").mkdir(parents=True)
    lines = ["# Long pier\n", "The pier has nine moorings.\n", "## Later\n", "A tenth was built in 1990.\n"]
    (folder / "articles" / "pier.md").write_text("\n".join(lines))
    (folder / "articles" / "lamp.md").write_text(
        "# Harbour lamp\n\nThe lamp of the pier burns oil.\n\n## Care\n\nIt is trimmed.\n"
    )

    def row(question: str) -> dict[str, object]:
        pairs = [{"question": question, "short_answers": ["nine"], "context": "", "wikipage": None}]
        return {"ambiguous_question": question, "qa_pairs": pairs, "annotations": [{"long_answer": "Nine."}]}

    splits = {"dev": {"1": row("How many lamps?")}, "train": {"2": row("How many moorings has the pier?")}}
    (folder / "ASQA.json").write_text(json.dumps(splits))
    return folder


PAPER = ("train-router", "asqa-train", "--paper", "--only", "curate", "--hold-out", "0")


def test_as_in_the_paper_a_model_labels_questions_alone_in_one_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from octavo.models.scripted import ScriptedModel

    def labels(request: Request) -> str:
        tree = request.turns[0].text
        return "[ANSWER] 2: The pier has\n[EXPAND] 3: Later" if "Long pier" in tree else "[REFUSE]"

    model = ScriptedModel(labels)
    monkeypatch.setattr("octavo.cli.models_from_settings.model_of", lambda *_given, **_named: model)
    out = ("--out", str(tmp_path / "out"), "--label-with", "openai:labeller")
    done = octavo(*PAPER, "--documents", str(asqa(tmp_path / "data")), *out)
    assert done.status == 0, done.err
    made = read_all(tmp_path / "out" / "examples.jsonl")
    assert {one.decision for one in made} == {"route_subtree"}
    assert {(one.routing.document, one.kind) for one in made} == {("Long pier", "answer"), ("Harbour lamp", "refuse")}
    assert {one.question_id for one in made} == {"2"}
    assert {request.decision for request in model.requests} == {"route_subtree"}
    assert "systems are measured by" not in done.err
    answered = next(one for one in made if one.kind == "answer")
    assert reply_of(answered).split("\n")[0] == "[ANSWER] 2: The pier has nine moorings."
    assert request_for(answered.routing, 9000, answered.decision)[0].turns[0].text in {
        request.turns[0].text for request in model.requests
    }


def test_as_in_the_paper_there_has_to_be_a_model_that_labels(tmp_path: Path) -> None:
    done = octavo(*PAPER, "--documents", str(asqa(tmp_path / "data")), "--out", str(tmp_path / "out"))
    assert done.status == 2
    assert "--paper needs --label-with MODEL" in done.err


def test_whoever_trains_on_what_systems_are_measured_by_is_warned(tmp_path: Path) -> None:
    folder = str(asqa(tmp_path / "data"))
    out = ("--documents", folder, "--out", str(tmp_path / "out"), "--base", "owner/name", "--dry-run")
    warned = octavo("train-router", "asqa", "--label-with", "none:x", *out)
    assert "never measure a router on them that was trained on them" in warned.err
    assert "measured by" not in octavo("train-router", "asqa-train", "--label-with", "none:x", *out).err


def test_the_paper_holds_out_500_of_its_examples_and_what_is_given_counts(tmp_path: Path) -> None:
    def share(**given: object) -> float:
        options = TrainOptions(out=str(tmp_path), only="curate", paper=True, **given)  # pyright: ignore[reportArgumentType]
        return train_router_run._Work(None, options)._share

    assert round(share() * 24_327) == 500
    assert share(hold_out="0.1") == 0.1


def test_examples_for_two_decisions_train_no_router() -> None:
    both = [example((3,)), dataclasses.replace(example((3,)), decision="route_subtree")]
    with pytest.raises(UsageError, match="several decisions"):
        decision_of(both)
