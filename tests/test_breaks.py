"""Line breaks inside words: hyphens that were printed and hyphens that were written."""

from __future__ import annotations

import pytest

from printed import line, page, rows, structured


def test_the_rest_of_a_broken_word_is_no_word_of_the_document() -> None:
    lines = [line("see acl.com for com-", 72, 80, width=200), line("monsense facts", 72, 92)]
    assert rows(structured(page(lines))) == ["see acl.com for commonsense facts"]


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("ten of us in all, nearly six-in-", "ten people", "ten of us in all, nearly six-in-ten people"),
        ("to the end an end-", "to-end model", "to the end an end-to-end model"),
        ("a state with state-", "sponsored banks", "a state with state-sponsored banks"),
        ("Tideware by TIDE-", "WARE Limited", "Tideware by TIDEWARE Limited"),
        ("some dif\u2011", "ferences remain", "some differences remain"),
        ("at https://a.org/best-", "practices/new", "at https://a.org/best-practices/new"),
        ("it can-", "not do so, yet it can and will not", "it cannot do so, yet it can and will not"),
        ("a cross-bureau agency and a cross-", "agency one", "a cross-bureau agency and a cross-agency one"),
        ("the task of DE-", "TECTIVE work", "the task of DETECTIVE work"),
        ("the GAAP and NON-", "GAAP figures, GAAP first", "the GAAP and NON-GAAP figures, GAAP first"),
        ("run demo/demo.", "jpg now", "run demo/demo.jpg now"),
        ("in the src/octavo/", "corpus folder", "in the src/octavo/corpus folder"),
        ("boats and/or ships.", "one more", "boats and/or ships. one more"),
        ("on pages 635–", "646 of it", "on pages 635–646 of it"),
    ],
)
def test_hyphens_at_line_ends_that_belong_to_the_text_are_kept(first: str, second: str, whole: str) -> None:
    assert rows(structured(page([line(first, 72, 80, width=200), line(second, 72, 92)]))) == [whole]
