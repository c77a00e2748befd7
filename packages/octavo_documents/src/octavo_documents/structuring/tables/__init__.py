"""Lines that stand in rows and columns: telling tables with and without rules, and reading them as grids of cells."""
