"""The table of speeds in README.md and the script that makes it again say the same."""

import pytest

from speed_table import README, ROWS, written


@pytest.mark.parametrize("name", ROWS)
def test_each_row_stands_once_in_the_readme(name: str) -> None:
    row = ROWS[name]
    line = row.line("7 s")
    assert line in written(README.read_text(encoding="utf-8"), row, line)


def test_a_row_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemExit, match="0 rows with the command"):
        written("| what | figure | command |\n", ROWS["embed"], "| x |")


def test_figures_are_told_from_what_the_benchmarks_print() -> None:
    asked = {"all documents": {"first stage": {"p50_ms": 44.7, "p95_ms": 60}, "search": {"p50_ms": 225.6}}}
    assert ROWS["question"].told(asked) == "45 ms / 226 ms"
    assert ROWS["start"].told({"octavo --help": {"wall median": 0.151}, "octavo ask": {"wall median": 1.06}}) == (
        "0.15 s / 1.1 s"
    )
    groups = [{"pages": 100, "seconds": 2.0}, {"pages": 9, "seconds": 3.0, "recognized": 10, "recognition": 3.3}]
    assert ROWS["parse"].told({"groups": groups}) == "50 pages/s"
    assert ROWS["scans"].told({"groups": groups}) == "0.33 s/page"
