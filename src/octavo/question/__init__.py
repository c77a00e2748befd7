"""What the words of a question say: `understand` reads them once, and everything above goes by what it returns.

No other floor matches a pattern on a question.
"""

from octavo.question.expects import VALUE_KINDS, Expects
from octavo.question.follow_up import Completed, complete
from octavo.question.follow_up.turn import PastTurn
from octavo.question.items import About
from octavo.question.references import Reference
from octavo.question.understand import Question, understand

__all__ = [
    "VALUE_KINDS",
    "About",
    "Completed",
    "Expects",
    "PastTurn",
    "Question",
    "Reference",
    "complete",
    "understand",
]
