"""Citations leave in formats that other tools read, whatever stands in the documents."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import octavo
import synthetic
from octavo.about.description import DocumentDescription
from octavo.about.document_about import DocumentAbout
from octavo.about.profile import DocumentProfile
from octavo.cli.main import run
from octavo.errors import UsageError
from octavo.evidence.citation_ids import CitationId
from octavo.exports import FORMATS, Bundle, export, names_of
from octavo.exports.bundle import CitedSource, Quotation, bundle_of
from octavo_documents.document import Kind
from octavo_server import ServerSettings
from octavo_server.run import application
from pdfs import say, write

NASTY = (
    "100 % of \\section{x} & $5_2 #1 ~^ {open\r\nER  - \nTY  - BOOK "
    "<script>alert(1)</script> [a](javascript:b) `c` \u2028“é” https://evil.example www.evil.example"
)
DIGITS = "ab" * 32
FORMATS_OF_WORKS = ("bibtex", "csl-json", "ris")


def source(**more: Any) -> CitedSource:
    given: dict[str, Any] = {"id": f"sha256:{DIGITS}", "name": "report.pdf", "title": "Annual Report"}
    return CitedSource(**given | more)


def citation(**more: Any) -> Quotation:
    place = {"document_id": f"sha256:{DIGITS}", "page": 12, "page_label": "10"}
    where = {"box": (72.0, 90.1, 300.2, 120.0), "section": ("3 Results", "3.2 Revenue"), "kind": "paragraph"}
    words = {"quote": "Net income was 12.5.", "before": "In 2015: ", "after": " So."}
    given: dict[str, Any] = {"id": "abababababababab-7-9-29-01234567", **place, **where, **words}
    return Quotation(**given | more)


def exported(name: str, *citations: Quotation, about: CitedSource | None = None, **how: Any) -> str:
    bundle = Bundle(citations or (citation(),), (about or source(),), base="https://library.example", **how)
    return export(bundle, name).data.decode()


def test_bibtex_has_one_entry_a_document_with_pages_and_quotes() -> None:
    about = source(author="Lee, Ann and Bo van Ek", created="D:20190301120000Z")
    second = citation(id="abababababababab-9-0-4-01234567", page=14, page_label="12", quote="More")
    entry = exported("bibtex", citation(), second, about=about)
    assert entry.startswith(
        "@misc{lee2019annual,\n  author = {Lee, Ann and van Ek, Bo},\n  title = {{Annual Report}},\n"
    )
    assert "  year = {2019},\n  month = {3},\n  pages = {10, 12},\n" in entry
    assert "p. 10: ``Net income was 12.5.''" in entry and "p. 12: ``More''" in entry
    assert f"url = {{https://library.example/d/{DIGITS}}}" in entry


def test_bibtex_stays_balanced_whatever_the_words() -> None:
    entry = exported("bibtex", citation(quote=NASTY, page_label="#{"), about=source(title=NASTY, author=NASTY))
    assert entry.count("{") == entry.count("}")
    assert not re.search(r"(?<!\\)[%&#$](?![0-9A-F]{2})", entry.split("annote")[1])
    assert len(entry.splitlines()) == len(re.findall(r"^  \w+ = ", entry, re.MULTILINE)) + 2


def test_ris_values_cannot_start_lines_of_their_own() -> None:
    lines = exported("ris", citation(quote=NASTY), about=source(title=NASTY, author=NASTY)).split("\r\n")
    assert [line for line in lines if line.startswith(("TY", "ER"))] == ["TY  - GEN", "ER  - "]
    assert lines.pop() == "" and all(re.fullmatch(r"[A-Z][A-Z0-9]  - [^\n\u2028]*", line) for line in lines)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.pdf", "document"), ("a.HTML", "webpage"), ("w.wiki", "entry-encyclopedia"), ("s.pptx", "speech")],
)
def test_csl_says_what_sort_of_work_it_is(name: str, kind: str) -> None:
    (item,) = json.loads(exported("csl-json", about=source(name=name, author="Harbour Office", created="2019-13")))
    assert item["type"] == kind
    assert item["author"] == [{"literal": "Harbour Office"}]
    assert item["issued"] == {"date-parts": [[2019]]} and item["page"] == "10"
    assert "“Net income was 12.5.” https://library.example/c/" in item["note"]


def test_web_annotation_finds_the_words_again_by_context_and_by_place() -> None:
    annotation = json.loads(exported("web-annotation"))
    assert annotation["@context"] == "http://www.w3.org/ns/anno.jsonld" and annotation["type"] == "Annotation"
    quote, fragment = annotation["target"]["selector"]
    assert quote == {
        "type": "TextQuoteSelector", "exact": "Net income was 12.5.", "prefix": "In 2015: ", "suffix": " So."
    }  # fmt: skip
    assert fragment["value"] == "page=12&viewrect=72.0,90.1,228.2,29.9"
    page = json.loads(exported("web-annotation", citation(), citation(id="other")))
    assert page["type"] == "AnnotationCollection" and page["total"] == 2


def test_markdown_shows_words_as_they_are() -> None:
    told = exported("markdown", citation(quote=NASTY), question="How *much*?", answer="1. <b>12.5</b>")
    assert told.startswith(
        "**How \\*much\\*?**\n\n1\\. \\<b\\>12.5\\</b\\>\n\n1. Annual Report (report.pdf), page 12 (printed 10), "
    )
    assert "[link](<https://library.example/c/abababababababab-7-9-29-01234567>)" in told
    assert not re.search(r"(?<!\\)<script|(?<!\\)\[a|https://evil|www.evil", told)


def test_a_pdf_is_of_one_document() -> None:
    marked = Bundle((citation(),), (source(),), highlighter=lambda document, ids: f"{document} {ids}".encode())
    assert export(marked, "pdf").name == "report.pdf" and b"-7-9-29-" in export(marked, "pdf").data
    two = Bundle((citation(), citation(document_id="sha256:cd")), (source(), source(id="sha256:cd")))
    with pytest.raises(UsageError, match="of 2"):
        export(two, "pdf")


def test_wrong_formats_and_empty_answers_are_told() -> None:
    with pytest.raises(UsageError, match="did you mean 'bibtex'"):
        exported("bibtx")
    with pytest.raises(UsageError, match="nothing to export"):
        export(Bundle((), ()), "ris")


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "pdf"])
def test_every_format_takes_the_least_that_there_may_be(name: str) -> None:
    least = {"id": "", "page": 0, "page_label": "", "box": (0.0, 0.0, 0.0, 0.0), "section": (), "kind": ""}
    words = citation(document_id="sha256:00", quote="x", before="", after="", **least)
    bare = Bundle((words,), (source(id="sha256:00", name="../a\r\nb.txt", title="../a\r\nb"),))
    file = export(bare, name)
    assert file.data and re.fullmatch(r"[\w.-]+", file.name) and ".." not in file.name


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ann Lee; Bo Ek", ["Lee, Ann", "Ek, Bo"]),
        ("Lee, Ann and Ek, Bo", ["Lee, Ann", "Ek, Bo"]),
        ("Ann Lee, Bo Ek", ["Lee, Ann", "Ek, Bo"]),
        ("Huawei Technologies Co., Ltd.", ["Huawei Technologies Co., Ltd."]),
        ("EDGAR Online, a division of Lee & Sons", ["EDGAR Online, a division of Lee & Sons"]),
        ("Orrin Skerry Tidal Research Station", ["Orrin Skerry Tidal Research Station"]),
        ("whitest", ["whitest"]),
        ("", []),
    ],
)  # fmt: skip
def test_authors_are_told_apart(line: str, names: list[str]) -> None:
    assert [name.inverted for name in names_of(line)] == names


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A corpus with one document, and an answer of which one citation is known."""
    folder = tmp_path_factory.mktemp("exports")
    (folder / "pier.md").write_text("# Piers\n\nThe east pier was built in 1987. It is 210 metres long.\n")
    with octavo.open(folder / "library") as corpus:
        corpus.add(folder / "pier.md")
        found = next(iter(corpus.search("When was the east pier built?").passages)).to_json()
    return folder / "library", {"question": "When?", "answer": "1987", "citations": [found]}


def test_an_answer_on_the_command_line_becomes_a_file(
    asked: tuple[Path, dict[str, Any]], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    library, answer = asked
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    where = ["--corpus", str(library)]
    assert run(["export", str(tmp_path / "answer.json"), *where]) == 0
    told = capfdbinary.readouterr().out.decode()
    assert told.startswith("**When?**\n\n1987\n\n1. ") and "built in 1987" in told
    assert (
        run(["export", answer["citations"][0]["id"], "--format", "ris", "--out", str(tmp_path / "a.ris"), *where]) == 0
    )
    assert (tmp_path / "a.ris").read_bytes().startswith(b"TY  - GEN\r\n")
    assert run(["export", "nonsense", *where]) == 2
    assert run(["export", answer["citations"][0]["id"], "--format", "pdf", *where]) == 2


def test_the_server_gives_files(asked: tuple[Path, dict[str, Any]]) -> None:
    library, answer = asked
    body = {"citations": [answer["citations"][0]["id"]], "format": "bibtex"}
    with octavo.open(library) as corpus, TestClient(application(corpus, ServerSettings(token="t"))) as client:
        client.headers["Authorization"] = "Bearer t"
        client.base_url = "http://127.0.0.1"
        file = client.post("/v1/export", json=body)
        assert file.status_code == 200 and b"http://127.0.0.1/c/" in file.content
        assert file.headers["content-disposition"] == 'attachment; filename="pier.bib"'
        assert client.post("/v1/export", json=body | {"answer": "x"}).status_code == 422
        assert client.post("/v1/export", json=body | {"format": "exe"}).status_code == 422
        assert client.post("/v1/export", json={"answer": "x", "format": "ris"}).status_code == 404


@pytest.mark.parametrize(("said", "kept"), [("Printed in March 2031", ""), ("© 2000 Harbour Office", "D:20000101Z")])
def test_a_date_counts_where_the_first_pages_name_its_year(said: str, kept: str) -> None:
    made = synthetic.document([(Kind.PARAGRAPH, said, 1, 0), (Kind.PARAGRAPH, "In 2000 it rained.", 9, 0)])
    dated = dataclasses.replace(made, metadata=dataclasses.replace(made.metadata, created="D:20000101Z"))
    assert CitedSource.of(dated).created == kept


def test_what_was_set_of_a_document_goes_before_what_its_file_says(tmp_path: Path) -> None:
    head = "<title>By file</title><meta name='author' content='Ola File'>"
    (tmp_path / "pier.html").write_text(f"<html><head>{head}</head><body><p>Minutes, 4 March 2021. Built in 1987.</p>")
    with octavo.open(tmp_path / "library") as corpus:
        corpus.add(tmp_path / "pier.html")
        place = next(iter(corpus.search("When was it built?").passages)).to_json()["id"]
        by_file = export(bundle_of(corpus, [place]), "bibtex").data.decode()
        assert "author = {File, Ola}" in by_file and "title = {{By file}}" in by_file and "year" not in by_file
        said = {"author": "Nils Berg", "title": "Beside", "doi": "https://doi.org/10.1000/x_y"}
        (tmp_path / "pier.meta.json").write_text(json.dumps(said))
        corpus.add(tmp_path / "pier.html")
        corpus.describe("pier.html", title="By hand", date="1988-05")
        bibtex, csl, ris = (export(bundle_of(corpus, [place]), name).data.decode() for name in FORMATS_OF_WORKS)
    for line in ("author = {Berg, Nils}", "title = {{By hand}}", "year = {1988}", "month = {5}", "doi = {10.1000/x_y}"):
        assert f"  {line},\n" in bibtex
    (item,) = json.loads(csl)
    assert item["author"] == [{"family": "Berg", "given": "Nils"}]
    assert (item["title"], item["issued"], item["DOI"]) == ("By hand", {"date-parts": [[1988, 5]]}, "10.1000/x_y")
    assert "DO  - 10.1000/x_y\r\n" in ris


@pytest.mark.parametrize(
    ("fields", "author"),
    [
        ({"issuer": "Ann Lee; B…", "authors": ("Ann Lee", "Bo Ek")}, "Ann Lee; Bo Ek"),
        ({"issuer": "Nils Berg", "authors": ("Ann Lee", "Bo Ek")}, "Nils Berg"),
        ({"authors": ("Ann Lee", "Bo Ek")}, "Ann Lee; Bo Ek"),
        ({}, "By file"),
    ],
)
def test_authors_that_are_set(fields: dict[str, Any], author: str) -> None:
    made = synthetic.document([(Kind.PARAGRAPH, "x", 1, 0)])
    made = dataclasses.replace(made, metadata=dataclasses.replace(made.metadata, author="By file"))
    guessed = DocumentProfile(title="Guessed", issuer="Guessed Ltd", date="2021")
    about = DocumentAbout.of(made.id, made.name, guessed, DocumentDescription(sidecar=fields))
    found = CitedSource.of(made, about)
    assert (found.author, found.title, found.created) == (author, CitedSource.of(made).title, "")


@pytest.fixture(scope="module")
def unsure(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A corpus with a PDF, and an answer of passages alone, one of them a table that stands together nowhere."""
    folder = tmp_path_factory.mktemp("unsure")
    lines = say("The old mast was lowered after the storm.", "", "It had stood since the war, and gulls sat on it.")
    write(folder / "mast.pdf", lines)
    with octavo.open(folder / "library") as corpus:
        corpus.add(folder / "mast.pdf")
        answer = corpus.ask("Why did people like the mast so much?").to_json(trace=False)
        row = answer["passages"][0]
        block = int(row["block"].removeprefix("b"))
        whole = {**row, "id": str(CitationId.of(corpus.document(row["document_id"]), block))}
    passages = [*answer["passages"], whole]
    return folder / "library", {**answer, "outcome": "passages", "citations": [], "passages": passages}


@pytest.mark.parametrize("name", FORMATS)
def test_passages_leave_as_citations_in_every_format_and_their_line_is_no_answer(
    unsure: tuple[Path, dict[str, Any]], name: str, tmp_path: Path
) -> None:
    library, answer = unsure
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    given = ["export", str(tmp_path / "answer.json"), "--corpus", str(library), "--format", name]
    assert run([*given, "--out", str(tmp_path / "out")]) == 0
    data = (tmp_path / "out").read_bytes()
    assert data.startswith(b"%PDF") if name == "pdf" else b"mast was lowered" in data
    assert b"no short answer is sure" not in data


def test_passages_of_a_kept_answer_and_of_a_search_are_exported_too(
    unsure: tuple[Path, dict[str, Any]], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    library, _ = unsure
    with octavo.open(library) as corpus, TestClient(application(corpus, ServerSettings(token="t"))) as client:
        client.headers["Authorization"] = "Bearer t"
        client.base_url = "http://127.0.0.1"
        asked = client.post("/v1/ask", json={"question": "Why did people like the mast so much?"}).json()
        assert asked["outcome"] == "passages"
        file = client.post("/v1/export", json={"answer": asked["id"], "format": "markdown"})
        assert file.status_code == 200 and b"mast was lowered" in file.content
        found = client.post("/v1/search", json={"question": "mast"}).json()
    (tmp_path / "found.json").write_text(json.dumps(found))
    assert run(["export", str(tmp_path / "found.json"), "--corpus", str(library)]) == 0
    assert b"mast was lowered" in capfdbinary.readouterr().out
    (tmp_path / "nothing.json").write_text(json.dumps({**found, "passages": [], "outcome": "nothing", "citations": []}))
    assert run(["export", str(tmp_path / "nothing.json"), "--corpus", str(library)]) == 2


def test_some_of_the_passages_are_exported_by_their_numbers(
    unsure: tuple[Path, dict[str, Any]], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    library, answer = unsure
    with octavo.open(library) as corpus:
        document = corpus.document(answer["passages"][0]["document_id"])
        ids = [str(CitationId.of(document, 0, start, start + 7)) for start in (0, 8, 16)]
    (tmp_path / "answer.json").write_text(json.dumps({**answer, "passages": [{"id": one} for one in ids]}))
    given = ["export", str(tmp_path / "answer.json"), "--corpus", str(library), "--format", "ris", "--base", "http://a"]
    for only, taken in (("1", [True, False, False]), ("3, 2", [False, True, True])):
        assert run([*given, "--only", only]) == 0
        told = capfdbinary.readouterr().out.decode()
        assert [one in told for one in ids] == taken
    for wrong in ("0", "4", "one", ""):
        assert run([*given, "--only", wrong]) == 2
    assert run(["export", ids[0], "--corpus", str(library), "--only", "1"]) == 2
