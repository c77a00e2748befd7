"""RDR2: passages or chunks that are retrieved, the trees of their documents, routing in these, and what is read.

`trees` and `routing` are what both plans share; `chunks`, `subtrees` and `reader` are the paper's own.
"""
