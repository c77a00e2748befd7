"""Figures of a page: the space their captions speak for, and what sort of figure they are."""
