"""Answer a question with an integer, or say that it is not answerable (MMRAG-DocQA, equation 17).

Its rule is the extractive reader, which needs the view and so is handed in by the operator that asks.
"""

from __future__ import annotations

from octavo.evidence import AnswerFormat
from octavo_methods.mmrag.decisions.typed_reply import typed_decision

ANSWER_INTEGER = typed_decision("answer_integer", __file__, AnswerFormat.INT)
