"""`octavo serve` on the command line: what it refuses before anything is served."""

from __future__ import annotations

from cli_corpus import octavo


def test_files_are_refused_with_what_to_do_instead() -> None:
    told = octavo("serve", "docs", "two words.pdf")
    assert told.status == 2 and told.err.count("\n") == 1
    assert "octavo add docs 'two words.pdf', then: octavo serve" in told.err
    usage = octavo("serve", "--help").out
    assert "Usage: octavo serve [OPTIONS]\n" in usage and "Arguments" not in usage and "\n  FILE" not in usage
