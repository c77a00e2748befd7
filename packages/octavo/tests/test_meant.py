"""Asked of several documents that say the same of different ones, a question is answered from the one it means."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import octavo
from indexed import run_over
from octavo.corpus import Corpus
from octavo.evidence import Answer, Evidence, Outcome, Query
from octavo.evidence.meant_documents import MeantDocuments
from octavo.operators.core import Run
from octavo.operators.keep import MEANT_ALONE, each_first, each_share
from octavo.operators.score.prefer_documents import PreferDocuments
from octavo.operators.score.score_meant_alone import ScoreMeantAlone
from octavo.systems import PAPER_PLANS, SYSTEMS
from octavo.systems.baselines import SCORED_BY_CONTENT
from octavo_documents.document import Kind
from synthetic import Row, document

ISSUERS = ("Norwick Ferries plc", "Harbor Lines plc", "Eastmoor Water plc")
YEARS = (2019, 2020, 2021)


def report(issuer: str, year: int, revenue: int) -> str:
    return (
        f"# {issuer}\n\nAnnual Report for the year ended 31 December {year}\n\n## Results\n\n"
        f"Revenue in {year} was {revenue} million crowns, and the board of {issuer} proposes a dividend.\n\n"
        f"## Outlook\n\n{issuer} expects demand to be stable.\n"
    )


def revenue(issuer: int, year: int) -> int:
    return 101 + 17 * issuer + 3 * (year - 2019)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """Nine reports, and thirty notes on other things: more than a question opens."""
    folder = tmp_path_factory.mktemp("library")
    for at, issuer in enumerate(ISSUERS):
        for year in YEARS:
            (folder / f"report-{at}-{year}.md").write_text(report(issuer, year, revenue(at, year)))
    for at in range(30):
        (folder / f"note{at}.md").write_text(f"# Note {at}\n\nOn herons, reeds and the revenue of a {at}th mill.\n")
    with octavo.open(folder / "corpus") as opened:
        assert not opened.add(folder, ocr="never").failed
        yield opened


def asked(corpus: Corpus, question: str, **more: object) -> Answer:
    return corpus.ask(question, **more)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What was the revenue of Norwick Ferries in 2020?", "report-0-2020.md"),
        ("what was harbor lines' revenue in 2021", "report-1-2021.md"),
        ("Revenue of Eastmor Water in 2019?", "report-2-2019.md"),
    ],
)
def test_the_first_passage_is_of_the_document_that_is_named(corpus: Corpus, question: str, name: str) -> None:
    answer = asked(corpus, question)
    assert answer.passages[0].document == name
    assert answer.meant is not None
    assert [one["document"] for one in answer.meant["documents"]] == [name]
    assert answer.to_json()["meant"] == answer.meant
    if answer.outcome is Outcome.ANSWER:
        assert answer.citations[0].document == name


def test_equal_documents_stand_in_one_order_however_they_came() -> None:
    scores = {"sha256:c": 0.0, "sha256:a": 0.0, "sha256:e": -0.5, "sha256:d": -1.0, "sha256:b": 0.0}
    for order in ("abcde", "edcba", "dbeca"):
        ids = [f"sha256:{one}" for one in order]
        rows = {one: row for row, one in enumerate(ids)}
        meant = MeantDocuments(kinds=("annual report",), rows=rows, scores=np.array([scores[one] for one in ids]))
        for most in range(8):
            in_order = [f"sha256:{one}" for one in "abced"][:most]
            assert meant.in_order(most) == in_order
            assert meant.best(most) == in_order[:3]


def test_in_a_scope_of_few_the_same(corpus: Corpus) -> None:
    names = [f"report-{at}-{year}.md" for at in range(3) for year in YEARS]
    answer = asked(corpus, "What was the revenue of Norwick Ferries in 2020?", documents=names)
    assert answer.passages[0].document == "report-0-2020.md"


def test_one_document_prefers_none(corpus: Corpus) -> None:
    answer = asked(corpus, "What was the revenue of Norwick Ferries in 2020?", documents=["report-1-2020.md"])
    assert answer.meant is None
    assert all(step.step != "MeantDocuments" for step in answer.trace)


def test_two_that_are_compared_both_have_a_page(corpus: Corpus) -> None:
    answer = asked(corpus, "Compare the revenue of Norwick Ferries and Harbor Lines in 2020.")
    first = [hit.document for hit in answer.evidence.pages(answer.by)[:2]]
    names = {answer.evidence.view.documents[at].name for at in first}
    assert names == {"report-0-2020.md", "report-1-2020.md"}


def test_each_that_is_compared_has_a_page_and_a_passage_and_is_named(corpus: Corpus) -> None:
    answer = asked(corpus, "How did the revenue of Eastmoor Water change from 2019 to 2021?")
    wanted = {"report-2-2019.md", "report-2-2021.md"}
    names = answer.evidence.view.names
    assert wanted <= {names[hit.document] for hit in answer.evidence.pages(answer.by)[:3]}
    assert wanted <= {one.document for one in answer.passages}
    if answer.outcome is not Outcome.ANSWER:
        assert all(name in answer.text for name in wanted)
    four = asked(corpus, "Compare the revenue of Norwick Ferries and Harbor Lines in 2019 and in 2021.")
    wanted = {f"report-{at}-{year}.md" for at in (0, 1) for year in (2019, 2021)}
    assert wanted == {one.document for one in four.passages}, "one passage of each, and so more than three"


def test_of_a_document_that_is_surely_meant_pages_rank_as_if_it_alone_were_asked(corpus: Corpus) -> None:
    question = "What does Norwick Ferries propose for its dividend in 2020?"
    step = ScoreMeantAlone(SCORED_BY_CONTENT, "fused")
    together = [f"report-{at}-{year}.md" for at in range(3) for year in YEARS]
    view, alone = corpus.view(together), corpus.view(["report-0-2020.md"])
    library = corpus._library.current(
        corpus.backend.store, corpus.backend.catalogue, [one.id for one in view.documents]
    )
    run, run_alone = Run(view), Run(alone)
    run.meant = library.meant(question, lambda terms: [3 for _ in terms])
    found = step(Query(question), run)
    at = [one.name for one in view.documents].index("report-0-2020.md")
    own = found.rows[found.scores[MEANT_ALONE] == 1]
    assert set(view.document[own].tolist()) == {at}
    scored = SCORED_BY_CONTENT(Query(question), run_alone)
    by_row = dict(zip(found.rows.tolist(), found.scores["fused"].tolist(), strict=True))
    shifted = [by_row[row + int(view.row_starts[at])] for row in scored.rows.tolist()]
    gaps = np.array(shifted) - scored.scores["fused"]
    assert np.allclose(gaps, gaps[0])
    every = SCORED_BY_CONTENT(Query(question), Run(view))
    others = view.document[every.rows] != at
    assert [by_row[row] for row in every.rows[others].tolist()] == every.scores["fused"][others].tolist()
    assert max(shifted) == pytest.approx(float(every.scores["fused"][~others].max()))


def test_where_no_name_is_sure_all_documents_are_scored_together(corpus: Corpus) -> None:
    for names in (["report-0-2020.md", "note1.md"], ["report-0-2020.md"]):
        run = Run(corpus.view(names))
        question = Query("what is proposed for the dividend?")
        found = ScoreMeantAlone(SCORED_BY_CONTENT, "fused")(question, run)
        plain = SCORED_BY_CONTENT(question, run)
        assert found == plain


def test_a_name_of_no_document_is_said_and_nothing_stated(corpus: Corpus) -> None:
    answer = asked(corpus, "What was the revenue of Tesla in 2020?")
    assert answer.outcome is not Outcome.ANSWER
    assert "Tesla" in answer.lead


def test_a_year_of_no_report_is_said_and_nothing_stated(corpus: Corpus) -> None:
    answer = asked(corpus, "What was the revenue of Norwick Ferries in 2011?")
    assert answer.outcome is not Outcome.ANSWER
    assert "No document here is about “Norwick Ferries” in 2011" in answer.lead


def test_the_figure_of_a_quarter_in_a_later_report_is_not_that_of_the_year(tmp_path: Path) -> None:
    quarter = (
        "# Norwick Ferries plc\n\nThis is for the third quarter of fiscal year 2021.\n\n## Condensed results\n\n"
        "Amounts are in £ million unless said otherwise.\n\n| | 2021 | 2020 |\n|---|---|---|\n"
        "| Revenue | 189.5 | 195.6 |\n| Operating income | 38.0 | 33.5 |\n| Headcount | 2,894 | 2,556 |\n"
    )
    year = (
        "# Norwick Ferries plc\n\nAnnual Report for the year ended 31 December 2020\n\n## Business\n\n"
        "The fleet carried a million people; what the year brought in was ninety million crowns in all.\n"
    )
    for name, text in (("q3.md", quarter), ("annual.md", year), ("other.md", report(ISSUERS[1], 2020, 118))):
        (tmp_path / name).write_text(text)
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / "q3.md", tmp_path / "annual.md", tmp_path / "other.md"])
        answer = corpus.ask("What was the revenue of Norwick Ferries in 2020?")
        assert answer.outcome is not Outcome.ANSWER or answer.citations[0].document == "annual.md"
        alone = corpus.ask("What was the revenue of Norwick Ferries in 2020?", documents=["q3.md"])
        assert alone.outcome is Outcome.ANSWER, "without the other one it is stated: the question is of this one"


def test_what_is_added_and_removed_is_known_at_once(tmp_path: Path) -> None:
    for at, issuer in enumerate(ISSUERS[:2]):
        (tmp_path / f"{at}.md").write_text(report(issuer, 2020, revenue(at, 2020)))
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / "0.md", tmp_path / "1.md"])
        question = "What was the revenue of Eastmoor Water in 2020?"
        assert corpus.search(question).meant == {
            "periods": ["2020"],
            "strangers": ["Eastmoor", "Water"],
            "documents": [],
        }
        (tmp_path / "2.md").write_text(report(ISSUERS[2], 2020, revenue(2, 2020)))
        corpus.add(tmp_path / "2.md")
        found = corpus.search(question).meant
        assert found is not None
        assert [one["document"] for one in found["documents"]] == ["2.md"]
        corpus.remove("2.md")
        gone = corpus.search(question).meant
        assert gone is None or not gone["documents"]


def test_folders_tell_what_files_do_not(tmp_path: Path) -> None:
    for name in ("Norwick", "Harbor"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "README.md").write_text(f"# Readme\n\nTerms of delivery: {len(name)} days.\n")
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / "Norwick", tmp_path / "Harbor"])
        found = corpus.search("What are the terms of delivery of Harbor?")
        first = found.evidence.view.documents[found.evidence.pages(found.by)[0].document]
        assert "6 days" in "\n".join(first.blocks.text)


def test_a_corpus_of_before_prefers_nothing(tmp_path: Path) -> None:
    """Documents without the layer are neither preferred nor left aside; `add` makes it without reading them."""
    for at, issuer in enumerate(ISSUERS[:2]):
        (tmp_path / f"{at}.md").write_text(report(issuer, 2020, revenue(at, 2020)))
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / "0.md", tmp_path / "1.md"])
        store = corpus.backend.store
        for key in store.published(names=("about",)):
            corpus.backend.care.drop(key)
        corpus._library.clear()
        assert corpus.search("What was the revenue of Harbor Lines in 2020?").meant is None


ROWS: list[Row] = [(Kind.PARAGRAPH, "One.", 1, 0), (Kind.PARAGRAPH, "Two.", 1, 0)]


class TestPreferDocuments:
    def scored(self, meant: MeantDocuments, scores: list[float]) -> list[float]:
        documents = [document(ROWS, name=f"{at}.pdf") for at in range(3)]
        run = run_over(*documents)
        run.meant = meant
        evidence = Evidence.of(run.view, range(6)).with_score("fused", np.array(scores))
        return PreferDocuments("fused").apply(evidence, run).scores["fused"].tolist()

    def meant(self, scores: list[float], groups: list[int] | None = None) -> MeantDocuments:
        ids = [document(ROWS, name=f"{at}.pdf").id for at in range(3)]
        return MeantDocuments(
            rows={one: at for at, one in enumerate(ids)},
            scores=np.array(scores),
            groups=np.array(groups or []),
            confidence=1.0,
        )

    def test_blocks_of_others_are_lowered(self) -> None:
        assert self.scored(self.meant([0.0, -1.0, -9.0]), [1.0] * 6) == [1.0, 1.0, 0.0, 0.0, -1.0, -1.0]

    def test_the_best_of_each_group_is_as_good(self) -> None:
        found = self.scored(self.meant([0.0, -0.1, -1.0], [0, 1, -1]), [2.0, 1.0, 1.0, 0.5, 1.0, 1.0])
        assert found == pytest.approx([2.0, 1.0, 2.0, 1.5, 0.0, 0.0])

    def test_nothing_named_changes_nothing(self) -> None:
        assert self.scored(MeantDocuments(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_each_of_several_things_comes_first_and_has_its_share() -> None:
    assert each_first([0, 0, -1, 2, 0, 2]) == [0, 3, 1, 2, 4, 5]
    assert each_first([0, -1, 0]) == [0, 1, 2], "one thing is no several"
    assert each_share([0] * 8 + [1, 1, -1], 6)[:6] == [0, 1, 8, 9, 2, 3]
    assert each_share([-1, 0, 0], 2) == [0, 1, 2]


def test_systems_of_ours_prefer_and_those_of_papers_do_not() -> None:
    preferring = {name for name in SYSTEMS if "PreferDocuments" in repr(SYSTEMS[name].retrieve)}
    assert {"auto", "hybrid", "raptor"} <= preferring
    assert not {"bm25", "dense"} & preferring, "baselines of one search each stay what their names say"
    assert not [name for name in PAPER_PLANS if "PreferDocuments" in repr(PAPER_PLANS[name].retrieve)]
