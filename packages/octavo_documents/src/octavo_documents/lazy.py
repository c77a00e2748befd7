"""Tables of things by name whose modules are imported when one is first asked for, and patterns compiled when used.

Stands beside the floors: what starts fast must not import all there is. Knows nothing about what the things are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

from octavo_documents import plugins

Thing = TypeVar("Thing")


def lazy_regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern whose methods compile it when one is first used. It is no argument for functions of `re`.

    A question needs a third of the seven hundred patterns there are, and compiling all of them takes 0.15 s.
    """
    return cast("re.Pattern[str]", _LazyPattern(source, flags))


class _LazyPattern:
    def __init__(self, source: str, flags: int) -> None:
        self.pattern, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._flags)
        self.__dict__.update({each: getattr(compiled, each) for each in _METHODS})
        return getattr(compiled, name)


_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")


class LazyTable(MutableMapping[str, Thing], Generic[Thing]):
    """Things by name, in order: our own, then those that other packages bring. Others may be put in, any taken out."""

    def __init__(self, modules: Mapping[str, str], find: Callable[[ModuleType, str], Thing], group: str = "") -> None:
        """Take the module of each name, what finds a thing in its module by name, and the group of entry points.

        Entry points are looked for when a name is asked for that is not ours, or when all are listed.
        """
        self._modules = dict(modules)
        self._find = find
        self._group = group
        self._found: dict[str, Thing] = {}
        self._removed = set[str]()

    def __getitem__(self, name: str) -> Thing:
        if name in self._found:
            return self._found[name]
        if name in self._modules:
            self._found[name] = self._find(import_module(self._modules[name]), name)
        elif name in self._brought():
            brought = plugins.load(self._group, name)
            self._found[name] = self._find(brought, name) if isinstance(brought, ModuleType) else brought
        return self._found[name]

    def __setitem__(self, name: str, thing: Thing) -> None:
        self._modules.setdefault(name, "")
        self._removed.discard(name)
        self._found[name] = thing

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self._removed.add(name)
        self._modules.pop(name, None)
        self._found.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._modules or name in self._brought()

    def __iter__(self) -> Iterator[str]:
        return iter((*self._modules, *self._brought()))

    def __len__(self) -> int:
        return len(self._modules) + len(self._brought())

    def _brought(self) -> list[str]:
        """Return the names that other packages bring beside ours."""
        if not self._group:
            return []
        return [name for name in plugins.names(self._group) if name not in self._modules and name not in self._removed]
