"""A corpus that many machines share: rows in PostgreSQL, and the bytes of parts in object storage.

Bytes are written first, under a name of their own, and never changed; one transaction then checks the lease and makes
what they are part of visible. What no row names is swept up later. Leases end by the clock of the database.
"""

from octavo_cluster.postgresql.care import PostgresCare
from octavo_cluster.postgresql.catalogue import PostgresCatalogue, Shard
from octavo_cluster.postgresql.journal import PostgresJournal
from octavo_cluster.postgresql.store import PostgresStore

__all__ = ["PostgresCare", "PostgresCatalogue", "PostgresJournal", "PostgresStore", "Shard"]
