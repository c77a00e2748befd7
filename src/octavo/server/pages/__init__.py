"""What people see: pages that read without scripts, and the viewer that takes them over where scripts run.

`views` gathers what a page tells, `templates` print it, `static` holds the viewer, built from `web/` (`npm run build`).
"""

from octavo.server.pages.routes import refused, routes

__all__ = ["refused", "routes"]
