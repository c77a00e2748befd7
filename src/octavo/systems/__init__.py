"""Named expressions over operators, one file per paper."""
