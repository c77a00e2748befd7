"""RAPTOR's nodes as they are: a reader is shown the texts of leaves and summaries, not the blocks behind them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, ClassVar

from octavo.decisions.answer_from_evidence import Shown
from octavo.evidence import Evidence
from octavo.evidence.layer_tables import TOPOLOGY_TABLE
from octavo.operators.core import Run
from octavo.operators.read.as_said import shown_alone
from octavo.operators.read.packing import Packed
from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.operators.score.tree_search import best_nodes, node_cosines
from octavo.operators.sentence_forms import Sentence, read_by

if TYPE_CHECKING:
    from octavo.operators.read.material import Material


@dataclasses.dataclass(frozen=True)
class TreeNodesReader(VerbatimReader):
    """Answer with a model from the texts of the `nodes` of the tree nearest to the question, all levels together."""

    sentence: ClassVar[Sentence] = read_by

    pictures: int = 0
    nodes: int = 10

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs, and the tree."""
        return super().needs() | {"topology", "topology_vectors"}

    def material(self, value: Evidence, using: Run) -> Material:
        """Return what is shown: a passage for each node."""
        tree = using.view.layer(TOPOLOGY_TABLE)
        chosen: list[int] = best_nodes(tree, node_cosines(using.query, using), count=self.nodes).tolist()
        return shown_alone(
            value,
            [
                Packed(Shown(at, "", tree.nodes.text[node]), tuple(tree.blocks_of(node).tolist()), -float(at))
                for at, node in enumerate(chosen, 1)
            ],
        )
