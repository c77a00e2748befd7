"""Prints the description of the API (`/openapi.json`) without a server: `python -m octavo_server.api`."""

import json

from octavo_server.api import ROUTES
from octavo_server.api.about import described

print(json.dumps(described(ROUTES), indent=2))  # noqa: T201
