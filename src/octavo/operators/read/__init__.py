"""Readers that ask a model: what it is shown of the evidence, and how its reply is checked.

What it reads is packed by `packing`, chosen and cut to size by `passages_shown`, and told about by `about_documents`.
`image_evidence` says what is looked at, and `answering` checks the reply.
"""
