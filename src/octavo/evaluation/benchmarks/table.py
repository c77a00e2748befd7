"""The table of benchmarks. Adding one is a module and a line here."""

from __future__ import annotations

from octavo.evaluation.benchmarks.asqa import ASQA
from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.collection import MULTIHOP
from octavo.evaluation.benchmarks.dude import DUDE
from octavo.evaluation.benchmarks.eli5 import ELI5
from octavo.evaluation.benchmarks.financebench import FINANCEBENCH
from octavo.evaluation.benchmarks.hotpotqa import HOTPOTQA
from octavo.evaluation.benchmarks.house import HOUSE, NATURAL
from octavo.evaluation.benchmarks.longdocurl import LONGDOCURL
from octavo.evaluation.benchmarks.m3docvqa import M3DOCVQA
from octavo.evaluation.benchmarks.mmlongbench import MMLONGBENCH, MMLONGBENCH_FIRST
from octavo.evaluation.benchmarks.mpdocvqa import MPDOCVQA
from octavo.evaluation.benchmarks.qampari import QAMPARI
from octavo.evaluation.benchmarks.qasper import QASPER
from octavo.evaluation.benchmarks.triviaqa import TRIVIAQA
from octavo.evaluation.benchmarks.uda import FETATAB, PAPERTAB, PAPERTEXT

BENCHMARKS: dict[str, Definition] = {
    definition.name: definition
    for definition in (
        MMLONGBENCH,
        MMLONGBENCH_FIRST,
        FINANCEBENCH,
        LONGDOCURL,
        DUDE,
        MPDOCVQA,
        M3DOCVQA,
        QASPER,
        PAPERTAB,
        PAPERTEXT,
        FETATAB,
        ASQA,
        QAMPARI,
        ELI5,
        HOTPOTQA,
        TRIVIAQA,
        MULTIHOP,
        NATURAL,
        HOUSE,
    )
}
