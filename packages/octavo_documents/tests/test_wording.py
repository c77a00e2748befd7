import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo_documents import wording
from octavo_documents.wording import CATALOGUES, catalogue, counted, every, holds, speaking, t, translated

PLACE = re.compile(r"\{(\w+)\}")


def texts(code: str) -> Iterator[tuple[str, str, str]]:
    """Yield each text of a catalogue with the name of its form, "" where it has none."""
    known = catalogue(code)
    assert known is not None
    for english, found in [*known.page.items(), *known.said.items()]:
        for form, text in [("", found)] if isinstance(found, str) else found.items():
            yield english, form, text


@pytest.mark.parametrize("code", CATALOGUES)
def test_every_catalogue_has_every_text_with_its_places(code: str) -> None:
    known, first = catalogue(code), catalogue(next(iter(CATALOGUES)))
    assert known and first
    assert known.page.keys() == first.page.keys()
    assert known.said.keys() == first.said.keys()
    assert known.page.keys().isdisjoint(known.said)
    for english, form, text in texts(code):
        assert sorted(set(PLACE.findall(text))) == sorted(set(PLACE.findall(english))), english
        assert text.strip(), english
        # a text that is put between others begins and ends as they need it
        assert code == "zh" or form or english.endswith(" ") == text.endswith(" "), english


@pytest.mark.parametrize("code", CATALOGUES)
def test_forms_are_those_of_the_plurals(code: str) -> None:
    known = catalogue(code)
    assert known
    for english, found in [*known.page.items(), *known.said.items()]:
        if not isinstance(found, str):
            assert set(found) == {*known.plurals, "other"}, english


def test_plurals_and_groups_of_digits() -> None:
    def told(code: str) -> list[str]:
        with speaking(code):
            return [counted(count, "page") for count in (0, 1, 1200)]

    assert told("en") == ["0 pages", "1 page", "1,200 pages"]
    assert told("de") == ["0 Seiten", "1 Seite", "1.200 Seiten"]
    assert told("fr") == ["0 page", "1 page", "1\u202f200 pages"]
    assert told("es") == ["0 páginas", "1 página", "1.200 páginas"]
    assert told("zh") == ["0 页", "1 页", "1,200 页"]


def test_a_language_is_a_file_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polish = {
        "name": "Polski",
        "thousands": "\u00a0",
        "plurals": {
            "one": "n = 1",
            "few": "n % 10 = 2..4 and n % 100 != 12..14",
        },
        "page": {"{n} pages": {"one": "{n} strona", "few": "{n} strony", "other": "{n} stron"}},
        "said": {"{name} is empty": "{name} jest puste"},
    }
    (tmp_path / "pl.json").write_text(json.dumps(polish), encoding="utf-8")
    monkeypatch.setitem(CATALOGUES, "pl", tmp_path / "pl.json")
    assert wording.of_environment({"LANG": "pl_PL.UTF-8"}) == "pl"
    assert wording.names()["pl"] == "Polski"
    with speaking("pl"):
        assert [counted(count, "page") for count in (1, 3, 12, 1022, 5)] == [
            "1 strona",
            "3 strony",
            "12 stron",
            "1\u00a0022 strony",
            "5 stron",
        ]
        assert translated("Bericht.pdf is empty") == "Bericht.pdf jest puste"
        assert t("What it does not have stays {how}", how="English") == "What it does not have stays English"


def test_what_was_said_in_english_is_found_by_its_template() -> None:
    said = "Kept the passages that fit best (3 of 2,000 places)"
    assert translated(said) == said
    with speaking("de"):
        assert translated(said) == "Die am besten passenden Textstellen behalten (3 von 2.000 Stellen)"
        assert translated("a text that nobody translated") == "a text that nobody translated"
        assert translated("") == ""


def test_values_are_no_templates() -> None:
    with speaking("es"):
        assert t("{at} of {document}", at="en {document}", document="a.pdf") == "en {document} de a.pdf"


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "es_MX"}, "es"),
        ({"LANG": "de_DE", "LANGUAGE": "it:zh_CN:en"}, "zh"),
        ({"LANG": "de_DE", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE", "OCTAVO_LANGUAGE": "en"}, "en"),
        ({"OCTAVO_LANGUAGE": "xx"}, "en"),
    ],
)
def test_the_language_of_an_environment(environment: dict[str, str], code: str) -> None:
    assert wording.of_environment(environment) == code


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("de-CH,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.2, es;q=0.7", "es"),
        ("ja, zh-Hans-CN;q=0.5", "zh"),
        ("fr;q=0, en", "en"),
        ("*", "en"),
        ("it;q=nonsense,,;", "en"),
    ],
)
def test_the_language_of_a_header(header: str, code: str) -> None:
    assert wording.of_header(header) == code


def test_conditions_are_read_as_unicode_writes_them() -> None:
    assert [n for n in range(20) if holds("n % 10 = 1 and n % 100 != 11 or n = 0", n)] == [0, 1]
    with pytest.raises(ValueError, match="no condition"):
        holds("n is 1", 1)


def test_a_beginning_is_one_in_every_language() -> None:
    whole, beginning = (
        "The closest passages are {where}; no short answer is sure.",
        "The closest passages",
    )
    assert len({*every(beginning)}) == len(CATALOGUES) + 1
    assert all(text.startswith(start) for text, start in zip(every(whole), every(beginning), strict=True))
