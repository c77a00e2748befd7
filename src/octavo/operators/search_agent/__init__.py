"""The agent that searches for itself with three tools (LAD-RAG section 2.2), shared by all that let a model look.

`investigate` looks from the question on; `search_further` looks for what a reading found missing.
"""
