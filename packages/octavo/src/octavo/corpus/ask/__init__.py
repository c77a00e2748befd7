"""From a question to the view it is asked of: search over all passages, and the documents opened for it."""
