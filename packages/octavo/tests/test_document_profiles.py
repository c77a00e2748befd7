"""What a document is about, found by rule."""

from __future__ import annotations

import dataclasses

import pytest

from octavo.about.names import initials, words_of, words_of_file
from octavo.about.profile import DocumentProfile
from octavo.about.profiling import profile_of
from octavo.errors import CorpusError
from octavo_documents.document import Document, Kind, Metadata
from synthetic import Row, document

REPORT: list[Row] = [
    (Kind.TITLE, "Northgate Ferries plc", 1, 0),
    (Kind.PARAGRAPH, "Annual Report for the year ended March 31, 2021", 1, 0),
    (Kind.PARAGRAPH, "Northgate Ferries plc (“Northgate”), listed as LSE: NGF, runs eleven ferries.", 1, 0),
    *(
        (Kind.PARAGRAPH, f"In {year} Northgate carried people before others did.", page, 0)
        for page, year in ((2, 2021), (2, 2021), (3, 2021), (3, 2020), (4, 2020), (4, 2019))
    ),
]


def report(name: str = "scan0031.pdf", rows: list[Row] = REPORT, **metadata: str) -> Document:
    return dataclasses.replace(document(rows, name=name), metadata=Metadata(**metadata))


def test_a_report_says_who_issued_it_what_it_is_and_for_when() -> None:
    profile = profile_of(report())
    assert profile.issuer == "Northgate Ferries plc"
    assert profile.kinds[0] == "annual report"
    assert profile.date == "2021-03-31"
    assert profile.period == "2021"
    assert profile.short_forms == {"Northgate": "Northgate Ferries plc", "NGF": "Northgate Ferries plc"}
    assert {"northgate", "ferries", "ngf", "nf"} <= profile.words.keys()
    assert profile.years["2021"] > profile.years["2020"] > profile.years.get("2019", 0)


def test_a_word_that_is_written_small_as_often_is_no_name() -> None:
    assert "before" not in profile_of(report(rows=[*REPORT, (Kind.PARAGRAPH, "Before, before, before.", 4, 0)])).words


def test_the_name_of_a_file_tells_words_year_and_quarter() -> None:
    profile = profile_of(report("NGF_BestBoat_2023Q2_10Q_v3.pdf", [(Kind.PARAGRAPH, "Nothing is said.", 1, 0)]))
    assert {"ngf", "bestboat", "best", "boat"} <= profile.words.keys()
    assert profile.period == "2023 Q2"
    assert profile.kinds == ("quarterly report",)
    assert profile.version == "version 3"


@pytest.mark.parametrize(
    ("row", "kinds"),
    [
        ((Kind.LIST_ITEM, "twelve on deck in summer,", 1, 0), ()),
        ((Kind.LIST_ITEM, "none on deck", 1, 0), ()),
        (
            (
                Kind.PARAGRAPH,
                "The board asked her to report on the order of the seats and the slides of the park.",
                1,
                0,
            ),
            (),
        ),
        ((Kind.PARAGRAPH, "This agreement is made between two parties on 3 March 2024.", 1, 0), ("contract",)),
        ((Kind.PARAGRAPH, "slides of the second day", 1, 0), ("presentation",)),
        ((Kind.HEADING, "Minutes of the board", 1, 1), ("minutes",)),
    ],
)
def test_a_word_in_a_sentence_does_not_tell_what_a_document_is(row: Row, kinds: tuple[str, ...]) -> None:
    assert profile_of(report("scan0031.pdf", [row])).kinds == kinds


def test_words_of_a_file_name_with_hyphens_tell_what_it_is() -> None:
    assert profile_of(report("Asset-Register-2025.xlsx", [(Kind.PARAGRAPH, "Pumps.", 1, 0)])).kinds == ("register",)


@pytest.mark.parametrize("author", ["python-docx", "openpyxl", "Apache POI", "Un-named"])
def test_a_program_that_wrote_a_file_did_not_issue_it(author: str) -> None:
    assert profile_of(report(rows=[(Kind.PARAGRAPH, "Pumps.", 1, 0)], author=author)).issuer == ""


@pytest.mark.parametrize("name", ["0e94b4197b10096b1f4c699701570fbf.pdf", "7c3f6204-b324-1f14-2f0f.pdf"])
def test_a_name_that_a_program_made_tells_nothing(name: str) -> None:
    assert profile_of(report(name, [(Kind.PARAGRAPH, "nothing is said.", 1, 0)])) == DocumentProfile()


def test_metadata_names_an_author_where_no_company_does() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "On herons.", 1, 0)]
    assert profile_of(report(rows=rows, author="Ada Heron")).issuer == "Ada Heron"


@pytest.mark.parametrize(
    ("text", "issuer"),
    [
        ("Tarnby Institute of Hydrology – tidal channels", "Tarnby Institute of Hydrology"),
        ("Skarn Institute for Coastal Research, Bergen", "Skarn Institute for Coastal Research"),
        (
            "This policy applies to all of First Calder Bancorp (NYSE: FCBK) (“FCB” or the “Company”).",
            "First Calder Bancorp",
        ),
        ("Everybody at Ostra Vind (the “Company”) reads it.", "Ostra Vind"),
        ("We met at the University of Brackwater.", "University of Brackwater"),
        ("Nobody is named (the “Company”).", ""),
        ("This is the Form 10-K of Square Mills, Inc.", "Square Mills, Inc."),
        ("Signed by Dorian Quarles, Company Secretary", ""),
        (
            "FORM 8-K\nHarrow & Harrow\n(Exact name of registrant as specified in its charter)\nKent Mills, Inc.",
            "Harrow & Harrow",
        ),
        (
            "FORM 10-Q\nHARROW MILLS INC.\n_____\n(Exact name of registrant)\nHarrow Mills Inc. sells.",
            "Harrow Mills Inc.",
        ),
        (
            "LEEDS, May 2, 2021 – Harrow & Harrow (NYSE: HRW) today said so. Its Tea Company did too. Harrow & Harrow",
            "Harrow & Harrow",
        ),
        ("Minutes\nIssued by: Ferry Users of Skarn\nWe met.", "Ferry Users of Skarn"),
        ("Hausordnung\nHerausgeber: Wohnhilfe Elbtal\nEs gilt für alle, und die Tür ist zu.", "Wohnhilfe Elbtal"),
        ("Owner's manual\nPump 7\n© 2019–2021 Ostra Vind. All rights reserved.", "Ostra Vind"),
        ("Copyright © Ostra Vind 2020. All rights reserved. No copies.", "Ostra Vind"),
        ("Shares are listed on the New York Stock Exchange, Inc.", ""),
        ("A list of all copyright holders", ""),
        (
            "FORM 10-K For the year ended December 31, 2022 Harrow & Harrow (Exact name of registrant)",
            "Harrow & Harrow",
        ),
        ("Report 2022 Published by: Harrow Growers Auditor: Grey Audit LLP. Grey Audit LLP looked.", "Harrow Growers"),
        ("Der Jahresbericht ist für alle. Herausgeber: Wohnhilfe Elbtal", "Wohnhilfe Elbtal"),
        ("Minutes Issued by: Skarn Ferry Users 4 May 2022", "Skarn Ferry Users"),
        ("(c) Event Detection", ""),
        ("Rowan Ash 2Laboratory Physics Group", "Physics Group"),
        ("4M Company and its subsidiaries", "4M Company"),
    ],
)
def test_who_issued_a_document_is_named_in_full(text: str, issuer: str) -> None:
    assert profile_of(report("scan1.pdf", [(Kind.PARAGRAPH, text, 1, 0)])).issuer == issuer


def _of_fiscal_year(name: str, ended: str, year: int, times: int = 2) -> DocumentProfile:
    said = [f"In fiscal {year} sales were up." for _ in range(times)]
    lines = ["Harbor, Inc.", f"Annual Report for the fiscal year ended {ended}", *said, f"Fiscal {year - 1} was worse."]
    return profile_of(report(name, [(Kind.PARAGRAPH, line, 1, 0) for line in lines]))


@pytest.mark.parametrize(
    ("name", "ended", "year", "period"),
    [
        ("scan1.pdf", "January 28, 2023", 2022, "2022"),
        ("scan1.pdf", "January 28, 2023", 2023, "2023"),
        ("scan1.pdf", "31 March 2022", 2021, "2021"),
        ("scan1.pdf", "December 31, 2022", 2021, "2022"),
        ("harbor_10k_2022.pdf", "January 28, 2023", 2022, "2022"),
        ("harbor_2024Q2.pdf", "July 29, 2023", 2023, "2024 Q2"),
        ("harbor_10k_2021.pdf", "December 31, 2021", 2023, "2021"),
        ("Annual Report 2023.pdf", "December 31, 2022", 2022, "2022"),
        ("Annual Report 2022.pdf", "December 31, 2022", 2022, "2022"),
    ],
)
def test_a_fiscal_year_has_the_number_that_its_report_gives_it(name: str, ended: str, year: int, period: str) -> None:
    assert _of_fiscal_year(name, ended, year).period == period


def test_a_report_says_which_year_it_covers() -> None:
    lines = ["Annual Report", "Two Thousand and Twenty-Two", "This report covers the year two thousand and twenty-two."]
    profile = profile_of(report("Annual Report 2023.pdf", [(Kind.PARAGRAPH, line, 1, 0) for line in lines]))
    assert profile.period == "2022"


def test_the_first_quarter_of_a_fiscal_year_may_end_in_the_year_before() -> None:
    lines = [
        "Ohmstead plc",
        "Report for the first quarter of fiscal 2023, ended December 31, 2022",
        "In fiscal 2023 too",
    ]
    profile = profile_of(report("scan1.pdf", [(Kind.PARAGRAPH, line, 1, 0) for line in lines]))
    assert profile.years["2023"] > profile.years["2022"]


@pytest.mark.parametrize(
    "line",
    [
        "LEEDS, England, May 2, 2021 – Northgate Ferries plc has sold a ferry.",
        "NEW HARBOR, N.J., Jan. 24, 2023 /WIRE/ -- Northgate Ferries plc has sold a ferry.",
        "LONDON, 5 March 2021 – Northgate Ferries plc has sold a ferry.",
    ],
)
def test_a_press_release_begins_with_place_and_day(line: str) -> None:
    assert profile_of(report("scan1.pdf", [(Kind.PARAGRAPH, line, 1, 0)])).kinds[:1] == ("press release",)


def test_what_another_company_was_called_before_is_no_name_of_the_issuer() -> None:
    line = "Northgate Ferries plc bought Pharmel LLC (formerly Pharmel Corporation) in 2003."
    assert profile_of(report(rows=[*REPORT, (Kind.PARAGRAPH, line, 1, 0)])).former == ()


def test_report_says_nothing_beside_what_sort_of_report_it_is() -> None:
    rows: list[Row] = [(Kind.TITLE, "Annual Report on Form 10-K", 1, 0)]
    assert profile_of(report("report.pdf", rows)).kinds == ("annual report",)


def test_what_programs_write_as_title_and_author_names_nothing() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "On herons.", 1, 0)]
    profile = profile_of(report(rows=rows, title="Microsoft Word - Document1", author="Scanner user"))
    assert not {"microsoft", "word", "document1", "scanner", "user"} & profile.words.keys()


def test_a_document_without_words_is_about_nothing() -> None:
    assert profile_of(report("README.md", [])) == DocumentProfile()


def test_a_profile_is_packed_and_unpacked() -> None:
    profile = profile_of(report())
    assert DocumentProfile.from_bytes(profile.to_bytes()) == profile
    for damaged in (b"", b"[]", b"{}", b'{"kinds": [], "unknown": 1}'):
        with pytest.raises(CorpusError, match="cannot be read"):
            DocumentProfile.from_bytes(damaged)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Johnson & Johnson", {"jj", "jnj"}),
        ("Pellham Chemical Company", {"pc", "pcc"}),
        ("Bank of England", {"be", "boe"}),
        ("Northgate Ferries plc", {"nf"}),
        ("Northgate", set[str]()),
    ],
)
def test_initials_of_names(name: str, short: set[str]) -> None:
    assert initials(name) == short


def test_letters_that_keyboards_lack_are_compared_with_plain_ones() -> None:
    for written, plain in (("Sørkapp", "sorkapp"), ("Łódź", "lodz"), ("Færder", "faerder"), ("Groß", "gross")):
        assert [word for word, _ in words_of(written)] == [plain]


def test_words_of_names_are_compared_without_case_accents_and_endings() -> None:
    assert [word for word, _ in words_of("Müller's J&J AT&T U.S. 東京電力")] == [
        "muller",
        "jj",
        "att",
        "us",
        "東京",
        "京電",
        "電力",
    ]
    assert [*words_of_file("Best-Boat report.final.pdf")] == ["best", "boat", "report", "final"]


@pytest.mark.parametrize(
    ("cover", "kind", "period", "date"),
    [
        (
            "Geschäftsbericht für das Geschäftsjahr 2021, der vom Vorstand am 3. März 2022 beschlossen wurde",
            "annual report",
            "2021",
            "2022-03-03",
        ),
        (
            "Procès-verbal de la séance du 12 mai 2021, qui a été approuvé par le conseil",
            "minutes",
            "2021",
            "2021-05-12",
        ),
        ("Протокол заседания от 3 марта 2020 года, который был утверждён", "minutes", "2020", "2020-03-03"),
        ("2023年第三季度报告，由公司于2023年10月5日发布的文件", "quarterly report", "2023", "2023-10-05"),
    ],
)
def test_a_cover_in_another_language_says_kind_and_time(cover: str, kind: str, period: str, date: str) -> None:
    profile = profile_of(report(rows=[(Kind.PARAGRAPH, cover, 1, 0)]))
    assert (profile.kinds[0], profile.period[:4], profile.date) == (kind, period, date)


def filing(*lines: str, name: str = "scan0031.htm") -> DocumentProfile:
    return profile_of(report(name, [(Kind.PARAGRAPH, line, 1, 0) for line in lines]))


def test_a_filing_is_of_the_year_that_ended_and_not_of_the_day_its_shares_were_counted() -> None:
    told = filing(
        "FORM 10-K", "For the fiscal year ended December 31, 2022", "As of February 9, 2023, 117 million shares."
    )
    assert told.period == "2022"
    assert filing("FORM 10-K", "As of February 9, 2023, 117 million shares.").period == "2023"


def test_a_report_without_its_quarter_on_the_cover_is_of_the_one_it_speaks_of() -> None:
    cover = ("FORM 10-Q Quarterly report", "For the quarterly period ended December 31, 2023")
    spoken = "Sales rose in the second quarter of fiscal 2024. In the second quarter of fiscal 2024 costs fell."
    assert filing(*cover, spoken).period == "2024 Q2"
    assert filing(*cover, name="Q4 report.pdf").period == "2023 Q4"
    assert filing("Annual report", "For the year ended December 31, 2023", spoken).period[4:] == ""


def test_a_proxy_statement_is_of_its_year_and_tells_of_the_one_before() -> None:
    told = filing("Proxy statement", "Annual meeting on May 4, 2023", "Pay in 2022 and 2023.")
    assert told.period == "2023"
    assert told.years["2023"] > told.years["2022"] > 0.6


def test_a_day_on_a_cover_says_of_when_a_price_list_is() -> None:
    assert filing("Price sheet", "Valid from 1 January 2023").years["2023"] == 0.7


@pytest.mark.parametrize(
    ("line", "issuer"),
    [
        ("Published by: Velinox BV. This guide is for administrators", "Velinox BV"),
        ("Published by: St. Brannoc Hospital", "St. Brannoc Hospital"),
        ("Published by: Acme Co. Ltd", "Acme Co. Ltd"),
    ],
)
def test_the_name_of_an_issuer_ends_with_its_sentence(line: str, issuer: str) -> None:
    assert filing("Guide", line).issuer == issuer


@pytest.mark.parametrize(
    "line",
    [
        "On June 6, 2022 we changed our name from Tollgate Systems, Inc. to Lumora Corporation.",
        "Effective June 6, 2022, Tollgate Systems, Inc. changed its name to Lumora Corporation.",
        "Lumora Corporation\nTollgate Systems, Inc.\n(former name)",
    ],
)
def test_a_former_name_is_told_wherever_it_stands(line: str) -> None:
    told = filing("FORM 10-K", "Lumora Corporation", "(Exact name of registrant as specified in its charter)", line)
    assert told.issuer == "Lumora Corporation"
    assert [name.removesuffix(", Inc") for name in told.former] == ["Tollgate Systems"]


def test_another_that_was_renamed_is_no_former_name() -> None:
    told = filing("FORM 10-K", "Lumora Corporation", "Kestrel Inc. changed its name to Galt Inc. in 2019.")
    assert told.former == ()


def test_capitals_that_begin_a_file_are_a_short_form_of_who_issued_it() -> None:
    told = DocumentProfile(issuer="Harrow & Pell Industries plc")
    assert told.within([], "HPL_ARA_2022.pdf").short_forms == {"HPL": told.issuer}
    assert told.within(["HPL"], "report.pdf").short_forms == {"HPL": told.issuer}
    for file in ("XYZ_2022.pdf", "Hpl.pdf", "HPLARGE22.pdf", "h.pdf"):
        assert told.within([], file).short_forms == {}
    assert DocumentProfile(issuer="Anchor & Gale Mutual").within([], "AGM.pdf").short_forms != {}
    assert DocumentProfile(issuer="Sand & Dune Stone").within([], "SDS.pdf").within([], "").short_forms == {
        "SDS": "Sand & Dune Stone"
    }


def test_a_draft_is_one_beside_what_it_is() -> None:
    assert filing("DRAFT", "Minutes of the board", name="minutes.docx").kinds == ("minutes", "draft")
    assert filing("Minutes of the board", "The draft of May was read.", name="minutes.docx").kinds == ("minutes",)
    assert filing("Report", name="storage concept rc1.docx").kinds[-1] == "draft"


def test_a_thing_with_a_number_is_one_name() -> None:
    rows: list[Row] = [(Kind.TITLE, "Statement of Work No. 2", 1, 0), (Kind.PARAGRAPH, "RFC 793 is old.", 1, 0)]
    words = profile_of(report("SOW 2.pdf", rows)).within(["Unit 9", "2022"]).words
    assert {"sow2", "work2", "unit9"} <= words.keys()
    assert "rfc793" not in words


def test_a_mail_is_a_mail_whatever_it_is_about() -> None:
    assert filing("Re: minutes of the board", name="minutes.eml").kinds[:2] == ("mail", "minutes")
    assert "presentation" in filing("Capital markets day", name="cmd.pptx").kinds
