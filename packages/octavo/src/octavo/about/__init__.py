"""What documents are about, and which of them a question means."""
