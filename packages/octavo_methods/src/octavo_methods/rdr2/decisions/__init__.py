"""What RDR2 asks a model, each with its prompt beside it."""
