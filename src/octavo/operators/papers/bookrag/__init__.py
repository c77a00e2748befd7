"""BookRAG: planning, selection by entity and section, reasoning over graph and text, the skyline, map and reduce."""
