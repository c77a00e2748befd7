"""A small benchmark over text files, for the tests of the evaluation floor."""

from __future__ import annotations

from pathlib import Path

import storing
from octavo.corpus import Corpus
from octavo.models.language import LanguageModel
from octavo_lab.question import Benchmark, Question

BIRDS = "\f".join(
    [
        "# Birds\nThis book is about birds of the coast.",
        "# Herons\nThe grey heron weighs 1,500 grams and eats fish.",
        "# Gulls\nThe herring gull nests on cliffs and roofs.",
        "# Owls\nThe barn owl hunts voles at night.",
    ]
)
STONES = "# Stones\nGranite is an igneous rock.\f# Marble\nMarble is made of calcite."

HERON = Question(
    id="heron",
    question="How many grams does the grey heron weigh?",
    answer="1500",
    documents=("birds.pdf",),
    answer_format="Int",
    evidence_pages=(2,),
    evidence_sources=("Text",),
    evidence_texts=("The grey heron weighs 1,500 grams and eats fish.",),
    question_type="lookup",
)
OWL = Question(
    id="owl",
    question="What does the barn owl hunt?",
    answer="voles",
    documents=("birds.pdf",),
    evidence_pages=(4,),
    evidence_sources=("Text", "Layout"),
    question_type="lookup",
)
MARBLE = Question(
    id="marble",
    question="What is marble made of?",
    answer="calcite",
    documents=("stones.pdf",),
    evidence_pages=(1, 2),
    evidence_sources=("Text",),
    question_type="derive",
)
NOTHING = Question(
    id="nothing",
    question="What does the zeppelin cost?",
    answer="Not answerable",
    documents=("stones.pdf",),
    answer_format="None",
)
QUESTIONS = (HERON, OWL, MARBLE, NOTHING)


def benchmark(folder: Path, *questions: Question, **more: str) -> Benchmark:
    """Write the documents, more of them by name, and return the benchmark over them."""
    storing.write(folder / "documents", birds=BIRDS, stones=STONES, **more)
    return reopened(folder, *questions)


def reopened(folder: Path, *questions: Question) -> Benchmark:
    """Return the benchmark over documents that were written before."""
    return Benchmark(
        name="small",
        title="Birds & <stones>",
        questions=questions or QUESTIONS,
        documents=tuple(sorted((folder / "documents").glob("*.pdf"))),
        metrics=("mmlongbench", "mmlongbench_f1", "inclusion"),
    )


def corpus(folder: Path, *, models: LanguageModel | None = None) -> Corpus:
    """Open a corpus of text files for an evaluation."""
    return storing.corpus(folder / "corpus", models=models)
