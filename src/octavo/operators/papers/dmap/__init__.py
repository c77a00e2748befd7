"""DMAP: the document map, places located in it, two agents and reflection.

`locate` finds places by what the question names, by a model's choice (`navigate`), or by what pages promise.
"""
