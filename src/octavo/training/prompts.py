"""What a router reads and what it is to say, as it is trained and as it is asked.

Owns that both are the same text. Knows nothing about tokens.
"""

from __future__ import annotations

from octavo.decisions.engine.model_call import request_of
from octavo.decisions.route_document import ROUTE_DOCUMENT, Routing, to_tags
from octavo.models.language import Request
from octavo.training.example import Example


def request_for(routing: Routing, context_tokens: int) -> tuple[Request, bool]:
    """Return the request a model of so much context gets, and whether all of the document fits into it.

    Raises ModelFault where the context is too small for the decision.
    """
    request, left_out = request_of(ROUTE_DOCUMENT, routing, context_tokens)
    return request, not left_out


def reply_of(example: Example) -> str:
    """Return the reply that is right: tags, an action a line."""
    return to_tags(example.actions, example.routing.lines)
