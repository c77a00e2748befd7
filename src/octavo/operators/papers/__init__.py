"""Operators that one published method brings, a folder or a module or two for each."""
