"""From the names of systems to the layers they need.

Owns that translation. Knows nothing about how layers are built.
"""

from __future__ import annotations

from collections.abc import Iterable

from octavo.corpus.builders import Builders
from octavo.errors import UsageError

DEFAULT_SYSTEM = "auto"


def layers_of(systems: Iterable[str], builders: Builders) -> dict[str, bool]:
    """Return, by name, the optional layers that the default system and these need, and whether models decide in them.

    Models decide in what a named system needs. Raises UsageError for a system there is not, or that needs a layer
    nobody builds. Layers that are absent as things are configured are left out.
    """
    from octavo import systems as table

    named = {name: table.get(name).needs() for name in systems}
    for name, needs in named.items():
        unknown = sorted(needs - builders.layers.keys() - builders.optional.keys() - builders.absent.keys())
        if unknown:
            raise UsageError(f"The system {name!r} needs {', '.join(unknown)}, which cannot be built here")
    wanted = dict.fromkeys(builders.chosen(table.get(DEFAULT_SYSTEM).needs()), False)
    return wanted | dict.fromkeys(builders.chosen({layer for needs in named.values() for layer in needs}), True)


def notes_of(systems: Iterable[str], builders: Builders) -> tuple[str, ...]:
    """Return a line for each layer that a system named would read and goes without."""
    from octavo import systems as table

    needs = {name: table.get(name).needs() for name in systems}
    return tuple(
        f"{name} goes without {layer}: {why}"
        for name in needs
        for layer, why in builders.absent.items()
        if layer in needs[name]
    )
