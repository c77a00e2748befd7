"""Periods, kinds and versions of documents, as texts name them."""

from __future__ import annotations

import pytest

from octavo_documents.text.document_kinds import document_kinds
from octavo_documents.text.periods import Period, periods_asked, periods_in
from octavo_documents.text.versions import names_every_version, version_order, versions_in


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("in 2019", ["2019"]),
        ("FY2018", ["2018"]),
        ("FY18", ["2018"]),
        ("fiscal year 2018/19", ["2018", "2019"]),
        ("from FY2015 to FY2017", ["2015", "2016", "2017"]),
        ("2018-2020", ["2018", "2019", "2020"]),
        ("Q2 2023", ["2023", "2023 Q2"]),
        ("Q22023", ["2023", "2023 Q2"]),
        ("Q2'23", ["2023", "2023 Q2"]),
        ("3Q21", ["2021", "2021 Q3"]),
        ("second quarter of fiscal 2024", ["2024", "2024 Q2"]),
        ("NORDWIND 2024Q2", ["2024", "2024 Q2"]),
        ("August 30, 2023", ["2023", "2023-08-30"]),
        ("30 August 2023", ["2023", "2023-08-30"]),
        ("30th of August 2023", ["2023", "2023-08-30"]),
        ("2023-08-30", ["2023", "2023-08-30"]),
        ("30.08.2023", ["2023", "2023-08-30"]),
        ("08/30/2023", ["2023", "2023-08-30"]),
        ("30-Aug-23", ["2023", "2023-08-30"]),
        ("30-AUG-1998", ["1998", "1998-08-30"]),
        ("30-08-2023", ["2023", "2023-08-30"]),
        ("order 130-08-2023-B", []),
        ("May 2022", ["2022"]),
        ("Q1 and Q3 2023", ["2023", "2023 Q1", "2023 Q3"]),
        ("the first, second and third quarters of 2023", ["2023", "2023 Q1", "2023 Q2", "2023 Q3"]),
        ("Q1, Q2 of FY2022", ["2022", "2022 Q1", "2022 Q2"]),
        ("it may and will; the first and third quarters", []),
        ("the second quarter", []),
        ("$2,019 and 2019%", []),
        ("part 12019", []),
        ("1776 men", []),
        ("", []),
    ],
)
def test_periods_are_looked_up_by_year_quarter_and_day(text: str, keys: list[str]) -> None:
    assert [*dict.fromkeys(key for period in periods_in(text) for key in period.keys)] == keys


def test_a_quarter_without_a_year_and_a_fiscal_year_say_so() -> None:
    assert [tuple(one) for one in periods_in("the third quarter")] == [(0, 3, 0, 0, False)]
    assert [one.is_fiscal for one in periods_in("fiscal 2020, 2021")] == [True, False]


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("March and October 2023", [(2023, 3), (2023, 10)]),
        ("in March, May or October 2023", [(2023, 3), (2023, 5), (2023, 10)]),
        ("in March and in October 2023", [(2023, 3), (2023, 10)]),
    ],
)
def test_months_that_share_a_year_each_have_it(text: str, months: list[tuple[int, int]]) -> None:
    assert [(one.year, one.month) for one in periods_in(text)] == months


def test_a_month_that_is_none_is_no_date() -> None:
    assert [one.month for one in periods_in("44.13.2020")] == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("FORM 10-K", {"annual report": 1}),
        ("10-Q", {"quarterly report": 1}),
        ("the 8-K of May", {"current report": 1}),
        ("Annual Report and the minutes", {"annual report": 1, "minutes": 1}),
        ("quarterly reports, a report", {"quarterly report": 1, "report": 1}),
        ("user manual", {"manual": 1}),
        ("slides", {"presentation": 1}),
        ("in ten minutesmen", {}),
        (
            "Norwick's K for 2022, the Q and the proxy",
            {"annual report": 1, "quarterly report": 1, "proxy statement": 1},
        ),
        ("the 2021 K", {"annual report": 1}),
        ("the k factor, the K-12 school, the Q&A, vitamin K", {}),
    ],
)
def test_kinds_are_named_by_their_own_words_and_forms(text: str, kinds: dict[str, int]) -> None:
    assert document_kinds(text) == kinds


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("Manual Rev. B", ["revision b"]),
        ("v2.10", ["version 2.10"]),
        ("Version 3 of the policy", ["version 3"]),
        ("2nd edition, Third Edition", ["edition 2", "edition 3"]),
        ("revised Bxy", []),
        ("RevC, rev 2", ["revision c", "revision 2"]),
        ("all revisions", []),
        ("issue 4", ["version 4"]),
    ],
)
def test_versions(text: str, versions: list[str]) -> None:
    assert versions_in(text) == versions


def test_all_versions_are_asked_about_where_several_are_spoken_of() -> None:
    for text in (
        "over the three revisions of the manual",
        "which of all editions",
        "between the versions",
        "both drafts",
    ):
        assert names_every_version(text), text
    for text in ("the third revision", "conversions of units", "version 2 and version 3", "its edition"):
        assert not names_every_version(text), text


def test_versions_are_ordered_by_number_and_letter() -> None:
    assert sorted(["version 2.10", "version 2.9", "version 1"], key=version_order) == [
        "version 1",
        "version 2.9",
        "version 2.10",
    ]
    assert version_order("revision b") > version_order("revision a")


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("earnings for October to December 2022", [Period(2022, 4, 12)]),
        ("in the first three months of 2023", [Period(2023, 1, 3)]),
        ("H1'23 sales", [Period(2023, 2, 6)]),
        ("2H21 sales", [Period(2021, 4, 12)]),
        ("sales in the second half of 2022", [Period(2022, 4, 12)]),
        ("headings in H1 2 and H2", []),
        ("the excess, edition 06/2024", [Period(2024, 0, 6)]),
        ("from March to June 2022", [Period(2022, 0, 3), Period(2022, 0, 6)]),
        ("the dose before it was changed in 2023", [Period(2022)]),
        ("the excess before the 2022 edition", [Period(2021)]),
        ("the charge in the tariff before 2023/24", [Period(2022)]),
        ("the charge before 2023", [Period(2023)]),
    ],
)
def test_people_ask_for_parts_of_years_and_for_what_was_before(question: str, periods: list[Period]) -> None:
    assert periods_asked(question) == periods
