"""Operators that rank pages and keep some."""
