"""RDR2: passages or chunks that are retrieved, the trees of their documents, routing in these, and what is read.

`trees` and `routing` are what both plans share; `chunks`, `subtrees` and `reader` are the paper's own.
"""

ABOUT = "Walks down the section tree and decides at each heading what to open."
"""What the system says of itself (`System.about`), here so that nothing else is imported to list it."""
