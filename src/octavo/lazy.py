"""Tables of things by name whose modules are imported when one is first asked for.

Stands beside the floors: what starts fast must not import all there is. Knows nothing about what the things are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class LazyTable(MutableMapping[str, Thing], Generic[Thing]):
    """Things by name, in order. Others may be put in, and any taken out."""

    def __init__(self, modules: Mapping[str, str], find: Callable[[ModuleType, str], Thing]) -> None:
        """Take the module of each name, and what finds a thing in its module by name."""
        self._modules = dict(modules)
        self._find = find
        self._found: dict[str, Thing] = {}

    def __getitem__(self, name: str) -> Thing:
        if name not in self._found:
            self._found[name] = self._find(import_module(self._modules[name]), name)
        return self._found[name]

    def __setitem__(self, name: str, thing: Thing) -> None:
        self._modules.setdefault(name, "")
        self._found[name] = thing

    def __delitem__(self, name: str) -> None:
        del self._modules[name]
        self._found.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)
