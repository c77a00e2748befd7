"""DMAP: the document map, places located in it, two agents and reflection.

`document_map` is the map and `topics` its sections where a document has no outline; `locate` finds places by what the
question names, by a model's choice (`navigate`), or by what pages promise (`page_prior`).
"""
