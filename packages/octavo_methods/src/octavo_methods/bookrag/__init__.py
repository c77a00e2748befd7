"""BookRAG: questions and parts with their answers (`plan`), selection (`select`), graph and text (`reasoning`)."""

ABOUT = "Follows the outline and the names in a document; for long, structured documents."
"""What the system says of itself (`System.about`), here so that nothing else is imported to list it."""
