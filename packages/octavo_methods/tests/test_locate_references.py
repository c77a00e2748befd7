"""References of a question that a model reads: the grammar's stand, and a model adds what is in the question."""

from __future__ import annotations

from octavo.decisions.engine.judge import Judge
from octavo.models.scripted import ScriptedModel
from octavo.question import understand
from octavo_methods.dmap.decisions.locate_references import LOCATE_REFERENCES, Located, LocateInput


def test_what_the_grammar_reads_stands_whatever_a_model_says() -> None:
    reply = (
        '{"references": [{"words": "page 9", "what": "page", "number": "9"},'
        ' {"words": "page that comes after none", "what": "page", "number": "7", "position": 1, "count": 0},'
        ' {"words": "page that comes", "what": "figure", "position": 1},'
        ' {"words": "page that", "what": "page", "title": "Results"}]}'
    )
    value = LocateInput("Compare page 5 with the page that comes after none.")
    output = Judge({"language": ScriptedModel([reply])}).decide(LOCATE_REFERENCES, value).output
    assert [(one.what, one.number, one.position) for one in output.references] == [("page", "5", 0), ("page", "", 1)]


def test_references_pass_through_json_unchanged() -> None:
    found = Located(references=list(understand("page 5 of the appendix and Fig. 2(b)").references))
    again = Located.model_validate_json(found.model_dump_json())
    assert again.references == found.references
