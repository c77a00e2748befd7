"""Every judgement a language or vision model may be asked for, one folder each.

A decision has a typed input, a prompt in a template file, a typed output and, where one makes sense, a rule that
decides without a model. Knows the models floor; knows nothing about stores, views, operators or systems.
"""
