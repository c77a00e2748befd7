"""DMAP as its paper prints it (Fu et al., WWW 2026): its paths, numbers and order, and nothing of ours.

`R = R(s) | R(t) | R(v)` (equations 6 to 9, k = 4), a text agent and an image agent over all of R (equations 10 and 11),
and one reflection over the map (equation 12).
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.systems import System
from octavo_methods.dmap.elements import LOOK, TEXT
from octavo_methods.dmap.generate import AnswerByAgents, ReflectOverMap
from octavo_methods.dmap.paths import LocateOnMap, NearestElements, UnitePaths

PAPER = (
    ("parser", "PyMuPDF and pdffigures2"),
    ("late_interaction", "ColBERTv2"),
    ("image_text", "ColPali"),
    ("model", "GPT-4o"),
    ("vision", "GPT-4o"),
)
_MOST = 48
"""Pages at most: more than the located ones and those of both other paths come to."""

_MEASURED = 1000
"""Elements of a ranking that are looked at when systems are measured."""

_STRUCTURE: Operator[Query, Evidence] = LocateOnMap()
_BY_TEXT: Operator[Query, Evidence] = NearestElements(TEXT, 4)
_BY_LOOK: Operator[Query, Evidence] = NearestElements(LOOK, 4)
_REST: Operator[Query, Evidence] = NearestElements(TEXT, _MEASURED) >> UnitePaths()


def _plan(
    name: str, retrieve: Operator[Query, Evidence], answer: Operator[Evidence, Answer], *, looks: bool = True
) -> System:
    return System(name, retrieve, retrieve >> answer, rest=_REST, limit=_MOST, paper=PAPER, looks=looks)


_WHOLE: Operator[Query, Evidence] = (_STRUCTURE | _BY_TEXT | _BY_LOOK) >> UnitePaths()
_NO_DMAP: Operator[Query, Evidence] = (_BY_TEXT | _BY_LOOK) >> UnitePaths()
_NO_IMAGE: Operator[Query, Evidence] = (_STRUCTURE | _BY_TEXT) >> UnitePaths()
_NO_TEXT: Operator[Query, Evidence] = (_STRUCTURE | _BY_LOOK) >> UnitePaths()
_TOP_1: Operator[Query, Evidence] = (_STRUCTURE | NearestElements(TEXT, 1) | NearestElements(LOOK, 1)) >> UnitePaths()

DMAP_PAPER = _plan("dmap-paper", _WHOLE, ReflectOverMap())
DMAP_PAPER_ABLATIONS = (
    _plan("dmap-paper-no-dmap", _NO_DMAP, ReflectOverMap()),
    _plan("dmap-paper-no-image", _NO_IMAGE, ReflectOverMap(AnswerByAgents(pictures=0)), looks=False),
    _plan("dmap-paper-no-text", _NO_TEXT, ReflectOverMap(AnswerByAgents(reads=False))),
    _plan("dmap-paper-top-1", _TOP_1, ReflectOverMap()),
    _plan("dmap-paper-no-reflection", _WHOLE, AnswerByAgents()),
)
"""Table 3: without a path of retrieval, and without the agent that reads or looks; Table 2: one element a path; Table
4: the answer that is reflected on."""
