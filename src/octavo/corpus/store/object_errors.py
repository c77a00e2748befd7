"""What errors of object storage say."""

from __future__ import annotations


def said(error: Exception) -> str:
    """Return what an error says: the answer of the server where there was one, without what names the request."""
    line = (str(error).splitlines() or [type(error).__name__])[0]
    answer = line.rpartition(" - ")[2].removeprefix("Server returned non-2xx status code: ")
    return answer.partition(": <")[0].strip()
