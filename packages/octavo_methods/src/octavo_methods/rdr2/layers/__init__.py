"""The chunks of words that RDR2 retrieves."""
