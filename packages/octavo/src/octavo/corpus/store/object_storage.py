"""Object storage opened by its URL (S3, Google Cloud Storage, Azure, or a folder), and what its errors say."""

from __future__ import annotations

import os
from datetime import timedelta

import obstore
from obstore.store import ObjectStore, from_url

_RETRIES: obstore.store.RetryConfig = {"max_retries": 5, "retry_timeout": timedelta(seconds=30)}
_TIMES: obstore.store.ClientConfig = {"timeout": timedelta(seconds=60), "connect_timeout": timedelta(seconds=5)}
_ENDPOINTS = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT")
"""Name the address of storage that speaks the language of S3; without encryption where the address says so."""


def store_at(url: str) -> ObjectStore:
    """Return the object storage that a URL names; a folder is made."""
    if url.startswith("file://"):
        return from_url(url, mkdir=True)
    return from_url(url, client_options=_client(), retry_config=_RETRIES)


def _client() -> obstore.store.ClientConfig:
    is_plain = any(os.environ.get(name, "").startswith("http://") for name in _ENDPOINTS)
    return {**_TIMES, "allow_http": is_plain}


def said(error: Exception) -> str:
    """Return what an error says: the answer of the server where there was one, without what names the request."""
    line = (str(error).splitlines() or [type(error).__name__])[0]
    answer = line.rpartition(" - ")[2].removeprefix("Server returned non-2xx status code: ")
    return answer.partition(": <")[0].strip()
