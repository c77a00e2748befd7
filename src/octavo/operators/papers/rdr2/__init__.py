"""RDR2: passages retrieved, documents routed through their structure, passages chosen.

`structure_tree` holds the tree of a document as columns, `document_routing` is one document being routed, and `route`
goes the rounds over all of them at once.
"""
