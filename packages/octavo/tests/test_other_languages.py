"""Documents and questions in other languages than English: what is found, expected, stated and refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import octavo
from indexed import searched, view_of
from octavo import systems
from octavo.about.question_names import names_in
from octavo.operators.extractive.matching import unknown_names, unknown_words
from octavo.operators.score.search import terms_of
from octavo.question import Expects, asked_by_table, understand
from octavo_documents.document import Document, Kind
from octavo_documents.text import languages
from synthetic import document

TIDES = {
    "de": (
        "Die Kapitänin Ada Berg leitete das Haus auf der Insel, und ihre Leute liebten sie sehr.",
        "Der Leuchtturm von Norrick wurde im Jahr 1954 von den Fischern gebaut, die dort wohnten.",
        "Für die Reparaturen der Häuser hat die Gemeinde seit dem Sommer viel Geld ausgegeben.",
    ),
    "zh": (
        "船长住在岛上的房子里，大家都很喜欢她。",
        "诺里克灯塔于1954年由渔民建造，他们住在那里。",
        "自夏天以来，市政府为修理房屋花了很多钱。",
    ),
    "ru": (
        "Капитан жила в доме на острове, и все её очень любили.",
        "Маяк Норрика был построен в 1954 году рыбаками, которые там жили.",
        "С лета община потратила много денег на ремонт домов, которые стоят на берегу.",
    ),
}


def pages_of(code: str, name: str = "") -> Document:
    return document([(Kind.PARAGRAPH, text, at, 0) for at, text in enumerate(TIDES[code], 1)], name=name)


@pytest.mark.parametrize(
    ("question", "code", "expects"),
    [
        ("Wie viele Einwohner hat die Stadt?", "de", Expects.COUNT),
        ("Qui a construit le phare de l'île ?", "fr", Expects.PERSON),
        ("¿Quién construyó el faro?", "es", Expects.PERSON),
        ("¿En qué año se construyó el faro?", "es", Expects.YEAR),
        ("Quanto costa il biglietto per la torre?", "it", Expects.MONEY),
        ("Onde fica o farol que foi construído?", "pt", Expects.PLACE),
        ("Is het waar dat de vuurtoren er nog is?", "nl", Expects.YES_NO),
        ("Kiedy została zbudowana latarnia?", "pl", Expects.DATE),
        ("Сколько человек живёт на острове?", "ru", Expects.COUNT),
        ("灯塔是哪一年建造的？", "zh", Expects.YEAR),
        ("誰が灯台を建てましたか", "ja", Expects.PERSON),
        ("متى بنيت المنارة؟", "ar", Expects.DATE),
        ("Deniz fenerini kim yaptı ve ne zaman?", "tr", Expects.PASSAGE),
        ("Dans quelle école était le gardien quand il a vu le phare ?", "fr", Expects.NAME),
        ("¿Cuántos años tenía la capitana cuando dejó la isla?", "es", Expects.COUNT),
        ("Em que barco estava o guarda quando viu o farol?", "pt", Expects.NAME),
    ],
)
def test_a_question_tells_its_language_and_what_it_expects(question: str, code: str, expects: Expects) -> None:
    asked = understand(question)
    assert (asked.language, asked.expects) == (code, expects)


def test_a_question_word_with_a_capital_is_no_name() -> None:
    assert understand("¿Quién construyó el faro?").name_terms == ()
    assert understand("¿Quién era Ada Berg para ellos?").names == ("Ada Berg",)
    assert understand("Wer hat die Kapitänin und den Leuchtturm gesehen?").names == ()


@pytest.mark.parametrize(
    ("code", "question", "year"),
    [
        ("de", "In welchem Jahr wurde der Leuchtturm gebaut?", 1954),
        ("zh", "诺里克灯塔是哪一年建造的？", 1954),
        ("ru", "В каком году был построен маяк Норрика?", 1954),
    ],
)
def test_a_question_is_answered_in_the_language_of_the_document(code: str, question: str, year: int) -> None:
    run, evidence = searched(question, pages_of(code))
    answer = systems.run_ask(systems.get("hybrid"), run.query, run)
    assert TIDES[code][1] in answer.passages[0].text
    assert str(year) in answer.passages[0].text
    assert len(evidence)


@pytest.mark.parametrize(
    ("code", "question", "page"),
    [
        ("de", "Wofür wurde bei der Reparatur eines Hauses Geld ausgegeben?", 3),
        ("zh", "修理房屋的錢是谁花的？", 3),
        ("ru", "На что община тратила деньги при ремонте дома?", 3),
    ],
)
def test_other_forms_of_words_are_found(code: str, question: str, page: int) -> None:
    run, _ = searched(question, pages_of(code))
    answer = systems.run_ask(systems.get("bm25"), run.query, run)
    assert answer.passages[0].page == page


def test_a_document_is_indexed_by_the_language_of_each_passage() -> None:
    index = terms_of(view_of(pages_of("de", "a.txt"), pages_of("zh", "b.txt")))
    assert index.languages == {"de", "zh"}
    assert len(index.postings("灯塔")[0]) == 1
    assert len(index.postings("reparatur")[0]) == 1


def test_english_documents_say_no_language_and_keep_their_terms() -> None:
    view = view_of(document([(Kind.PARAGRAPH, "The companies reported sales of Müller.", 1, 0)]))
    assert terms_of(view).languages == {"en"}
    assert len(terms_of(view).postings("compani")[0]) == 1


def test_names_are_missed_only_in_documents_of_the_language_of_the_question() -> None:
    view = view_of(pages_of("ru"))
    assert unknown_names(understand("Who was the captain of Petrograd?"), view) == []
    assert unknown_words(understand("How is the weather?"), view) == []
    assert unknown_names(understand("Кто жил в городе Петрограде?"), view) == ["Петрограде"]
    assert unknown_names(understand("Кто построил маяк Норрика?"), view) == []


@pytest.mark.parametrize(
    ("question", "what", "number"),
    [
        ("Was zeigt Abbildung 3 im Bericht?", "figure", "3"),
        ("Que montre le tableau 2 ?", "table", "2"),
        ("第三章讲了什么？", "chapter", "3"),
    ],
)
def test_a_question_points_at_things_by_their_names_in_its_language(question: str, what: str, number: str) -> None:
    (found,) = understand(question).references
    assert (found.what, found.number) == (what, number)
    assert found.words in question


def test_a_language_of_a_file_alone_asks_by_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "eo.toml"
    table.write_text(
        'name = "Esperanto"\nstemmer = "esperanto"\nscript = "latin"\nfunction_words = "la kaj estas kiu kiom da oni"\n'
        '[asks]\ncount = ["kiom da"]\n',
        encoding="utf-8",
    )
    monkeypatch.setitem(languages.LANGUAGES, "eo", table)
    assert asked_by_table.expected("Kiom da domoj estas?", "eo") is Expects.COUNT
    assert asked_by_table.subject_of("Kiom da domoj estas?", "eo") != ()


def test_function_words_of_the_language_of_a_question_are_no_names() -> None:
    def documents_with(terms: Sequence[str]) -> list[int]:
        return [1 for _ in terms]

    found = names_in("Lý thuyết không khí được gọi là gì?", documents_with, lambda _: 1.0, lambda _: False)
    assert {"không", "được", "là", "gì"}.isdisjoint(word.written for name in found for word in name)


NAVIGATION = """<html lang="de"><body><h1>Paketverwaltung</h1>
<p>Die Pakete werden von dem Programm geprüft, das die Unterschriften der Verwalter kennt.</p>
<table><tr><td colspan="3">Was ist die Paketverwaltung mit apt?</td></tr>
<tr><td>Zurück</td><td>Einleitung</td><td>Weiter</td></tr></table></body></html>"""


def test_no_row_is_named_by_what_heads_all_columns(tmp_path: Path) -> None:
    (tmp_path / "apt.html").write_text(NAVIGATION, encoding="utf-8")
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / "apt.html"])
        assert corpus.ask("Mit welcher Software prüft apt die Pakete?").text != "Zurück"
