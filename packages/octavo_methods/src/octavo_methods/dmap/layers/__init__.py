"""The map of a document that DMAP grows page by page."""
