"""Mail to flowing text: a message is a section: its heads as a table, its words, what it quotes, what is attached.

`eml`, `mbox` and `msg` read a file into `message.Message`.
"""
