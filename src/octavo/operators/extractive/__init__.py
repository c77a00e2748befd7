"""The reader without a model: what a person is shown of the best pages, and short answers where they are sure.

`units` cuts pages into what can be matched and grows it into what can be read alone, `unit_scores` says which fits a
question best.
"""
