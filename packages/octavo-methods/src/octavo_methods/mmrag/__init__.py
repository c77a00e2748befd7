"""MMRAG-DocQA: a two-level index, pages judged, pictures looked at, typed answers (Gong et al., 2025)."""
