"""Published benchmarks whose questions are asked of a whole corpus, such as Wikipedia.

A reader turns a row of the published file into a question. Gold documents are named after titles or ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from octavo.errors import UsageError
from octavo_lab.benchmarks.rows import Definition, Row, json_list, json_object, list_or_lines, read_json
from octavo_lab.question import Question

_ALCE = "https://github.com/princeton-nlp/ALCE"


def _m3docvqa(row: Row) -> Question:
    """Read a row of MultimodalQA; the gold is always a list, the documents are PDFs of Wikipedia pages."""
    answers = row.parts("answers")
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    support = row.parts("supporting_context")
    metadata = row.below("metadata", row.get("metadata") or {})
    return Question(
        id=row.text("qid"),
        question=row.text("question"),
        answer=[answer.text("answer") for answer in answers],
        answer_format="List",
        evidence_documents=tuple(dict.fromkeys(f"{item.text('doc_id')}.pdf" for item in support)),
        evidence_sources=tuple(dict.fromkeys(item.text("doc_part") for item in support)),
        question_type=metadata.optional("type"),
    )


M3DOCVQA = Definition(
    name="m3docvqa",
    title="M3DocVQA",
    source="https://github.com/bloomberg/m3docrag",
    files=("MMQA_dev.jsonl", "MMQA*.jsonl", "*.jsonl"),
    question=_m3docvqa,
    metrics=("m3docvqa", "m3docvqa_em"),
)
"""Cho et al., 2024 (arXiv 2411.04952)."""


def _asqa_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of ALCE's list, or of the published object of splits by question number the development split."""
    value = read_json(path)
    if isinstance(value, list):
        return json_list()(path)
    if isinstance(value, dict) and "dev" in value:
        return json_object("dev")(path)
    raise UsageError(f"{path} needs a list of questions, or an object with the split 'dev'")


def _asqa(row: Row) -> Question:
    """Read a question with long answers; the gold is a list of short answers, each a list of its aliases."""
    pairs = row.parts("qa_pairs")
    if not pairs:
        raise row.bad("needs a list of questions and short answers in 'qa_pairs'")
    notes = row.parts("annotations")
    return Question(
        id=row.optional("sample_id", "_key") or row.where,
        question=row.text("question", "ambiguous_question"),
        answer=[list(pair.texts("short_answers")) for pair in pairs],
        answer_format="Long",
        reference=[note.text("long_answer") for note in notes] or row.optional("answer") or None,
    )


ASQA = Definition(
    name="asqa",
    title="ASQA",
    source=_ALCE,
    files=("asqa_eval*.json", "ASQA.json", "*.json"),
    question=_asqa,
    rows=_asqa_rows,
    metrics=("string_em", "string_hit", "rouge_l", "passage_em", "passage_hit", "passage_score", "passage_length"),
)
"""Stelmakh et al., EMNLP 2022."""


def _qampari(row: Row) -> Question:
    """Read ALCE's rows, whose `answers` are lists of aliases, or the published `question_text` and `answer_list`."""
    answer = _qampari_aliases(row)
    if not answer:
        raise row.bad("needs a list with an answer in 'answers' or 'answer_list'")
    return Question(
        id=row.optional("id", "qid") or row.where,
        question=row.text("question", "question_text"),
        answer=answer,
        answer_format="Long",
    )


def _qampari_aliases(row: Row) -> list[list[str]]:
    if row.get("answers") is not None:
        return [_names(item) for item in row.items("answers")]
    listed = row.parts("answer_list")
    return [list(dict.fromkeys([item.text("answer_text"), *item.texts("aliases")])) for item in listed]


def _names(item: Any) -> list[str]:
    return [str(name) for name in cast("list[Any]", item)] if isinstance(item, list) else [str(item)]


QAMPARI = Definition(
    name="qampari",
    title="QAMPARI",
    source=_ALCE,
    files=("qampari_eval*.json", "*qampari*.jsonl", "dev_data.jsonl", "*.json", "*.jsonl"),
    question=_qampari,
    rows=list_or_lines,
    metrics=(
        "qampari_f1_5",
        "qampari_recall_5",
        "qampari_precision",
        "qampari_f1",
        "qampari_recall",
        "passage_em",
        "passage_score",
    ),
)
"""Amouyal et al., 2022."""


def _eli5(row: Row) -> Question:
    """Read a row of ALCE, which has three claims of the reference, made by a model."""
    return Question(
        id=row.optional("id", "sample_id") or row.where,
        question=row.text("question"),
        answer=row.text("answer"),
        answer_format="Long",
        reference=row.text("answer"),
        claims=row.texts("claims"),
    )


ELI5 = Definition(
    name="eli5",
    title="ELI5",
    source=_ALCE,
    files=("eli5_eval*.json", "*.json"),
    question=_eli5,
    rows=json_list(),
    metrics=("rouge_l", "claim_recall", "token_f1", "passage_length"),
)
"""Fan et al., ACL 2019; ALCE (Gao et al., EMNLP 2023), which decides by a model of entailment which claims follow."""


def _hotpotqa(row: Row) -> Question:
    return Question(
        id=row.text("_id", "id"),
        question=row.text("question"),
        answer=row.text("answer"),
        evidence_documents=tuple(dict.fromkeys(_title(row, fact) for fact in row.items("supporting_facts"))),
        question_type=row.optional("type"),
    )


def _title(row: Row, fact: Any) -> str:
    if not isinstance(fact, list) or not fact:
        raise row.bad(f"needs pairs of title and sentence in 'supporting_facts', not {fact!r}")
    return f"{cast('list[Any]', fact)[0]}.pdf"


HOTPOTQA = Definition(
    name="hotpotqa",
    title="HotpotQA",
    source="https://hotpotqa.github.io",
    files=("hotpot_dev*.json", "hotpot*.json", "*.json"),
    question=_hotpotqa,
    rows=json_list(),
    metrics=("inclusion", "token_f1", "exact_match", "passage_em", "passage_score"),
)
"""Yang et al., EMNLP 2018."""


def _triviaqa(row: Row) -> Question:
    """Read a question of the Wikipedia split; the aliases are alternatives."""
    answer = row.below("Answer", row.get("Answer"))
    answer.require()
    return Question(
        id=row.text("QuestionId"),
        question=row.text("Question"),
        answer=list(dict.fromkeys([answer.text("Value"), *answer.texts("Aliases")])),
        evidence_documents=tuple(dict.fromkeys(f"{page.text('Title')}.pdf" for page in row.parts("EntityPages"))),
    )


TRIVIAQA = Definition(
    name="triviaqa",
    title="TriviaQA",
    source="https://nlp.cs.washington.edu/triviaqa",
    files=("*wikipedia-dev.json", "*wikipedia*.json", "*.json"),
    question=_triviaqa,
    rows=json_list("Data"),
    metrics=("inclusion", "token_f1", "exact_match", "passage_em", "passage_score"),
)
"""Joshi et al., ACL 2017."""

DEFINITIONS = (M3DOCVQA, ASQA, QAMPARI, ELI5, HOTPOTQA, TRIVIAQA)
