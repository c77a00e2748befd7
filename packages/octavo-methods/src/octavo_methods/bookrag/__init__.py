"""BookRAG: questions and parts with their answers (`plan`), selection (`select`), graph and text (`reasoning`)."""
