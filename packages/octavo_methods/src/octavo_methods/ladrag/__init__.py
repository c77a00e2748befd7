"""LAD-RAG's retriever as its paper prints it (Sourati et al., 2025, section 2.2): the agent and its three tools.

They work on the layer `document_graph`. What LAD-RAG's own search shares with other systems is in
`octavo.operators.search_agent`.
"""

ABOUT = "Looks step by step, as a reader does: searches, opens sections, follows references."
"""What the system says of itself (`System.about`), here so that nothing else is imported to list it."""
