"""What indexing adds to a document: passages, term postings, vectors."""
