"""Checks questions about the generated library against what its documents state.

Run: python benchmarks/library/questions.py FOLDER [QUESTIONS]

FOLDER is what make_library.py has written, QUESTIONS a file of lines {"question", "answers": [...], "documents": [...],
"match": "any" or "all", "pages": {path: [pages]}, "kind", "note"}, questions.jsonl beside this module unless told. Says
which lines contradict library.json and counts the kinds; the exit status is 1 where there is any.

Each answer is to be a fact of one of the documents named, an issuer of theirs, or their date, period, version, title or
kind; where any of the documents will do, each is to state one. "$1,284.6 million" and "1,284.6" are one. An answer that
is worked out from facts, or is yes or no, has a note that begins with "computed" and is not looked up. Questions of the
kinds "none" and "nothing named" may name no document; "none" has no answer.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KINDS = ("name", "short form", "misspelt", "period", "comparison", "version", "none", "nothing named")
_WORD = re.compile(r"[^\W_]+(?:[.,:][^\W_]+)*")
_TEXTS = ("issuer", "name_used", "title", "kind", "period", "written_period", "period_end", "date", "version", "about")
Row = dict[str, Any]


def check(rows: list[Row], library: Row) -> list[str]:
    """Return what is wrong with questions, a line each."""
    known = {document["path"]: document for document in library["documents"]}
    found = [f"{at}: {wrong}" for at, row in enumerate(rows, 1) for wrong in _wrong(row, known)]
    twice = Counter(str(row.get("question", "")).casefold() for row in rows)
    return found + [f"asked {count} times: {text}" for text, count in twice.items() if count > 1]


def _wrong(row: Row, known: dict[str, Row]) -> Iterator[str]:
    missing = [key for key in ("question", "answers", "documents", "match", "kind") if key not in row]
    if missing:
        yield f"has no {', '.join(missing)}"
        return
    if row["kind"] not in KINDS:
        yield f"kind {row['kind']!r} is none of {', '.join(KINDS)}"
    if row["match"] not in {"any", "all"}:
        yield f"match is {row['match']!r}, not any or all"
    unknown = [path for path in [*row["documents"], *row.get("pages", {})] if path not in known]
    if unknown:
        yield from (f"no document {path!r}" for path in dict.fromkeys(unknown))
        return
    yield from _wrong_answers(row, [known[path] for path in row["documents"]])
    yield from _wrong_pages(row, known)


def _wrong_answers(row: Row, documents: list[Row]) -> Iterator[str]:
    if row["kind"] == "none":
        if row["answers"]:
            yield "has answers, though nothing in the library answers it"
        return
    if not row["answers"]:
        yield "has no answer"
    if not documents and row["kind"] != "nothing named":
        yield "names no document"
    if not documents or str(row.get("note", "")).casefold().startswith("computed"):
        return
    stated = {document["path"]: list(_stated(document)) for document in documents}
    held = {answer: [path for path, texts in stated.items() if _is_among(answer, texts)] for answer in row["answers"]}
    yield from (f"none of its documents states {answer!r}" for answer, paths in held.items() if not paths)
    if row["match"] == "any":
        silent = [path for path in stated if not any(path in paths for paths in held.values())]
        yield from (f"{path!r} states no answer, though any of its documents is to do" for path in silent)


def _stated(document: Row) -> Iterator[str]:
    """Yield all that may answer: values, and what the document is."""
    yield from (text for fact in document["facts"] for text in (fact["value"], fact["written"]))
    yield from (str(document[key]) for key in _TEXTS if document[key])
    yield from (*document["short"], *document["parties"], _long_date(document["date"]))


def _long_date(day: str) -> str:
    year, month, number = map(int, day.split("-"))
    names = "January February March April May June July August September October November December"
    return f"{number} {names.split()[month - 1]} {year}"


def _is_among(answer: str, texts: list[str]) -> bool:
    return any(_is_same(answer, text) for text in texts)


def _is_same(answer: str, stated: str) -> bool:
    """Return whether one has all words of the other, as "47.3 days" has of "47.3"; a lone word tells too little."""
    given, told = _words(answer), _words(stated)
    is_telling = len(told) > 1 or any(word[0].isdigit() for word in told)
    return bool(given) and (given <= told or (is_telling and told <= given))


def _words(text: str) -> set[str]:
    return {word.casefold().replace(",", "") for word in _WORD.findall(text)}


def _wrong_pages(row: Row, known: dict[str, Row]) -> Iterator[str]:
    """Yield pages that a document does not have, or on which none of its facts answers."""
    is_looked_up = not str(row.get("note", "")).casefold().startswith("computed")
    for path, pages in row.get("pages", {}).items():
        document = known[path]
        if path not in row["documents"]:
            yield f"has pages of {path!r}, which is none of its documents"
        if document["pages"] is None:
            yield f"has pages of {path!r}, which has none"
            continue
        yield from (f"{path!r} has no page {page}" for page in pages if not 1 <= page <= document["pages"])
        stands = {fact["page"] for fact in document["facts"] if _is_among(fact["written"], row["answers"])}
        if is_looked_up and stands and not stands & set(pages):
            yield f"the answer stands on {sorted(stands)} of {path!r}, not on {pages}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path, nargs="?", default=Path(__file__).with_suffix(".jsonl"))
    given = parser.parse_args()
    if not given.questions.is_file():
        parser.error(f"there are no questions at {given.questions}")
    library = json.loads((given.folder / "library.json").read_text("utf-8"))
    lines = given.questions.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    wrong = check(rows, library)
    print("\n".join(wrong))
    counts = Counter(row.get("kind") for row in rows)
    print(f"{len(rows)} questions, {len(wrong)} faults; " + ", ".join(f"{kind} {counts[kind]}" for kind in KINDS))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
