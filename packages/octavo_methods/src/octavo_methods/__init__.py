"""Five published methods, a folder each: their operators, our plan (`system`) and the paper's own (`paper_system`)."""
