"""Retrievers for programs built on LangChain, LlamaIndex or Haystack: what a question leads to, as their documents.

`langchain`, `llama_index` and `haystack` hold one each and import that package; `found_passages` is what they share. A
passage's text can be read alone; its metadata says where it stands, in plain JSON values.
"""

from __future__ import annotations
