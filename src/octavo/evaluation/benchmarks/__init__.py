"""Benchmarks: one module each with its definition and loader; `table` registers them, `load` reads one."""
