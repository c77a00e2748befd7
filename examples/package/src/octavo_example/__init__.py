"""A format, an operator, a system and a metric for Octavo, to copy."""
