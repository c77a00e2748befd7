"""What our systems say of themselves (`System.about`), beside their names: nothing is imported to list them."""

ABOUT = {
    "auto": "Searches by words and by meaning, and reads what fits best. The one to begin with.",
    "bm25": "Finds passages that share the question's words.",
    "dense": "Finds passages that mean the same in other words.",
    "hybrid": "Finds passages by words and by meaning.",
    "raptor": "Searches summaries of groups of passages too; for questions about a whole document.",
}
