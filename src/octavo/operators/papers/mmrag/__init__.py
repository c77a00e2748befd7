"""MMRAG-DocQA: parent pages, pages judged by a model, and the reader of typed answers."""
