"""The table of metrics: what a report may show, under which name. Adding a metric is a function and a line here.

Another package brings one by an entry point of the group `octavo.metrics`: its name, the `Metric`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from octavo.errors import UsageError
from octavo.models.language import estimate_tokens
from octavo_documents import plugins
from octavo_lab.metrics import answer_correctness, citations, mmlongbench, overlap, published, retrieval, traced
from octavo_lab.metrics.rule_accuracy import rule_accuracy
from octavo_lab.question import Metric, ScoredResponse

_Answer = Callable[[object, str, str], float]
_Score = Callable[[ScoredResponse], float]


def _answer(name: str, label: str, definition: str, score: _Answer) -> Metric:
    def value(scored: ScoredResponse) -> float:
        return score(scored.question.answer, scored.prediction, scored.question.answer_format)

    return Metric(name, label, definition, value)


def _response(name: str, label: str, definition: str, score: _Answer) -> Metric:
    """Build a metric that reads the whole response, not the final answer in it."""

    def value(scored: ScoredResponse) -> float:
        return score(scored.question.answer, scored.response.answer, scored.question.answer_format)

    return Metric(name, label, definition, value)


def _pages(
    name: str,
    label: str,
    definition: str,
    score: Callable[[ScoredResponse], float],
    *,
    better: int = 1,
    failed: float = 0.0,
) -> Metric:
    def value(scored: ScoredResponse) -> float | None:
        return score(scored) if scored.has_gold_pages else None

    return Metric(name, label, definition, value, better=better, failed=failed)


def _pages_read(
    name: str, label: str, definition: str, score: _Score, *, better: int = 1, failed: float = 0.0
) -> Metric:
    """Build a metric of the pages that a model read; it concerns no question that none was asked about."""

    def value(scored: ScoredResponse) -> float | None:
        return score(scored) if scored.has_gold_pages and scored.response.pages_read is not None else None

    return Metric(name, label, definition, value, better=better, failed=failed)


def _mean(name: str, label: str, definition: str, value: _Score) -> Metric:
    """Build a count, of which neither more nor less is better."""
    return Metric(name, label, definition, value, better=0, is_share=False)


def _perfect_at(count: int) -> Metric:
    return _pages(
        f"pr@{count}",
        f"PR@{count}",
        f"share of questions with all gold pages in the first {count} of the ranking",
        lambda scored: retrieval.perfect(scored.evidence_pages, scored.ranking[:count]),
    )


def _recall_at(count: int) -> Metric:
    return _pages(
        f"recall@{count}",
        f"recall@{count}",
        f"share of gold pages in the first {count} of the ranking",
        lambda scored: retrieval.recall(scored.evidence_pages, scored.ranking[:count]),
    )


def _documents_at(count: int) -> Metric:
    def value(scored: ScoredResponse) -> float | None:
        wanted = scored.evidence_documents
        return retrieval.recall(wanted, scored.documents[:count]) if wanted else None

    return Metric(
        f"documents@{count}", f"documents@{count}", f"share of gold documents in the first {count} ranked", value
    )


def _page_at(count: int, label: str, definition: str) -> Metric:
    def value(scored: ScoredResponse) -> float | None:
        wanted = scored.sufficient_pages
        return float(not set(wanted).isdisjoint(scored.ranking[:count])) if wanted else None

    return Metric(f"page@{count}", label, definition, value)


def _unit_at(count: int, label: str, definition: str) -> Metric:
    def value(scored: ScoredResponse) -> float | None:
        shown = scored.response.passages[:count]
        texts = [passage.text for passage in shown if scored.is_of_right_document(passage.document)]
        return answer_correctness.in_passages(scored.question.accepted, texts, items=scored.question.items)

    return Metric(f"unit@{count}", label, definition, value)


def _f1_value(scored: ScoredResponse) -> float | None:
    part, weight = _f1_parts(scored)
    return part / weight if weight else None


def _f1_parts(scored: ScoredResponse) -> tuple[float, float]:
    question = scored.question
    value = (
        0.0 if scored.response.error else mmlongbench.score(question.answer, scored.prediction, question.answer_format)
    )
    return mmlongbench.f1_parts(value, question.answer, scored.prediction)


def _block_recall(scored: ScoredResponse) -> float | None:
    question = scored.question
    if scored.gold.blocks:
        return retrieval.alternatives_recall(scored.gold.blocks, scored.response.blocks)
    if question.evidence_blocks:
        return retrieval.recall(question.evidence_blocks, scored.right_blocks)
    return retrieval.text_recall(question.evidence_texts, scored.right_texts) if question.evidence_texts else None


def _is_right_document_first(scored: ScoredResponse) -> float | None:
    first = next(iter(scored.response.ranking), ("", 0))
    return float(first[0] in scored.right_documents) if scored.right_documents else None


def _response_words(scored: ScoredResponse) -> float:
    response = scored.response
    return float(len(overlap.without_citations(response.answer).split())) if response.answerable else 0.0


def _retained(scored: ScoredResponse) -> float:
    return float(len(scored.response.blocks))


_RETRIEVAL = (
    Metric(
        "document@1",
        "right document first",
        "share of questions, those without an answer too, whose first page is of a document that they are about; where "
        "all documents are asked together",
        _is_right_document_first,
    ),
    _pages(
        "pr",
        "PR",
        "perfect recall: share of questions with all gold pages among those handed to the reader (LAD-RAG)",
        lambda scored: retrieval.perfect(scored.evidence_pages, scored.pages),
    ),
    _pages(
        "ipr",
        "IPR",
        "irrelevant pages ratio: share of pages handed to the reader that are not gold (LAD-RAG); lower is better",
        lambda scored: retrieval.irrelevant(scored.evidence_pages, scored.pages),
        better=-1,
        failed=1.0,
    ),
    _mean("pages", "pages", "pages handed to the reader, mean", lambda scored: float(len(scored.pages))),
    _pages_read(
        "pr_read",
        "PR read",
        "share of questions with all gold pages among those that a model really read",
        lambda scored: retrieval.perfect(scored.evidence_pages, scored.pages_read),
    ),
    _pages_read(
        "ipr_read",
        "IPR read",
        "share of pages that a model really read that are not gold; lower is better",
        lambda scored: retrieval.irrelevant(scored.evidence_pages, scored.pages_read),
        better=-1,
        failed=1.0,
    ),
    Metric(
        "pages_read",
        "pages read",
        "pages of which a model that answered was shown something, mean",
        lambda scored: None if scored.response.pages_read is None else float(len(scored.response.pages_read)),
        better=0,
        is_share=False,
    ),
    *(_perfect_at(count) for count in (1, 3, 5, 10, 20)),
    *(_recall_at(count) for count in (1, 5, 10)),
    Metric("block_recall", "block recall", "share of gold blocks among the retrieved (BookRAG)", _block_recall),
    Metric(
        "block_pr",
        "block PR",
        "share of questions over several documents with all gold blocks among the retrieved",
        lambda scored: retrieval.alternatives_perfect(scored.gold.blocks, scored.response.blocks),
    ),
    Metric(
        "document_recall",
        "document recall",
        "share of gold documents among those of which the reader got something",
        lambda scored: retrieval.alternatives_recall(scored.gold.documents, scored.read_documents),
    ),
    Metric(
        "document_pr",
        "document PR",
        "share of questions with all gold documents among those of which the reader got something",
        lambda scored: retrieval.alternatives_perfect(scored.gold.documents, scored.read_documents),
    ),
    *(_documents_at(count) for count in (1, 2, 5, 10)),
)

_FAITHFUL = (
    Metric(
        "citations_verbatim",
        "citations verbatim",
        "share of citations whose quote stands word for word in the cited block",
        citations.citations_verbatim,
    ),
    Metric(
        "cited_pages_gold", "cited pages gold", "share of cited pages that are gold pages", citations.cited_pages_gold
    ),
    Metric(
        "refused_unanswerable",
        "rightly refused",
        "share of unanswerable questions that were refused",
        answer_correctness.refused_unanswerable,
    ),
    Metric(
        "refused_answerable",
        "wrongly refused",
        "share of answerable questions that were refused; lower is better",
        answer_correctness.refused_answerable,
        better=-1,
        failed=1.0,
    ),
)

_ANSWERS = (
    Metric(
        "rule_accuracy",
        "rule accuracy",
        "right or wrong by MMLongBench-Doc's rule, or LongDocURL's for its formats (LAD-RAG)",
        lambda scored: rule_accuracy(scored.question.answer, scored.prediction, scored.question.answer_format),
    ),
    _answer("mmlongbench", "MMLongBench accuracy", "MMLongBench-Doc's rule, fractional", mmlongbench.score),
    Metric(
        "mmlongbench_f1",
        "MMLongBench F1",
        "MMLongBench-Doc's F1 over answerable questions",
        _f1_value,
        weight=lambda scored: _f1_parts(scored)[1],
    ),
    _answer("longdocurl", "LongDocURL", "LongDocURL's rule", published.longdocurl),
    _answer("exact_match", "EM", "the normal forms of answer and prediction are the same", overlap.exact_match),
    _answer("token_f1", "token F1", "overlap of the words of answer and prediction", overlap.token_f1),
    _response("inclusion", "inclusion", "the answer stands inside the response", overlap.inclusion),
    _answer("anls", "ANLS", "normalised edit similarity above one half", overlap.anls),
    _answer("qasper", "Qasper F1", "token F1 against the best annotator", published.qasper),
    _answer("m3docvqa", "list F1 (M3DocVQA)", "bag F1 of aligned spans", published.m3docvqa),
    _answer("m3docvqa_em", "list EM (M3DocVQA)", "the same spans", published.m3docvqa_em),
    _response("string_em", "string EM", "share of short answers in the response (ALCE)", overlap.string_em),
    _response("string_hit", "string hit", "all short answers stand in the response (ALCE)", overlap.string_hit),
    _answer(
        "qampari_precision",
        "precision",
        "share of predicted items that are gold (QAMPARI)",
        published.qampari_precision,
    ),
    _answer("qampari_recall", "recall", "share of gold answers predicted (QAMPARI)", published.qampari_recall),
    _answer("qampari_recall_5", "recall-5", "the same, full at five answers (ALCE)", published.qampari_recall_5),
    _answer("qampari_f1", "F1", "harmonic mean of precision and recall (QAMPARI)", published.qampari_f1),
    _answer("qampari_f1_5", "F1-5", "harmonic mean of precision and recall-5 (ALCE)", published.qampari_f1_5),
    Metric(
        "rouge_l",
        "ROUGE-L",
        "longest common subsequences with the reference answer",
        lambda scored: overlap.rouge_l(scored.question.reference or scored.question.answer, scored.response.answer),
    ),
    Metric(
        "judged",
        "judged",
        "the response is complete and correct; the report says who judged. The rule is coarse: numbers, yes or no, or "
        "half of the words met",
        lambda scored: None if scored.is_right is None else float(scored.is_right),
    ),
    Metric(
        "claim_recall",
        "claim recall",
        "share of the reference's claims that follow from the response (ALCE); the report says who judged. The rule is "
        "coarse: most words of a claim and all of its numbers met",
        lambda scored: None if scored.entailed is None else sum(scored.entailed) / len(scored.entailed),
    ),
    Metric(
        "passage_em",
        "passage EM",
        "share of short answers in the retrieved text (RDR2)",
        lambda scored: overlap.string_em(scored.question.answer, "\n".join(scored.texts)),
    ),
    Metric(
        "passage_hit",
        "passage hit",
        "all short answers stand in the retrieved text (RDR2)",
        lambda scored: overlap.string_hit(scored.question.answer, "\n".join(scored.texts)),
    ),
    Metric(
        "passage_score",
        "passage score",
        "short answers in the retrieved text, each over the rank of the first block that has it (after RDR2)",
        lambda scored: retrieval.passage_score(scored.question.answer, scored.texts),
    ),
    _mean(
        "passage_length",
        "passage words",
        "words of the retrieved text, mean",
        lambda scored: float(sum(len(text.split()) for text in scored.texts)),
    ),
    _mean(
        "passage_tokens",
        "passage tokens",
        "tokens of the retrieved text, as prompts are estimated, mean",
        lambda scored: float(sum(map(estimate_tokens, scored.texts))),
    ),
)

_PLAIN = (
    Metric("right", "right", "answerable questions answered right", answer_correctness.right),
    Metric(
        "short_precision", "answers right", "short answers given that are right", answer_correctness.short_precision
    ),
    Metric(
        "short_coverage", "answered", "answerable questions given a short answer", answer_correctness.short_coverage
    ),
    Metric(
        "false_claims",
        "false claims",
        "unanswerable questions given an answer (lower is better)",
        answer_correctness.false_claim,
        better=-1,
    ),
    _unit_at(1, "in passage 1", "answer to be read in the first passage shown"),
    _unit_at(3, "in passages 1-3", "answer to be read in the first three passages shown"),
)
"""What is answered and shown to a user's own questions."""

_PAGE_HITS = (
    _page_at(1, "page first", "a page with the answer ranked first"),
    _page_at(5, "page in 5", "a page with the answer among the first five"),
)


def _block_recall_of(count: int) -> Callable[[ScoredResponse], float | None]:
    def value(scored: ScoredResponse) -> float | None:
        blocks = dataclasses.replace(scored.response, blocks=scored.response.blocks[:count])
        return _block_recall(dataclasses.replace(scored, response=blocks, texts=scored.texts[:count]))

    return value


def _error(kind: traced.ErrorClass, definition: str) -> Metric:
    """Build the share of one error class among the wrong answers whose error can be told."""

    def value(scored: ScoredResponse) -> float | None:
        found = traced.error_class(scored)
        return None if found is None else float(found is kind)

    return Metric(f"error_{kind.value}", f"{kind.value} errors", definition, value, better=0, failed=None)


_ANALYSES = (
    _mean("response_words", "words", "words of the answer given, mean", _response_words),
    _mean("retained_blocks", "blocks kept", "blocks handed to the reader, mean, 300 at most", _retained),
    Metric(
        "block_recall_10",
        "block recall of 10",
        "share of gold blocks among the ten best retrieved",
        _block_recall_of(10),
    ),
    _mean("calls", "calls", "calls of models a question, kept replies too, mean", traced.calls),
    _mean("input_tokens", "input tokens", "tokens read a question, mean", lambda one: traced.used(one, "input_tokens")),
    _mean(
        "output_tokens",
        "output tokens",
        "tokens written a question, mean",
        lambda one: traced.used(one, "output_tokens"),
    ),
    _mean(
        "tokens",
        "tokens",
        "tokens read and written a question, mean",
        lambda one: traced.used(one, "input_tokens", "output_tokens"),
    ),
    _mean("seconds", "seconds", "seconds a question, mean", lambda one: traced.used(one, "seconds")),
    Metric(
        "calls_2_to_5", "2 to 5 calls", "questions that took 2 to 5 calls (LAD-RAG)", traced.has_few_calls, better=0
    ),
    Metric(
        "calls_under_100_tokens",
        "calls under 100 tokens",
        "calls that wrote fewer than 100 tokens (LAD-RAG)",
        traced.short_calls,
        weight=traced.calls,
        better=0,
        failed=None,
    ),
    Metric(
        "reflected",
        "reflected on",
        "questions whose first answer reflection found wanting (DMAP)",
        traced.is_reflected,
        better=0,
    ),
    Metric("reflected_right", "right after it", "of these, those that ended right (DMAP)", traced.reflected_right),
    Metric(
        "reflected_refused",
        "refused after it",
        "unanswerable questions that were reflected on and refused: negative rejection (DMAP)",
        traced.reflected_refused,
    ),
    Metric(
        "reflection_rounds",
        "rounds",
        "rounds of reflection that widened the evidence, mean",
        traced.reflection_rounds,
        better=0,
        is_share=False,
    ),
    _error(traced.ErrorClass.PARSING, "of wrong answers, those whose evidence is not in the index (BookRAG)"),
    _error(traced.ErrorClass.PLAN, "of wrong answers, those taken apart though one place has the evidence (BookRAG)"),
    _error(traced.ErrorClass.RETRIEVAL, "of wrong answers, those whose reader did not get all evidence (BookRAG)"),
    _error(traced.ErrorClass.READING, "of wrong answers, those whose reader had all evidence (BookRAG)"),
)
"""What analyses of the papers count; shown where a table asks for it."""

_OURS = {metric.name: metric for metric in (*_PLAIN, *_PAGE_HITS, *_ANSWERS, *_RETRIEVAL, *_FAITHFUL, *_ANALYSES)}


def _brought(name: str) -> Metric:
    """Return a metric that another package brings. Raises UsageError for what is none, or has a name of ours."""
    found = plugins.load("octavo.metrics", name)
    if not isinstance(found, Metric) or found.name != name:
        raise UsageError(f"what a package brings as the metric {name!r} is no Metric of that name")
    if name in _OURS:
        raise UsageError(f"a package brings a metric {name!r}, which is one of Octavo's own: call it otherwise")
    return found


_BROUGHT = tuple(map(_brought, plugins.names("octavo.metrics")))
"""Those of other packages, shown where they concern any question."""

METRICS: dict[str, Metric] = {**_OURS, **{metric.name: metric for metric in _BROUGHT}}

SAID_BY = {"false_claims": ("refused_unanswerable",), "short_coverage": ("refused_answerable",)}
"""Metrics of every question that say the same as one of a benchmark's own, the other way round."""

READ_FACTS = frozenset(f"error_{kind.value}" for kind in traced.ErrorClass)
"""Metrics that read what is known of the documents."""
READ_TEXTS = frozenset({"passage_em", "passage_hit", "passage_score", "passage_length", "passage_tokens"})
"""Metrics that read the text of retrieved blocks."""


def of_every_question() -> tuple[str, ...]:
    """Return the names of metrics that every benchmark shows where they concern its questions."""
    return tuple(metric.name for metric in (*_RETRIEVAL, *_FAITHFUL, *_BROUGHT))


def of_faithfulness() -> frozenset[str]:
    """Return the names of metrics that say whether what is claimed stands in the document, and what was refused."""
    return frozenset(metric.name for metric in _FAITHFUL)


def of_answers() -> tuple[str, ...]:
    """Return the names of metrics that a benchmark chooses from."""
    return tuple(metric.name for metric in (*_PLAIN, *_ANSWERS))


def of_plain_questions() -> tuple[str, ...]:
    """Return the names of what a user's own questions are measured by, what matters most first."""
    return tuple(metric.name for metric in (*_PLAIN, *_PAGE_HITS))
