"""Operators that one published method brings, a folder for each."""
