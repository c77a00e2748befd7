"""Pages of files in files in a corpus: found, drawn, their words told, and cited with boxes."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage

import pikepdf
import pytest

import pdfs
from octavo.corpus import Corpus
from octavo.corpus.index.builders import Builders
from octavo.errors import UsageError
from storing import WordEmbedder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("files")
    lease = pdfs.write(
        tmp_path_factory.mktemp("lease") / "lease.pdf",
        pdfs.say("Cover of the lease."),
        pdfs.say("The deposit for the boathouse is 275 francs."),
    )
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "ana@example.org", "Boathouse"
    mail.set_content("The lease is enclosed.")
    mail.add_attachment(lease.read_bytes(), maintype="application", subtype="pdf", filename="lease.pdf")
    (folder / "letter.eml").write_bytes(mail.as_bytes())
    (folder / "notes.md").write_text("# Gulls\n\nGulls nest on the pier.\n")
    contract = pdfs.write(folder / "contract.pdf", pdfs.say("The contract has an annex."))
    with pikepdf.open(contract, allow_overwriting_input=True) as file:
        file.attachments["lease.pdf"] = lease.read_bytes()
        file.save(contract)
    with Corpus(folder / "corpus", builders=lambda: Builders.default(WordEmbedder)) as opened:
        report = opened.add(folder)
        assert not report.failed
        yield opened


@pytest.mark.parametrize(("name", "page"), [("letter.eml", 3), ("contract.pdf", 3)])
def test_a_page_of_a_file_in_a_file_is_drawn_and_its_words_are_told(corpus: Corpus, name: str, page: int) -> None:
    answer = corpus.ask("What is the deposit for the boathouse?", documents=name)
    (place,) = {(one.page, one.page_label) for one in answer.passages if "275" in one.text}
    assert place == (page, "page 2 of lease.pdf")
    assert corpus.picture(name, page, 306).shape == (396, 306, 3)
    assert "275" in corpus.words(name, page).texts
    citation = next(one for one in answer.passages if "275" in one.text)
    (spot,) = corpus.cited(citation.id).boxes
    assert spot.page == page
    assert spot.box[0] == pytest.approx(72, abs=1)
    with pytest.raises(UsageError, match=r"is of a file in|it is flowing text"):
        corpus.highlighted(name, [citation.id])


def test_text_of_a_letter_with_a_pdf_has_no_picture(corpus: Corpus) -> None:
    with pytest.raises(UsageError, match="no picture of page 1"):
        corpus.picture("letter.eml", 1)
    assert not corpus.words("letter.eml", 1).texts
