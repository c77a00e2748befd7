"""What a model is asked about answers that are measured, each with its prompt beside it."""
