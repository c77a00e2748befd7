"""Every judgement a language or vision model may be asked for: a module each, its prompt in a Markdown file beside it.

A decision has a typed input, a typed output and, where one makes sense, a rule that decides without a model.
"""
