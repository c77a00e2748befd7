"""MMRAG-DocQA: in-page passages with their parent pages, overviews across pages, typed answers (Gong et al., 2025).

Retrieval is the page-level path of section "Multi-granularity Retrieval": the nearest passages (equation 11), their
parent pages, judged (12), as many of these as the question needs; without a model the judge goes by what pages show.
Pictures on these pages (13, 14) and summaries from all levels of the cross-page tree (16) go to the reader, which
reasons to a typed value (17). A question about all pictures is answered from contact sheets, and no page is judged for
it. Each ablation of the paper's Table 3 is a shorter expression. In another one passages are found by late interaction
(Khattab and Zaharia, 2020) alone.
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import RELEVANCE, BestPassages, KeepByScoreGap, RankPages
from octavo.operators.read.direct_reader import DirectReader, OverPictures
from octavo.operators.score.search import LATE, LateSearch
from octavo.systems import System
from octavo.systems.baselines import RANKED, SCORED
from octavo_methods.mmrag import ABOUT
from octavo_methods.mmrag.pages import SIMILARITY, JudgePages, ParentPages
from octavo_methods.mmrag.reasoned_reader import ReasonedReader

_MOST = 16
"""Pages that are judged, in two calls of a model, and the most that are read."""
_CANDIDATES = 24
"""Pages at least that the passages stand on."""

_PASSAGES: Operator[Query, Evidence] = SCORED >> BestPassages("fused", 30, pages=_CANDIDATES)
_PARENTS: Operator[Query, Evidence] = _PASSAGES >> ParentPages("fused")
_PAGES: Operator[Query, Evidence] = _PARENTS >> JudgePages("fused", judged=0.7, similar=0.3, most=_MOST)
# In the middle of a plateau, alike in both halves of the documents; relevance goes from 0 to 1.
_SIZED: Operator[Evidence, Evidence] = KeepByScoreGap(gap=0.4, wider=0.1, alone=0.5, most=_MOST, whole=_MOST)
_RETRIEVE: Operator[Query, Evidence] = _PAGES >> _SIZED
_FIXED: Operator[Query, Evidence] = _PAGES >> RankPages(RELEVANCE)
_ONE_PAGE: Operator[Query, Evidence] = _PAGES >> RankPages(RELEVANCE, most=1)
_SIMILAR: Operator[Query, Evidence] = _PARENTS >> JudgePages("fused", judged=0.0, similar=1.0, most=_MOST) >> _SIZED
_NEAREST: Operator[Query, Evidence] = _PARENTS >> RankPages(SIMILARITY)
_NO_PAGES: Operator[Query, Evidence] = _PASSAGES >> RankPages("fused")
_REST: Operator[Query, Evidence] = (
    _PARENTS >> JudgePages("fused", judged=0.7, similar=0.3, most=_CANDIDATES) >> RankPages(RELEVANCE)
)

_LATE_PARENTS: Operator[Query, Evidence] = (
    LateSearch() >> BestPassages(LATE, 30, pages=_CANDIDATES) >> ParentPages(LATE)
)
_LATE: Operator[Query, Evidence] = _LATE_PARENTS >> JudgePages(LATE, judged=0.7, similar=0.3, most=_MOST) >> _SIZED
_LATE_REST: Operator[Query, Evidence] = (
    _LATE_PARENTS >> JudgePages(LATE, judged=0.7, similar=0.3, most=_CANDIDATES) >> RankPages(RELEVANCE)
)

_READ: Operator[Evidence, Answer] = ReasonedReader(overviews=10)
_READ_PAGES_ALONE: Operator[Evidence, Answer] = ReasonedReader(overviews=0)
_READ_WITHOUT_LOOKING: Operator[Evidence, Answer] = ReasonedReader(overviews=10, pictures=0)


def _looking(
    nearest: Operator[Query, Evidence], retrieve: Operator[Query, Evidence], read: Operator[Evidence, Answer] = _READ
) -> Operator[Query, Answer]:
    """Return what goes over pictures and the nearest pages where pictures decide, else reads what is retrieved."""
    return OverPictures(nearest >> DirectReader(), retrieve >> read, figures=True)


MMRAG = System("mmrag", _RETRIEVE, _looking(_NEAREST, _RETRIEVE), rest=_REST, limit=_MOST, about=ABOUT)
MMRAG_ABLATIONS = (
    System("mmrag-no-visual", _RETRIEVE, _RETRIEVE >> _READ_WITHOUT_LOOKING, rest=_REST, limit=_MOST),
    System("mmrag-one-page", _ONE_PAGE, _looking(_PARENTS >> RankPages(SIMILARITY, most=1), _ONE_PAGE)),
    System("mmrag-no-summaries", _RETRIEVE, _looking(_NEAREST, _RETRIEVE, _READ_PAGES_ALONE), rest=_REST, limit=_MOST),
    System("mmrag-no-parent-pages", _NO_PAGES, _looking(_NO_PAGES, _NO_PAGES)),
    System("mmrag-no-judge", _SIMILAR, _looking(_NEAREST, _SIMILAR), rest=RANKED, limit=_MOST),
    System("mmrag-fixed-pages", _FIXED, _looking(_NEAREST, _FIXED)),
    System(
        "mmrag-late-interaction",
        _LATE,
        _looking(_LATE_PARENTS >> RankPages(SIMILARITY), _LATE),
        rest=_LATE_REST,
        limit=_MOST,
    ),
)
