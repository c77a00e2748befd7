"""DMAP: retrieval over a document map in three paths, two agents and reflection (Fu et al., WWW 2026).

R = R(s) | R(t) | R(v) (equation 9): places located over the map of sections, pages and elements (equation 6), pages by
text (equation 7, in the place of whose similarity stand the scores that `hybrid` ranks) and pages by sight (equation
8). The agents read and look (equation 11); an incomplete answer is asked for again from wider evidence (equation 12).
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import RankPages
from octavo.operators.score.refer import Refer
from octavo.operators.score.search import VisualSearch
from octavo.systems import System
from octavo.systems.baselines import BY_SCORE, RANKED, SCORED
from octavo_methods.dmap import ABOUT
from octavo_methods.dmap.document_map import InterleaveRankings
from octavo_methods.dmap.locate import Locate
from octavo_methods.dmap.reflect import Agents, Reflect, Widen

_MOST = 16
"""Pages at most that are read."""
_MEASURED = 20
"""Pages of a ranking that are looked at when systems are measured."""

_STRUCTURE: Operator[Evidence, Evidence] = Locate(pages=_MOST)
_TEXT: Operator[Evidence, Evidence] = RankPages("fused", most=4)
_SIGHT: Operator[Evidence, Evidence] = VisualSearch(4)
_READ: Operator[Evidence, Answer] = Agents()
_ANSWER: Operator[Evidence, Answer] = Reflect(_READ, Widen(), rounds=2)
_UNSEEN: Operator[Evidence, Answer] = Reflect(Agents(pictures=0), Widen(), rounds=2)

_RETRIEVE: Operator[Query, Evidence] = SCORED >> (_STRUCTURE | _TEXT | _SIGHT) >> InterleaveRankings()
_NO_TEXT: Operator[Query, Evidence] = Refer() >> (_STRUCTURE | _SIGHT) >> InterleaveRankings()
_NO_IMAGE: Operator[Query, Evidence] = SCORED >> (_STRUCTURE | _TEXT) >> InterleaveRankings()
_NO_STRUCTURE: Operator[Query, Evidence] = SCORED >> (_TEXT | _SIGHT) >> InterleaveRankings()

# What the paths leave out, in their own order.
_LOCATED: Operator[Evidence, Evidence] = Locate(pages=_MEASURED, least=0.0)
_REST: Operator[Query, Evidence] = SCORED >> (_LOCATED | BY_SCORE) >> InterleaveRankings()
_REST_BY_PLACE: Operator[Query, Evidence] = Refer() >> _LOCATED >> InterleaveRankings()

DMAP = System("dmap", _RETRIEVE, _RETRIEVE >> _ANSWER, rest=_REST, limit=_MOST, about=ABOUT)
DMAP_ABLATIONS = (
    System("dmap-no-text", _NO_TEXT, _NO_TEXT >> _ANSWER, rest=_REST_BY_PLACE, limit=_MOST),
    System("dmap-no-image", _NO_IMAGE, _NO_IMAGE >> _UNSEEN, rest=_REST, limit=_MOST),
    System("dmap-no-structure", _NO_STRUCTURE, _NO_STRUCTURE >> _ANSWER, rest=RANKED, limit=_MOST),
    System("dmap-no-reflection", _RETRIEVE, _RETRIEVE >> _READ, rest=_REST, limit=_MOST),
)
"""The paths of Table 3, each left out, that of pictures with all pictures; and the answer without reflection."""
