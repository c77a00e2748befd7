"""What BookRAG asks a model at question time, each with its prompt beside it."""
