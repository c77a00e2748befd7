"""Compositions that are wrong: a type checker must refuse every line that says so, and accept all others.

An ignore that ignores nothing is an error (`reportUnnecessaryTypeIgnoreComment`), so a line that became acceptable
fails the check as a right one that became refused does.
"""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true, reportUnusedExpression=false

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import ByReach, FirstFound, ForEach, Operator
from octavo.operators.keep import RankPages
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.search import Search

retrieve: Operator[Query, Evidence] = (Search("bm25") | Search("dense")) >> RankPages("bm25")
answer: Operator[Query, Answer] = retrieve >> DirectReader()
several: Operator[tuple[Query, ...], tuple[Answer, ...]] = ForEach(answer)
chosen: Operator[Query, Answer] = ByReach(answer, answer, answer)
first: Operator[Query, Evidence] = FirstFound((Search("bm25"), retrieve))

# A reader answers from evidence, not from a question; nothing searches an answer.
Search("bm25") >> Search("dense")  # pyright: ignore[reportOperatorIssue]
answer >> RankPages("bm25")  # pyright: ignore[reportOperatorIssue]
# Answers cannot be united as evidence is, nor can steps that start from different things.
answer | answer  # pyright: ignore[reportOperatorIssue]
Search("bm25") | RankPages("bm25")  # pyright: ignore[reportOperatorIssue]
# One that retrieves is not one that answers.
wrong: Operator[Query, Answer] = retrieve  # pyright: ignore[reportAssignmentType]
ForEach(RankPages("bm25"))  # pyright: ignore[reportArgumentType]
FirstFound((answer,))  # pyright: ignore[reportArgumentType]
mixed: Operator[Query, Answer] = ByReach(answer, retrieve, answer)  # pyright: ignore[reportArgumentType]
