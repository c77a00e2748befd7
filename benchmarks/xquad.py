"""How well passages are found in each language: XQuAD, the same paragraphs and questions in twelve of them, no model.

FOLDER holds `xquad.LANGUAGE.json`, or the same gzipped. Every article is a document, a corpus is made of each language,
and questions spread over all articles are asked of all of them at once. Printed by language: how often the article of
the answer comes first among pages (document@1), how often the answer stands in the first passage and in the first three
(unit@1, unit@3), short answers given and right, and a digest of the terms of its documents, which tells whether a
change of the analyser changed them.

    python benchmarks/xquad.py FOLDER [--languages de,zh] [--questions 60] [--ask-in en]

XQuAD: Artetxe, Ruder and Yogatama, On the Cross-lingual Transferability of Monolingual Representations, ACL 2020.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import statistics
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


def questions_of(articles: Sequence[dict[str, Any]], asked_in: Sequence[dict[str, Any]], most: int) -> list[Asked]:
    """Return about `most` questions, spread evenly; their words are those of `asked_in`, the same articles."""
    words = {q["id"]: q["question"] for article in asked_in for p in article["paragraphs"] for q in p["qas"]}
    found = [
        Asked(f"{number:02d}.txt", words[q["id"]], [answer["text"] for answer in q["answers"]])
        for number, article in enumerate(articles)
        for paragraph in article["paragraphs"]
        for q in paragraph["qas"]
    ]
    return found[:: max(1, len(found) // most)][:most]


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


def measured(folder: Path, language: str, ask_in: str, most: int) -> tuple[list[float], str]:
    """Return the mean of each of `COLUMNS`, and the digest of terms."""
    articles = articles_of(folder, language)
    asked = questions_of(articles, articles_of(folder, ask_in), most)
    with tempfile.TemporaryDirectory() as made:
        texts = Path(made, "texts")
        texts.mkdir()
        for number, article in enumerate(articles):
            text = "\n\n".join(paragraph["context"] for paragraph in article["paragraphs"])
            (texts / f"{number:02d}.txt").write_text(f"{text}\n", encoding="utf-8")
        with octavo.open(Path(made, "xquad.octavo")) as corpus:
            corpus.add([texts])
            rows = [scored(one, corpus.ask(one.question).to_json()) for one in asked]
            return [round(statistics.fmean(column), 3) for column in zip(*rows, strict=True)], terms_digest(corpus)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", default="", help="those to measure, by comma; all that the folder holds")
    parser.add_argument("--questions", type=int, default=60, help="about so many a language")
    parser.add_argument("--ask-in", default="", help="ask of all documents in this language")
    given = parser.parse_args()
    held = sorted(path.name.split(".")[1] for path in given.folder.glob("xquad.*.json*"))
    for language in given.languages.split(",") if given.languages else held:
        means, digest = measured(given.folder, language, given.ask_in or language, given.questions)
        print(language, dict(zip(COLUMNS, means, strict=True)), "terms", digest, flush=True)


if __name__ == "__main__":
    main()
