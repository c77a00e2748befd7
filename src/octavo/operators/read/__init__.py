"""Readers that ask a model: what it is shown of the evidence, and how its reply is checked.

What it reads is packed by `packing`; `reading_material` chooses it, cuts it to size and tells about its documents.
`image_evidence` says what is looked at, and `answering` checks the reply.
"""
