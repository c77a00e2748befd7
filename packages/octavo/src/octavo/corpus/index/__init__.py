"""From files to documents in the store: what is new, reading and building it, and what that would cost."""
