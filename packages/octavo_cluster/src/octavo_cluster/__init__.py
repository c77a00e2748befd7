"""A corpus that many machines share: rows in PostgreSQL, bytes in object storage, workers and searchers on Ray."""
