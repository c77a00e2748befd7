"""Whether a draft answers what is asked, and what it lacks: by rule and from replies."""

from __future__ import annotations

import json

import pytest

from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel
from octavo_methods.dmap.decisions.reflect import REFLECT, ReflectInput, Reflection


def judge(*replies: object) -> Judge:
    if not replies:
        return Judge()
    return Judge({"language": ScriptedModel([json.dumps(reply) for reply in replies])})


def reflection(value: ReflectInput, *replies: object) -> Reflection:
    return judge(*replies).decide(REFLECT, value).output


@pytest.mark.parametrize(
    ("value", "look_for"),
    [
        (ReflectInput("How deep is it?", "7 metres", ("It is 7 metres deep.",)), []),
        (ReflectInput("How deep is it?", "", ()), ["How deep is it?"]),
        (ReflectInput("How deep is it?", "It is not said.", is_answerable=False), ["How deep is it?"]),
        (ReflectInput("How long is the Grey Heron?", "40 m", ("The Storm Petrel is 40 m.",)), ["Grey Heron"]),
        (ReflectInput("What are the three fees?", "Mooring; towing", ("Mooring and towing.",)), ["3 items"]),
    ],
)
def test_a_draft_is_complete_when_it_covers_what_is_asked(value: ReflectInput, look_for: list[str]) -> None:
    found = reflection(value)
    assert found.is_complete == (not look_for)
    assert found.look_for == look_for


def test_a_comparison_with_one_side_found_is_not_complete() -> None:
    question = "Which ferry is longer, the Storm Petrel or the Grey Heron?"
    found = reflection(
        ReflectInput(question, "The Storm Petrel", ("The Storm Petrel is 40 m long.",), ("Heron", "Crew"))
    )
    assert not found.is_complete
    assert "Grey Heron" in found.look_for
    assert found.look_in == ["Heron"]


def test_a_draft_of_which_nothing_is_said_to_be_missing_is_complete() -> None:
    value = ReflectInput("How deep is it?", "7 m", ("It is 7 m deep.",))
    assert reflection(value, {"missing": " ", "is_complete": False, "look_for": [""]}).is_complete
    assert not reflection(value, {"missing": "the date", "is_complete": False, "look_for": []}).is_complete


def test_a_reflection_names_places_that_were_shown_only() -> None:
    value = ReflectInput("How deep is it?", "7 m", titles=("Tides", "Crew"))
    reply = {"missing": "depth", "is_complete": False, "look_for": [], "look_in": ["crew", "Kitchen"]}
    found = reflection(value, reply)
    assert (found.look_for, found.look_in) == (["How deep is it?"], ["Crew"])


def test_a_draft_without_an_answer_is_never_complete() -> None:
    value = ReflectInput("How deep is it?", "", is_answerable=False)
    assert not reflection(value, {"missing": "", "is_complete": True}).is_complete
    complete = reflection(ReflectInput("How deep is it?", "7 m"), {"is_complete": True, "look_for": ["depth"]})
    assert complete == Reflection(is_complete=True)
