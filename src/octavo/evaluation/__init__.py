"""Evaluation: benchmarks, metrics, the runner that puts systems side by side, and the report."""
