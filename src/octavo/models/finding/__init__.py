"""Models that are already on this machine: those that servers here offer, and those in the usual folders.

Owns the list of both and its order. Nothing is started, called or sent anywhere else.
"""

from __future__ import annotations

from octavo.models.finding.folders import models_in_folders
from octavo.models.finding.found import FoundModel
from octavo.models.finding.servers import models_of_servers


def find_models() -> tuple[FoundModel, ...]:
    """Return the models found here, those that can be asked at once first. Takes at most about two seconds."""
    served = models_of_servers()
    names = {model.name.partition("@")[0] for model in served}
    stored = [model for model in models_in_folders() if model.name not in names]
    return tuple(sorted((*served, *stored), key=lambda model: bool(model.problem)))


__all__ = ["FoundModel", "find_models"]
