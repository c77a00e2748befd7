"""Years in whatever form a text writes them."""

from __future__ import annotations

import pytest

from octavo_documents.text.years import is_of_two_years, may_name_year, named_years, plain_years


@pytest.mark.parametrize(
    "text",
    [
        "In 2020 the harbour froze.",
        "２０２０年の報告",
        "二〇二〇年三月",
        "二零二零年",
        "تقرير ٢٠٢٠",
        "as of 20200301",
        "31122020",
        "FY20 sales",
        "fy 2020",
        "in the winter of '20",
        "Mar-20",
        "1. Dez. 20",
        "3/1/20",
        "01.03.20",
        "20-03-01",
        "2019/20",
        "2019–20",
        "19/20",
        "20/21",
        "from 2018 to 2022",
        "2018–2022",
        "2018 bis 2025",
        "Q3 20",
        "4Q20",
        "令和2年",
        "พ.ศ. 2563",
    ],
)
def test_a_year_may_be_named_in_any_of_these_forms(text: str) -> None:
    assert may_name_year(plain_years(text), 2020)


@pytest.mark.parametrize(
    "text",
    [
        "In 2019 the harbour froze.",
        "20 boats of 3.20 metres",
        "about 20 per cent",
        "137993",
        "120201",
        "1,202,000",
        "page 20",
        "from 2010 to 2015",
        "2012/13",
        "FY19",
        "二〇一九年",
        "2021",
        "10.20",
    ],
)
def test_none_of_these_names_it(text: str) -> None:
    assert not may_name_year(plain_years(text), 2020)


def test_years_are_told_as_they_are_written_with_what_they_are() -> None:
    plain = plain_years("Sales of FY20, of ’98 and 二〇一九年, for 2,020 crowns in 2021")
    assert {written: year for written, year, _, _ in named_years(plain)} == {
        "2019": 2019,
        "2021": 2021,
        "FY20": 2020,
        "’98": 1998,
    }


@pytest.mark.parametrize(
    ("told", "question", "is_open"),
    [
        ("Attendances | 2023/24", "attendances in the year ending March 2023", True),
        ("Attendances | 2023/24", "attendances in 2024", True),
        ("Attendances | 2023-2024", "attendances in 2024", True),
        ("Attendances | 2023/24", "attendances in 2023/24", False),
        ("Attendances | 2023/24", "attendances in 2022", False),
        ("Attendances | 2023", "attendances in 2023", False),
        ("from 2019-2023", "how many in 2019", False),
        ("on 2023-04-05", "how many in 2023", False),
    ],
)
def test_a_pair_of_years_says_not_which_of_them_is_meant(told: str, question: str, is_open: bool) -> None:
    assert is_of_two_years(told, question) is is_open
