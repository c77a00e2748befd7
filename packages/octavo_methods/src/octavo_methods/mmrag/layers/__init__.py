"""The two indexes of MMRAG-DocQA: chunks of pages, and the tree of summaries over them."""
