"""Stand-ins for the published benchmarks, a few questions each, in the layout their authors publish.

Documents are the text files of `storing`, under the names that each benchmark gives them.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import storing
from decision_examples import EXAMPLES
from evaluating import BIRDS, STONES
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.layers import OPTIONAL_LAYERS
from octavo.models.language import LanguageModel, Request
from octavo.models.scripted import ScriptedModel

HERON, OWL, MARBLE = (
    "How many grams does the grey heron weigh?",
    "What does the barn owl hunt?",
    "What is marble made of?",
)


def mmlongbench(folder: Path) -> None:
    """Write samples.json, whose lists are written as texts, and the folder documents."""
    texts = {"birds": BIRDS, "stones": STONES}
    storing.write(folder / "documents", **texts)
    common = {"doc_id": "birds.pdf", "doc_type": "Guidebook"}
    sources = ("Pure-text (Plain-text)", "Generalized-text (Layout)", "Table", "Chart", "Figure")
    rows = [
        {
            **common,
            "question": HERON,
            "answer": "1500",
            "answer_format": "Int",
            "evidence_pages": "[2]",
            "evidence_sources": f"['{sources[0]}', '{sources[2]}']",
        },
        {
            **common,
            "question": OWL,
            "answer": "voles",
            "answer_format": "Str",
            "evidence_pages": "[4]",
            "evidence_sources": f"['{sources[1]}', '{sources[3]}']",
        },
        {
            "doc_id": "stones.pdf",
            "doc_type": "Academic paper",
            "question": MARBLE,
            "answer": "calcite",
            "answer_format": "Str",
            "evidence_pages": "[1, 2]",
            "evidence_sources": f"['{sources[4]}']",
        },
        {
            "doc_id": "stones.pdf",
            "doc_type": "Academic paper",
            "question": "What does the zeppelin cost?",
            "answer": "Not answerable",
            "answer_format": "None",
            "evidence_pages": "[]",
            "evidence_sources": "[]",
        },
    ]
    _json(folder / "samples.json", rows)


def longdocurl(folder: Path) -> None:
    """Write LongDocURL.jsonl; files lie below folders of a thousand numbers."""
    storing.write(folder / "pdfs" / "4000", **{"4000001": BIRDS, "4000002": STONES})
    rows = [
        _url("q1", "4000001", HERON, 1500, "Integer", [2], ["Text", "Table"], "Understanding"),
        _url("q2", "4000001", OWL, "voles", "String", [4], ["Layout"], "Reasoning"),
        _url("q3", "4000002", MARBLE, "calcite", "String", [1, 2], ["Figure"], "Locating"),
    ]
    _lines(folder / "LongDocURL.jsonl", rows)


def _url(
    name: str, document: str, question: str, answer: object, form: str, pages: list[int], sources: list[str], task: str
) -> dict[str, Any]:
    return {
        "question_id": name,
        "doc_no": document,
        "question": question,
        "answer": answer,
        "answer_format": form,
        "evidence_pages": pages,
        "evidence_sources": sources,
        "task_tag": task,
    }


def dude(folder: Path) -> None:
    """Write the file of all splits with its boxes, and the folder of PDF files."""
    storing.write(folder / "PDF" / "val", birds=BIRDS, stones=STONES)
    rows = [
        _dude("d1", "birds", OWL, ["voles"], "extractive", [3]),
        _dude("d2", "stones", MARBLE, ["calcite"], "abstractive", [0, 1]),
        _dude("d3", "stones", "What is asked in a test?", [], "not-answerable", [], split="test"),
        _dude("d4", "trained", "What is asked in training?", ["this"], "extractive", [0], split="train"),
    ]
    _json(folder / "2023-03-23_DUDE_gt_test_PUBLIC.json", {"data": rows})


def _dude(
    name: str, document: str, question: str, answers: list[str], kind: str, pages: list[int], *, split: str = "val"
) -> dict[str, Any]:
    return {
        "questionId": name,
        "docId": document,
        "question": question,
        "answers": answers,
        "answers_variants": [],
        "answer_type": kind,
        "answers_page_bounding_boxes": [[{"page": page} for page in pages]] if pages else [],
        "data_split": split,
    }


def mpdocvqa(folder: Path) -> None:
    """Write val.json and the documents as PDF."""
    storing.write(folder / "documents", birds=BIRDS)
    row = {
        "questionId": 7,
        "question": OWL,
        "doc_id": "birds",
        "page_ids": ["birds_p2", "birds_p3"],
        "answers": ["voles", "Voles"],
        "answer_page_idx": 1,
    }
    _json(folder / "val.json", {"data": [row]})


def m3docvqa(folder: Path) -> None:
    """Write MMQA_dev.jsonl and the folder pdfs_dev."""
    storing.write(folder / "pdfs_dev", birds=BIRDS, stones=STONES)
    row = {
        "qid": "m1",
        "question": OWL,
        "answers": [{"answer": "voles"}],
        "supporting_context": [{"doc_id": "birds", "doc_part": "text"}],
        "metadata": {"type": "TextQ"},
    }
    _lines(folder / "MMQA_dev.jsonl", [row])


def qasper(folder: Path) -> None:
    """Write the test split with the answers of annotators, and papers by their numbers."""
    storing.write(folder / "pdfs", **{"1901.00001": BIRDS})
    answers = [
        {"answer": {"extractive_spans": ["voles"], "evidence": ["The barn owl hunts voles at night."]}},
        {"answer": {"free_form_answer": "It hunts voles.", "evidence": ["The barn owl hunts voles at night."]}},
    ]
    lost = [{"answer": {"free_form_answer": "In 1931", "evidence": ["It was lost long before anybody could read it."]}}]
    questions = [
        {"question_id": "p1", "question": OWL, "answers": answers},
        {"question_id": "p2", "question": "When was the second barn owl seen?", "answers": lost},
    ]
    _json(folder / "qasper-test-v0.3.json", {"1901.00001": {"title": "Birds", "qas": questions}})


def uda(folder: Path) -> None:
    """Write the three sets of UDA that are measured, with bars between the cells, and their folders of files."""
    storing.write(folder / "src_doc_files" / "paper_docs", **{"1901.00001": BIRDS})
    storing.write(folder / "src_doc_files" / "fetaqa_docs", stones=STONES)
    head = "doc_name|q_uid|question|answer_1|answer_2|answer_3"
    for stem in ("paper_tab_qa", "paper_text_qa"):
        (folder / f"{stem}.csv").write_text(f"{head}\n1901.00001|{stem}-1|{OWL}|voles||\n")
    (folder / "feta_qa.csv").write_text(
        f"doc_name|q_uid|question|answer\nstones|f1|{MARBLE}|Marble is made of calcite.\n"
    )


def asqa(folder: Path) -> None:
    """Write ALCE's file of ASQA."""
    storing.write(folder / "documents", birds=BIRDS, stones=STONES)
    row = {
        "sample_id": "a1",
        "question": OWL,
        "qa_pairs": [{"short_answers": ["voles"]}, {"short_answers": ["night", "at night"]}],
        "answer": "The barn owl hunts voles at night.",
    }
    _json(folder / "asqa_eval_gtr_top100.json", [row])


def qampari(folder: Path) -> None:
    """Write ALCE's file of QAMPARI."""
    storing.write(folder / "documents", birds=BIRDS, stones=STONES)
    row = {"id": "l1", "question": "Which birds are there?", "answers": [["grey heron"], ["barn owl", "owl"]]}
    _json(folder / "qampari_eval_gtr_top100.json", [row])


def eli5(folder: Path) -> None:
    """Write ALCE's file of ELI5."""
    storing.write(folder / "documents", birds=BIRDS, stones=STONES)
    row = {
        "question": "Why do owls hunt at night?",
        "answer": "Voles are awake then.",
        "claims": ["Owls hunt voles.", "Voles are awake at night.", "Owls see well."],
    }
    _json(folder / "eli5_eval_bm25_top100.json", [row])


def hotpotqa(folder: Path) -> None:
    """Write the development file of HotpotQA."""
    storing.write(folder / "documents", birds=BIRDS, stones=STONES)
    row = {"_id": "h1", "question": OWL, "answer": "voles", "supporting_facts": [["birds", 0]], "type": "bridge"}
    _json(folder / "hotpot_dev_distractor_v1.json", [row])


def triviaqa(folder: Path) -> None:
    """Write the Wikipedia split of TriviaQA."""
    storing.write(folder / "documents", birds=BIRDS, stones=STONES)
    answer = {"Value": "Voles", "Aliases": ["voles"]}
    row = {"QuestionId": "t1", "Question": OWL, "Answer": answer, "EntityPages": [{"Title": "birds"}]}
    _json(folder / "qa" / "wikipedia-dev.json", {"Data": [row]})


WRITERS: Mapping[str, Callable[[Path], None]] = {
    one.__name__: one
    for one in (
        mmlongbench,
        longdocurl,
        dude,
        mpdocvqa,
        m3docvqa,
        qasper,
        uda,
        asqa,
        qampari,
        eli5,
        hotpotqa,
        triviaqa,
    )
}


def write_all(folder: Path) -> Path:
    """Write every stand-in into a folder of its own; return the folder of all."""
    for name, write in WRITERS.items():
        write(folder / name)
    return folder


def corpus(folder: Path, models: LanguageModel | ModelConfig | None = None) -> Corpus:
    """Open a corpus of text files that can build every layer that is not made of pictures."""
    layers = {name: layer for name, layer in OPTIONAL_LAYERS.items() if not layer.needs_rendering}
    builders = dataclasses.replace(storing.builders(), optional=layers)
    return Corpus(folder, models=models, builders=lambda: builders)


def replying(request: Request) -> str:
    """Return a reply that fits any decision, of the examples."""
    return EXAMPLES[request.decision].valid


def model(**more: Any) -> ScriptedModel:
    """Return a model that replies to every decision."""
    return ScriptedModel(replying, **more)


def _json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def _lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
