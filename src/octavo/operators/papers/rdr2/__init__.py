"""RDR2: passages retrieved, documents routed through their structure, passages chosen.

`structure_tree` holds the tree of a document as columns and says what of it is seen first, and `route` goes the rounds
over all documents at once.
"""
