"""Between whom a contract is, found by rule, in several languages and ways of writing it."""

from __future__ import annotations

import pytest

from octavo.about.profile import DocumentProfile
from octavo.about.profiling import profile_of
from octavo_documents.document import Kind
from synthetic import Row, document


def said(text: str, name: str = "scan1.pdf") -> DocumentProfile:
    rows: list[Row] = [(Kind.PARAGRAPH, line, 1, 0) for line in text.split("\n")]
    return profile_of(document(rows, name=name))


@pytest.mark.parametrize(
    ("text", "parties"),
    [
        (
            "Supply Agreement\nGrey & Grey LLP\nThis Agreement is made on 3 May 2022 by "
            "and between Harrow Mills Ltd, a company registered in England and Wales, "
            'whose office is in London ("Supplier"), and Jane Miller (the "Customer").\n'
            "Drawn up by Grey & Grey LLP.\nSigned for Harrow Mills Ltd\nSigned for Grey "
            "& Grey LLP",
            "Harrow Mills Ltd; Jane Miller",
        ),
        (
            "Lease\nBETWEEN\nOSTRA VIND HOLDING\nand\nMR JOHN SMITH\nOstra Vind Holding lets the house to the tenant.",
            "Ostra Vind Holding; JOHN SMITH",
        ),
        (
            "Services Agreement\nDrawn up by Grey & Grey LLP\nSupplier: Ostra Vind "
            "(company no. 12)\nCustomer: Harrow Mills",
            "Ostra Vind; Harrow Mills",
        ),
        (
            "Purchase Order 4711\nBuyer | Harrow Mills Ltd\nSupplier | Ostra Vind\nPlease deliver what is listed.",
            "Harrow Mills Ltd; Ostra Vind",
        ),
        (
            'Partnership agreement\nmade between (1) Ostra Vind Ltd ("OV"); (2) Harrow '
            'Mills plc ("HM"); and (3) Skarn Ferries LLP ("SF").\n1. Aims\n2. Fees and '
            "payment\n3. Term and end of this agreement",
            "Ostra Vind Ltd; Harrow Mills plc; Skarn Ferries LLP",
        ),
        (
            "Loan agreement\nThe loan is paid back in ten years.\nFor and on behalf of "
            "Ostra Vind Ltd\nFor and on behalf of Harrow Mills plc",
            "Ostra Vind Ltd; Harrow Mills plc",
        ),
        (
            "Dienstleistungsvertrag\nzwischen\nNordhafen Logistik GmbH & Co. KG, "
            "Kaistraße 4, 20457 Hamburg\n– nachfolgend „Auftraggeber“ genannt –\nund\n"
            "der Elbwerk Gebäudeservice\n– nachfolgend „Auftragnehmer“ genannt –\nwird "
            "der folgende Vertrag geschlossen, der für die Reinigung gilt.",
            "Nordhafen Logistik GmbH & Co. KG; Elbwerk Gebäudeservice",
        ),
        (
            "Mietvertrag\nVermieter: Wohnhilfe Elbtal eG\nMieterin: Frau Petra Lund\nDie "
            "Wohnung ist für zwei Personen und wird nicht weiter vermietet.",
            "Wohnhilfe Elbtal eG; Petra Lund",
        ),
        (
            "Contrat de prestation de services\nEntre les soussignés :\nLa société "
            "Ardoise Conseil SAS, dont le siège est à Lyon, ci-après « le Prestataire "
            "»,\net\nla société Moulins Réunis SARL, ci-après « le Client », il est "
            "convenu ce qui suit.",
            "Ardoise Conseil SAS; Moulins Réunis SARL",
        ),
        (
            "Contrato de suministro\nentre Molinos del Sur, S.L., con domicilio en "
            'Sevilla (el "Proveedor"), y Navieras Unidas S.A. (el "Cliente"), que se '
            "rige por lo siguiente.",
            "Molinos del Sur, S.L.; Navieras Unidas S.A.",
        ),
        (
            "CONTRATO DE SERVICIOS\nDe una parte, Aceites Lorca, S.A., con domicilio en Murcia (el Cliente).\n"
            "De otra parte, Doña Elena Prat, que es mayor de edad (la Prestadora), para lo que sigue.",
            "Aceites Lorca, S.A.; Elena Prat",
        ),
        (
            "BAIL COMMERCIAL\nENTRE LES SOUSSIGNÉES :\nLa SCI des Tilleuls, dont le siège est à Nantes,\n"
            "Ci-après dénommée « le Bailleur »,\nET :\n"
            "La Boulangerie Kerval, SARL au capital de 5 000 euros, qui est le « Preneur »",
            "SCI des Tilleuls; Boulangerie Kerval, SARL",
        ),
        (
            "Supply Agreement\nbetween Tarn Valley Dairy Co-operative and Nimbus Bottling Limited.",
            "Tarn Valley Dairy Co-operative; Nimbus Bottling Limited",
        ),
        (
            "Amendment No. 2\nBetween Harrow Mills Ltd, company number 77, of Mill Lane and Weir Street, Skarn and "
            "Ostra Vind Cleaning Ltd, of 3 Dock Court, Skarn.",
            "Harrow Mills Ltd; Ostra Vind Cleaning Ltd",
        ),
        (
            "Deed of variation\nbetween Harrow Mills LLP, of Mill House, Skarn and Heron & Vole Architects.",
            "Harrow Mills LLP; Heron & Vole Architects",
        ),
        (
            "Nachtrag Nr. 1 zum Mietvertrag\nzwischen der Elbwerk Immobilien GmbH, Kanalstraße 11, Lauterach und Optik "
            "Brandner GmbH, die beide für die Räume im Haus zeichnen.",
            "Elbwerk Immobilien GmbH; Optik Brandner GmbH",
        ),
        (
            "Avenant n° 2 au contrat\nentre Moulins Réunis SARL, 4 rue du Port, Nantes et Ardoise Conseil SAS, qui "
            "sont les parties de ce contrat.",
            "Moulins Réunis SARL; Ardoise Conseil SAS",
        ),
        (
            "Framework Agreement\nParties: Harrow Housing Consortium (the Authority) and Skarn Lifts (the Supplier)",
            "Harrow Housing Consortium; Skarn Lifts",
        ),
        (
            "Contrat-cadre\nParties : Habitat du Causse (le Client) et Ascenseurs Kerval (le Prestataire), pour la "
            "durée qui suit dans ce contrat.",
            "Habitat du Causse; Ascenseurs Kerval",
        ),
        (
            "Rahmenvertrag\nVertragsparteien: Wohnhilfe Elbtal eG (Auftraggeber) und Aufzug Nord (Auftragnehmer), die "
            "den Vertrag für ein Jahr schließen.",
            "Wohnhilfe Elbtal eG; Aufzug Nord",
        ),
        (
            "Collective Agreement on Pay\nBetween Skarn Ferries and the Harbour and Dock Union\nIn force from 1 April.",
            "Skarn Ferries; Harbour and Dock Union",
        ),
        (
            "Contratto di fornitura\ntra Mulini Riuniti S.r.l., con sede in Torino "
            '("Fornitore"), e Officine Volta S.p.A. ("Cliente"), che si regge sulle '
            "norme che seguono.",
            "Mulini Riuniti S.r.l.; Officine Volta S.p.A.",
        ),
        (
            "Huurovereenkomst\ntussen Vastgoed Maasland B.V., gevestigd te Rotterdam, "
            'hierna te noemen "Verhuurder", en Stichting Waterhoek, hierna te noemen '
            '"Huurder", die het volgende zijn overeengekomen.',
            "Vastgoed Maasland B.V.; Stichting Waterhoek",
        ),
        (
            "Contrato de fornecimento\nentre Moinhos do Norte, Lda., com sede no Porto, "
            'doravante "Fornecedor", e Cozinhas do Cais S.A., doravante "Cliente", que '
            "se rege pelas cláusulas seguintes e não por outras.",
            "Moinhos do Norte, Lda.; Cozinhas do Cais S.A.",
        ),
        (
            "Aftale om levering af mel\nmellem Mølleriet Skarn A/S (herefter "
            '"Leverandøren") og Havnekøkkenet ApS (herefter "Kunden"), som er indgået '
            "den 3. maj 2022 og gælder for et år.",
            "Mølleriet Skarn A/S; Havnekøkkenet ApS",
        ),
        (
            "Avtal om leverans som gäller för ett år\nmellan Kvarnen Skarn AB (nedan "
            '"Leverantören") och Hamnköket AB (nedan "Kunden"), som har ingåtts den 3 '
            "maj 2022 och är bindande.",
            "Kvarnen Skarn AB; Hamnköket AB",
        ),
        (
            "Umowa dostawy zawarta w dniu 3 maja 2022 r. w Gdańsku pomiędzy: Młyny "
            "Północne Sp. z o.o., zwaną dalej „Dostawcą”, a Port Kuchnia S.A., zwaną "
            "dalej „Odbiorcą”, która jest ważna przez rok.",
            "Młyny Północne Sp. z o.o.; Port Kuchnia S.A.",
        ),
        (
            "Договор поставки\nзаключён между ООО «Северные мельницы», именуемым в "
            "дальнейшем «Поставщик», и АО «Портовая кухня», именуемым в дальнейшем "
            "«Покупатель», о том, что поставщик это делает.",
            "ООО «Северные мельницы»; АО «Портовая кухня»",
        ),
        (
            "服务合同\n甲方：北方磨坊有限公司\n乙方：港口厨房有限公司\n双方就服务的事项达成以下协议，并由双方遵守。",
            "北方磨坊有限公司; 港口厨房有限公司",
        ),
        (
            "業務委託契約書\n"
            "株式会社北風（以下「甲」という。）と港食品株式会社（以下「乙」という。）は、次のとおり契約を締結する。これは業務の委託に関するものです。",
            "株式会社北風; 港食品株式会社",
        ),
    ],
)
def test_the_parties_of_a_contract_are_whose_it_is(text: str, parties: str) -> None:
    profile = said(text)
    assert profile.issuer == parties
    assert profile.kinds[0] in ("contract", "lease", "order", "amendment")
    assert not {"supplier", "customer", "signed"} & {*map(str.casefold, profile.short_forms)}


@pytest.mark.parametrize(
    ("text", "issuer"),
    [
        ("This agreement is made between the Employer and the Employee. It is about work.", ""),
        (
            "Standard contract\nThis contract is between you and Harrow Mills Ltd, and it is about ferries.",
            "Harrow Mills Ltd",
        ),
        (
            "Annual Report\nHarrow Mills plc\nIn 2021 an agreement was made between "
            "Ostra Vind Ltd (“OV”) and Skarn Ltd (“S”).",
            "Harrow Mills plc",
        ),
        ("Travel policy\nHarrow Mills plc\nThe way between Leeds and York is paid for.", "Harrow Mills plc"),
        (
            "Contract\nHarrow Mills plc\nThe ferry goes between Monday and Friday, and between May and June 2021.",
            "Harrow Mills plc",
        ),
    ],
)
def test_what_is_between_others_names_no_parties(text: str, issuer: str) -> None:
    assert said(text).issuer == issuer


def test_words_of_parties_are_as_sure_as_those_of_an_issuer() -> None:
    words = said("Lease agreement\nmade between Harrow Mills Ltd and Ostra Vind.\nGrey LLP drew it up.").words
    assert min(words["harrow"], words["mills"], words["ostra"], words["vind"]) >= 0.9
    assert words["grey"] < 0.5


@pytest.mark.parametrize(
    ("text", "name", "period"),
    [
        (
            "Minutes of the meeting of 20 April 2021\nThe budget of 2022: 2022, 2022, 2022 was spoken of.",
            "m.docx",
            "2021",
        ),
        ("Plan\n" + "Work goes on. " * 60 + "\nAgenda\nOf 9/10/2007: 2009, 2009, 2009.", "m.docx", "2009"),
        ("Letter\nSkarn, 3 May 2020\nYour budget for 2021: 2021, 2021, 2021 is enough.", "m.docx", "2020"),
    ],
)
def test_minutes_and_letters_are_of_their_day(text: str, name: str, period: str) -> None:
    profile = said(text, name)
    assert profile.period == period


def test_an_annual_report_has_the_year_before_too() -> None:
    text = "Annual Report for the year ended 31 December 2023\n| 2023 | 2022\nSales | 7 | 6\nSince 2019 little."
    years = said(text).years
    assert years["2023"] > years["2022"] > 0.6 > years.get("2019", 0.0)


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("ledger_guide_2_1.md", "version 2.1"),
        ("handbook v3 final.docx", "version 3"),
        ("pump-rev-c.pdf", "revision c"),
        ("manual_RevB.pdf", "revision b"),
        ("guide-2.1.0.html", "version 2.1.0"),
        ("chapter_2_1.md", ""),
        ("guide (2).md", ""),
        ("press release 2021.md", ""),
        ("guide_03_12.md", ""),
        ("photos 12.10.md", ""),
    ],
)
def test_a_number_that_ends_the_name_of_a_file_is_its_version(name: str, version: str) -> None:
    assert said("On herons.", name).version == version


def test_a_paper_says_what_it_is_by_its_parts() -> None:
    assert said("On herons\nAbstract\nWe saw herons.\n1 Introduction\nThey are grey.").kinds == ("paper",)
    assert said("On herons\nAbstract herons are seldom seen.\n1 Introduction").kinds == ()
