"""DMAP: the document map, places located in it, two agents and reflection.

Ours: `locate` finds places by what the question names, by a model's choice, or by what pages promise; `reflect` has the
agents and widens the evidence. As the paper prints it: `elements`, `paths` and `generate`, over the map that was grown
page by page.
"""

ABOUT = "Finds the sections that promise most, and reads and looks at their pages."
"""What the system says of itself (`System.about`), here so that nothing else is imported to list it."""
