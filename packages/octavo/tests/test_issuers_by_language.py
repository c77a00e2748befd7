"""Who issued a document, what it is called for short and was called before, in the languages with tables."""

from __future__ import annotations

import pytest

from octavo.about.library import Library
from octavo.about.profiling import profile_of
from octavo_documents.document import Document, Kind
from synthetic import Row, document

SAID = {
    "de": (
        "Kranzfeld Öl GmbH & Co. KG",
        "Jahresbericht der {} (im Folgenden „{}“ oder die „Gesellschaft“), vormals Hanse Linie AG, für das Jahr",
        "Kranzfeld",
        "Hanse Linie AG",
    ),
    "fr": (
        "Banque Kervran S.A.",
        "{} (ci-après « {} » ou « la Banque »), anciennement Bretagne Crédit SA, est une banque dont le siège est ici.",
        "Kervran",
        "Bretagne Crédit SA",
    ),
    "es": (
        "Iberluz Renovables, S.A.",
        "{} (en adelante, «{}» o la «Sociedad»), anteriormente Luz del Sur, S.A., "
        "es una empresa con la que se compra la luz para los que viven en el campo.",
        "Iberluz",
        "Luz del Sur, S.A",
    ),
    "it": (
        "Valdarno Energia S.p.A.",
        '{} (di seguito "{}" o la "Società"), già Toscana Luce S.r.l., è una società che vende energia nella regione.',
        "Valdarno",
        "Toscana Luce S.r.l",
    ),
    "pt": (
        "Lusomar Pescas, S.A.",
        "{} (doravante “{}” ou “Sociedade”), anteriormente Atlântico Pescas, Lda., é uma empresa que não vende carne.",
        "Lusomar",
        "Atlântico Pescas, Lda",
    ),
    "nl": (
        "Duinrand Zuivel N.V.",
        "{} (hierna: ‘{}’ of ‘de Vennootschap’), voorheen Melkweg B.V., is een onderneming die kaas en boter maakt.",
        "Duinrand",
        "Melkweg B.V",
    ),
    "pl": (
        "Wisłoka Energia S.A.",
        "{} (dalej „{}” lub „Spółka”), dawniej Borsuk Sp. z o.o., jest spółką, która sprzedaje energię i gaz.",
        "Wisłoka",
        "Borsuk Sp. z o.o",
    ),
    "ru": (
        "ПАО «Северолен»",
        "{} (далее — «{}» или «Общество»), ранее ООО «Льнопром», это компания, которая производит ткани из льна.",
        "Северолен",
        "ООО «Льнопром»",
    ),
    "zh": (
        "北京远航科技股份有限公司",
        "{}（以下简称“{}”或“公司”，原名：北京远海科技有限公司）是一家生产船用设备的企业。",
        "远航科技",
        "北京远海科技有限公司",
    ),
    "ja": (
        "星川精機株式会社",
        "{}（以下「{}」または「当社」という。旧社名：星海工業株式会社）は旋盤をつくる会社です。",
        "星川",
        "星海工業株式会社",
    ),
    "ar": (
        "شركة النور للتجارة",
        "{} (ويشار إليها فيما يلي بـ «{}» أو «الشركة») هي التي تبيع الزيت في هذه المدينة منذ سنوات.",
        "النور",
        "",
    ),
}
"""By language: an issuer, what a document says of it, what it calls it for short and what it was called before."""


def said_by(code: str) -> Document:
    issuer, sentence, short, _ = SAID[code]
    other = {"zh": "上海蓝湖银行参加了会议。", "ja": "株式会社ミナト製作所に納めた。"}.get(
        code, "Brackwater Mills plc: 14 km, 27 kg, 5 kW, 80 °C, 3 m"
    )
    rows: list[Row] = [(Kind.PARAGRAPH, sentence.format(issuer, short), 1, 0), (Kind.PARAGRAPH, other, 1, 0)]
    return document(rows, name="scan7.pdf")


@pytest.mark.parametrize("code", SAID)
def test_who_speaks_is_the_issuer(code: str) -> None:
    issuer, _, short, former = SAID[code]
    profile = profile_of(said_by(code))
    assert profile.issuer == issuer
    assert profile.short_forms == {short: issuer}
    assert profile.former == ((former,) if former else ())


@pytest.mark.parametrize("code", SAID)
def test_the_short_form_and_the_former_name_mean_its_document(code: str) -> None:
    ids = [*SAID]
    library = Library(ids, [profile_of(said_by(one)) for one in ids])
    for name in filter(None, (SAID[code][2], SAID[code][3])):
        assert library.meant(f"{name} 2021?", lambda terms: [1 for _ in terms]).best(1) == [code]
