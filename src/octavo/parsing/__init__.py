"""Bytes to pages of lines, one module per format, in a guarded child process."""
