"""Measuring systems side by side: benchmarks, metrics, the runner and the report; and training of the router."""
