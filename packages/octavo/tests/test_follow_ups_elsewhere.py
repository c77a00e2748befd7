"""Follow-up questions in other languages than English, and those that a rule is not sure of."""

from __future__ import annotations

import pytest

from octavo.question import Expects, PastTurn, complete, understand

LIFT = PastTurn("Wie oft wird der Lastenaufzug geprüft?", "", ("hausordnung.md",), ("hausordnung.md",))


@pytest.mark.parametrize(
    ("before", "question"),
    [
        ("Wie oft wird der Lastenaufzug geprüft?", "Und wer macht das?"),
        ("Wie oft wird der Lastenaufzug geprüft?", "Von wem?"),
        ("Wie oft wird der Lastenaufzug geprüft?", "Und der Personenaufzug?"),
        ("Wann werden die Treppen gereinigt?", "Was kostet das?"),
        ("Quand les escaliers sont-ils nettoyés ?", "Et combien ça coûte ?"),
        ("¿Cuándo se limpian las escaleras?", "¿Y quién lo hace?"),
        ("Quando vengono pulite le scale?", "E chi lo fa?"),
        ("Wanneer worden de trappen schoongemaakt?", "En wie doet dat?"),
    ],
)
def test_a_question_that_points_back_is_asked_with_the_one_before(before: str, question: str) -> None:
    found = complete(question, [PastTurn(before, "", (), ("a.md",))], ["a.md", "b.md"])
    assert found is not None
    assert found.question == f"{question.rstrip(' ?')}? ({before.rstrip(' ?')})"
    assert found.documents == ("a.md",)


@pytest.mark.parametrize(
    "question",
    [
        "Wer bekommt den Bericht?",
        "Was kostet das Zimmer am See?",
        "Wann ist das Haus geöffnet?",
        "Wer ist Halden?",
        "Und wie viele Stellplätze hat die Tiefgarage im Norden?",
    ],
)
def test_a_question_that_says_what_it_is_about_stands_alone(question: str) -> None:
    assert complete(question, [LIFT], ["hausordnung.md", "b.md"]) is None


@pytest.mark.parametrize("question", ["Who does it?", "Who does that?", "And who did it?"])
def test_what_is_done_is_no_thing_that_the_earlier_question_names(question: str) -> None:
    last = PastTurn("How often is the goods lift inspected?", "", (), ("lifts.md",))
    found = complete(question, [last], ["lifts.md", "fleet.csv"])
    assert found is not None
    assert found.question.endswith("? (the goods lift inspected)")
    assert found.documents == ("lifts.md",)


def test_a_question_that_a_rule_is_sure_of_is_asked_of_all_documents() -> None:
    last = PastTurn("How often is the goods lift inspected?", "", (), ("lifts.md",))
    found = complete("And the passenger lift?", [last], ["lifts.md", "fleet.csv"])
    assert found is not None
    assert (found.question, found.documents) == ("How often is the passenger lift inspected?", ())


def test_what_comes_before_the_question_that_completes_it_says_what_is_asked_for() -> None:
    assert understand("Wer prüft ihn? (Wie viel trägt der Lastenaufzug?)").expects is Expects.PERSON
    assert understand("Who inspects it? (How much does the goods lift carry?)").expects is Expects.PERSON
    assert understand("Wie viele Tage hat ein Monat? (Februar)").expects is Expects.COUNT
    assert understand("Und Teilzeitkräfte? (Wie viele Urlaubstage erhält eine Vollzeitkraft?)").expects is Expects.COUNT
