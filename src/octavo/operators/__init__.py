"""The steps a system is made of."""
