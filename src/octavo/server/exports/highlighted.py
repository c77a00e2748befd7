"""The PDF itself, with the citations marked in it as highlight annotations that every viewer shows."""

from __future__ import annotations

from octavo.errors import UsageError
from octavo.server.exports.bundle import Bundle


def highlighted(bundle: Bundle) -> bytes:
    """Return the one document of a bundle as its bundle's highlighter gives it.

    Raises UsageError for citations of several documents, and for a document that is no PDF.
    """
    if len(bundle.sources) > 1:
        names = ", ".join(source.name for source in bundle.sources[:4])
        raise UsageError(
            f"a PDF is of one document, these citations are of {len(bundle.sources)} ({names}): export each"
        )
    source = next(iter(bundle.sources))
    if source.suffix != ".pdf" or bundle.highlighter is None:
        raise UsageError(f"{source.name} is no PDF to mark citations in: export it as markdown or web-annotation")
    return bundle.highlighter(source.id, [one.id for one in bundle.quotations])
