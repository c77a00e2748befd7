"""A small, safe reading of style sheets: what they hide, strike out, raise and colour. No address is followed.

Selectors of names, classes, ids and attributes are read, with what stands around them; of a rule's conditions those
that hold on a wide screen. What a person can open is shown: a rule that a click, the pointer or a script makes hold
shows what another one hides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from octavo_documents.parsing.css_values import Declared, is_idle, is_nothing

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode
from octavo_documents.parsing.css_selectors import IS_LINK, Attributes, Compound, Selector, matches, parse_selector

_PROPERTIES = (
    "display visibility opacity position left right top bottom text-indent transform clip clip-path width height "
    "max-width max-height overflow overflow-x overflow-y font-size color background background-color background-image "
    "background-clip -webkit-background-clip vertical-align text-decoration text-decoration-line font-style mso-hide"
)
_READ = frozenset(_PROPERTIES.split())
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_DECLARATION = re.compile(r"([-\w]+)\s*:\s*((?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\([^)]*\))+)")
_IMPORTANT = re.compile(r"\s*!\s*important\s*\Z", re.IGNORECASE)
_MOST = 2 << 20
"""Characters of style sheets that are read of a page."""
_MOST_RULES = 20_000
_MOST_NEAR = 4000
"""Names, classes and ids of elements whose rules are kept."""
_DEEPEST = 8
_SCREEN = 1280
"""Pixels of the screen that conditions are held against."""


def declared(text: str) -> dict[str, str]:
    """Return what a list of declarations says of the properties that are read; what is important keeps that word."""
    if ":" not in text:
        return {}
    if "/*" in text:
        text = _COMMENT.sub("", text)
    found: dict[str, str] = {}
    for name, value in _DECLARATION.findall(text):
        key = name.lower()
        if key in _READ and not found.get(key, "").endswith("!important"):
            found[key] = _IMPORTANT.sub(" !important", value.strip().lower())
    return found


def _plain(said: Mapping[str, str]) -> dict[str, str]:
    return {name: value.removesuffix("!important").strip() for name, value in said.items()}


_Rule = tuple[Selector, dict[str, str], int]
_Key = tuple[str, "str | None", "str | None", bool]
"""Name, class and id of an element, and whether it is a link."""
_Ids = Mapping["str | None", str]
_MOST_BESIDE = 4
_SURE, _PLACED, _ALONE = range(3)
"""What it depends on whether a rule holds of elements of a name: nothing, what they stand in, more than that."""


def _depends(around: list[tuple[str, Compound]]) -> int:
    beside = _beside(around)
    if beside > _MOST_BESIDE or any(compound.attributes for _, compound in around):
        return _ALONE
    if any(tie not in (" ", ">") for tie, _ in around[beside:]):
        return _ALONE
    return _PLACED if around else _SURE


def _beside(around: list[tuple[str, Compound]]) -> int:
    """Return how many elements right before an element a selector asks for."""
    return next((count for count, (tie, _) in enumerate(around) if tie != "+"), len(around))


class _Near:
    """The rules that may hold of elements of a name, the strongest last."""

    def __init__(self, rules: list[tuple[_Rule, int]]) -> None:
        self.rules = rules
        self.numbers = tuple(rule[2] for rule, _ in rules)
        self.is_sure = all(how == _SURE for _, how in rules)
        self.is_placed = any(how == _PLACED for _, how in rules)
        self.is_idle = all(is_idle(name, _value(said)) for rule, _ in rules for name, said in rule[1].items())
        """Whether they change nothing of words that are seen and have a size, whichever of them hold."""
        self.beside = max((_beside(rule[0].parts[1:]) for rule, how in rules if how == _PLACED), default=0)


class ElementPlaces:
    """Where the elements of one page stand: elements whose ancestors are called alike are in the same place."""

    def __init__(self) -> None:
        """Know no element yet."""
        self._of: dict[int, int] = {}
        self._numbers: dict[tuple[int, str, str | None, str | None], int] = {}
        self._settled: dict[tuple[object, ...], _Near] = {}

    def settled(self, near: _Near, name: _Key, node: LexborNode, attributes: Attributes, ids: _Ids) -> _Near:
        """Return rules without those that do not hold in the place of an element."""
        key = (self._around(node, ids), name, *_names_before(node, near.beside, ids))
        found = self._settled.get(key)
        if found is None:
            rules = [
                (rule, _SURE if how == _PLACED else how)
                for rule, how in near.rules
                if how != _PLACED or matches(rule[0].parts, node, name[0], attributes)
            ]
            found = self._settled[key] = _Near(rules)
        return found

    def _around(self, node: LexborNode, ids: _Ids) -> int:
        above: list[LexborNode] = []
        up, place = node.parent, None
        while up is not None and (place := self._of.get(up.mem_id)) is None:
            above.append(up)
            up = up.parent
        place = place or 0
        for one in reversed(above):
            tag = one.tag or ""
            attributes: Attributes = {} if tag.startswith("-") else one.attributes
            name = (place, tag, attributes.get("class"), ids.get(attributes.get("id")))
            place = self._of[one.mem_id] = self._numbers.setdefault(name, len(self._numbers) + 1)
        return place


def _names_before(node: LexborNode, count: int, ids: _Ids) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield names, classes and ids of so many elements right before an element."""
    before = node.prev if count else None
    while before is not None and count:
        tag = before.tag or ""
        if not tag.startswith("-"):
            count -= 1
            attributes: Attributes = before.attributes
            yield tag, attributes.get("class"), ids.get(attributes.get("id"))
        before = before.prev


_SHOWS: dict[str, Callable[[str], bool]] = {
    "display": lambda value: value != "none",
    "visibility": lambda value: value == "visible",
    "opacity": lambda value: value not in ("0", "0%", "0.0"),
    "height": lambda value: not is_nothing(value),
    "max-height": lambda value: not is_nothing(value),
    "width": lambda value: not is_nothing(value),
    "clip": lambda value: value == "auto",
    "left": lambda value: not value.startswith("-"),
    "position": lambda value: value in ("static", "relative", "sticky"),
}
"""By property, whether a value shows what another value hides."""


class StyleSheet:
    """The rules of a page, those on a wide screen."""

    def __init__(self, text: str, *, has_scripts: bool = False) -> None:
        """Read style sheets; `has_scripts` says that the page has what may set classes."""
        self._by: dict[str, list[_Rule]] = {}
        self._openers: dict[str, list[_Rule]] = {}
        self._said: dict[int, dict[str, str]] = {}
        self._near: dict[_Key, _Near] = {}
        self.ids: dict[str | None, str] = {}
        """The ids that rules ask for, each by itself."""
        self._has_scripts = has_scripts
        self._count = 0
        if text:
            self._read(_COMMENT.sub(" ", text[:_MOST]), 0)

    def __bool__(self) -> bool:
        return bool(self._by)

    @property
    def tags(self) -> frozenset[str]:
        """The names of elements that rules are about; "*" where any is about all."""
        return frozenset(name for name in self._by if name[0] not in ".#")

    def _read(self, text: str, depth: int) -> None:
        at = 0
        while self._count < _MOST_RULES:
            brace = text.find("{", at)
            if brace < 0:
                return
            head = text[at:brace].rpartition(";")[2].rpartition("}")[2].strip()
            end = _closed(text, brace)
            inside = text[brace + 1 : end]
            at = end + 1
            if not head.startswith("@"):
                self._rule(head, inside)
            elif depth < _DEEPEST and _applies(head):
                self._read(inside, depth + 1)

    def _rule(self, head: str, body: str) -> None:
        said = declared(body.partition("{")[0])
        if not said:
            return
        for one in _commas(head):
            selector = parse_selector(one)
            self._count += 1
            if selector is None:
                continue
            self.ids.update((part.id, part.id) for _, part in selector.parts if part.id)
            rule = (selector, said, self._count)
            self._said[self._count] = said
            key = selector.parts[0][1]
            if not selector.is_state:
                name = f"#{key.id}" if key.id else f".{min(key.classes)}" if key.classes else key.tag or "*"
                self._by.setdefault(name, []).append(rule)
            if any(name in said for name in _SHOWS):
                for name in (*(f".{one}" for one in key.classes), *([f"#{key.id}"] if key.id else ())):
                    self._openers.setdefault(name, []).append(rule)

    def of(
        self, node: LexborNode, tag: str, attributes: Attributes, places: ElementPlaces, *, is_ordinary: bool
    ) -> tuple[int, ...]:
        """Return the rules that hold of an element, by their numbers, the strongest last.

        `is_ordinary`: its words are seen and have a size but for these, so that rules which change nothing of such
        words are left out.
        """
        key = (tag, attributes.get("class"), self.ids.get(attributes.get("id")), "href" in attributes)
        near = self._near.get(key)
        if near is None:
            if len(self._near) >= _MOST_NEAR:
                self._near.clear()
            near = self._near[key] = _Near(self._may_hold(tag, key[1] or "", key[2] or "", is_link=key[3]))
        if is_ordinary and near.is_idle:
            return ()
        if near.is_placed:
            near = places.settled(near, key, node, attributes, self.ids)
        if near.is_sure:
            return near.numbers
        return tuple(
            [rule[2] for rule, how in near.rules if how == _SURE or matches(rule[0].parts, node, tag, attributes)]
        )

    def _may_hold(self, tag: str, class_: str, id_: str, *, is_link: bool) -> list[tuple[_Rule, int]]:
        """Return the rules that may hold of elements, the strongest last, each with what that depends on."""
        names = ["*", tag, *(f".{one}" for one in class_.split()), *([f"#{id_}"] if id_ else ())]
        found: list[tuple[_Rule, int]] = []
        for rule in (rule for name in names for rule in self._by.get(name, ())):
            parts = rule[0].parts
            own = parts[0][1]
            if replace(own, attributes=()).fits(tag, {"class": class_, "id": id_}):
                asked = [one for one in own.attributes if one != IS_LINK]
                if is_link or len(asked) == len(own.attributes):
                    found.append((rule, _ALONE if asked else _depends(parts[1:])))
        return sorted(found, key=lambda one: (one[0][0].weight, one[0][2]))

    def said(self, rules: tuple[int, ...], own: str) -> dict[str, str]:
        """Return what rules, by their numbers, and an element's own declarations say of it."""
        found: dict[str, str] = {}
        for said in (*(self._said[number] for number in rules), *([declared(own)] if own else ())):
            for name, value in said.items():
                if value.endswith("!important") or not found.get(name, "").endswith("!important"):
                    found[name] = value
        return _plain(found)

    def opens(self, node: LexborNode, tag: str, attributes: Attributes, said: Declared) -> bool:
        """Whether a person can open an element that is hidden by what holds of it."""
        for name in _names(tag, attributes):
            for selector, shows, _ in self._openers.get(name, ()):
                if not (selector.is_state or self._has_scripts):
                    continue
                if any(one in said and one in shows and _SHOWS[one](_value(shows[one])) for one in _SHOWS) and not (
                    not selector.is_state and matches(selector.parts, node, tag, attributes)
                ):
                    return True
        return False


def _value(text: str) -> str:
    return text.removesuffix("!important").strip()


def _names(tag: str, attributes: Attributes) -> Iterator[str]:
    yield "*"
    yield tag
    if not attributes:
        return
    for one in (attributes.get("class") or "").split():
        yield f".{one}"
    if attributes.get("id"):
        yield f"#{attributes['id']}"


def _closed(text: str, at: int) -> int:
    depth = 0
    for match in _BRACES.finditer(text, at):
        depth += 1 if match[0] == "{" else -1
        if not depth:
            return match.start()
    return len(text)


_BRACES = re.compile(r"[{}]")
_CONDITION = re.compile(r"\(\s*(min|max)-width\s*:\s*([\d.]+)(px|em|rem)?\s*\)")


def _applies(head: str) -> bool:
    """Whether a rule's condition holds on a wide screen."""
    name, _, condition = head[1:].partition(" ")
    if name.lower() in ("supports", "layer", "container"):
        return True
    if not name.lower().startswith("media"):
        return False
    condition = (head[6:]).lower()
    return any(_is_met(one) for one in condition.split(",")) or not condition.strip()


def _is_met(condition: str) -> bool:
    words = condition.strip()
    if words.startswith(("print", "speech", "not ", "only print")) or "prefers-" in words or "hover" in words:
        return False
    for edge, number, unit in _CONDITION.findall(words):
        size = float(number) * (16 if unit in ("em", "rem") else 1)
        if (edge == "min" and size > _SCREEN) or (edge == "max" and size < _SCREEN):
            return False
    return not re.search(r"max-device-width|orientation:\s*portrait|width\s*<", words)


def _commas(head: str) -> list[str]:
    """Return the selectors of a list; commas in brackets part nothing."""
    if "(" not in head:
        return head.split(",")
    found, depth = [""], 0
    for sign in head:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found
