"""The conversations of a key: listed with the newest first, searched, named, deleted. No other key leads to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from octavo.corpus.store.sqlite.connections import rows_of
from octavo.errors import CorpusError
from octavo_documents.text.lines import on_one_line
from octavo_server.problems import Problem
from octavo_server.store import Store, forget

if TYPE_CHECKING:
    from octavo_server.responses import ConversationsShape, KeptConversationShape

MOST_NAME = 200
"""Characters of a name."""
_LONGEST = 120
"""Characters of a question that a conversation is called by where it has no name."""
_OF_OWNER = """
SELECT conversation, name, created, changed,
    (SELECT count(*) FROM answers WHERE answers.conversation = histories.conversation),
    (SELECT max(number) FROM answers WHERE answers.conversation = histories.conversation),
    (SELECT json_extract(body, '$.question') FROM answers WHERE answers.conversation = histories.conversation
     ORDER BY number LIMIT 1),
    documents
FROM histories JOIN conversations ON id = conversation WHERE owner = ?
"""
_SAID = """
SELECT conversation, json_extract(body, '$.question'), json_extract(body, '$.answer') FROM answers
WHERE conversation IN (SELECT conversation FROM histories WHERE owner = ?)
"""
_ANSWERS = "SELECT id FROM answers WHERE conversation = ?"
_UNKNOWN = "there is no such conversation here"


class History:
    """The conversations that a store keeps, each its owner's alone."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def listed(self, owner: str, match: str = "", *, limit: int, start: int = 0) -> ConversationsShape:
        """Return the conversations of an owner, the last one first; those where words stand in name or text."""
        rows = self._store.rows(_OF_OWNER, (owner,))
        wanted = match.casefold().split()
        if wanted:
            said = self._said(owner)
            rows = [row for row in rows if _has(wanted, f"{row[1]} {said.get(row[0], '')}")]
        rows.sort(key=lambda row: (row[3], row[5] or 0), reverse=True)
        items: list[KeptConversationShape] = [
            {
                "id": row[0],
                "name": row[1] or _cut(row[6] or ""),
                "is_named": bool(row[1]),
                "created": row[2],
                "changed": row[3],
                "turns": row[4],
            }
            for row in rows[start : start + limit]
        ]
        is_more = len(rows) > start + limit
        return {"items": items, "next": str(start + limit) if is_more else None, "total": len(rows)}

    def _said(self, owner: str) -> dict[str, str]:
        """Return all that was asked and answered in the conversations of an owner."""
        found: dict[str, str] = {}
        for conversation, question, answer in self._store.rows(_SAID, (owner,)):
            found[conversation] = f"{found.get(conversation, '')} {question} {answer}"
        return found

    def check(self, owner: str, conversation: str) -> None:
        """Raise CorpusError (`unknown`) for a conversation of another key."""
        holder = self._store.owner_of(conversation=conversation)
        if holder and holder != owner:
            raise CorpusError("unknown", _UNKNOWN)

    def rename(self, owner: str, conversation: str, name: str) -> None:
        """Name a conversation; "" takes its name away. Raises CorpusError (`unknown`), Problem 403."""

        def act(connection: apsw.Connection) -> int:
            sql = "UPDATE histories SET name = ? WHERE conversation = ? AND owner = ? RETURNING conversation"
            return len(rows_of(connection, sql, (on_one_line(name)[:MOST_NAME], conversation, owner)))

        self._changed(owner, conversation, self._store.change(act))

    def forget(self, owner: str, conversation: str) -> None:
        """Delete a conversation with its answers. Raises CorpusError (`unknown`), Problem 403."""

        def act(connection: apsw.Connection) -> int:
            sql = "SELECT 1 FROM histories WHERE conversation = ? AND owner = ?"
            if not rows_of(connection, sql, (conversation, owner)):
                return 0
            forget(connection, [row[0] for row in rows_of(connection, _ANSWERS, (conversation,))])
            return 1

        self._changed(owner, conversation, self._store.change(act))

    def _changed(self, owner: str, conversation: str, count: int) -> None:
        if count:
            return
        if self._store.owner_of(conversation=conversation) != owner:
            raise CorpusError("unknown", _UNKNOWN)
        raise Problem(403, "read_only", "This server is read-only: what was kept before it began is not changed.")


def _has(wanted: list[str], text: str) -> bool:
    said = text.casefold()
    return all(word in said for word in wanted)


def _cut(text: str) -> str:
    line = on_one_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
