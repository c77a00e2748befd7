"""The metrics, one module each; `table` registers them.

A module scores one answer, `score(answer, prediction, answer_format)`, or one ranking. The table says which value a
report shows under which name.
"""
