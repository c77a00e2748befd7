"""A library of 300 short documents of 30 invented issuers, for measuring whether the document that is meant is found.

Run: python benchmarks/library/make_library.py FOLDER [--seed 1]

Annual and quarterly reports, press releases, policies, manuals, minutes, contracts, decks, papers and READMEs of five
years, in the same wording with different figures, in folders as an office keeps them. FOLDER/library.json says of each
document who issued it, what it is, for which period, of which date and version, where it names its issuer, and its
facts: label, value, page (PDF only), section, and which other documents state the same value under the same label.
The same seed gives the same bytes. Questions about it are checked by questions.py. Every name is invented.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from library_files import write
from library_paths import Paths, file_format
from library_plan import Plan, issuers, listing_at, name_at, plans, shorts_at
from library_texts import Draft, draft
from library_values import Values

_MOST_PAGES = 5


def make(folder: Path, seed: int) -> dict[str, Any]:
    """Write the documents and library.json into a folder, and return what the latter says."""
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"{folder} is not empty")
    folder.mkdir(parents=True, exist_ok=True)
    values, paths = Values(seed), Paths(seed)
    documents: list[dict[str, Any]] = []
    for plan in plans(seed):
        extension = file_format(plan, seed)
        written = draft(plan, values, seed, file_format=extension)
        path = paths.of(plan, extension)
        pages = write(written, folder / path, seed)
        if pages is not None and pages > _MOST_PAGES:
            raise ValueError(f"{path} has {pages} pages, and {_MOST_PAGES} are most")
        documents.append(_about(written, path, pages))
    _tell_others(documents)
    library = {"seed": seed, "issuers": [_issuer(one) for one in issuers()], "documents": documents}
    (folder / "library.json").write_text(json.dumps(library, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return library


def _issuer(issuer: dict[str, Any]) -> dict[str, Any]:
    keys = ("name", "short", "native", "listing", "town", "business", "formerly", "formerly_short", "renamed")
    return {key: issuer[key] for key in keys if issuer.get(key)}


def _about(written: Draft, path: str, pages: int | None) -> dict[str, Any]:
    """Return what library.json says of a document."""
    plan = written.plan
    return {
        "path": path,
        "issuer": plan.issuer["name"],
        "name_used": name_at(plan.issuer, plan.date),
        "short": shorts_at(plan.issuer, plan.date),
        "listing": listing_at(plan.issuer, plan.date),
        "kind": plan.kind,
        "title": written.title,
        "period": plan.period,
        "written_period": plan.written_period,
        "period_end": plan.ended.isoformat() if plan.ended else None,
        "date": plan.date.isoformat(),
        "version": plan.version or None,
        "about": plan.about or None,
        "parties": list(plan.parties),
        "format": path.rpartition(".")[2],
        "pages": pages,
        "year_in_words": written.style == "words",
        "names_issuer_in": _named_in(written, path),
        "facts": _facts(written),
    }


def _named_in(written: Draft, path: str) -> list[str]:
    """Return where a document says whose it is; a contract says between whom it is at least."""
    extension = path.rpartition(".")[2]
    lost = {"header": {"html", "md", "txt"}, "metadata": {"md", "txt"}}
    found = [place for place in written.named_in() if extension not in lost.get(place, ())]
    more = {"parties": bool(written.plan.parties), "path": _tells_issuer(path, written.plan)}
    return [*found, *(place for place, is_told in more.items() if is_told)]


def _tells_issuer(path: str, plan: Plan) -> bool:
    """Return whether folder or file name has a name or the ticker of the issuer."""
    listing = listing_at(plan.issuer, plan.date).rpartition(" ")[2]
    names = [
        *shorts_at(plan.issuer, plan.date),
        *([listing] if listing else []),
        plan.issuer["native"].removesuffix("株式会社"),
    ]
    words = f" {path.lower().replace('/', ' ').replace('_', ' ').replace('-', ' ')} "
    return any(f" {name.lower().replace('-', ' ')} " in words for name in names if name)


def _facts(written: Draft) -> list[dict[str, Any]]:
    """Return the facts of a document, each once a page."""
    rows = [dataclasses.asdict(fact) for fact in written.facts]
    return list({(row["label"], row["value"], row["page"], row["section"]): row for row in rows}.values())


def _tell_others(documents: list[dict[str, Any]]) -> None:
    """Note of each fact which other documents state the same value under the same label."""
    found: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for row in documents:
        for fact in row["facts"]:
            found[fact["label"], fact["value"]][row["path"]] = None
    for row in documents:
        for fact in row["facts"]:
            fact["also_in"] = [path for path in found[fact["label"], fact["value"]] if path != row["path"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        documents = make(given.folder, given.seed)["documents"]
    except ValueError as error:
        parser.error(str(error))
    for key in ("kind", "format", "issuer"):
        print(f"{key}: " + ", ".join(f"{name} {count}" for name, count in Counter(d[key] for d in documents).items()))
    print(f"{len(documents)} documents, {sum(len(row['facts']) for row in documents)} facts")


if __name__ == "__main__":
    main()
