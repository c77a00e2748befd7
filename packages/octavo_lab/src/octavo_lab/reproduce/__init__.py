"""Making the result tables of the five papers again.

`papers/` holds what the papers print, as data: rows, columns, figures, and the system and metric that stand for each.
`presets` reads it, `data_sets` knows the published benchmarks and checks what is there of them, `running` has
`octavo evaluate`'s runner measure a preset, `estimate` says beforehand what that takes, `figures` puts what was
measured beside what is printed, and `report` writes it down.
"""
