"""Baselines that the papers compare with: systems of no use but to be measured beside others.

They come in through the entry points of the package, so that `octavo evaluate` runs them like any other. Those of
`systems` stand for rows of the papers' tables; none shares a number or a bonus with Octavo's own.
"""
