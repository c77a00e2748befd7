"""How results look on a terminal. Each module draws one kind of result and knows nothing about how it was found."""
