"""Readers that ask a model: what it is shown of the evidence, and how its reply is checked."""
