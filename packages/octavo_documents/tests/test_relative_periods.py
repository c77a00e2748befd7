"""Years that are spoken or cut short, and years that a question tells from others."""

from __future__ import annotations

import pytest

from octavo_documents.text.periods import periods_in
from octavo_documents.text.relative_periods import years_asked


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("in twenty twenty-one", ["2021"]),
        ("in Nineteen ninety eight", ["1998"]),
        ("twenty oh-nine", ["2009"]),
        ("fiscal twenty-two", ["2022"]),
        ("FY nineteen", ["2019"]),
        ("second quarter of twenty twenty-two", ["2022", "2022 Q2"]),
        ("in two thousand and eight", ["2008"]),
        ("Annual Report\nTwo Thousand and Twenty-Two\nNorwick plc", ["2022"]),
        ("in '22 and of ’98", ["2022", "1998"]),
        ("from twenty nineteen to twenty twenty-one", ["2019", "2020", "2021"]),
        ("two thousand twenty employees", []),
        ("twenty five percent", []),
        ("twenty thirty-two million", []),
        ("nineteen twenty", []),
        ("in the '90s, and 5'22", []),
    ],
)
def test_years_are_read_as_they_are_spoken(text: str, keys: list[str]) -> None:
    assert [*dict.fromkeys(key for period in periods_in(text) for key in period.keys)] == keys


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("What did Norwick earn last year?", [2023]),
        ("What is its debt in the most recent fiscal year?", [2023]),
        ("headcount two years ago", [2022]),
        ("headcount the year before last", [2022]),
        ("revenue over the last three years", [2021, 2022, 2023]),
        ("revenue since 2021", [2021, 2022, 2023]),
        ("revenue from fiscal 2022 onwards", [2022, 2023]),
        ("revenue since twenty twenty-two", [2022, 2023]),
        ("revenue since 2004", [*range(2016, 2024)]),
        ("revenue two years before fiscal 2023", [2021]),
        ("How did it change compared with last year?", []),
        ("In the last year of the war", []),
        ("What will it spend this fiscal year?", []),
        ("from 2019 to 2021", []),
        ("the last few years", []),
        ("How old is it?", []),
    ],
)
def test_years_are_told_from_the_newest_one(question: str, years: list[int]) -> None:
    told = years_asked(question)
    assert (told.resolved(2023) if told else []) == years


@pytest.mark.parametrize(
    ("code", "question", "years"),
    [
        ("de", "Was hat Norwick im letzten Jahr verdient?", [2023]),
        ("de", "Umsatz im vorletzten Geschäftsjahr", [2022]),
        ("de", "Mitarbeiter vor zwei Jahren", [2022]),
        ("de", "Umsatz der letzten drei Jahre", [2021, 2022, 2023]),
        ("de", "Umsatz seit 2021", [2021, 2022, 2023]),
        ("de", "Umsatz im Jahr vor 2021", [2020]),
        ("de", "Wie stieg er gegenüber dem letzten Jahr?", []),
        ("fr", "Quel était le bénéfice l'année dernière ?", [2023]),
        ("fr", "le chiffre d'affaires depuis 2022", [2022, 2023]),
        ("fr", "l'effectif il y a deux ans", [2022]),
        ("es", "ingresos de los últimos tres años", [2021, 2022, 2023]),
        ("es", "ingresos desde 2019 hasta 2021", []),
        ("it", "Quanto ha guadagnato l'anno scorso?", [2023]),
        ("it", "i ricavi negli ultimi due anni", [2022, 2023]),
        ("pt", "a receita há dois anos", [2022]),
        ("nl", "de omzet twee jaar voor 2023", [2021]),
        ("pl", "Jaki był zysk w ubiegłym roku?", [2023]),
        ("pl", "przychody od 2021", [2021, 2022, 2023]),
        ("ru", "Какой была прибыль в прошлом году?", [2023]),
        ("ru", "выручка за последние три года", [2021, 2022, 2023]),
        ("zh", "去年的收入是多少？", [2023]),
        ("zh", "最近三年的收入", [2021, 2022, 2023]),
        ("zh", "2022年以来的收入", [2022, 2023]),
        ("ja", "昨年の売上高はいくらですか", [2023]),
        ("ja", "2021年以降の売上高", [2021, 2022, 2023]),
        ("ja", "二年前の従業員数", [2022]),
        ("ar", "كم بلغت الأرباح في العام الماضي؟", [2023]),
        ("ar", "الإيرادات منذ عام 2022", [2022, 2023]),
        ("sv", "förra året", []),
    ],
)
def test_years_are_told_in_other_languages(code: str, question: str, years: list[int]) -> None:
    told = years_asked(question, code)
    assert (told.resolved(2023) if told else []) == years
