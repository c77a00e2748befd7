"""A tool call over MCP is a span, the question that it asks within it, as OpenTelemetry's SDK records them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import octavo

pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")

PROGRAM = """
import json, sys
import anyio
from mcp import Client
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)

import octavo
from octavo_server.library import Library
from octavo_server.mcp.server import server_of
from octavo_server.mcp.tool import ToolContext
from octavo_server.pools import Pool

async def work(corpus):
    runner = Pool("questions", running=1, waiting=1).run_with_slot if sys.argv[2] == "pool" else None
    async with Client(server_of(ToolContext(Library(corpus)), runner=runner)) as client:
        await client.call_tool("search", {"query": "When was the pier built?"})
        await client.call_tool("read", {"document": "nowhere.pdf"})

with octavo.open(sys.argv[1]) as corpus:
    anyio.run(work, corpus)
spans = exporter.get_finished_spans()
names = {span.context.span_id: span.name for span in spans}
print(json.dumps([[span.name, names.get(span.parent.span_id, "") if span.parent else "", dict(span.attributes)]
                  for span in spans]))
"""


@pytest.mark.parametrize("runner", ["pool", "threads"])
def test_a_tool_call_holds_the_question_and_its_steps(tmp_path: Path, runner: str) -> None:
    (tmp_path / "pier.md").write_text("# Piers\n\nThe east pier was built in 1987.\n")
    with octavo.open(tmp_path / "library") as corpus:
        corpus.add(tmp_path / "pier.md")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "library"), runner]
    spans = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    told = {name: attributes for name, _, attributes in spans}
    within = {name: parent for name, parent, _ in spans}
    assert told["tools/call search"]["gen_ai.operation.name"] == "execute_tool"
    assert told["tools/call search"]["gen_ai.tool.name"] == "search"
    assert told["tools/call read"]["error.type"] == "tool_error"
    (question,) = [name for name in within if name.startswith(("retrieval ", "invoke_workflow "))]
    assert within[question].startswith(("tools/call search", "MCP send tools/call search"))
    assert {parent for name, parent in within.items() if name.startswith("step ")} <= {question} | {*within}
    assert any(parent == question for parent in within.values())
    assert "pier" not in json.dumps([attributes for name, _, attributes in spans])
