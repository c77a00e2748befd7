"""Bytes to pages of lines, one module per format, in a guarded child process."""

EXTRACT_VERSION = 7
"""Part of the fingerprint of a parsed document: raised when the same file gives other content."""
