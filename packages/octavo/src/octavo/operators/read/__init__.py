"""Readers that ask a model: what it is shown of the evidence, and how its reply is checked.

What it reads is packed by `packing`; `material` holds what it is shown, `passage_choice` chooses passages and cuts
them to size, `about_lines` tells about their documents. `image_evidence` says what is looked at, `contact_sheet` goes
over all there is in small, `wanted` tells what a reader asks to see, and `answering` asks and checks the reply.
"""
