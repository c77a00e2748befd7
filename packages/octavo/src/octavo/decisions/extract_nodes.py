"""What stands on a page, element by element, as whoever sees its picture tells it (LAD-RAG section 2.1, figure 9).

A node is told where it stands, what it is, what it displays, what it says when it is read alone, and how it looks. The
rule makes a node of each block that parsing found.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Literal

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine import Decision, Filled, Template, inert
from octavo.models.language import Picture
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line

NodeKind = Literal[
    "title",
    "heading",
    "paragraph",
    "list_item",
    "table",
    "figure",
    "chart",
    "formula",
    "caption",
    "footnote",
    "code",
    "page_header",
    "page_footer",
]
_OTHER_NAMES: tuple[tuple[str, NodeKind], ...] = (
    (r"page.?(?:number|footer)|^footer|watermark", "page_footer"),
    (r"^header|page.?header|running", "page_header"),
    (r"head|section|subtitle", "heading"),
    (r"title", "title"),
    (r"caption", "caption"),
    (r"chart|graph|plot", "chart"),
    (r"figure|image|photo|picture|map|diagram|logo|icon|illustration|screenshot", "figure"),
    (r"table", "table"),
    (r"foot.?note|end.?note", "footnote"),
    (r"list|bullet", "list_item"),
    (r"equation|formula", "formula"),
    (r"code|algorithm", "code"),
)
"""Other words that models use for kinds, the first that is found; everything else is a paragraph."""
_MOST_NODES = 1000
"""More than a reply has room for."""
_MOST_BLOCKS = 200
_LONGEST_SUMMARY, _LONGEST_TITLE = 1200, 120
_SENTENCE = 400
"""Characters of the sentence that a rule takes for what a text says."""
REPLY_TOKENS = 8192
"""The longest reply of each step of reading a page (section H.1)."""


@dataclasses.dataclass(frozen=True, slots=True)
class SeenBlock:
    """A block that parsing found on the page: its row, kind, words with its captions, section, place and look."""

    row: int
    kind: str
    text: str
    caption: str = ""
    path: tuple[str, ...] = ()
    position: str = "center"
    look: str = ""
    level: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class PagePicture:
    """A page (1-based) of so many, and its picture; `blocks` are what the rule goes by, the model sees the picture."""

    page: int
    pages: int
    document: str = ""
    blocks: tuple[SeenBlock, ...] = ()
    picture: Picture | None = None


class SeenNode(BaseModel):
    """An element of a page, with the five things that section 2.1 asks for, a heading and what it stands beside."""

    kind: NodeKind
    title: str = ""
    position: str = "center"
    layout: str = ""
    content: str = ""
    summary: str = ""
    look: str = ""

    @field_validator("kind", mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        """Take "Section header" for a heading and "photo" for a figure; what has no such name is a paragraph."""
        plain = re.sub(r"[\s-]+", "_", str(value or "").strip().lower())
        if plain in NodeKind.__args__:
            return plain
        return next((kind for words, kind in _OTHER_NAMES if re.search(words, plain)), "paragraph")

    @field_validator("position", mode="before")
    @classmethod
    def _field(cls, value: object) -> str:
        """Take "upper left corner" for "top-left" and "right margin" for "right"."""
        return position_named(value if isinstance(value, str) else "")

    @field_validator("title", "layout", "content", "summary", "look", mode="before")
    @classmethod
    def _words(cls, value: Any) -> str:
        """Take null for nothing, and a list or object for its values."""
        if isinstance(value, dict):
            return ", ".join(f"{name}: {one}" for name, one in value.items() if one)  # pyright: ignore[reportUnknownVariableType]
        if isinstance(value, list):
            return "; ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType]
        return str(value or "").strip()


class PageNodes(BaseModel):
    """The elements of a page in reading order."""

    nodes: list[SeenNode] = Field(default_factory=list[SeenNode], max_length=_MOST_NODES)


def position_named(words: str) -> str:
    """Return the field of three by three that words mean: "center" where they say nothing."""
    plain = words.lower()
    down = (
        "top" if re.search(r"top|upper|header", plain) else "bottom" if re.search(r"bottom|lower|foot", plain) else ""
    )
    across = "left" if "left" in plain else "right" if "right" in plain else ""
    return "-".join(part for part in (down, across) if part) or "center"


def _render(value: PagePicture, room: int) -> Filled:
    """Show the picture, and which page it is."""
    return Filled(
        {"document": inert(value.document[:200]) or "(not known)", "page": str(value.page), "pages": str(value.pages)},
        pictures=(value.picture,) if value.picture else (),
    )


def _check(value: PagePicture, output: PageNodes) -> PageNodes:
    """Drop nodes that say nothing; content and summary stand for each other where one is missing."""
    nodes = [
        node.model_copy(
            update={
                "content": node.content or node.summary,
                "summary": (node.summary or _said(node.content))[:_LONGEST_SUMMARY],
                "title": node.title[:_LONGEST_TITLE],
            }
        )
        for node in output.nodes
        if node.content or node.summary
    ]
    if output.nodes and not nodes:
        raise ValueError("nodes: give each its content and its summary")
    return PageNodes(nodes=nodes)


def _rule(value: PagePicture) -> PageNodes:
    """Make a node of each block; its summary is where it stands, its caption, and the first sentence of its words."""
    return PageNodes(nodes=[_node(block) for block in value.blocks[:_MOST_BLOCKS]])


def _node(block: SeenBlock) -> SeenNode:
    said = " ".join(part for part in (block.caption, _said(block.text)) if part) or block.kind.replace("_", " ")
    where = " > ".join(title for title in block.path if title != block.text)
    title = block.caption or (block.text if block.kind in ("title", "heading") else "")
    return SeenNode.model_validate(
        {
            "kind": block.kind,
            "title": on_one_line(title)[:_LONGEST_TITLE],
            "position": block.position,
            "layout": f"in {block.path[-1]}" if block.path else "",
            "content": "\n".join(part for part in (block.caption, block.text) if part) or said,
            "summary": (f"{where}: {said}" if where else said)[:_LONGEST_SUMMARY],
            "look": block.look,
        }
    )


def _said(text: str) -> str:
    """Return the first sentence of a text, in one line."""
    plain = on_one_line(text[: 4 * _SENTENCE])
    spans = sentence_spans(plain)
    return plain[: spans[0][1] if spans else 0].strip()[:_SENTENCE] or plain[:_SENTENCE]


EXTRACT_NODES: Decision[PagePicture, PageNodes] = Decision(
    name="extract_nodes",
    version="1",
    template=Template.beside(__file__),
    output=PageNodes,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=REPLY_TOKENS,
)
