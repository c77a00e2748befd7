"""What an operator is and how operators compose (`base`), what a run of them has (`run`), and plans read back.

`ForEach` gives every part of a question a branch of the run, with decisions and a trace of its own, under the same
budget. `plan_parser` reads a printed expression from a whitelist of operators and their fields.
"""
