"""A small library: two ferry companies, two years, a manual, and three files of one name."""

from __future__ import annotations

from pathlib import Path

import octavo
from octavo.corpus import Corpus

REPORT = """# Annual report {year}

{company} plc runs ferries between the islands. This annual report covers the year ended 31 December {year}.

## Revenue

Revenue of {company} was {revenue} million euros in {year}.
"""
README = """# Read me

The papers of the {place} office are kept in {place} street.
"""
QUESTION = "What was the revenue of Norwick Ferries in 2021?"
FILES = {
    "Norwick/norwick_annual_report_2021.md": REPORT.format(company="Norwick Ferries", year=2021, revenue="41.5"),
    "Norwick/norwick_annual_report_2022.md": REPORT.format(company="Norwick Ferries", year=2022, revenue="47.25"),
    "Harbor/harbor_annual_report_2021.md": REPORT.format(company="Harbor Lines", year=2021, revenue="12.75"),
    **{f"{place}/README.md": README.format(place=place) for place in ("Norwick", "Harbor", "Manuals")},
}


def written(folder: Path) -> Path:
    """Write the files into a folder; return it."""
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def two_ferries(folder: Path) -> Corpus:
    """Return a corpus of the files, in a folder."""
    corpus = octavo.open(folder / "corpus")
    corpus.add([written(folder / "files")])
    return corpus
