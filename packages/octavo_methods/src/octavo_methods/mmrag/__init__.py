"""MMRAG-DocQA: a two-level index, pages judged, pictures looked at, typed answers (Gong et al., 2025)."""

ABOUT = "Ranks whole pages, pictures among them; for reports with tables and figures."
"""What the system says of itself (`System.about`), here so that nothing else is imported to list it."""
