"""BookRAG's documents and scripted models: slides of which some show a chart, and a run in which a model replies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from indexed import run_over
from octavo.decisions.engine.judge import Judge
from octavo.models.gateway import Budget, Caps
from octavo.models.language import ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Place, Run
from octavo_documents.document import Document, Kind
from synthetic import Row, document


def slides() -> Document:
    """Return fifteen slides with a chart on seven of them, five on the first ten (Figure 8)."""
    charts = {3, 5, 6, 8, 9, 12, 15}
    rows: list[Row] = []
    for page in range(1, 16):
        rows.append((Kind.HEADING, f"Slide {page}", page, 1))
        rows.append((Kind.PARAGRAPH, f"Words on page {page}.", page, 0))
        if page in charts:
            rows.append((Kind.CHART, f"passengers {page}", page, 0))
    return document(rows, name="slides.pdf")


def draw(_document: str, places: Sequence[Place]) -> list[Raster | None]:
    return [np.full((4, 4, 3), 255, np.uint8) for _ in places]


def scripted(
    source: Document,
    replies: Mapping[str, object],
    *,
    sees: bool = False,
    caps: Caps | None = None,
    context: int = 100_000,
) -> tuple[Run, ScriptedModel]:
    """Return a run whose model says what is given for each decision."""

    def say(request: Request) -> str | ModelFault:
        reply = replies[request.decision]
        said = reply(request) if callable(reply) else reply
        return said if isinstance(said, (str, ModelFault)) else json.dumps(said)

    model = ScriptedModel(say, sees=sees, context_tokens=context)
    run = run_over(source)
    run.judge, run.pictures = Judge({"language": model}, budget=Budget(caps)), draw
    return run, model


def reading(words: str, answer: str) -> Callable[[Request], dict[str, object]]:
    """Return an answer that quotes the passage with some words."""

    def say(request: Request) -> dict[str, object]:
        passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", request.turns[0].text, re.DOTALL)
        number = next(int(number) for number, text in passages if words in text)
        return {"evidence": [{"id": number, "quote": words}], "answerable": True, "answer": answer}

    return say
