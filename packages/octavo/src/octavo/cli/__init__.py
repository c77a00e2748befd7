"""The command line: one module per group of commands, `show` for how results are drawn."""
