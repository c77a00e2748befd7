"""What an answer says around its quotes is in the language of its question, else in the reader's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import octavo
from cli_corpus import octavo as run
from octavo.corpus import Corpus
from octavo.evidence import Answer, Outcome
from octavo.evidence.own_words import language_of_answer, page_told
from octavo_documents.wording import speaking

FERRY = """# Fährordnung

## Fahrpreise

Eine Überfahrt kostet für Erwachsene 4,50 Euro. Kinder unter sechs Jahren fahren kostenlos.

| Linie | Dauer | Preis |
|---|---|---|
""" + "".join(f"| Linie {number} | {number} Minuten | {number},50 Euro |\n" for number in range(10, 40))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("ferry")
    (folder / "fähre.md").write_text(FERRY, encoding="utf-8")
    corpus = octavo.open(folder / "corpus")
    corpus.add(folder / "fähre.md")
    return corpus


@pytest.mark.parametrize(
    ("question", "reader", "code"),
    [
        ("Was kostet eine Überfahrt für Erwachsene?", "fr", "de"),
        ("¿Cuánto cuesta el pasaje?", "en", "es"),
        ("Combien coûte la traversée pour un adulte ?", "en", "fr"),
        ("成人单程票价是多少？", "en", "zh"),
        ("What does a crossing cost?", "de", "en"),
        ("Quanto costa il biglietto per la torre?", "en", "en"),
        ("Quanto costa il biglietto per la torre?", "de", "de"),
        ("4711", "zh", "zh"),
    ],
)
def test_the_language_of_an_answer(question: str, reader: str, code: str) -> None:
    with speaking(reader):
        assert language_of_answer(question) == code


def test_an_answer_is_framed_in_the_language_of_its_question(corpus: Corpus) -> None:
    german = corpus.ask("Was kostet eine Überfahrt für Erwachsene?")
    assert german.outcome is Outcome.ANSWER and german.text == "4,50 Euro"
    assert (german.lead, german.label) == ("Gefunden in „Fahrpreise“", "wörtlich aus dem Text")
    with speaking("zh"):  # whoever reads it later
        assert german.lead == "Gefunden in „Fahrpreise“"


def test_passages_say_in_it_how_much_they_leave_out(corpus: Corpus) -> None:
    def told(answer: Answer) -> str:
        return "\n".join(one.text for one in answer.passages)

    german = told(corpus.ask("Welche Linie braucht 22 Minuten und kostet wie viel?"))
    assert "weitere Zeilen" in german and "more rows" not in german
    english = told(corpus.ask("How many minutes does Linie 22 take?"))
    assert "more rows" in english and "weitere" not in english


def test_nothing_found_says_so_in_it(corpus: Corpus) -> None:
    found = corpus.ask("Wer ist der Bürgermeister von Norrick in Schottland?")
    assert not found.answerable
    assert "Nothing" not in found.lead and "passage" not in found.lead


@pytest.mark.parametrize(
    ("code", "label", "told"),
    [
        ("de", "12", "Seite 3 (gedruckt „12“)"),
        ("fr", "slide 3", "diapositive 3"),
        ("es", "sheet Q1", "hoja Q1"),
        ("en", "", "page 3"),
    ],
)
def test_places_are_called_in_it(code: str, label: str, told: str) -> None:
    with speaking(code):
        assert page_told(3, label) == told


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "existiert nicht: Prüfen Sie den Pfad"),
        ("fr", "n’existe pas\u00a0: vérifiez le chemin"),
        ("es", "no existe: compruebe la ruta"),
        ("zh", "不存在：请检查路径"),
        ("en", "does not exist: check the path"),
    ],
)
def test_the_command_line_speaks_the_language_of_the_environment(
    language: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OCTAVO_LANGUAGE", language)
    done = run("add", str(tmp_path / "none.pdf"), "--corpus", str(tmp_path / "corpus"))
    assert said in done.err
    programs = run("add", "--json", str(tmp_path / "none.pdf"), "--corpus", str(tmp_path / "corpus"))
    assert "does not exist" in json.loads(programs.out)["failed"][0]["message"]


def test_help_is_told_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OCTAVO_LANGUAGE", "de")
    told = run("list", "--help").out
    assert told.startswith("Aufruf: octavo list") and "Die ersten N davon." in told
    assert "Sprachen" in run("doctor").out
