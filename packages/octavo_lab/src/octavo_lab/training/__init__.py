"""Training the router of RDR2: examples of routing, fine-tuning on them, and how good a router is."""
