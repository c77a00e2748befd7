"""Which document is meant where documents and questions are in another language than English."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest

from octavo.about.library import Library
from octavo.about.profiling import profile_of
from octavo_documents.document import Document, Kind
from synthetic import Row, document

ISSUERS = ["Nordhafen Reederei AG", "Elbtal Energie GmbH", "Kranzfeld Holding AG"]


def _document(name: str, *lines: str) -> tuple[str, Document]:
    """Return a document by what it is called here; a program named its file, so that only its words tell it apart."""
    rows: list[Row] = [(Kind.PARAGRAPH if at else Kind.TITLE, line, 1, 0) for at, line in enumerate(lines)]
    file = f"{hashlib.sha256(name.encode()).hexdigest()[:20]}.pdf"
    return name, document(rows, name=file)


def _of_issuer(issuer: str) -> list[tuple[str, Document]]:
    short = issuer.split()[0]
    said = f"Der Vorstand von {short} hat beschlossen, dass die Halle gebaut wird, und dankt allen, die dabei waren."
    return [
        *(_document(f"{short}-a{year}", f"Geschäftsbericht {year}", issuer, said) for year in (2020, 2021, 2022)),
        *(_document(f"{short}-q{year}", f"Bericht zum dritten Quartal {year}", issuer, said) for year in (2021, 2022)),
        *(
            _document(f"{short}-p{month}", f"Protokoll der Sitzung vom 7. {month} 2022", issuer, said)
            for month in ("März", "Mai", "Oktober")
        ),
        *(_document(f"{short}-r{at}", f"Reiserichtlinie, {at}. Auflage", issuer, said) for at in (1, 2)),
        _document(f"{short}-m", "Mietvertrag über die Halle", issuer, said),
    ]


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return dict(one for issuer in ISSUERS for one in _of_issuer(issuer))


@pytest.mark.parametrize("issuer", ISSUERS)
@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Wie hoch war der Umsatz von {} laut Geschäftsbericht 2021?", "a2021"),
        ("Wie lief es bei {} im dritten Quartal 2022?", "q2022"),
        ("Was wurde bei {} im Mai 2022 beschlossen?", "pMai"),
        ("Was sagt das Protokoll vom 7. Oktober 2022 bei {}?", "pOktober"),
        ("Was gilt nach der aktuellen Reiserichtlinie von {}?", "r2"),
        ("Was stand in der ersten Auflage der Reiserichtlinie von {}?", "r1"),
        ("Wann endet der Mietvertrag von {}?", "m"),
    ],
)
def test_kind_time_and_edition_choose_the_document(
    documents: dict[str, Document], issuer: str, question: str, meant: str
) -> None:
    library = Library([*documents], [profile_of(one) for one in documents.values()])
    texts = [" ".join(one.blocks.text).casefold() for one in documents.values()]

    def documents_with(terms: Sequence[str]) -> list[int]:
        return [sum(term[:5] in text for text in texts) for term in terms]

    short = issuer.split()[0]
    assert library.meant(question.format(short), documents_with).best(1) == [f"{short}-{meant}"]


NOW = (
    ("What are today's parking fees?", "newest"),
    ("What are the current parking rules?", "newest"),
    ("Which parking fees are in effect today?", "newest"),
    ("What did the former parking scheme cost?", "previous"),
    ("Welche Parking-Gebühren gelten heute, und was ist in Kraft?", "newest"),
    ("What are the fees for parking?", None),
)


@pytest.mark.parametrize(("question", "age"), NOW)
def test_what_is_in_force_is_asked_for_whatever_sort_of_document_it_is(question: str, age: str | None) -> None:
    from octavo_documents.text.document_ages import age_wanted
    from octavo_documents.text.language_identification import language_of

    assert age_wanted(question, language_of(question), ["parking"]) == age
