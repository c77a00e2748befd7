"""The agent that searches for itself with three tools (LAD-RAG section 2.2), shared by all that let a model look.

`investigate` looks from the question on, or for what a reading found missing, and keeps a notebook of it. `tools` says
what a tool is and how blocks are shown, and has the search by meaning; the others are `symbolic_search` and
`contextualize`.
"""
