"""Documents of like names are told apart by age, kind, time, longer names and numbers, as people say them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from octavo.about.in_force import with_years_in_force
from octavo.about.library import Library
from octavo.about.longer_names import of_longer_names
from octavo.about.profile import DocumentProfile
from octavo.about.question_names import names_in, numbered_names
from octavo.evidence.meant_documents import MeantDocuments


def profile(words: str, kind: str, date: str = "", **more: str) -> DocumentProfile:
    year = more.get("period", date[:4])
    return DocumentProfile(
        title=more.get("title", ""),
        issuer=more.get("issuer", ""),
        kinds=(kind,),
        date=date,
        period=year,
        version=more.get("version", ""),
        words=dict.fromkeys(words.split(), 1.0),
        years={key: 1.0 for key in (year, year[:4]) if key},
    )


def meant(question: str, profiles: dict[str, DocumentProfile], known: Sequence[str] = ()) -> MeantDocuments:
    def counted(terms: Sequence[str]) -> list[int]:
        return [8 if term in known else 0 for term in terms]

    every = {**profiles, **{f"filler{at}": profile(f"filler{at}", "letter") for at in range(10)}}
    return Library([*every], with_years_in_force([*every.values()])).meant(question, counted)


SHEETS = {
    "rev3": profile("brenol", "data sheet", "2019-03", version="revision 3", title="Brenol sheet", issuer="Tolland"),
    "rev4": profile("brenol", "data sheet", "2022-09", version="revision 4", title="Brenol sheet", issuer="Tolland"),
    "rev5": profile("brenol", "data sheet", "2024-02", version="revision 5", title="Brenol sheet", issuer="Tolland"),
    "order": profile("brenol", "order", "2024-06"),
    "other": profile("calvane", "data sheet", "2023-01", version="revision 1"),
}


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("exposure limit of Brenol in the newest data sheet", "rev5"),
        ("exposure limit of Brenol in the revision before the present one", "rev4"),
        ("the previous Brenol data sheet", "rev4"),
        ("the oldest Brenol data sheet", "rev3"),
        ("Brenol data sheet as it was in 2021", "rev3"),
        ("Brenol data sheet before it was revised in 2024", "rev4"),
        ("Brenol data sheet before the 2022 revision", "rev3"),
        ("limit for brennol, the newest data sheet", "rev5"),
    ],
)
def test_the_version_is_told_by_its_age(question: str, document: str) -> None:
    assert meant(question, SHEETS).best(1) == [document]


LEASES = {
    "lease": profile("osmund quayle", "lease", "2021-02-01"),
    "deed": profile("osmund quayle", "amendment", "2023-04-18", version="amendment 1"),
    "deed2": profile("osmund quayle", "amendment", "2024-04-18", version="amendment 2"),
    "other": profile("tarn", "lease", "2022-01-01"),
}


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("rent of Osmund before the first amendment", "lease"),
        ("rent of Osmund under the first amendment", "deed"),
        ("rent of Osmund under amendment no. 2", "deed2"),
        ("rent of Osmund under the latest amendment", "deed2"),
        ("what does Osmund pay now that the lease was varied", "deed2"),
    ],
)
def test_what_changed_a_contract_is_told_from_it(question: str, document: str) -> None:
    assert meant(question, LEASES).best(1) == [document]


FILINGS = {
    "annual": profile("kestrel", "annual report", "2022-09-30"),
    "q4": profile("kestrel", "quarterly report", "2022-09-30", period="2022 Q4"),
    "q1": profile("kestrel", "quarterly report", "2022-12-31", period="2023 Q1"),
    "proxy": profile("kestrel", "proxy statement", "2023-02-01"),
    "other": profile("harrow", "annual report", "2022-12-31"),
}


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("Kestrel, earnings for October to December 2022", "q1"),
        ("Kestrel, earnings in the last three months of 2022", "q1"),
        ("record date of Kestrel's 2023 annual meeting of shareholders", "proxy"),
    ],
)
def test_a_quarter_is_told_by_its_months_and_a_meeting_by_its_papers(question: str, document: str) -> None:
    assert meant(question, FILINGS).best(1) == [document]


ANCHORS = {
    "anchor": profile(
        "anchor", "quarterly report", "2023-06-30", title="Anchor – Quarterly report", issuer="Anchor plc"
    ),
    "bay": profile("anchor bay", "quarterly report", "2023-06-30", issuer="Anchor Bay Lines Ltd"),
    "plus": profile("start plus", "guideline", "2022-06-01", title="Guidelines START Plus"),
    "start": profile("start", "guideline", "2020-03-01", title="Guidelines START"),
    "best": profile("best buy", "annual report", "2020-03-01", issuer="Best Buy Co., Inc."),
}


@pytest.mark.parametrize(
    ("question", "document"),
    [
        ("revenue of Anchor in 2023", "anchor"),
        ("revenue of Anchor (not Anchor Bay)", "anchor"),
        ("revenue of Anchor Bay in 2023", "bay"),
        ("largest grant of START", "start"),
        ("largest grant of START Plus", "plus"),
        ("stores of Best", "best"),
    ],
)
def test_a_name_that_goes_on_is_another(question: str, document: str) -> None:
    assert meant(question, ANCHORS, known=("plus",)).best(1) == [document]


def test_the_short_form_of_one_issuer_is_no_shorter_name() -> None:
    papers = [
        profile(
            "fenwick library trust", "minutes", issuer="Fenwick Library Trust", title="Fenwick Library Trust - Board"
        ),
        profile("fenwick", "budget", issuer="Fenwick Library Trust", title="Fenwick – Budget"),
    ]
    assert of_longer_names(papers, range(2), "fenwick", ["fenwick"]) == set()


RFCS = {
    "rfc7159": profile("rfc7159", "standard", "2014-03", title="The JSON format"),
    "rfc8259": profile("rfc8259", "standard", "2017-12", title="The JSON format"),
    "rfc793": profile("rfc793", "standard", "1981-09", title="TCP"),
}


@pytest.mark.parametrize("question", ["encodings of rfc 7159", "which encodings does RFC No. 7159 allow", "RFC-7159"])
def test_a_document_is_named_by_its_number(question: str) -> None:
    assert meant(question, RFCS).best(1) == ["rfc7159"]


def test_numbers_name_documents_only_where_one_is_called_so() -> None:
    assert [word.key for word in numbered_names("rfc 7159 and page 12, 5 rooms in 2020, version 2.1")] == [
        "rfc7159",
        "page12",
    ]
    assert not meant("what stands on page 12", RFCS).named


PRODUCTS = {
    "ls3000": profile("ls-3000", "data sheet"),
    "ls4000": profile("ls-4000", "data sheet"),
    "catalogue": profile("ls-3000 ls-4000", "catalogue", "2023-01"),
    "other": profile("calvane", "data sheet"),
}


def test_two_codes_are_two_things_and_a_catalogue_is_of_neither() -> None:
    found = meant("night consumption LS-3000 vs LS-4000", PRODUCTS)
    groups = dict(zip(PRODUCTS, found.groups_of([*PRODUCTS]).tolist(), strict=True))
    assert {groups["ls3000"], groups["ls4000"]} == {0, 1}
    assert groups["catalogue"] == -1


def test_names_that_are_put_aside_are_not_asked_for() -> None:
    def written(question: str) -> list[str]:
        names = names_in(question, lambda terms: [0 for _ in terms], lambda _: 1.0, lambda _: True)
        return [word.written for name in names for word in name if word.sure > 0.5]

    assert written("Sales of Harbor (not Harbor Point), please") == ["Sales", "Harbor"]
    assert written("Sales of Harbor rather than of Harbor Point") == ["Sales", "Harbor"]
    assert written("Did Harbor not sell Point?") == ["Harbor", "Point"]


def test_words_beside_a_name_are_told() -> None:
    papers = {"econ": profile("faculty economics", "annual report", "2022"), "eng": profile("engineering", "thesis")}
    found = meant("The Faculty of Law annual report 2022: funding?", papers, known=("law",))
    assert found.named == ("Faculty",)
    assert found.beside == ("Law",)


def test_what_is_final_is_asked_for_beside_a_draft() -> None:
    minutes = {
        "draft": profile("tarnbeck", "minutes", "2023-09-27"),
        "approved": profile("tarnbeck", "minutes", "2023-09-27"),
    }
    minutes["draft"] = dataclasses.replace(minutes["draft"], kinds=("minutes", "draft"))
    assert meant("the approved minutes of Tarnbeck, sept 23", minutes).best(1) == ["approved"]
    assert meant("the draft minutes of Tarnbeck, sept 23", minutes).best(1) == ["draft"]
    assert meant("minutes of Tarnbeck", minutes).best(1) == ["approved"]


def test_years_in_force_lie_between_versions_of_one_title() -> None:
    first = profile("sepsis", "guideline", "2019-03", title="Sepsis care v3", issuer="Wexcombe Trust")
    second = profile("sepsis", "guideline", "2022-02", title="Sepsis care v4", issuer="Wexcombe Trust")
    other = profile("sepsis", "guideline", "2020-02", title="Sepsis care v1", issuer="Harrow Trust")
    letter = profile("sepsis", "letter", "2018-02", title="Sepsis care", issuer="Wexcombe Trust")
    lease = profile("osmund", "lease", "2015-02", title="Lease", issuer="Quayle LLP; Osmund Ltd")
    of_another = profile("brill", "lease", "2018-02", title="Lease", issuer="Quayle LLP; Brill Ltd")
    assert with_years_in_force([lease, of_another]) == [lease, of_another]
    told = with_years_in_force([first, second, other, letter])
    assert {"2020", "2021"} <= told[0].years.keys()
    assert "2022" not in told[0].years
    assert told[1:] == [second, other, letter]
