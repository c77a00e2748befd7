"""The server: a page for people, an HTTP API for programs, tools for agents, all over one corpus.

`library` is what they all call: functions over a corpus that return JSON values. `api` has a module for each kind of
thing the API serves, `pages` what people see, `mcp` the tools of agents, `exports` the formats citations are given in.
"""
