"""Files with the same bytes: which of those that were just looked at are copies, and which moved.

A document is known by its bytes, and may have several files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from octavo.corpus.reports import Copy
from octavo.corpus.store import Source, Store
from octavo.corpus.store.paths import is_address, path_key, shown


def copies_among(store: Store, files: Iterable[Source], *, forgets: bool) -> tuple[Copy, ...]:
    """Return the files among these, as they lead to documents now, that are copies of another.

    A path of a document whose file is gone from its folder is forgotten where `forgets`: another file has its bytes.
    """
    seen = {path_key(file.path): file for file in files}
    leading = _by_document(store, {file.document_id for file in seen.values()})
    found: list[Copy] = []
    for document, paths in leading.items():
        gone = [file for file in paths if path_key(file.path) not in seen and _is_gone(file)] if forgets else []
        if gone:
            store.detach(gone)
        left = [file for file in paths if file not in gone]
        looked_at = [file for file in left if path_key(file.path) in seen]
        found += [Copy(shown(file.path), document, shown(looked_at[-1].path), is_moved=True) for file in gone]
        found += [Copy(shown(file.path), document, shown(left[0].path)) for file in looked_at if file is not left[0]]
    return tuple(found)


def _by_document(store: Store, ids: set[str]) -> dict[str, list[Source]]:
    """Return the files of those of some documents that have several, by document."""
    found: dict[str, list[Source]] = {}
    for source in store.sources(ids=ids).values() if ids else ():
        found.setdefault(source.document_id, []).append(source)
    return {document: sources for document, sources in found.items() if len(sources) > 1}


def _is_gone(file: Source) -> bool:
    """Whether a file is no longer in its folder; of one whose folder is away as well nobody can tell."""
    if is_address(file.path) or file.container:
        return False
    try:
        os.lstat(file.path)
    except FileNotFoundError:
        return os.path.isdir(os.path.dirname(file.path))  # noqa: PTH112, PTH120  (Path raises where it may not look)
    except (OSError, ValueError):
        return False
    return False
