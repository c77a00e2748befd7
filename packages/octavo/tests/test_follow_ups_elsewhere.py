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


@pytest.mark.parametrize(
    ("asked", "last"),
    [
        (("Wer prüft den Kran?", "Wie oft?", "Und wann?"), "Und wann? (Wer prüft den Kran)"),
        (("Wer prüft den Kran?", "Wie oft?", "Und der Motor?"), "Und der Motor? (Wie oft; Wer prüft den Kran)"),
        (("Wer prüft den Kran?", "Und der Motor?", "Und der Haken?"), "Und der Haken? (Wer prüft den Kran)"),
        (("Wer prüft den Kran?", "Und der Motor?", "Wann?", "Warum?"), "Warum? (Und der Motor; Wer prüft den Kran)"),
        (("Qui contrôle la grue ?", "Quand ?", "À quelle fréquence ?"), "À quelle fréquence? (Qui contrôle la grue)"),
        (("¿Quién revisa la grúa?", "¿Cuándo?", "¿Cuánto cuesta?"), "¿Cuánto cuesta? (¿Quién revisa la grúa)"),
        (("Chi controlla la gru?", "Quando?", "Quante volte?"), "Quante volte? (Chi controlla la gru)"),
        (("Wie controleert de kraan?", "Hoe vaak?", "Wanneer?"), "Wanneer? (Wie controleert de kraan)"),
        (("Kto sprawdza dźwig?", "Kiedy?", "Jak często?"), "Jak często? (Kto sprawdza dźwig)"),
        (("Кто проверяет кран?", "Когда?", "Как часто?"), "Как часто? (Кто проверяет кран)"),
        (("谁检查起重机？", "什么时候？", "多久一次？"), "多久一次? (谁检查起重机)"),
        (("クレーンは誰が点検しますか？", "いつ？", "なぜ？"), "なぜ? (クレーンは誰が点検しますか)"),
        (("من يفحص الرافعة؟", "متى؟", "كم مرة؟"), "كم مرة? (من يفحص الرافعة)"),
        (("Who inspects the crane?", "How often?", "Why?"), "Why? (who inspects the crane)"),
    ],
)
def test_what_completed_a_question_before_is_not_set_in_brackets_within_brackets(
    asked: tuple[str, ...], last: str
) -> None:
    turns: list[PastTurn] = []
    for question in asked:
        found = complete(question, turns)
        turns.append(PastTurn(found.question if found else question))
    assert turns[-1].question == last


@pytest.mark.parametrize(
    ("question", "code"),
    [
        *(("Wie oft?", "de"), ("Wie lange?", "de"), ("Warum?", "de"), ("Combien ?", "fr"), ("Hoe vaak?", "nl")),
        *(("Quante volte?", "it"), ("Quantos?", "pt"), ("Kiedy?", "pl"), ("Why?", "en"), ("Total?", "en")),
    ],
)
def test_a_question_of_a_few_words_is_in_the_language_that_alone_asks_so(question: str, code: str) -> None:
    assert understand(question).language == code
