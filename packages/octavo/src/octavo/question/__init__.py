"""What the words of a question say: `understand` reads them once, and everything above goes by what it returns.

A `Question` works its fields out when they are first looked at: the type of its answer (`expects`), how far it reaches,
which kinds of things it goes through and how it speaks of the document (`kinds`), its parts (`parts`), what it points
at (`references`, a grammar), its names (`names`), the statements behind a measure (`text.statements`). Every word list
stands in `words` once. No other floor matches a pattern on a question.
"""

from octavo.question.calculation import Arithmetic, Calculation, calculation_of
from octavo.question.expects import VALUE_KINDS, Expects
from octavo.question.follow_up import Completed, PastTurn, complete
from octavo.question.gaps import Gap, Slot
from octavo.question.kinds import About
from octavo.question.mail_heads import MailHead, mail_head
from octavo.question.period_choices import PeriodChoice
from octavo.question.references import Reference
from octavo.question.understand import Question, understand

__all__ = [
    "VALUE_KINDS",
    "About",
    "Arithmetic",
    "Calculation",
    "Completed",
    "Expects",
    "Gap",
    "MailHead",
    "PastTurn",
    "PeriodChoice",
    "Question",
    "Reference",
    "Slot",
    "calculation_of",
    "complete",
    "mail_head",
    "understand",
]
