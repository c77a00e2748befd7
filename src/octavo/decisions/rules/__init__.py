"""What the rules of several decisions read in words: what a question asks for, values, numbers, words in common.

Pure functions of text. Knows nothing about documents, models or prompts.
"""
