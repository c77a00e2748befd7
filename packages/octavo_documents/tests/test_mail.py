"""Mail as people read it: heads, own words before quoted ones, attachments as sections."""

from __future__ import annotations

import base64
from email.message import EmailMessage
from pathlib import Path
from types import ModuleType

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock, NoText
from octavo_documents.parsing.mail import eml, mbox, msg
from octavo_documents.reading import read

REPLY = """Hello Ben,

The mooring costs 40 euros a night from May on.

* bring the papers
* call on channel 12

On Friday, 3 May 2024, Ben Gull <ben@example.org> wrote:
> What does the mooring cost?
>
>> In April it was 35 euros.

--\x20
Ana Heron
Harbour office
"""


def _mail(text: str = REPLY, subject: str = "Mooring fées") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = "Ana Heron <ana@example.org>", "Ben Gull <ben@example.org>"
    mail["Subject"], mail["Date"] = subject, "Fri, 03 May 2024 12:00:00 +0200"
    mail.set_content(text)
    return mail


def _shown(blocks: tuple[FlowBlock, ...]) -> list[tuple[str, str]]:
    return [(block.kind.label, block.text) for block in blocks]


def test_own_words_come_before_quoted_ones() -> None:
    content = eml.read(_mail().as_bytes())
    assert (content.title, content.created) == ("Mooring fées", "2024-05-03T12:00:00+02:00")
    assert content.author == "Ana Heron <ana@example.org>"
    assert _shown(content.blocks) == [
        ("heading", "Mooring fées"),
        (
            "table",
            "From | Ana Heron <ana@example.org>\nTo | Ben Gull <ben@example.org>\n"
            "Date | Fri, 03 May 2024 12:00:00 +0200",
        ),
        ("paragraph", "Hello Ben,"),
        ("paragraph", "The mooring costs 40 euros a night from May on."),
        ("list_item", "* bring the papers"),
        ("list_item", "* call on channel 12"),
        ("paragraph", "Ana Heron\nHarbour office"),
        ("heading", "Quoted text"),
        ("paragraph", "On Friday, 3 May 2024, Ben Gull <ben@example.org> wrote: What does the mooring cost?"),
        ("heading", "Quoted text, 2 deep"),
        ("paragraph", "In April it was 35 euros."),
    ]


def test_what_is_quoted_stands_a_level_under_the_message() -> None:
    found = [block.level for block in eml.read(_mail().as_bytes()).blocks if block.kind == Kind.HEADING]
    assert found == [1, 2, 2]


def test_a_message_quoted_whole_and_one_in_html() -> None:
    text = "See below.\n\n-----Original Message-----\nFrom: Ben\nSent: Friday\n\nWhen do you open?\n"
    assert _shown(eml.read(_mail(text).as_bytes()).blocks)[-2:] == [
        ("paragraph", "From: Ben\nSent: Friday"),
        ("paragraph", "When do you open?"),
    ]
    mail = _mail("Your program shows no HTML.")
    mail.add_alternative(
        f"<p>{'We open at noon. ' * 20}</p><table><tr><th>Day<th>Hour<tr><td>May 3<td>12:00</table>"
        "<div class=gmail_quote><p>When do you open?</p></div>",
        subtype="html",
    )
    kinds = _shown(eml.read(mail.as_bytes()).blocks)
    assert ("table", "Day | Hour\nMay 3 | 12:00") in kinds
    assert kinds[-2:] == [("heading", "Quoted text"), ("paragraph", "When do you open?")]


def test_what_is_attached_is_read_in_its_order_and_the_rest_is_named(tmp_path: Path) -> None:
    inner = _mail("The inner letter.\n\n> Which letter?\n", "Inner")
    inner.add_attachment(b"deeper", maintype="text", subtype="plain", filename="deep.txt")
    mail = _mail("See the files.")
    mail.add_attachment(b"# Fees\n\nBerth 4 is free.", maintype="text", subtype="markdown", filename="fees.md")
    mail.add_attachment(b"a;b\n1;2\n", maintype="text", subtype="csv", filename="fees.csv")
    mail.add_attachment(inner)
    mail.add_attachment(b"PK no zip", maintype="application", subtype="zip", filename="berths.zip")
    mail.add_attachment(b"no zip", maintype="application", subtype="octet-stream", filename="bad.xlsx")
    (tmp_path / "letter.eml").write_bytes(mail.as_bytes())
    document = read(tmp_path / "letter.eml")
    blocks = document.blocks
    headings = [(int(blocks.level[row]), blocks.text[row]) for row in blocks.headings()]
    assert headings == [
        (1, "Attachment: fees.md"),
        (2, "Fees"),
        (1, "Attachment: fees.csv"),
        (1, "Attachment: Inner"),
        (2, "Inner"),
        (3, "Quoted text"),
        (3, "Attachment: deep.txt"),
    ]
    texts = list(blocks.text)
    unread = "Attached: berths.zip (application/zip, 9 bytes), bad.xlsx (application/octet-stream, 6 bytes)"
    assert blocks.section_path(texts.index(unread)) == ()
    assert blocks.section_path(texts.index("deeper")) == ("Attachment: Inner", "Inner", "Attachment: deep.txt")
    assert list(document.pages.label)[:3] == ["part 1", "part 1 of fees.md", "part 1 of fees.csv"]
    named, bad = document.metadata.warnings
    assert named == "not read: attached file berths.zip (application/zip, 9 bytes)"
    assert "bad.xlsx" in bad


def test_messages_of_a_mailbox_are_parts() -> None:
    lines = ["From here the path is steep.", "", ">From what we know it is safe."]
    mails = [_mail("The lamp burns."), _mail("\n".join(lines), "Path"), _mail("The storm took the pier.", "Pier")]
    data = b"".join(b"From ana@example.org Fri May  3 12:00:00 2024\n" + mail.as_bytes() + b"\n" for mail in mails)
    content = mbox.read(data)
    assert [block.part for block in content.blocks if block.part] == ["message 1", "message 2", "message 3"]
    assert ("paragraph", "From what we know it is safe.") in _shown(content.blocks)


def test_messages_without_heads_have_those_of_the_line_before_them() -> None:
    data = b"From yard@example.org Mon Jun 01 10:00:00 2009\n\nThe lift is out of order.\n\n" * 2
    content = mbox.read(data)
    assert _shown(content.blocks)[:3] == [
        ("heading", "(no subject)"),
        ("table", "From | yard@example.org\nDate | Mon Jun 01 10:00:00 2009"),
        ("paragraph", "The lift is out of order."),
    ]
    assert [block.part for block in content.blocks if block.part] == ["message 1", "message 2"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_mail_that_was_saved_in_utf_16(encoding: str) -> None:
    text = "From: a@example.org\nSubject: Grüße\n\nThe quay is wet. Grüße\n"
    assert eml.read(text.encode(encoding)).blocks[-1].text == "The quay is wet. Grüße"
    folder = f"From a@example.org Mon Jun 01 10:00:00 2009\n{text}\n".encode(encoding)
    assert mbox.read(folder).blocks[-1].text == "The quay is wet. Grüße"


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("Please open this message in a browser.", ["Pumps cost 310 euros each.", "Delivery takes 3 weeks."]),
        ("View it: https://example.org/v/1", ["Pumps cost 310 euros each.", "Delivery takes 3 weeks."]),
        ("Pumps cost 310 euros each. Delivery takes 3 weeks!", ["Pumps cost 310 euros each. Delivery takes 3 weeks!"]),
    ],
)
def test_a_plain_part_that_lacks_what_the_html_says_is_not_the_message(plain: str, shown: list[str]) -> None:
    mail = _mail(plain)
    mail.add_alternative("<p>Pumps cost 310 euros each.</p><p>Delivery takes 3 weeks.</p>", subtype="html")
    assert [text for kind, text in _shown(eml.read(mail.as_bytes()).blocks) if kind == "paragraph"] == shown


@pytest.mark.parametrize(
    ("delsp", "text", "shown"),
    [
        ("yes", "The end of Octo \nber, since \nit rains. \n\nIda", "The end of October, sinceit rains."),
        ("no", "The end of \nOctober, since \nit rains.\n\nIda", "The end of October, since it rains."),
    ],
)
def test_lines_that_a_program_broke_are_whole_again(delsp: str, text: str, shown: str) -> None:
    heads = f"From: a@example.org\nContent-Type: text/plain; charset=utf-8; format=flowed; delsp={delsp}\n\n"
    blocks = eml.read((heads + text).encode()).blocks
    assert [block.text for block in blocks if block.kind == Kind.PARAGRAPH] == [shown, "Ida"]


@pytest.mark.parametrize(("charset", "word"), [("koi8-r", "Привет, как дела?"), ("shift_jis", "港の料金")])
def test_words_in_any_charset(charset: str, word: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "a@example.org", word
    mail.set_content(word, charset=charset)
    content = eml.read(mail.as_bytes())
    assert (content.title, content.blocks[-1].text) == (word, word)


def test_compressed_rtf_of_outlook_is_unpacked() -> None:
    """The example of MS-OXRTFCP, 3.1.1.3."""
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert msg.unpacked(packed) == "hello world"


@pytest.mark.parametrize(
    ("reader", "data", "reason"),
    [
        (eml, b"", "empty"),
        (eml, b"just some words\n", "format"),
        (eml, bytes(range(256)) * 9, "format"),
        (mbox, b" \n", "empty"),
        (mbox, b"Dear all,\n", "format"),
        (msg, b"", "empty"),
        (msg, b"From: a\n", "format"),
        (msg, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "damaged"),
    ],
)
def test_what_is_no_mail_is_refused_with_its_reason(reader: ModuleType, data: bytes, reason: str) -> None:
    with pytest.raises(NoText) as refused:
        reader.read(data)
    assert refused.value.reason == reason


def test_a_message_saved_in_utf_16_that_says_so_of_its_text_is_read() -> None:
    source = "Subject: Keys\r\nFrom: y@example.org\r\nContent-Type: text/plain; charset=utf-16\r\n\r\nKeys hang here."
    assert eml.read(source.encode("utf-16")).blocks[-1].text == "Keys hang here."
    sent = base64.b64encode("Keys hang here.".encode("utf-16")).decode()
    head = "Subject: Keys\r\nContent-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    assert eml.read(f"{head}{sent}\r\n".encode("utf-16")).blocks[-1].text == "Keys hang here."


def test_signatures_of_encryption_are_no_text_and_broken_words_are_whole() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\n"
        "While you wait for the ferry that leaves at seven in the morning, I in-\nvite you to the office.\n\n"
        "-----BEGIN PGP SIGNATURE-----\nVersion: 2\n\niQCVAwUBOuCi3WAMawgf2iXRAQHeAQQA3YSe\n=8hLB\n"
        "-----END PGP SIGNATURE-----\n"
    )
    blocks = eml.read(_mail(text).as_bytes()).blocks
    assert [block.text for block in blocks[2:]] == [
        "While you wait for the ferry that leaves at seven in the morning, I invite you to the office."
    ]
