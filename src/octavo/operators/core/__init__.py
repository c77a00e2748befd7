"""What an operator is (`base`), what a run of operators has (`run`), how operators compose, and plans read back.

`combinators` holds what has a name beside `>>` and `|`: `FirstFound`, `ForEach`, `ByReach`. `ForEach` gives every part
of a question a branch of the run, with decisions and a trace of its own, under the same budget. `plan_parser` reads a
printed expression from a whitelist of operators and their fields.
"""
