"""The commands that this package brings: `evaluate` and `train-router`."""
