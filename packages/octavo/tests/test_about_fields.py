"""The fields that are set of a document: what they take, and what they change of what rules found."""

from __future__ import annotations

import math

import pytest

from octavo.about.description import DocumentDescription
from octavo.about.document_about import DocumentAbout
from octavo.about.fields import checked
from octavo.about.library import Library
from octavo.about.profile import DocumentProfile
from octavo.errors import CorpusError, UsageError
from octavo.evidence.meant_documents import MeantDocuments

FOUND = DocumentProfile(
    title="Report 7",
    issuer="Norwick Ferries Ltd",
    kinds=("minutes", "report"),
    date="2021-03-04",
    period="2021",
    version="revision a",
    short_forms={"NWF": "Norwick Ferries Ltd"},
    words={"report": 0.9, "norwick": 0.9, "ferries": 0.9, "nf": 0.9, "nwf": 1.0, "timetable": 0.6},
    years={"2021": 1.0, "2020": 0.4, "2021-03-04": 1.0},
)


def by_hand(**fields: object) -> DocumentProfile:
    return DocumentDescription().with_set("hand", checked(fields)).over(FOUND)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"title": "  Annual\n report "}, {"title": "Annual report"}),
        ({"title": "a\x07b\ud800"}, {"title": "ab"}),
        ({"title": ""}, {"title": None}),
        ({"title": " "}, {"title": None}),
        ({"title": None, "tags": [], "own": ""}, {"title": None, "tags": None, "own": None}),
        ({"date": "2023"}, {"date": "2023"}),
        ({"date": 2023}, {"date": "2023"}),
        ({"date": "2024-02-29"}, {"date": "2024-02-29"}),
        ({"period": "Q2 2023"}, {"period": "2023 Q2"}),
        ({"period": "FY2022"}, {"period": "2022"}),
        ({"period": "2018 to 2020"}, {"period": "2018 to 2020"}),
        ({"period": "1890"}, {"period": "1890"}),
        ({"version": 2.1}, {"version": "2.1"}),
        ({"tags": "one"}, {"tags": ("one",)}),
        ({"names": ["A", " A ", "", "B"]}, {"names": ("A", "B")}),
        ({"case_no": 7, "share": 0.5, "parties": ["x", "y"]}, {"case_no": 7, "share": 0.5, "parties": ("x", "y")}),
    ],
)
def test_values_are_kept_in_one_form(given: dict[str, object], kept: dict[str, object]) -> None:
    assert checked(given) == kept


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"Title": "x"}, "'Title' is no name of a field"),
        ({"a" * 41: "x"}, "no name of a field"),
        ({"": "x"}, "'' is no name of a field"),
        ({"1st": "x"}, "no name of a field"),
        ({7: "x"}, "7 is no name of a field"),
        ({"title": 7}, "title takes a text, not 7"),
        ({"title": ["x"]}, "title takes a text, not a list"),
        ({"title": "x" * 301}, "title takes 300 characters at most, not 301"),
        ({"date": "2023-13"}, "date takes 2023, 2023-08 or 2023-08-30, not '2023-13'"),
        ({"date": "2023-02-29"}, "date takes 2023"),
        ({"date": "30.8.2023"}, "date takes 2023"),
        ({"date": True}, "date takes a text, not True"),
        ({"period": "soon"}, "period takes years or quarters"),
        ({"tags": ["a", 1]}, "tags takes a list of texts, not 1"),
        ({"tags": {"a": 1}}, "tags takes a list of texts, not a dict"),
        ({"tags": [str(at) for at in range(51)]}, "tags takes 50 texts at most, not 51"),
        ({"names": ["x" * 121]}, "names takes 120 characters at most"),
        ({"own": True}, "own takes a text, a number or a list of texts, not True"),
        ({"own": math.nan}, "own takes a text, a number"),
        ({"own": {}}, "own takes a text, a number or a list of texts, not a dict"),
        ({"own": "x" * 1001}, "own takes 1,000 characters at most, not 1,001"),
    ],
)
def test_what_no_field_takes_is_told_in_one_line(given: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told.replace("(", r"\(")) as caught:
        checked(given)
    assert "\n" not in str(caught.value)


def test_a_document_has_some_fields_of_its_own_at_most() -> None:
    full = DocumentDescription().with_set("hand", {f"f{at}": "x" for at in range(40)})
    assert len(full.with_set("hand", {"f0": "y", "title": "x"}).hand) == 41
    with pytest.raises(UsageError, match="40 fields of its own, not 41"):
        full.with_set("hand", {"more": "x"})


def test_what_is_set_under_either_name_of_a_field_is_the_one_field() -> None:
    assert checked({"type": "protocol", "author": ["Nils Berg", "Ann Lee"], "tag": "a"}) == {
        "kind": "protocol",
        "issuer": "Nils Berg; Ann Lee",
        "tags": ("a",),
    }
    assert checked({"kind": None, "type": "protocol"}) == checked({"type": "protocol", "kind": "protocol"})
    with pytest.raises(UsageError, match="type and kind are one field"):
        checked({"kind": "minutes", "type": "protocol"})


def test_what_was_kept_under_the_other_name_is_read_as_the_field() -> None:
    hand = '{"type": "protocol", "author": ["Nils Berg", "Ann Lee"], "tag": "a", "n": 7}'
    one = DocumentDescription.from_json(f'{{"hand": {hand}, "sidecar": {{"type": "x", "kind": "minutes"}}}}')
    assert one.hand == {"kind": "protocol", "issuer": "Nils Berg; Ann Lee", "tags": ("a",), "n": 7}
    assert one.sidecar == {"kind": "minutes"}
    assert one.over(FOUND).kinds == ("protocol",)
    assert "kind" not in one.with_set("hand", checked({"type": None})).hand


def test_a_description_is_packed_and_unpacked() -> None:
    one = DocumentDescription({"tags": ("ä", "b"), "n": 7}, {"title": "x"})
    assert DocumentDescription.from_json(one.to_json()) == one
    for text in ("", "[]", '{"hand": 1, "sidecar": {}}', '{"hand": {}}'):
        with pytest.raises(CorpusError, match="cannot be read"):
            DocumentDescription.from_json(text)


def test_what_is_set_replaces_what_rules_found() -> None:
    about = by_hand(
        title="Timetable", issuer="Quillon Harbour", kind="10-K", date="2022-05", period="2023", version="B"
    )
    assert (about.title, about.issuer, about.kinds) == ("Timetable", "Quillon Harbour", ("annual report",))
    assert (about.date, about.period, about.version) == ("2022-05", "2023", "revision b")
    assert about.years == {"2021": 0.5, "2020": 0.4, "2022": 0.5, "2023": 1.0}
    assert by_hand(kind="Deposition").kinds == ("deposition",)
    assert by_hand(version="2.1").version == "version 2.1"
    assert by_hand(version="draft").version == "draft"
    assert by_hand(period="2018 to 2020").period == "2020"
    assert by_hand(tags=["x"], language="en") == FOUND


def test_words_of_names_that_are_set_are_of_full_strength_and_those_they_replace_weak() -> None:
    words = by_hand(issuer="Quillon Harbour Co", names=["the Pier"]).words
    assert {word: words[word] for word in ("quillon", "harbour", "qh", "pier")} == dict.fromkeys(
        ("quillon", "harbour", "qh", "pier"), 1.0
    )
    assert "co" not in words
    assert {word: words[word] for word in ("norwick", "ferries", "nf", "nwf")} == dict.fromkeys(
        ("norwick", "ferries", "nf", "nwf"), 0.3
    )
    assert words["timetable"] == 0.6
    assert by_hand(title="Norwick 7").words["norwick"] == 1.0  # of the issuer too
    assert by_hand(issuer="Ferries of Norwick").words["ferries"] == 1.0


def test_a_question_means_the_document_by_what_was_set() -> None:
    profiles = [FOUND, DocumentProfile(words={"harbour": 1.0}, years={"2021": 1.0}), by_hand(issuer="Zumthor Baths")]

    def best(question: str) -> list[str]:
        found: MeantDocuments = Library(["a", "b", "c"], profiles).meant(question, lambda terms: [1 for _ in terms])
        return found.best(1)

    assert best("What did Zumthor earn?") == ["c"]
    assert best("What did Norwick earn?") == ["a"]


def test_it_is_told_who_says_each_field() -> None:
    set_ = DocumentDescription({"title": "By hand", "n": 7}, {"title": "Beside", "issuer": "Beside", "tags": ("a",)})
    about = DocumentAbout.of("id", "name", FOUND, set_)
    assert (about.title, about.issuer, about.kind, about.tags, about.own) == (
        "By hand", "Beside", "minutes", ("a",), {"n": 7}
    )  # fmt: skip
    assert about.by == {
        "title": "hand",
        "issuer": "sidecar",
        "kind": "rule",
        "date": "rule",
        "period": "rule",
        "version": "rule",
        "tags": "sidecar",
        "names": "rule",
        "n": "hand",
    }
    assert [*about.fields()] == [*about.by]
    assert DocumentAbout.of("id", "name", DocumentProfile(), DocumentDescription()).fields() == {}
