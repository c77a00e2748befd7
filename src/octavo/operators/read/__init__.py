"""Readers that ask a model: what it is shown of the evidence, and how its reply is checked.

What it reads is packed by `packing`, weighed and cut to size by `settling_passages`, followed one step by
`one_link_away` (a figure that is named, the rest of a list, an entry that is cited), and told about by
`about_documents`. `image_evidence` and `pictures_shown` say what is looked at, and `answering` checks the reply.
"""
