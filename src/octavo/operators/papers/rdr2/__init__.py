"""RDR2: passages retrieved, documents routed through their structure, passages chosen."""
