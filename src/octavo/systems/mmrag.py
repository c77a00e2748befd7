"""MMRAG-DocQA: in-page passages with their parent pages, overviews across pages, typed answers (Gong et al., 2025).

Retrieval is the page-level path of section "Multi-granularity Retrieval": the nearest passages (equation 11), their
parent pages, judged (12). Pictures on these pages (13, 14) and summaries from all levels of the cross-page tree (16)
go to the reader, which reasons to a typed value (17). Each ablation of the paper's Table 3 is a shorter expression.
"""

from __future__ import annotations

from octavo.document import Answer, Evidence, Query
from octavo.operators import BestPassages, JudgePages, Operator, ParentPages, RankPages, ReasonedReader
from octavo.operators.pages import RELEVANCE
from octavo.systems.base import System
from octavo.systems.baselines import SCORED

_PASSAGES: Operator[Query, Evidence] = SCORED >> BestPassages("fused", 30)
_PAGES: Operator[Query, Evidence] = _PASSAGES >> ParentPages("fused") >> JudgePages("fused", judged=0.7, similar=0.3)
_RETRIEVE: Operator[Query, Evidence] = _PAGES >> RankPages(RELEVANCE)
_ONE_PAGE: Operator[Query, Evidence] = _PAGES >> RankPages(RELEVANCE, most=1)
_NO_PAGES: Operator[Query, Evidence] = _PASSAGES >> RankPages("fused")

_READ: Operator[Evidence, Answer] = ReasonedReader(overviews=10)
_READ_PAGES_ALONE: Operator[Evidence, Answer] = ReasonedReader(overviews=0)
_READ_WITHOUT_LOOKING: Operator[Evidence, Answer] = ReasonedReader(overviews=10, pictures=0)

MMRAG = System("mmrag", _RETRIEVE, _RETRIEVE >> _READ)
MMRAG_ABLATIONS = (
    System("mmrag-no-visual", _RETRIEVE, _RETRIEVE >> _READ_WITHOUT_LOOKING),
    System("mmrag-one-page", _ONE_PAGE, _ONE_PAGE >> _READ),
    System("mmrag-no-summaries", _RETRIEVE, _RETRIEVE >> _READ_PAGES_ALONE),
    System("mmrag-no-parent-pages", _NO_PAGES, _NO_PAGES >> _READ),
)
