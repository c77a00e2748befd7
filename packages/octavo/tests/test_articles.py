"""Containers of articles: what of JSON lines and wiki exports is read, what is skipped and why, and hostile files."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.errors import SourceError
from octavo_documents.document import Kind
from octavo_documents.parsing.articles import (
    ARTICLE_BYTES,
    READERS,
    REASONS,
    Article,
    Container,
    Skipped,
    is_container,
    is_found_in_folders,
)
from octavo_documents.parsing.articles import sections as sections_module

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def read(path: Path) -> list[Article | Skipped]:
    with Container(path) as container:
        return list(container.articles())


def lines(folder: Path, *objects: object, name: str = "a.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    return path


def until_error(path: Path) -> tuple[list[Article | Skipped], SourceError]:
    found: list[Article | Skipped] = []
    with Container(path) as container, pytest.raises(SourceError) as caught:
        found.extend(container.articles())  # extends as far as it comes
    with Container(path) as container:
        found = []
        try:
            for one in container.articles():
                found.append(one)
        except SourceError:
            pass
    return found, caught.value


def page(title: str, text: str, *, ns: int = 0, more: str = "", model: str = "wikitext") -> str:
    return (
        f"<page><title>{title}</title><ns>{ns}</ns><id>1</id>{more}<revision><id>2</id><contributor><username>x"
        f"</username></contributor><model>{model}</model><format>text/x-wiki</format>"
        f'<text bytes="3">{text}</text></revision></page>'
    )


def export(*pages: str) -> str:
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11"><siteinfo><namespaces>'
        f'<namespace key="0"/></namespaces></siteinfo>{"".join(pages)}</mediawiki>'
    )


def wiki(folder: Path, *pages: str) -> Path:
    path = folder / "wiki.xml"
    path.write_text(export(*pages))
    return path


@pytest.mark.parametrize(
    ("name", "is_one", "in_folders"),
    [
        ("a.jsonl", True, True),
        ("A.NDJSON.GZ", True, True),
        ("a.jsonl.zst", True, True),
        ("simplewiki-pages-articles.xml.bz2", True, True),
        ("feed.xml", True, False),
        ("a.json", False, False),
        ("a.md", False, False),
        ("a.md.gz", False, False),
        ("jsonl", False, False),
    ],
)
def test_names_tell_containers(name: str, *, is_one: bool, in_folders: bool) -> None:
    assert is_container(name) is is_one
    assert is_found_in_folders(name) is in_folders


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


@pytest.mark.parametrize("suffix", PACKERS)
def test_every_compression_gives_the_same_articles(suffix: str, tmp_path: Path) -> None:
    objects = [{"title": f"Title {number}", "text": f"Text {number}. " * 40} for number in range(3000)]
    packed = PACKERS[suffix]("".join(json.dumps(one) + "\n" for one in objects).encode())
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(packed)
    found = read(path)
    assert [one.title for one in found if isinstance(one, Article)] == [one["title"] for one in objects]
    assert all(
        isinstance(one, Article) and one.data.decode() == want["text"] for one, want in zip(found, objects, strict=True)
    )


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_file_cut_in_the_middle_gives_what_stands_before_and_says_so(suffix: str, tmp_path: Path) -> None:
    text = "".join(json.dumps({"title": f"T{n}", "text": f"{n * 7919} words {n}"}) + "\n" for n in range(60_000))
    packed = PACKERS[suffix](text.encode())
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    found, error = until_error(path)
    assert error.reason == "damaged"
    assert "what stands before" in str(error)
    assert 0 < len(found) < 60_000


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_a_file_that_is_not_compressed_as_its_name_says_is_damaged(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(b'{"title": "a", "text": "b"}\n' * 10)
    assert until_error(path)[1].reason == "damaged"


def test_a_decompression_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo_documents.parsing.articles._BOMB_BYTES", 1 << 20)
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(lzma.compress(bytes(40 << 20)))
    found, error = until_error(path)
    assert error.reason == "too_large"
    assert found == []


@pytest.mark.parametrize(
    ("field", "form"),
    [
        ("wikitext", "wikitext"),
        ("html", "html"),
        ("markdown", "markdown"),
        ("text", "plain"),
        ("contents", "plain"),
        ("content", "plain"),
        ("body", "plain"),
    ],
)
def test_the_field_says_how_a_text_is_read(field: str, form: str, tmp_path: Path) -> None:
    (one,) = read(lines(tmp_path, {"title": "A", field: "Words."}))
    assert one == Article("A", form, b"Words.", "line 1")
    assert form in READERS


def test_a_format_given_beside_a_text_is_taken(tmp_path: Path) -> None:
    found = read(lines(tmp_path, *({"text": "# A", "format": form} for form in ("markdown", "pickle", "os"))))
    assert [one.format for one in found if isinstance(one, Article)] == ["markdown", "plain", "plain"]


def test_an_article_without_title_is_called_by_its_id(tmp_path: Path) -> None:
    found = read(lines(tmp_path, {"id": 17, "text": "a"}, {"_id": "x", "title": " ", "text": "a"}, {"text": "a"}))
    assert [one.title for one in found if isinstance(one, Article)] == ["17", "x", ""]


def test_lines_that_hold_no_article_are_skipped_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b'{"title": "A", "text": "a"}\n\nno json\n[1]\n{"title": "B", "text": " "}\n{"title": "C"}\n'
        + b"[" * 100_000
        + b'\n{"title": "D", "text": "d"}\n{"title": "E", "te'
    )
    found = read(path)
    assert [one.title for one in found if isinstance(one, Article)] == ["A", "D"]
    assert [(one.reason, one.where) for one in found if isinstance(one, Skipped)] == [
        ("no_object", "line 3"),
        ("no_object", "line 4"),
        ("empty", "B"),
        ("no_text", "C"),
        ("no_object", "line 7"),
        ("no_object", "line 9"),
    ]
    assert {one.reason for one in found if isinstance(one, Skipped)} <= REASONS.keys()


def test_a_line_in_another_encoding_is_read_with_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"title": "é", "text": "ü"}\n'.encode() + '{"title": "é", "text": "ü"}\n'.encode("cp1252"))
    first, second = read(path)
    assert isinstance(first, Article)
    assert isinstance(second, Article)
    assert (first.title, first.remark) == ("é", "")
    assert (second.title, second.data) == ("é", "ü".encode())
    assert "Windows-1252" in second.remark


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"title": "A", "text": "a"}\n')
    assert len([one for one in read(path) if isinstance(one, Article)]) == 1
    path.write_bytes('{"title": "A", "text": "a"}\n'.encode("utf-16"))
    assert until_error(path)[1].reason == "format"


def test_an_article_of_five_megabytes_is_read_and_one_beyond_the_limit_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w") as file:
        file.write(json.dumps({"title": "long", "text": "word " * 1_000_000}) + "\n")
        file.write(json.dumps({"title": "longer", "text": "word " * (ARTICLE_BYTES // 4)}) + "\n")
        file.write(json.dumps({"title": "after", "text": "word"}) + "\n")
    assert [one.title if isinstance(one, Article) else one.reason for one in read(path)] == [
        "long",
        "too_large",
        "after",
    ]


def test_sections_become_headings_with_what_they_hold(tmp_path: Path) -> None:
    given = [
        {"level": 1, "title": "", "wikitext": "'''Lead''' [[words]]."},
        {"level": 2, "title": "First ''part''", "wikitext": "* an item\n== deeper ==\nText."},
        {"level": 3, "title": "Second", "text": "Plain words."},
        {"title": "No text"},
        "no section",
        {"level": "x", "title": 3, "markdown": "**Bold** words"},
    ]
    (one,) = read(lines(tmp_path, {"title": "A", "sections": given}))
    assert isinstance(one, Article)
    blocks = sections_module.read(one.data).blocks
    assert [(block.kind, block.text, block.level) for block in blocks] == [
        (Kind.PARAGRAPH, "Lead words.", 0),
        (Kind.HEADING, "First part", 2),
        (Kind.LIST_ITEM, "an item", 1),
        (Kind.HEADING, "deeper", 3),
        (Kind.PARAGRAPH, "Text.", 0),
        (Kind.HEADING, "Second", 3),
        (Kind.PARAGRAPH, "Plain words.", 0),
        (Kind.HEADING, "No text", 1),
        (Kind.PARAGRAPH, "Bold words", 0),
    ]


def test_pages_of_an_export_are_articles(tmp_path: Path) -> None:
    found = read(wiki(tmp_path, page("A &amp; B", "'''A''' &lt;b&gt;"), page("C", "c")))
    assert found == [Article("A & B", "wikitext", b"'''A''' <b>", "A & B"), Article("C", "wikitext", b"c", "C")]


def test_pages_that_are_no_articles_are_skipped_with_a_reason(tmp_path: Path) -> None:
    found = read(
        wiki(
            tmp_path,
            page("A", "#REDIRECT [[B]]", more='<redirect title="B"/>'),
            page("B", "#REDIRECT [[A]]", more='<redirect title="A"/>'),
            page("Talk:A", "talk", ns=1),
            page("Module", "return 1", model="Scribunto"),
            page("Nothing", "  "),
            page("Good", "good"),
        )
    )
    assert [one.reason if isinstance(one, Skipped) else one.title for one in found] == [
        "redirect",
        "redirect",
        "namespace",
        "model",
        "empty",
        "Good",
    ]


def test_the_last_revision_of_a_page_counts(tmp_path: Path) -> None:
    two = page("A", "old").replace("</page>", "<revision><text>new</text></revision></page>")
    assert [one.data for one in read(wiki(tmp_path, two)) if isinstance(one, Article)] == [b"new"]


def test_an_export_cut_in_the_middle_gives_the_pages_before(tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml"
    text = export(*(page(f"A{number}", "text " * 50) for number in range(100)))
    path.write_text(text[: len(text) // 2])
    found, error = until_error(path)
    assert error.reason == "damaged"
    assert 40 < len(found) < 60


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE mediawiki [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + export(page("A", "&b;")),
        '<!DOCTYPE mediawiki SYSTEM "file:///etc/passwd">' + export(page("A", "a")),
        "<rss><channel/></rss>",
    ],
    ids=["entities", "system", "feed"],
)
def test_other_xml_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml"
    path.write_text(text)
    found, error = until_error(path)
    assert (found, error.reason) == ([], "format")


def test_bytes_that_are_no_characters_do_not_end_an_export(tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml"
    path.write_bytes(export(page("A", "n\u00e9e \x01 &#8212;"), page("B", "b")).encode("cp1252"))
    found = read(path)
    assert [one.title for one in found if isinstance(one, Article)] == ["A", "B"]
    path.write_bytes(b'<?xml version="1.0" encoding="iso-8859-1"?>' + export(page("A", "n\u00e9e")).encode("cp1252"))
    assert [one.data.decode() for one in read(path) if isinstance(one, Article)] == ["née"]


def test_a_page_beyond_the_limit_is_skipped_alone(tmp_path: Path) -> None:
    found = read(wiki(tmp_path, page("A", "word " * (ARTICLE_BYTES // 4)), page("B", "b")))
    assert [one.reason if isinstance(one, Skipped) else one.title for one in found] == ["too_large", "B"]


def test_an_empty_file_holds_no_article(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"")
    assert read(tmp_path / "a.jsonl") == []
    (tmp_path / "wiki.xml").write_bytes(b"")
    assert until_error(tmp_path / "wiki.xml")[1].reason == "damaged"


def test_a_digest_depends_on_title_kind_and_text() -> None:
    digests = {Article(*given).digest for given in [("a", "plain", b"b"), ("a", "html", b"b"), ("ab", "plain", b"")]}
    assert len(digests) == 3
