"""Archives of XML parts are opened only as far as is safe, and what is wrong with them is said."""

from __future__ import annotations

import io
import zipfile

import pytest

from octavo_documents.parsing import package
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.package import OLE_MARK, Package, xml_of


def archive(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", method) as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return kept.getvalue()


def reason(data: bytes, name: str = "a.xml") -> str:
    with pytest.raises(NoText) as refused:
        Package(data).read(name)
    return refused.value.reason


def test_parts_are_found_by_name_in_any_case_with_either_slash() -> None:
    found = Package(archive({"Word\\Document.xml": b"<a><b/></a>", "../out.xml": b"<a/>", "folder/": b""}))
    assert found.xml("word/document.xml").tag == "a"
    assert "../out.xml" not in found
    assert list(found.names()) == ["Word/Document.xml"]


def test_what_is_no_archive_is_told_by_its_first_bytes() -> None:
    assert reason(b"") == "empty"
    assert reason(b"plain text") == "format"
    assert reason(OLE_MARK + bytes(600)) == "format"
    assert reason(OLE_MARK + "EncryptedPackage".encode("utf-16-le")) == "encrypted"
    whole = archive({"a.xml": b"<a>" + bytes(range(256)) * 9})
    assert reason(whole[: len(whole) // 2]) == "damaged"
    assert reason(whole, "b.xml") == "damaged"
    assert reason(archive({"a.xml": b"<a/>"}, zipfile.ZIP_BZIP2)) == "damaged"


def test_an_archive_that_grows_is_refused_unopened(monkeypatch: pytest.MonkeyPatch) -> None:
    assert reason(archive({"a.xml": bytes(12 << 20)})) == "too_large"
    monkeypatch.setattr(package._Most, "ENTRIES", 20)
    assert reason(archive({f"{number}.xml": b"" for number in range(30)})) == "too_large"
    monkeypatch.setattr(package._Most, "MEMBER_BYTES", 99)
    assert reason(archive({"a.xml": bytes(100)})) == "too_large"


BOMB = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'
NAMED = b'<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://localhost:9/ncx.dtd"><ncx>x</ncx>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_with_entities_of_its_own_is_refused_and_a_dtd_is_never_loaded(encoding: str) -> None:
    for data, doctype in ((BOMB, False), (BOMB, True), (NAMED, False), (b"<a>", True)):
        with pytest.raises(NoText) as refused:
            xml_of(data.decode().encode(encoding), doctype=doctype)
        assert refused.value.reason == "damaged"
    assert xml_of(NAMED.decode().encode(encoding), doctype=True).text == "x"
    assert [one.tag for one in xml_of("<a><!-- b --><?c d?><é/></a>".encode(encoding))] == ["é"]
