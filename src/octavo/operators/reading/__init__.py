"""Reading: how the extractive reader understands a question, finds candidates and chooses among them."""
