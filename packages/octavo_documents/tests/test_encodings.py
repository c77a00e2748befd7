"""Bytes that do not say their encoding."""

from __future__ import annotations

import pytest

from octavo_documents.parsing.encodings import text_of

POLISH = "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności. Są oni obdarzeni rozumem i sumieniem."
TURKISH = "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler."
RUSSIAN = "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью."
GERMAN = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Größe zählt dafür nicht; 3 m² genügen."
SPANISH = "¿Quién nació libre? Todos los seres humanos nacen libres; el niño también (artículo 1º)."
HUNGARIAN = "Minden emberi lény szabadon születik, egyenlő méltósága és joga van, és testvéri szellemű a szó."

ARABIC = "تفتح البوابة في الساعة السادسة من كل صباح وتغلق عند غروب الشمس في الميناء القديم"
THAI = "ประตูท่าเรือเปิดเวลาหกโมงเช้าทุกวันและปิดเมื่อพระอาทิตย์ตก ค่าธรรมเนียมคือสิบสองบาท"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (HUNGARIAN, "cp1250"),
        (TURKISH, "cp1254"),
        (GERMAN, "cp1252"),
        (SPANISH, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "iso8859-5"),
        (RUSSIAN, "cp866"),
        (GERMAN, "cp850"),
        (ARABIC, "cp1256"),
        (ARABIC, "iso8859-6"),
        (THAI, "cp874"),
        (RUSSIAN, "utf-16-be"),
        (RUSSIAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
    ],
)
def test_the_letters_tell_the_encoding_of_a_short_text(text: str, encoding: str) -> None:
    assert text_of(text.encode(encoding))[0] == text


def test_a_guess_is_said() -> None:
    assert text_of(TURKISH.encode("cp1254"))[1] == ("not UTF-8: read as cp1254",)
    assert text_of(GERMAN.encode("cp1252"))[1] == ("not UTF-8: read as Windows-1252",)
