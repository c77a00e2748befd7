"""What LAD-RAG asks a model at question time, with the prompt beside it."""
