"""What one block of a document says or shows for a question about many: Map, block by block (BookRAG section 5.3).

A figure, chart or table is shown as a picture where a model sees; else its words and caption are read. The rule goes by
the kind of the block and by the words it shares with the question.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.models.language import Picture
from octavo.question import understand
from octavo_documents.text.analyzer import analyze, coverages
from octavo_documents.text.lines import on_one_line

_ENOUGH = 0.5
"""A block is about a topic with this share of its words by weight."""
_LONGEST = 400
"""Characters of a block that the rule says it with."""


@dataclasses.dataclass(frozen=True, slots=True)
class BlockInput:
    """A question and one block: its kind ("table"), its words with caption, the titles above it, page and picture."""

    question: str
    kind: str
    text: str
    section: str = ""
    page: int = 0
    picture: Picture | None = None


class BlockAnalysis(BaseModel):
    """Whether a block has to do with the question, and what it says or shows of it."""

    model_config = ConfigDict(json_schema_extra={"required": ["relevant", "finding"]})

    relevant: bool
    finding: str = ""


def _render(value: BlockInput, room: int) -> Filled:
    (question, section, text), cut = share([value.question, value.section, value.text], room)
    filled = {
        "question": inert(question),
        "kind": value.kind,
        "page": str(value.page or "not known"),
        "section": inert(section) or "(none)",
        "text": inert(text) or "(no words)",
    }
    return Filled(filled, pictures=(value.picture,) if value.picture else (), left_out=cut)


def _rule(value: BlockInput) -> BlockAnalysis:
    """Take a block of a kind that the question goes through, or any where it names none, if it is about its topic."""
    question = understand(value.question)
    kinds = question.kinds_gone_through
    is_of_kind = not kinds or value.kind in kinds
    wanted = tuple(dict.fromkeys(analyze(question.topic))) if question.topic else ()
    (covered,) = coverages(wanted, [f"{value.section}\n{value.text}"]) if wanted else (1.0,)
    finding = on_one_line(value.text)[:_LONGEST] or f"{value.kind} on page {value.page}"
    is_relevant = is_of_kind and covered >= _ENOUGH
    return BlockAnalysis(relevant=is_relevant, finding=finding if is_relevant else "")


def _check(_value: BlockInput, output: BlockAnalysis) -> BlockAnalysis:
    """Raise ValueError for a block that has to do with the question and of which nothing is said."""
    if output.relevant and not output.finding.strip():
        raise ValueError('"relevant" is true but "finding" is empty.')
    return output.model_copy(update={"finding": output.finding.strip() if output.relevant else ""})


ANALYZE_BLOCK: Decision[BlockInput, BlockAnalysis] = Decision(
    name="analyze_block",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=BlockAnalysis,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=240,
)
