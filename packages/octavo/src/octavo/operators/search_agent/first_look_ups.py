"""What a model finds looked up before its first turn, beside what the words of a question cue by rule."""

from __future__ import annotations

import time
from typing import Protocol

from octavo.decisions.investigate import ToolCall
from octavo.evidence import View
from octavo.operators.search_agent.symbolic_query import InvalidQuery, parse
from octavo.operators.search_agent.symbolic_search import SECONDS, deadline, matching
from octavo.question import understand

_MOST_NAMES, _NAMED_LINES, _SHORTEST_NAME = 6, 8, 3
_FEW_BLOCKS, _RARE = 3, 0.05
"""A name tells where to look when so many blocks, or this share of all, have it."""
_PICTURES = ("figure", "chart")


class LooksUp(Protocol):
    """What carries out calls before the first turn."""

    def look_up(self, call: ToolCall) -> None:
        """Make a call, where its tool is there and it was not made."""
        ...


def look_up_pictures(text: str, notebook: LooksUp) -> None:
    """Look up all pictures of the kinds that a question speaks of, unless it names one or goes through all anyway.

    What a photo shows may stand in no word of the document.
    """
    asked = understand(text)
    kinds = [kind for kind in asked.kinds_meant if kind in _PICTURES]
    if kinds and not asked.names_one_place and not asked.kinds_gone_through:
        notebook.look_up(ToolCall(tool="symbolic_graph_query", query={"kinds": kinds, "group_by": "page"}))


def look_up_names(text: str, notebook: LooksUp, view: View) -> None:
    """Look up, word for word, the names and numbers that a text has, those that few blocks of the documents have.

    Of a name that stands nowhere as a whole its words are looked up.
    """
    asked = understand(text)
    found = [number for number in asked.numbers if _blocks_with(view, number)]
    for name in asked.named:
        tried = [name] if _blocks_with(view, name) else [word for word in name.split() if word[:1].isupper()]
        found += [one for one in tried if len(one) >= _SHORTEST_NAME and 0 < _blocks_with(view, one) <= _few(view)]
    if found:
        query = {"contains": list(dict.fromkeys(found))[:_MOST_NAMES], "limit": _NAMED_LINES}
        notebook.look_up(ToolCall(tool="symbolic_graph_query", query=query))


def _blocks_with(view: View, words: str) -> int:
    """Return how many blocks have some words; as many as there are where that takes too long to tell."""
    try:
        return int(matching(view, parse({"contains": [words]}), deadline(SECONDS, time.perf_counter)).sum())
    except InvalidQuery:
        return len(view)


def _few(view: View) -> int:
    return max(_FEW_BLOCKS, int(_RARE * len(view)))
