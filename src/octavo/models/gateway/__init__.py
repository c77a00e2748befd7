"""The one way to language and vision models: budgets, prices, retries, and the journal of paid replies."""

from octavo.models.gateway.attempts import Cancelled, Limits, Redactor
from octavo.models.gateway.budget import Budget, Caps, Reservation, Spend
from octavo.models.gateway.costs import PICTURE_TOKENS, Price, Prices, input_tokens
from octavo.models.gateway.gateway import Gateway, Settled
from octavo.models.gateway.journal import Entry, Journal, MemoryJournal, UsageRow

__all__ = [
    "PICTURE_TOKENS",
    "Budget",
    "Cancelled",
    "Caps",
    "Entry",
    "Gateway",
    "Journal",
    "Limits",
    "MemoryJournal",
    "Price",
    "Prices",
    "Redactor",
    "Reservation",
    "Settled",
    "Spend",
    "UsageRow",
    "input_tokens",
]
