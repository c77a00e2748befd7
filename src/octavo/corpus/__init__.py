"""An index at a path: add, remove, list, search, ask."""
