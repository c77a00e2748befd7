"""Topic shifts in a run of pages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_methods.dmap.document_map import topics_of


def vectors(topics: str) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """One axis for each letter; "." is a page without words."""
    axes = np.eye(26, dtype=np.float32)
    blank = np.zeros(26, np.float32)
    return np.array([blank if one == "." else axes[ord(one) - ord("a")] for one in topics], np.float32).reshape(-1, 26)


@pytest.mark.parametrize(
    ("topics", "expected"),
    [
        ("", []),
        ("a", [(0, 0)]),
        ("aaaa", [(0, 3)]),
        ("aaabbb", [(0, 2), (3, 5)]),
        ("aaabbbccc", [(0, 2), (3, 5), (6, 8)]),
        ("aaa.bbb", [(0, 2), (3, 6)]),
        ("...", [(0, 2)]),
    ],
)
def test_a_run_of_pages_is_cut_where_the_topic_changes(topics: str, expected: list[tuple[int, int]]) -> None:
    assert topics_of(vectors(topics)) == expected


@given(st.text(alphabet="abc.", max_size=30))
def test_topics_follow_each_other_without_gaps_and_have_two_pages_or_more(topics: str) -> None:
    found = topics_of(vectors(topics))
    assert [page for first, last in found for page in range(first, last + 1)] == list(range(len(topics)))
    assert all(last > first for first, last in found) or len(topics) < 4
