"""A document that a model is asked to describe, with a reply that is taken and one that is not."""

from __future__ import annotations

from octavo.decisions.describe_document import DocumentToDescribe

TIDES = (
    DocumentToDescribe(
        "tides_2024.pdf",
        "Tide tables for Lindwick Sound, 2024\nThe Harbour Office of Lindwick (“HOL”) issued them in May 2023.",
        heads="Tide tables 2024",
    ),
    '{"title": "Tide tables", "issuer": "Harbour Office of Lindwick", "kind": "catalogue", "period": "2024",'
    ' "date": "2023-05", "version": "", "names": ["Lindwick Sound"], "short_forms": [{"short": "HOL",'
    ' "stands_for": "Harbour Office of Lindwick"}]}',
    '{"title": 7, "issuer": null, "names": "Lindwick"}',
)
