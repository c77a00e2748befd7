"""Whose a document is that does not say it, told by what heads it, the other documents and the folders of a library."""

from __future__ import annotations

import dataclasses

import pytest

from octavo.about.issuer_keys import issuers_of
from octavo.about.library_issuers import told_by_others
from octavo.about.profile import DocumentProfile
from octavo.about.profiling import profile_of
from octavo_documents.document import Kind, Metadata
from synthetic import Row, document


def of(path: str, text: str) -> DocumentProfile:
    *folders, file = path.split("/")
    rows: list[Row] = [(Kind.PARAGRAPH, line, 1, 0) for line in text.split("\n")]
    return profile_of(document(rows, name=file)).within(folders, file)


def issuers(*documents: tuple[str, str]) -> list[str]:
    return [profile.issuer for profile in told_by_others([of(path, text) for path, text in documents])]


@pytest.mark.parametrize(
    ("path", "lines", "issuer"),
    [
        (
            "bills/Norwick/{}.txt",
            "Norwick Gas & Light Your bill\nHarrow Bakery\nPeriod {} days\nPlease pay.",
            "Norwick Gas & Light",
        ),
        ("Skarn/board/{}.docx", "Minutes\nSkarn Homes\nThe meeting was held at noon for {} of us.", "Skarn Homes"),
        ("lists/NP price list {}.xlsx", "Pumps\nNordø Pumpworks price list {}\nPump | 12.50", "Nordø Pumpworks"),
        (
            "Causse/facture_{}.pdf",
            "Facture d'eau n° {}\nEaux du Causse - service clients\nClient : Boulangerie Petit\n"
            "Merci de payer la somme qui est due.",
            "Eaux du Causse",
        ),
        (
            "Honda/lista {}.pdf",
            "Almazara Honda Vieja - Lista de precios {}\nLos precios que valen para el aceite son los de la lista.",
            "Almazara Honda Vieja",
        ),
        (
            "Marina/tariffe {}.pdf",
            "Tariffe portuali {}\nMarina di Calanera - posti barca\n"
            "La tariffa per il transito di una barca che resta nel porto.",
            "Marina di Calanera",
        ),
        (
            "Duinrand/prijslijst {}.pdf",
            "Prijslijst {}\nKwekerij Duinrand, Noordwijk\nDe prijzen zijn voor een bos en gelden het hele jaar.",
            "Kwekerij Duinrand",
        ),
    ],
)
def test_a_name_at_the_head_of_several_documents_that_their_folder_has_issued_them(
    path: str, lines: str, issuer: str
) -> None:
    assert issuers(*((path.format(one), lines.format(one)) for one in (2022, 2023))) == [issuer, issuer]
    assert issuers((path.format(2022), lines.format(2022))) == [""], "one document alone does not show it"


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("Risk/Cash Flow Forecast {}.xlsx", "Cash Flow Forecast {}\nJan | 12"),
        (
            "cao/cao {}.pdf",
            "CAO Tuinbouw {}\nDe lonen stijgen met 2 procent, en het is voor een jaar dat wij dit doen.",
        ),
        ("forms/{}.txt", "Norwick Gas & Light\nHarrow Bakery\nPlease pay {}."),
        ("Haus/{}.pdf", "Protokoll {}\nGroße Hausordnung Haus\nDas ist für alle, die in dem Haus wohnen, und gilt."),
    ],
)
def test_what_only_looks_like_a_name_issued_nothing(path: str, lines: str) -> None:
    assert issuers(*((path.format(one), lines.format(one)) for one in (2022, 2023))) == ["", ""]


def test_what_heads_documents_of_several_issuers_is_a_title() -> None:
    text = "{}Travel Rules World Wide\nWho travels asks first."
    assert issuers(
        ("Travel/a.txt", text.format("")),
        ("Travel/b.txt", text.format("")),
        ("Travel/c.txt", text.format("") + "\nIssued by: Harrow Mills Ltd"),
    ) == ["", "", "Harrow Mills Ltd"]


def test_whoever_is_known_here_and_stands_at_the_head_issued_it() -> None:
    found = issuers(
        ("a.pdf", "Annual report\nNorwick Housing Association Limited\nWe let homes."),
        ("b.pdf", "Contract\nbetween Cooperativa Sierra Alta (the Supplier) and Harrow Mills Ltd (the Customer)."),
        ("c.pdf", "Minutes\nNorwick HA\nWe met."),
        ("d.pdf", "Norwick Housing - Repairs\nHow to ask for one."),
        ("e.pdf", "Norma\nCooperativa Sierra Alta, 2022\nEl personal puede trabajar desde la casa los lunes."),
        ("f.md", "Harrow Mills recalls the red wheels of spring because they are too soft."),
        ("g.txt", "Notes\nNorwick Homes\nWe went there."),
        ("h.txt", "Dear Sir\nGreenfield Bakery\nHarrow Mills\nThe rent is late."),
    )
    assert found[2:4] == ["Norwick Housing Association Limited"] * 2
    assert found[4:6] == ["Cooperativa Sierra Alta", "Harrow Mills Ltd"]
    assert found[6:] == ["", ""], "another name, and one to whom a letter goes"


def test_a_folder_says_it_less_surely() -> None:
    contract = "Contract\nbetween Cooperativa Sierra Alta (the Supplier) and Harrow Mills Ltd (the Customer)."
    by_whole_name = told_by_others([of("a.pdf", contract), of("Sierra Alta/b.txt", "Prices of oil.")])[1]
    assert (by_whole_name.issuer, by_whole_name.words["cooperativa"]) == ("", 0.5)
    minutes = "Minutes\nBrackwater {} Council\nWe met."
    library = [
        *(of(f"parishes/Mere/{at}.txt", minutes.format("Mere Parish")) for at in (1, 2)),
        of("parishes/a.txt", minutes.format("District")),
        of("parishes/Mere/sub/plan.txt", "A plan of the green."),
        of("parishes/plan.txt", "A plan of the road."),
    ]
    *_, below, beside = told_by_others(library)
    assert (below.issuer, below.words["brackwater"]) == ("", 0.5), "most documents of the folder are that one's"
    assert "brackwater" not in beside.words, "those of one folder are of two"
    assert issuers_of([below]) == [""]


def test_a_folder_in_a_folder_has_a_name_together_and_one_of_one_issuer_alone_is_surer() -> None:
    report = "{}\nAnnual report\nThe year was dry."
    library = [
        of("Skarn Ridge/Energy/a.pdf", report.format("Skarn Ridge Energy Inc.")),
        of("Skarn Ridge/Services/b.pdf", report.format("Skarn Ridge Energy Services LLC")),
        of("Skarn Ridge/Energy/c.pdf", "The year was wet."),
        of("Skarn Ridge/d.pdf", "The year was cold."),
        *(of(f"Mere/{at}.pdf", report.format("Trust of Mere Ltd")) for at in range(3)),
        of("Mere/sub/e.pdf", "The year was warm."),
    ]
    found = told_by_others(library)
    assert found[2].words["energy"] == 0.5
    assert "services" not in found[2].words, "that is another's"
    assert "energy" not in found[3].words, "two have the name of the folder"
    assert issuers_of(found)[-1] == "trust of mere"


@pytest.mark.parametrize(
    ("text", "issuer"),
    [
        ("Norwick Gas & Light\nYour bill\nBill to: Harrow Mills Ltd\nDue in 14 days", ""),
        ("Invoice 4711\nBill to\nHarrow Mills Ltd\nSeller: Norwick Gas & Light\nDue in 14 days", "Norwick Gas & Light"),
        ("Schedule\nThe insured | Harrow Mills Ltd\nPeriod | one year", ""),
        (
            "Rechnung 12\nKunde: Elbwerk GmbH\nLieferant: Gaswerk Nord\nDie Rechnung ist in 14 Tagen zu zahlen.",
            "Gaswerk Nord",
        ),
        (
            "Facture n° 12\nClient : Moulins Réunis SARL\nFournisseur : Eaux du Causse\nMerci de payer la somme.",
            "Eaux du Causse",
        ),
        (
            "Factura 12\nCliente: Molinos del Sur, S.L.\nProveedor: Aguas de Lorca\nEl pago es de una vez y por todo.",
            "Aguas de Lorca",
        ),
        (
            "Fattura 12\nCliente: Mulini Riuniti S.r.l.\nFornitore: Acque di Lucca\n"
            "Il pagamento è per il mese che viene.",
            "Acque di Lucca",
        ),
        (
            "Factuur 12\nKlant: Maasland B.V.\nLeverancier: Waterwerk Noord\n"
            "De factuur is voor het jaar dat wij leveren.",
            "Waterwerk Noord",
        ),
    ],
)
def test_to_whom_a_bill_goes_did_not_write_it(text: str, issuer: str) -> None:
    assert of("scan1.pdf", text).issuer == issuer


@pytest.mark.parametrize(
    "text",
    [
        "This report describes what the Trust did. The Trust grew.",
        "The Foundation Trust and the Council met; the Council agreed.",
        "Der Bericht der Gesellschaft ist für alle, und der Verein hat ihn nicht gelesen.",
        "Le rapport de la Société est pour tous, et la Banque ne l'a pas lu.",
        "Il rapporto della Fondazione è per tutti, e la Società non lo ha letto.",
        "El informe de la Fundación es para todos, y el Banco no lo ha leído.",
    ],
)
def test_a_word_for_a_sort_of_organisation_is_no_issuer(text: str) -> None:
    assert of("scan1.pdf", text).issuer == ""


@pytest.mark.parametrize(
    ("text", "issuer"),
    [
        ("St Orlan's Hospital Trust\nAnnual report", "St Orlan's Hospital Trust"),
        ("Mere and Harrow Hospitals NHS Foundation Trust\nGuideline", "Mere and Harrow Hospitals NHS Foundation Trust"),
        ("Harrow Ridge Holdings Inc.\nAnnual report", "Harrow Ridge Holdings Inc."),
        ("Skarn Housing Association Limited\nAnnual report", "Skarn Housing Association Limited"),
        ("Budget\nInstitute for Coastal Mapping, project dunes", "Institute for Coastal Mapping"),
        ("Waves\nA. Vole and T. Heron-Moss Institute for Coastal Mapping, Skarn", "Institute for Coastal Mapping"),
        ("Id | Name | Firm | City | Mail\n1 | Ann | Heron Group | Skarn | a@b.example", ""),
        ("A form of the Ministry of Fish’s Campus Safety", ""),
        (
            "Skarn Mills tells of the weather." + "\nIt rained." * 400 + "\nOnline Bank opened." + "\nIt dried." * 400,
            "",
        ),
    ],
)
def test_a_name_is_told_whole_and_only_where_its_owner_speaks(text: str, issuer: str) -> None:
    assert of("scan1.pdf", text).issuer == issuer


def test_a_mail_is_of_its_sender_without_the_address() -> None:
    mail = dataclasses.replace(
        document([(Kind.PARAGRAPH, "See you.", 1, 0)], name="m.eml"),
        metadata=Metadata(author="Ada Heron <a@b.example>"),
    )
    assert profile_of(mail).issuer == "Ada Heron"


def test_heads_are_kept_where_a_profile_is_packed_and_places_are_not() -> None:
    profile = of("Skarn/a.txt", "Minutes\nSkarn Homes\nWe met.")
    assert profile.heads == {"Skarn Homes": "skarn homes"}
    assert profile.folders == ("Skarn",)
    unpacked = DocumentProfile.from_bytes(profile.to_bytes())
    assert (unpacked.heads, unpacked.folders) == (profile.heads, ())
