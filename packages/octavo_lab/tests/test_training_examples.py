"""Examples of routing: labelled by gold, written and read, split, and what routers are measured by."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.models.language import Reply
from octavo.models.scripted import ScriptedModel
from octavo_lab.training import scoring
from octavo_lab.training.example import (
    actions_of,
    is_held_out,
    read,
    read_all,
    reply_of,
    request_for,
    split,
    write_all,
    written,
)
from octavo_lab.training.finetuning import Checkpoints, Progress, Tokens, TrainingPlan, labels_of
from octavo_lab.training.scoring import score
from octavo_methods.rdr2.decisions.route_document import Actions, Routing
from routing_examples import LINES, example, routing

# Labels


def test_visible_gold_answers_and_hidden_gold_is_opened_the_most_first() -> None:
    found = actions_of(routing(), {3, 4, 9}, {0: 1, 5: 2})
    assert found == Actions(answer=[3, 4], expand=[5, 0])


def test_a_document_without_gold_is_refused() -> None:
    assert actions_of(routing(), set(), {}) == Actions(refuse=True)


def test_gold_that_no_action_leads_to_gives_no_example() -> None:
    assert actions_of(routing(), {9}, {}) is None


def test_nothing_is_refused_where_it_cannot_be() -> None:
    assert actions_of(Routing("q", "d", LINES, can_refuse=False), set(), {}) is None


def test_a_heading_whose_content_is_visible_is_not_opened_for_it() -> None:
    assert actions_of(routing(), {3}, {2: 1}) == Actions(answer=[3])


# Files


def test_examples_come_back_as_they_were_written(tmp_path: Path) -> None:
    given_ones = (example((3,), (5,)), example(), example((), (0,)))
    write_all(tmp_path / "new" / "examples.jsonl", given_ones)
    assert read_all(tmp_path / "new" / "examples.jsonl") == given_ones
    assert [one.kind for one in given_ones] == ["answer", "refuse", "expand"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": [5]}, "not legal"),
        ({"answer": [], "expand": []}, "not legal"),
        ({"refuse": True}, "not legal"),
        ({"answer": "three"}, "answer"),
        ({"lines": []}, "lines"),
        ({"question": ""}, "question"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_what_is_no_example_is_told_with_its_line(tmp_path: Path, change: dict[str, object], told: str) -> None:
    good = json.loads(written(example((3,))))
    path = tmp_path / "examples.jsonl"
    path.write_text(f"{json.dumps(good)}\n\n{json.dumps({**good, **change})}\n")
    with pytest.raises(UsageError, match=rf"line 3: .*{told}"):
        read_all(path)


def test_lines_with_the_same_id_are_no_example() -> None:
    row = json.loads(written(example((3,))))
    row["lines"].append(row["lines"][2])
    with pytest.raises(ValueError, match="same id"):
        read(json.dumps(row))


def test_a_file_without_examples_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    for name, told in (("empty", "no example"), ("bytes", "cannot be read"), ("missing", "cannot be read")):
        with pytest.raises(UsageError, match=told):
            read_all(tmp_path / f"{name}.jsonl")


# The two sides


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=60), st.floats(0, 0.9))
def test_no_question_and_no_document_is_on_both_sides(pairs: list[tuple[int, int]], share: float) -> None:
    given_ones = [example((3,), question_id=f"q{one}", document_id=f"d{other}") for one, other in pairs]
    parts = split(given_ones, share)
    assert not {one.question_id for one in parts.train} & {one.question_id for one in parts.held_out}
    assert not {one.document_id for one in parts.train} & {one.document_id for one in parts.held_out}
    assert len(parts.train) + len(parts.held_out) + parts.dropped == len(given_ones)


def test_about_the_share_of_the_questions_is_held_out_always_the_same() -> None:
    held = [f"q{at}" for at in range(1000) if is_held_out(f"q{at}", 0.2)]
    assert 150 < len(held) < 250
    assert all(is_held_out(name, 0.3) for name in held)


@pytest.mark.parametrize("share", [1.0, -0.1])
def test_a_share_out_of_range_is_refused(share: float) -> None:
    with pytest.raises(UsageError, match="held out"):
        split([example()], share)


# Measures


def test_a_router_that_does_what_is_right_has_the_best_figures() -> None:
    given_ones = [example((3,), (5,)), example((), (0,)), example()]
    found = score(given_ones, [one.actions for one in given_ones])
    assert (found.answer_f1, found.expand_precision, found.expand_recall, found.refuse_accuracy) == (1, 1, 1, 1)
    assert (found.false_refusals, found.expelled, found.collapsed) == (0, 0, 0)


def test_figures_are_counted_over_all_steps() -> None:
    given_ones = [example((3,)), example((3, 4)), example((), (5,)), example()]
    done = [
        Actions(answer=[3, 4]),
        Actions(answer=[3, 99], expand=[2]),
        Actions(refuse=True),
        Actions(expand=[0]),
    ]
    found = score(given_ones, done)
    assert found.answer_precision == pytest.approx(2 / 3)
    assert found.answer_recall == pytest.approx(2 / 3)
    assert found.answer_f1 == pytest.approx(2 / 3)
    assert found.expand_precision == 0
    assert found.expand_recall == 0
    assert found.refuse_accuracy == 0
    assert found.false_refusals == pytest.approx(1 / 3)
    assert found.expelled == pytest.approx(2 / 4)
    assert found.collapsed == 0


def test_saying_nothing_that_can_be_done_is_a_collapse() -> None:
    found = score([example((3,)), example()], [Actions(answer=[99]), Actions()])
    assert found.collapsed == 1
    assert found.expelled == 0.5
    assert found.answer_precision is None


# Asking


def test_a_model_is_measured_on_its_first_reply() -> None:
    replies = iter(["[ANSWER] 3: The east quay", '{"answer": [4], "expand": [], "refuse": false}', "I do not know."])
    model = ScriptedModel(lambda _request: next(replies))
    router = scoring.by_model(model, Judge())
    asked = [Routing(f"{at}?", "Harbour", LINES) for at in range(3)]
    assert [router(one) for one in asked] == [Actions(answer=[3]), Actions(answer=[4]), Actions()]
    assert model.calls == 3


def test_a_reply_that_was_cut_counts_as_far_as_it_goes() -> None:
    model = ScriptedModel([Reply("[ANSWER] 3: The east\n[ANSW", 1, 5, finish="length")])
    assert scoring.by_model(model, Judge(), 5)(routing()) == Actions(answer=[3])
    assert model.requests[0].max_output_tokens == 5


def test_what_is_trained_is_what_is_asked() -> None:
    model = ScriptedModel(["[REFUSE]"], context_tokens=100_000)
    Judge({"route_document": model}).decide(_decision(), routing())
    request, is_whole = request_for(routing(), 100_000)
    assert is_whole
    assert request == model.requests[0]


def test_the_reply_is_tags_with_the_first_words() -> None:
    said = ["[ANSWER] 3: The east quay has nine moorings.", "[EXPAND] 5: Records"]
    assert sorted(reply_of(example((3,), (5,))).split("\n")) == said
    assert reply_of(example()) == "[REFUSE]"


def test_any_right_action_may_come_first_and_it_is_always_the_same() -> None:
    asked = [example((3,), (5,), question_id=str(at)) for at in range(20)]
    replies = [reply_of(one) for one in asked]
    assert {one[:8] for one in replies} == {"[ANSWER]", "[EXPAND]"}
    assert replies == [reply_of(one) for one in asked]


def test_for_the_papers_plan_what_answers_comes_first_in_the_order_in_which_it_was_named() -> None:
    asked = [example((4, 3), (5,), question_id=str(at)) for at in range(9)]
    replies = {reply_of(dataclasses.replace(one, decision="route_subtree")) for one in asked}
    assert [re.findall(r"^(\S+) (\d+)", said, re.MULTILINE) for said in replies] == [
        [("[ANSWER]", "4"), ("[ANSWER]", "3"), ("[EXPAND]", "5")]
    ]


def _decision():
    from octavo_methods.rdr2.decisions.route_document import ROUTE_DOCUMENT

    return ROUTE_DOCUMENT


# The plan


def test_the_settings_are_those_of_the_paper() -> None:
    plan = TrainingPlan()
    assert (plan.rank, plan.alpha, plan.learning_rate, plan.batch) == (8, 16, 1e-5, 8)
    assert plan.epochs == 3.5
    assert plan.steps(23_827) == 10_425


def test_of_an_example_only_the_reply_is_learnt() -> None:
    assert labels_of([Tokens((1, 2, 3, 4, 5), 3), Tokens((6, 7, 8, 9), 1)]) == [[3, 4, 5], [-100, -100, 9]]


@given(st.integers(1, 50), st.integers(1, 9), st.integers(1, 4))
def test_each_example_comes_once_in_an_epoch(examples: int, batch: int, epochs: int) -> None:
    plan = TrainingPlan(batch=batch, epochs=epochs)
    steps = plan.steps(examples)
    rows = [row for step in range(steps) for row in plan.rows(step, examples)]
    assert steps == math.ceil(epochs * examples / batch)
    for epoch in range(len(rows) // examples):
        assert sorted(rows[epoch * examples : (epoch + 1) * examples]) == list(range(examples))


def test_the_learning_rate_rises_and_falls_to_nothing() -> None:
    plan = TrainingPlan(learning_rate=0.001, warmup=0.1)
    rates = [plan.rate(step, 100) for step in range(100)]
    assert rates[0] == pytest.approx(0.0001)
    assert max(rates) == pytest.approx(0.001)
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] < 0.00001


@pytest.mark.parametrize(
    "wrong", [{"rank": 0}, {"batch": 0}, {"learning_rate": 0}, {"epochs": 0}, {"epochs": math.inf}]
)
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        TrainingPlan(**wrong)  # pyright: ignore[reportArgumentType]


# Checkpoints


def test_the_newest_checkpoint_of_the_same_training_is_found(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, "one")
    assert checkpoints.newest() is None
    for step in (2, 10):
        checkpoints.save(Progress(step, (0.5,) * step), lambda folder: (folder / "weights").write_text("w") and None)
    found = checkpoints.newest()
    assert found is not None
    assert found == (tmp_path / "checkpoint-10", Progress(10, (0.5,) * 10))
    assert (found[0] / "weights").read_text() == "w"
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-10"]
    assert Checkpoints(tmp_path, "another").newest() is None


def test_a_checkpoint_that_is_interrupted_leaves_the_one_before(tmp_path: Path) -> None:
    checkpoints = Checkpoints(tmp_path, "one")
    checkpoints.save(Progress(2, (0.5, 0.4)), lambda _folder: None)

    def killed(_folder: Path) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checkpoints.save(Progress(4, (0.5,) * 4), killed)
    found = checkpoints.newest()
    assert found is not None
    assert found[1].step == 2
