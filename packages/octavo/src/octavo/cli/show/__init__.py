"""How results look on a terminal: each module draws one kind of result."""
