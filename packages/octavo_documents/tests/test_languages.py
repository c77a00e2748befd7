"""Languages: what a text is told to be in, and its terms, numbers and dates there."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo_documents.structuring import markers
from octavo_documents.structuring.headings.contents import is_contents_title
from octavo_documents.text import languages
from octavo_documents.text.analyzer import analyze, sentence_spans
from octavo_documents.text.chinese_variants import simplified
from octavo_documents.text.forms import forms_in
from octavo_documents.text.language_identification import language_of, runs_of
from octavo_documents.text.segmentation import word_count
from octavo_documents.text.values import ValueKind
from octavo_documents.text.values_by_language import values_of

SAID = {
    "en": "The lighthouse was built by the keepers who lived on the island, and it has been lit since.",
    "de": "Der Leuchtturm wurde von den Wärtern gebaut, die auf der Insel lebten, und er leuchtet seitdem.",
    "fr": "Le phare a été construit par les gardiens qui vivaient sur l'île, et il est allumé depuis.",
    "es": "El faro fue construido por los guardianes que vivían en la isla, y está encendido desde entonces.",
    "it": "Il faro è stato costruito dai guardiani che vivevano sull'isola, ed è acceso da allora.",
    "pt": "O farol foi construído pelos guardas que viviam na ilha, e está aceso desde então.",
    "nl": "De vuurtoren werd gebouwd door de wachters die op het eiland woonden, en hij brandt sindsdien.",
    "pl": "Latarnia została zbudowana przez strażników, którzy mieszkali na wyspie, i świeci się od tego czasu.",
    "ru": "Маяк был построен смотрителями, которые жили на острове, и с тех пор он горит.",
    "zh": "灯塔是由住在岛上的守塔人建造的，从那时起一直亮着。",
    "ja": "灯台は島に住んでいた灯台守によって建てられ、それ以来ともっている。",
    "ar": "بنى المنارة الحراس الذين عاشوا في الجزيرة، وهي مضاءة منذ ذلك الحين.",
    "tr": "Deniz feneri adada yaşayan bekçiler tarafından yapıldı ve o zamandan beri çok parlak bir ışık için yanıyor.",
    "th": "ประภาคารสร้างโดยคนเฝ้าที่อาศัยอยู่บนเกาะ",
}


@pytest.mark.parametrize("code", SAID)
def test_a_text_tells_its_language(code: str) -> None:
    assert language_of(SAID[code]) == code


def test_what_tells_nothing_is_in_the_language_that_is_expected() -> None:
    assert language_of("Total 2020") == "en"
    assert language_of("Total 2020", expected="de") == "de"


def test_a_document_is_told_run_by_run_and_a_short_part_goes_with_the_whole() -> None:
    parts = [SAID["de"]] * 6 + ["Titel 4", SAID["en"] * 2, SAID["zh"] * 3]
    assert runs_of(parts) == ["de"] * 7 + ["en", "zh"]


def test_a_language_that_nothing_is_known_of_is_indexed_whole_word_by_whole_word() -> None:
    assert analyze("Ez dakit nor den", "eu") == analyze("Ez dakit nor den")


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("de", "die Häuser", "des Hauses"),
        ("fr", "l'abbaye médiévale", "les abbayes médiévales"),
        ("es", "la canción", "las canciones"),
        ("ru", "Московский Кремль", "в Московском Кремле"),
        ("pl", "Warszawa", "w Warszawie"),
        ("el", "οι δρόμοι", "τους δρόμους"),
    ],
)
def test_forms_of_a_word_are_one_term(code: str, one: str, other: str) -> None:
    assert analyze(one, code) == analyze(other, code) != []


def test_where_no_spaces_part_words_terms_are_pairs_of_characters() -> None:
    assert analyze("北京大学2021年", "zh") == ["北京", "京大", "大学", "2021", "年"]
    assert analyze("서울의", "ko") == ["서울", "울의"]
    assert analyze("ถนน", "th") == ["ถน", "นน"]


def test_voicing_marks_and_vowels_stay_where_accents_go() -> None:
    assert analyze("グラフ", "ja") != analyze("クラフ", "ja")
    assert analyze("प्रधानमंत्री", "hi") != analyze("परधानमतर", "hi")
    assert analyze("Énergie thermique", "fr") == analyze("energie thermique", "fr")


def test_traditional_and_simplified_chinese_are_the_same_terms() -> None:
    assert simplified("圖書館") == "图书馆"
    assert analyze("圖書館的書", "zh") == analyze("图书馆的书", "zh")


@pytest.mark.parametrize(
    ("code", "text", "terms"),
    [
        ("de", "1.234,56", ["1234.56"]),
        ("fr", "86 445", ["86445"]),
        ("de", "146,520", ["146.520"]),
        ("zh", "1,234.5", ["1234.5"]),
        ("de", "2.18.0", ["2.18.0"]),
        ("ar", "١٢٣٤", ["1234"]),
    ],
)
def test_numbers_are_terms_as_english_writes_them(code: str, text: str, terms: list[str]) -> None:
    assert analyze(text, code) == terms


@pytest.mark.parametrize(
    ("code", "text", "kind", "number"),
    [
        ("de", "Es kostet 1.234,56 Euro.", ValueKind.MONEY, 1234.56),
        ("fr", "Elle compte 86 445 habitants.", ValueKind.NUMBER, 86445.0),
        ("pl", "Zużycie wynosi 12,5 %.", ValueKind.PERCENT, 12.5),
        ("zh", "人口约120万人。", ValueKind.NUMBER, 1200000.0),
        ("zh", "占百分之30。", ValueKind.PERCENT, 30.0),
        ("ja", "1億円かかった。", ValueKind.MONEY, 1e8),
        ("ar", "بلغ ٤٥ دولارا", ValueKind.MONEY, 45.0),
        ("ru", "Построен в 1954 году.", ValueKind.YEAR, 1954.0),
        ("it", "Il 3 marzo 2020 piove.", ValueKind.DATE, None),
        ("fr", "Signé le 17-mai-07.", ValueKind.DATE, None),
        ("nl", "Getekend op 17-05-2007.", ValueKind.DATE, None),
        ("zh", "于2021年3月5日。", ValueKind.DATE, None),
        ("nl", "Er zijn twaalf bruggen.", ValueKind.NUMBER, 12.0),
    ],
)
def test_values_are_read_as_their_language_writes_them(
    code: str, text: str, kind: ValueKind, number: float | None
) -> None:
    (found,) = values_of(text, code)
    assert (found.kind, found.number) == (kind, number)
    assert text[found.start : found.stop] == found.text


@pytest.mark.parametrize(
    ("code", "amount"), [("pt", "$1.9 biliões"), ("es", "20 mil millones de euros"), ("ru", "3 триллиона рублей")]
)
def test_an_amount_is_printed_with_how_many_times_it_is_meant(code: str, amount: str) -> None:
    assert [one.text for one in values_of(f"{amount}.", code)] == [amount]


@pytest.mark.parametrize(
    ("code", "text", "date"),
    [
        ("de", "Im Sommer 1934 brannte die Mühle ab.", "Sommer 1934"),
        ("fr", "Le moulin a brûlé à l'été 1934.", "été 1934"),
        ("es", "El molino ardió en el verano de 1934.", "verano de 1934"),
        ("it", "Il mulino bruciò alla fine del 1934.", "fine del 1934"),
        ("pt", "O moinho ardeu em meados de 1934.", "meados de 1934"),
        ("nl", "De molen brandde af in de winter van 1934.", "winter van 1934"),
        ("pl", "Młyn spłonął pod koniec 1934 roku.", "koniec 1934"),
        ("ru", "Мельница сгорела летом 1934 года.", "летом 1934"),
        ("zh", "磨坊于1934年夏天烧毁。", "1934年夏天"),
        ("ja", "水車小屋は1934年の春に焼けた。", "1934年の春"),
        ("ar", "احترقت الطاحونة في صيف عام 1934.", "صيف عام 1934"),
    ],
)
def test_a_season_is_part_of_its_date(code: str, text: str, date: str) -> None:
    assert [(one.kind, one.text) for one in values_of(text, code)] == [(ValueKind.DATE, date)]


@pytest.mark.parametrize(
    ("code", "text", "date"),
    [
        ("de", "Die Mühle stand bis ins 19. Jahrhundert hinein.", "19. Jahrhundert"),
        ("fr", "Le moulin date du 18e siècle.", "18e siècle"),
        ("nl", "De molen is uit de 17e eeuw.", "17e eeuw"),
        ("ru", "Мельница построена в 18 веке.", "18 веке"),
        ("zh", "磨坊建于19世纪初。", "19世纪初"),
        ("ja", "水車小屋は1930年代に建てられた。", "1930年代"),
    ],
)
def test_a_century_or_a_decade_is_a_date_and_no_number(code: str, text: str, date: str) -> None:
    assert [(one.kind, one.text) for one in values_of(text, code)] == [(ValueKind.DATE, date)]


def test_half_a_winter_is_no_date() -> None:
    assert all(one.kind is not ValueKind.DATE for one in values_of("Im Winter 1944/45 war es kalt.", "de"))


def test_months_and_stems_of_other_languages_say_the_same() -> None:
    forms = forms_in("Wer gründete Siemens im März?", "de", frozenset({"de", "en"}))
    assert "march" in forms["marz"]
    assert "siemen" in {"siemens", "siemen"} & {*forms, *(form for said in forms.values() for form in said)}


def test_sentences_end_where_other_scripts_end_them() -> None:
    text = "第一句。第二句！هل هذا؟ نعم"
    assert [text[start:stop].strip() for start, stop in sentence_spans(text)] == [
        "第一句。",
        "第二句！",
        "هل هذا؟",
        "نعم",
    ]


def test_words_are_counted_where_no_spaces_part_them() -> None:
    assert word_count("three plain words") == 3
    assert word_count("灯塔是由住在岛上") == 4


def test_a_thirteenth_language_is_a_file_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "eo.toml"
    table.write_text(
        'name = "Esperanto"\nstemmer = "esperanto"\nscript = "latin"\ndecimal = ","\nthousands = "."\n'
        'function_words = "la kaj estas de en kiu kiom"\ncurrencies = ["eŭroj"]\n'
        '[asks]\ncount = ["kiom da"]\nperson = ["kiu"]\n',
        encoding="utf-8",
    )
    monkeypatch.setitem(languages.LANGUAGES, "eo", table)
    assert analyze("la domoj kaj la domo", "eo") == analyze("domo domo", "eo")
    assert [(one.kind, one.number) for one in values_of("1.200,5 eŭroj", "eo")] == [(ValueKind.MONEY, 1200.5)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Abbildung 3: Der Hafen", "Figure 3"),
        ("Tableau 2 – Tarifs", "Table 2"),
        ("Рис. 4. Маяк", "Figure 4"),
        ("图1 灯塔", "Figure 1"),
        ("表三：潮汐", "Table 3"),
        ("الشكل 3: المنارة", "Figure 3"),
        ("Figure 3. The pier", "Figure 3"),
        ("Abbildung 3 zeigt den Hafen", ""),
        ("Tabella degli orari", ""),
    ],
)
def test_captions_are_told_in_other_languages(text: str, label: str) -> None:
    assert markers.caption(text) == label


@pytest.mark.parametrize(
    ("text", "word", "number", "title"),
    [
        ("Kapitel 3 Der Hafen", "chapter", "3", "Der Hafen"),
        ("Chapitre IV : Le phare", "chapter", "IV", "Le phare"),
        ("第十二章 港口", "chapter", "12", "港口"),
        ("Anhang A Tabellen", "appendix", "A", "Tabellen"),
    ],
)
def test_headings_are_numbered_in_other_languages(text: str, word: str, number: str, title: str) -> None:
    found = markers.numbering(text)
    assert found is not None
    assert (found.word, ".".join(found.parts), found.title) == (word, number, title)


@pytest.mark.parametrize(
    ("text", "expected"), [("Inhaltsverzeichnis", True), ("ОГЛАВЛЕНИЕ", True), ("Mục lục:", True), ("Inhalte", False)]
)
def test_contents_are_told_by_their_name_in_other_languages(text: str, expected: bool) -> None:
    assert is_contents_title(text) is expected
