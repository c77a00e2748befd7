"""The reader without a model: what a person is shown of the best pages, and short answers where they are sure.

`units` cuts pages into sentences, table rows, list items and figures' words, and grows each into a passage that can be
read alone; `unit_scores` ranks them by six features, the last two a comparison word piece by word piece.
`short_answers` cuts values, cells and names from the best, and `matching` tells how much of the question stands near
them. `extractive_reader` says which leads and how likely it is right, and ends in one of three outcomes: an answer,
passages, or nothing. Questions over the rows of a table are queries: `whole_tables` puts a table's parts together,
`table_queries` carries queries out, and `table_answers` says what came of them. The weights come from
`benchmarks/units.py` and `benchmarks/short_answers.py`, which leave out the documents of each question they measure.
"""
