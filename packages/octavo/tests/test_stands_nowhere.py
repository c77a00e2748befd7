"""What a question names that stands nowhere is said first, and only where it is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.corpus import Corpus
from octavo.evidence import Outcome
from octavo.question import understand

MONTHS = ["2013-02-01", "2013-03-01", "2014-02-01", "2014-03-01"]


def corpus_of(tmp_path: Path, **texts: str) -> Corpus:
    paths: list[Path] = []
    for name, text in texts.items():
        path = tmp_path / name.replace("_", ".")
        path.write_text(text)
        paths.append(path)
    corpus = Corpus(tmp_path / "corpus")
    corpus.add(paths)
    return corpus


def lead(corpus: Corpus, question: str) -> str:
    answer = corpus.ask(question, system="auto")
    assert answer.outcome is not Outcome.ANSWER
    return answer.lead


def table(years: list[str]) -> str:
    return "month,ferry passengers,freight\n" + "".join(f"{year},{40 + at},{7 * at}\n" for at, year in enumerate(years))


@pytest.mark.parametrize("year", ["2020", "二〇二〇", "FY20"])
def test_a_year_that_the_rows_of_a_sheet_do_not_have_is_said_to_stand_nowhere(tmp_path: Path, year: str) -> None:
    with corpus_of(tmp_path, tides_csv=table(MONTHS)) as corpus:
        told = lead(corpus, f"How many ferry passengers were there in March {year}?")
    written = {"二〇二〇": "2020"}.get(year, year)
    assert told.startswith(f"“{written}” stands nowhere in tides.csv; the nearest is in cells A1:C5")


@pytest.mark.parametrize("last", ["1 Mar 20", "FY20", "2020-03", "3/1/20", "2019/20"])
def test_nothing_is_said_where_the_year_stands_in_another_form(tmp_path: Path, last: str) -> None:
    with corpus_of(tmp_path, tides_csv=table([*MONTHS, last])) as corpus:
        answer = corpus.ask("How many ferry passengers were there in March 2020?", system="auto")
    assert "nowhere" not in answer.lead


GUIDE = (
    "# Guide\n\nThe program Larkspur tracks ships. Its keeper Ines Dufour wrote it in 1998.\n\n## Versions\n\n"
    "Larkspur 2 added charts of tides. Larkspur 3 added the log of radio calls in the harbour.\n"
)


def test_a_name_that_stands_nowhere_beside_one_that_does_is_said(tmp_path: Path) -> None:
    with corpus_of(tmp_path, guide_md=GUIDE) as corpus:
        assert "“Zanthor” stands nowhere in guide.md" in lead(corpus, "Why does Larkspur log the calls of Zanthor?")
        assert "nowhere" not in lead(corpus, "Why does Larkspur log the calls of the harbour?")


def test_in_german_it_is_said_in_german_and_names_are_left_alone(tmp_path: Path) -> None:
    text = "# Hafen\n\nDer Hafen hatte im Winter 1998 viele Boote und wenige Gäste, weil die Fähre nicht fuhr.\n"
    with corpus_of(tmp_path, hafen_md=text) as corpus:
        told = lead(corpus, "Warum hatte der Hafen im Winter 2007 so viele Boote?")
    assert told.startswith("“2007” steht nirgends in hafen.md")


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("What was freight in March 2020?", {2020}),
        ("Which boats were built after 2016?", set()),
        ("Which boats sailed from 2006 to December 2015?", set()),
        ("Welche Boote fuhren seit 2016?", set()),
        ("Was kostete die Fähre im Jahr 2016?", {2016}),
        ("2016年以降の船は？", set()),
        ("二〇一六年の船は？", {2016}),
        ("What did the FY19 report say of ’18?", {2019, 2018}),
        ("What is more than 1999 metres long?", set()),
    ],
)
def test_years_that_only_bound_others_are_not_looked_for(question: str, years: set[int]) -> None:
    assert {year for _, year in understand(question).years_looked_for} == years
