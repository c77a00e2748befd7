"""The retriever agent's loop over the document graph (LAD-RAG section 2.2, figure 12, section H.1)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from octavo.decisions.agent_tools import ToolName
from octavo.decisions.investigate import ToolCall
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query, TraceStep
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE
from octavo.models.language import estimate_tokens
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Operator, Run
from octavo.operators.keep import LISTED, RELEVANCE
from octavo.operators.search_agent.tools import Called, Refused, Tool
from octavo_documents.document.columns import Rows
from octavo_methods.ladrag.decisions.retrieve_nodes import RETRIEVE_NODES, Retrieval, RetrievalTurn, room_for_history
from octavo_methods.ladrag.node_tools import node_lines, number, pictures_in_words, read_number

_FULL = 0.9
"""Share of the room for results at which the context is nearly full."""
_NAME = 60


@dataclasses.dataclass(frozen=True, eq=False)
class NodeEvidence(Evidence):
    """The blocks of nodes that were listed, and these nodes in the order they were: several may stand at one block."""

    nodes: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class RetrieveNodes(Operator[Query, Evidence]):
    """Let an agent plan and call one tool a turn until it lists its nodes; the evidence is what it lists, in its order.

    The conversation ends when the agent is done, after `rounds` turns (20 in section H.1), or when the results nearly
    fill the model's context; where it ends before the agent is done, all that was found is the evidence. The evidence
    has the listed nodes, and their blocks with `listed` of 1 and `relevance` falling from the first node to the last.
    """

    declares: ClassVar[Columns] = Columns(writes={LISTED, RELEVANCE}, keeps=NEW)

    tools: tuple[Tool, ...]
    rounds: int = 20

    def __post_init__(self) -> None:
        if not self.tools or self.rounds < 1:
            raise UsageError("RetrieveNodes takes one tool or more, and at least one round")

    def needs(self) -> frozenset[str]:
        """Return the document graph, and what any of the tools needs."""
        return frozenset({"document_graph"}).union(*(tool.needs() for tool in self.tools))

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return the evidence; in the trace the calls and turns are steps inside this one."""
        timer, talk = using.timer(), _Conversation(self.tools, using)
        ended, turns = "rounds", 0
        while turns < self.rounds:
            if talk.is_full():
                ended = "context"
                break
            turn = talk.turn(value.question, self.rounds - turns)
            turns += 1
            if turn.call is None:
                talk.list(turn.nodes)
                ended = "done"
                break
            talk.carry_out(turn.call)
        nodes = talk.listed if ended == "done" else talk.found
        evidence = _evidence(nodes, value.limit, using)
        told = {"turns": turns, "ended": ended, "nodes": len(nodes)}
        using.note(timer.step("RetrieveNodes", told, (len(using.view), len(evidence)), talk.steps))
        return evidence


class _Conversation:
    """What was said between the agent and its tools."""

    def __init__(self, tools: Sequence[Tool], using: Run) -> None:
        self.steps: list[TraceStep] = []
        self.listed: list[int] = []
        self._tools: dict[ToolName, Tool] = {tool.name: tool for tool in tools}
        self._using = using
        self._history: list[str] = []
        self._made: list[ToolCall] = []
        self._results: list[Rows] = []

    @property
    def found(self) -> list[int]:
        """The nodes of all results, in the order they were found."""
        return list(dict.fromkeys(node for nodes in self._results for node in nodes.tolist()))

    def is_full(self) -> bool:
        """Whether the results nearly fill the context of the model; never without one."""
        model = self._using.judge.model_for(RETRIEVE_NODES.name, RETRIEVE_NODES.role)
        if model is None:
            return False
        return sum(map(estimate_tokens, self._history)) > _FULL * room_for_history(model.context_tokens)

    def turn(self, question: str, left: int) -> RetrievalTurn:
        """Return what the agent does next, by a model or by rule."""
        first = next((nodes for nodes in self._results if len(nodes)), np.zeros(0, np.int64))
        asked = Retrieval(
            question=question,
            tools=tuple(self._tools),
            history=tuple(self._history),
            made=tuple(self._made),
            best="".join(map(number, first[:1].tolist())),
            document=self._document(),
            turns_left=left,
        )
        timer = self._using.timer()
        turn = self._using.judge.decide(RETRIEVE_NODES, asked).output
        self.steps += timer.decisions()
        if turn.plan.strip():
            self._history.append(f"You: {turn.plan.strip()}")
        return turn

    def _document(self) -> str:
        documents = self._using.view.documents
        return "; ".join(
            f"{(one.metadata.title.strip() or one.name)[:_NAME]}, {len(one.pages)} pages" for one in documents
        )

    def carry_out(self, call: ToolCall) -> None:
        """Make a call; what it found, or why it is refused, is the next thing the agent reads."""
        started = self._using.clock()
        said = json.dumps(call.model_dump(exclude_defaults=True, exclude={"tool"}), ensure_ascii=False)
        self._made.append(call)
        try:
            nodes, unknown = self._nodes(call.ids)
            called = self._tools[call.tool].call(call, np.array(sorted(nodes), np.int64), self._using)
            found = called.result.tolist()
            said_of_all = [called.note, pictures_in_words(self._using.view, found)]
            said_of_all += [f"not known: {', '.join(unknown)}"] if unknown else []
            told = "; ".join(filter(None, said_of_all))
            lines = node_lines(self._using.view, found) or ["(nothing)"]
        except Refused as wrong:
            called, told, lines = None, f"refused: {wrong}", []
        self._results.append(np.zeros(0, np.int64) if called is None else called.result)
        self._history.append("\n".join([f"[r{len(self._results)}] {call.tool} {said}: {told}", *lines]))
        self._trace(call, called, told, started)

    def _trace(self, call: ToolCall, called: Called | None, told: str, started: float) -> None:
        asked = {"asked": call.query or list(call.ids)} | ({"refused": told} if called is None else {})
        found = 0 if called is None else len(called.result)
        seconds = round(self._using.clock() - started, 6)
        self.steps.append(TraceStep(call.tool, asked, len(self._using.view), found, seconds))

    def list(self, ids: Iterable[str]) -> None:
        """Take the agent's list; what was not shown is dropped and told in the trace."""
        self.listed, unknown = self._nodes(ids)
        if unknown:
            self.steps.append(TraceStep("unknown_nodes", {"dropped": unknown[:10]}, len(unknown), 0, 0.0))

    def _nodes(self, ids: Iterable[str]) -> tuple[list[int], list[str]]:
        """Return the nodes that ids name, each once and in their order, and the ids of nothing that was shown."""
        known, nodes, unknown = {*self.found}, dict[int, None](), list[str]()
        for text in ids:
            read = read_number(text)
            if read and read[0] == "r" and 1 <= read[1] <= len(self._results):
                nodes |= dict.fromkeys(self._results[read[1] - 1].tolist())
            elif read and read[0] == "n" and read[1] in known:
                nodes[read[1]] = None
            else:
                unknown.append(text[:20])
        return list(nodes), unknown


def _evidence(nodes: Sequence[int], limit: int, using: Run) -> NodeEvidence:
    """Return the nodes on the first `limit` pages that they stand on, and their blocks, ranked as the nodes are."""
    view, graph = using.view, using.view.layer(DOCUMENT_GRAPH_TABLE)
    ranks: dict[int, float] = {}
    for at, node in enumerate(nodes):
        for row in graph.blocks_of(node).tolist():
            ranks.setdefault(row, 1.0 / (1 + at))
    pages = list(dict.fromkeys(int(view.page_index[row]) for row in ranks))[: max(limit, 0)]
    kept = {row: rank for row, rank in ranks.items() if int(view.page_index[row]) in {*pages}}
    scores = {RELEVANCE: list(kept.values()), LISTED: np.ones(len(kept))}
    found = Evidence.of(view, kept, source=LISTED, **scores)
    listed = tuple(node for node in nodes if int(graph.nodes.row[node]) in kept)
    return NodeEvidence(view, found.rows, found.scores, found.sources, listed)
