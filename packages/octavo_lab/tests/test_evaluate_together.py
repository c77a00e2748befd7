"""Questions asked of all documents together: what is right then, what stands beside, what runs are told apart."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import storing
from cli_corpus import Done, octavo
from octavo.cli import context
from octavo.cli.settings import Settings
from octavo.corpus import Corpus
from octavo.layers import OPTIONAL_LAYERS
from octavo_lab.benchmarks import load
from octavo_lab.metrics.registry import METRICS
from octavo_lab.question import CheckedCitation, Gold, NamedDocument, Question, Response, ScoredResponse
from octavo_lab.report import document, table
from octavo_lab.runner import Evaluation, evaluate
from octavo_lab.scoring import response_of
from octavo_lab.summary import summarize
from two_ferries import two_ferries

ACME = "# Acme\nAcme is a maker of anvils.\f# Sales\nSales of the year were 120 crates of anvils."
BOLT = "# Bolt\nBolt sells springs.\f# Sales\nSales of the year were 450 crates: sales of crates of springs."
SALES = {
    "id": "sales",
    "question": "What were the sales of crates of the year?",
    "answers": ["120 crates"],
    "document": "acme.pdf",
    "pages": [2],
}
"""Its words stand more often in the other document, which is found first."""
SPRINGS = {
    "id": "springs",
    "question": "What does Bolt sell?",
    "answers": ["springs"],
    "document": "bolt.pdf",
    "pages": [1],
}
PRICE = {"id": "price", "question": "What does an anvil cost?", "answers": [], "document": "acme.pdf"}


def folder(place: Path, *rows: dict[str, Any], **more: str) -> Path:
    """Write a folder of own questions about two documents, and more of them."""
    storing.write(place / "documents", acme=ACME, bolt=BOLT, **more)
    (place / "questions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows or (SALES, SPRINGS, PRICE)))
    return place


def run(place: Path, *, together: bool = True, system: str = "bm25", **more: Any) -> Evaluation:
    asked = load("natural", place, together=together, **more)
    with storing.corpus(place.parent / "corpus") as corpus:
        return evaluate(corpus, asked, [system], place.parent / "out")


def values(found: Evaluation, at: int = 0) -> dict[str, float | None]:
    row = found.runs[0].rows[at]
    return {name: METRICS[name].of(row) for name in ("document@1", "page@1", "page@5", "unit@1", "unit@3")}


def test_a_page_of_another_document_is_not_right_though_it_has_the_number_of_the_gold(tmp_path: Path) -> None:
    found = run(folder(tmp_path / "bench"))
    assert found.runs[0].rows[0].ranking[:2] == (("bolt.pdf", 2), ("acme.pdf", 2))
    assert values(found) == {"document@1": 0.0, "page@1": 0.0, "page@5": 1.0, "unit@1": 0.0, "unit@3": 1.0}
    assert values(found, 1)["document@1"] == 1.0
    given = values(run(folder(tmp_path / "bench"), together=False))
    assert given == {"document@1": None, "page@1": 1.0, "page@5": 1.0, "unit@1": 1.0, "unit@3": 1.0}


def test_the_same_words_in_another_document_are_no_answer(tmp_path: Path) -> None:
    wrong = {**SALES, "answers": ["450 crates"]}
    found = run(folder(tmp_path / "bench", wrong, SPRINGS))
    first = found.runs[0].rows[0].response.passages[0]
    assert first.document == "bolt.pdf" and "450 crates" in first.text
    assert (values(found)["unit@1"], values(found)["unit@3"]) == (0.0, 0.0)


def test_a_question_without_an_answer_is_asked_too(tmp_path: Path) -> None:
    (system,) = summarize(run(folder(tmp_path / "bench")))["systems"]
    assert [row["id"] for row in system["rows"]] == ["sales", "springs", "price"]
    assert system["counts"]["document@1"] == 3 and system["counts"]["false_claims"] == 1


def test_recall_of_pages_needed_together_counts_those_of_the_right_document(tmp_path: Path) -> None:
    needed = {"id": "n", "question": SALES["question"], "answer": "120", "document": "acme.pdf", "evidence_pages": [2]}
    other = {"id": "o", "question": "What does Bolt sell?", "answer": "springs", "document": "bolt.pdf"}
    place = folder(tmp_path / "bench", needed, other)
    asked = load("mmlongbench", place, together=True)
    with storing.corpus(tmp_path / "corpus") as corpus:
        made = summarize(evaluate(corpus, asked, ["bm25", "oracle-pages"], tmp_path / "out"))
    found, oracle = (system["metrics"] for system in made["systems"])
    assert [found[name] for name in ("document@1", "pr@1", "recall@5", "recall@10")] == [0.5, 0.0, 1.0, 1.0]
    assert (oracle["pr"], oracle["pages"]) == (1.0, 0.5)
    assert "right document first" in table(made) and "recall@10" in table(made)
    row = made["systems"][0]["rows"][0]
    assert (row["document"], row["right_documents"], row["evidence_pages"]) == ("acme.pdf", ["acme.pdf"], [2])
    assert row["ranking"][0] == ["bolt.pdf", 2]


def test_answers_with_the_document_given_are_never_taken_for_those_of_all(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench")
    known = [run(place, together=together).took[-1].from_journal for together in (False, True, True, False)]
    assert known == [0, 0, 3, 3]


def test_a_single_document_is_told_apart_too(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench", PRICE)
    (place / "documents" / "bolt.pdf").unlink()
    assert [run(place, together=one).took[-1].from_journal for one in (False, True)] == [0, 0]


def test_other_documents_stand_beside_and_another_number_of_them_is_asked_anew(tmp_path: Path) -> None:
    place, beside = folder(tmp_path / "bench"), tmp_path / "beside"
    storing.write(beside / "deep", crate=BOLT.replace("450", "990"))
    storing.write_file(beside / "README.md", "# Crates\nNothing is said here.")
    assert summarize(run(place))["together"] == {"documents": 2, "beside": 0}
    found = run(place, beside=[beside])
    made = summarize(found)
    assert (made["documents"], made["together"]) == (2, {"documents": 4, "beside": 2})
    assert found.took[-1].from_journal == 0
    assert ("crate.pdf", 2) in found.runs[0].rows[0].ranking[:3]
    assert "Asked of all 4 documents together, 2 of them beside the benchmark's." in document(made)
    assert run(place, beside=[beside]).took[-1].from_journal == 3
    assert run(place).took[-1].from_journal == 3


def test_the_same_bytes_are_one_document_and_the_same_name_is_not(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench", SALES, {**SALES, "id": "copy", "document": "copy.pdf"}, SPRINGS, copy=ACME)
    storing.write(tmp_path / "beside" / "x", other=ACME, acme=BOLT.replace("450", "990"))
    found = run(place, beside=[tmp_path / "beside"])
    assert summarize(found)["together"] == {"documents": 3, "beside": 1}
    first, copy, _ = found.runs[0].rows
    assert {name for name, _ in first.ranking} == {"acme.pdf", "bolt.pdf", "x/acme.pdf"}
    assert first.right_documents == copy.right_documents == {"acme.pdf"}
    assert first.ranking[0][0] != "acme.pdf" and values(found)["page@5"] == values(found, 1)["page@5"] == 1.0


def test_the_gold_of_the_benchmark_is_no_document(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench")
    (place / "questions.jsonl").write_text(json.dumps({**SALES, "title": "gold", "text": "Sales: 120 crates."}))
    asked = load("natural", place, together=True, beside=[tmp_path, place])
    assert [[path.name for path in paths] for paths in (asked.documents, asked.beside)] == [["acme.pdf"], ["bolt.pdf"]]


def test_fewer_questions_are_asked_of_as_many_documents(tmp_path: Path) -> None:
    place = folder(tmp_path / "bench")
    assert len(load("natural", place, together=True, limit=1).documents) == 2
    assert len(load("natural", place, limit=1).documents) == 1


def test_layers_are_built_beside_too_and_what_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    storing.write(tmp_path / "beside", crate=BOLT.replace("450", "990"))
    for name in ("broken.pdf", "acme.pdf"):
        storing.write_file(tmp_path / "beside" / name, f"!damaged {name}")
    asked = load("natural", folder(tmp_path / "bench"), together=True, beside=[tmp_path / "beside"])
    tree = {name: OPTIONAL_LAYERS[name] for name in ("topology", "topology_vectors")}
    builders = dataclasses.replace(storing.builders(), optional=tree)
    with Corpus(tmp_path / "corpus", builders=lambda: builders) as corpus:
        found = evaluate(corpus, asked, ["raptor"], tmp_path / "out")
        assert corpus.status().layers["topology_vectors"] == 3
    assert [Path(failure.removesuffix(" is damaged")).name for failure in found.failures] == ["acme.pdf", "broken.pdf"]
    assert not any(row.response.error for row in found.runs[0].rows)


BOTH: dict[str, Any] = {"question": "What were the sales of crates?", "items": ["120 crates", "450 crates"]}


@pytest.mark.parametrize(
    ("gold", "found"),
    [
        ({"pages": {"acme.pdf": [2], "bolt.pdf": [1]}}, {"page@1": 0.0, "page@5": 1.0, "document@1": 1.0}),
        ({"pages": {"acme.pdf": [1], "bolt.pdf": [2]}}, {"page@1": 1.0, "page@5": 1.0, "document@1": 1.0}),
        ({"evidence_pages": {"acme.pdf": [2], "bolt.pdf": [2]}}, {"pr@1": 0.0, "pr@3": 1.0, "documents@1": 0.5}),
        ({"evidence_pages": {"acme.pdf": [2]}}, {"pr@1": 0.0, "recall@5": 1.0, "document@1": 0.0, "page@1": None}),
        ({"documents": ["acme.pdf", "bolt.pdf"]}, {"document@1": 1.0, "documents@1": None}),
        ({"evidence_documents": ["acme.pdf", "bolt.pdf"]}, {"document@1": 1.0, "documents@1": 0.5, "documents@2": 1.0}),
    ],
)
def test_pages_and_documents_of_several_are_all_needed_or_any_of_them(
    tmp_path: Path, gold: dict[str, Any], found: dict[str, float | None]
) -> None:
    (row,) = run(folder(tmp_path / "bench", {**BOTH, **gold})).runs[0].rows
    assert row.ranking[0] == ("bolt.pdf", 2)
    assert {name: METRICS[name].of(row) for name in found} == found


def test_pages_of_several_documents_count_where_these_are_given(tmp_path: Path) -> None:
    scope = {"documents": ["acme.pdf", "bolt.pdf"], "evidence_pages": {"acme.pdf": [2], "bolt.pdf": [2]}}
    (row,) = run(folder(tmp_path / "bench", {**BOTH, **scope}), together=False).runs[0].rows
    assert {name: METRICS[name].of(row) for name in ("pr@1", "pr@3", "document@1")} == {
        "pr@1": 0.0,
        "pr@3": 1.0,
        "document@1": None,
    }


def test_a_wrong_page_of_a_document_is_a_bad_row(tmp_path: Path) -> None:
    asked = load("natural", folder(tmp_path / "bench", SPRINGS, {**BOTH, "pages": {"acme.pdf": [0]}}))
    assert asked.problems == ("questions.jsonl:2, pages: needs page numbers from 1 in 'acme.pdf', not 0",)


def test_what_is_cited_or_retrieved_of_another_document_is_not_gold() -> None:
    question = Question("q", "?", "120", ("acme.pdf",), evidence_pages=(2,), evidence_blocks=("b1",), together=True)
    cited = tuple(CheckedCitation(name, 2, "b1", "", True) for name in ("acme.pdf", "bolt.pdf"))
    response = Response(citations=cited, blocks=(("other", "b1"),))
    gold = Gold(named=(NamedDocument("acme.pdf", "right", "acme.pdf"),))
    row = ScoredResponse(question, response, "120", gold=gold)
    assert [METRICS[name].of(row) for name in ("cited_pages_gold", "block_recall")] == [0.5, 0.0]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder; corpora of the command hold text files."""

    def open_corpus(settings: Settings) -> Corpus:
        assert settings.corpus is not None
        return storing.corpus(settings.corpus)

    monkeypatch.setattr(context, "open_corpus", open_corpus)
    monkeypatch.delenv("OCTAVO_CORPUS", raising=False)
    monkeypatch.chdir(tmp_path)
    storing.write(tmp_path / "beside", crate=BOLT.replace("450", "990"))
    return folder(tmp_path / "bench")


def command(bench: Path, *more: str) -> Done:
    return octavo("evaluate", "natural", "--documents", str(bench), "--out", "out", "--system", "bm25", *more)


def test_the_command_says_of_how_many_documents_it_asked(bench: Path) -> None:
    done = command(bench, "--together", "--beside", "beside")
    assert (done.status, done.err) == (0, "")
    told = {line.split("|")[1].strip(): line.split("|")[2].strip() for line in done.out.splitlines()[:-3]}
    assert told["first page is of the right document"] == "67 % (2 of 3)"
    words = "asked of all 3 documents together, 1 of them beside the benchmark's"
    assert f"3 questions, {words}; indexed in" in done.out
    page = Path("out/report.html").read_text()
    assert words.replace("'", "&#x27;") in page
    assert '<span class="page gold" title="acme.pdf">2</span>' in page
    assert '<span class="page gold" title="bolt.pdf">2</span>' not in page
    again = json.loads(command(bench, "--together", "--beside", "beside", "--json").out)
    assert again["together"] == {"documents": 3, "beside": 1} and again["run"]["from_journal"] == 3
    given = json.loads(command(bench, "--json").out)
    assert given["together"] is None and given["run"]["from_journal"] == 0
    assert "document@1" not in given["systems"][0]["metrics"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--beside", "beside"], "it needs --together"), (["--together", "--beside", "gone"], "gone does not exist")],
)
def test_a_wrong_call_is_one_line(bench: Path, arguments: list[str], named: str) -> None:
    done = command(bench, *arguments)
    assert (done.status != 0, done.err.count("\n")) == (True, 1)
    assert named in done.err


def test_documents_of_one_name_keep_the_names_of_their_files_in_what_is_kept(tmp_path: Path) -> None:
    with two_ferries(tmp_path) as corpus:
        answer = corpus.ask("Where are the papers of the Harbor office kept?")
    kept = response_of(answer, [])
    assert answer.passages[0].document == "Harbor/README.md"
    assert kept.passages[0].document == "README.md"
    assert {page.document for page in kept.pages} >= {"README.md"}
    assert not any("/" in page.document for page in kept.pages)
