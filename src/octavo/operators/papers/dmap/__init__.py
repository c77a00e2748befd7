"""DMAP: the document map, places located in it, two agents and reflection."""
