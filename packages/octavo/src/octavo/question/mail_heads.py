"""Which head of a mail a question asks for: whom it is from or to, when it was sent, what its subject is."""

from __future__ import annotations

import dataclasses
import re
from functools import cache

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.lines import on_one_line

_MAIL = (
    r"(?P<noun>e-?mails?|mails?|messages?|newsletters?|nachricht|rundbrief(?:es)?|rundmail|courriels?"
    r"|correos?(?: electrónico)?|mensajes?|bolet[ií]n|messaggi?o?|lettre d['’]information|bericht)\b"
)
_THE = (
    r"(?:this|that|the|diese[rsnm]?|die|der|das|des|dem|ce|cet|cette|le|la|l['’]|du|de la|este|esta|ese|el|del|de este"
    r"|questo|questa|quest['’]|il|lo|del|della|dell['’]|deze|dit|de|het)\s*"
)
_ONE = rf"{_THE}(?P<before>(?:[\w'’-]+\s+){{0,2}}?){_MAIL}"
_WRITES = (
    r"(?P<writes>wrote|writes|authored|schrieb|geschrieben|écrit|escribió|escribe|scritto|scrive|schreef|geschreven)"
)
_SENT = (
    r"(?:sent|sends|schickte|sandte|geschickt|gesendet|verschickt|versandt|envoyé|envió|mandó|inviat[oa]|mandat[oa]"
    r"|spedit[oa]|verstuurde|stuurde|gestuurd|verstuurd)"
)
_BETWEEN = r"(?P<topic>.*?)\s+"
_AFTER = r"(?P<topic>.*)"
_FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "To",
        (
            rf"(?:who|to whom) (?:was|is|were) {_ONE}{_BETWEEN}(?:{_SENT}|addressed)(?: to)?",
            rf"who (?:received|got) {_ONE}{_AFTER}",
            rf"(?:who (?:is|are) )?(?:the )?(?:recipients?|addressees?) of {_ONE}{_AFTER}",
            rf"an wen (?:ging|geht|ist|wurde) {_ONE}{_AFTER}",
            rf"wer (?:hat {_ONE}{_BETWEEN}(?:bekommen|erhalten)|ist der empfänger {_ONE}{_AFTER})",
            rf"à qui (?:est|a été) {_ONE}{_AFTER}",
            rf"a quién (?:se )?(?:va|{_SENT}) {_ONE}{_AFTER}",
            rf"a chi (?:è|è stat[oa]) {_ONE}{_AFTER}",
        ),
    ),
    (
        "From",
        (
            rf"who (?:{_SENT}|{_WRITES}) {_ONE}{_AFTER}",
            rf"(?:who is |from whom is |whom is )?{_ONE}{_BETWEEN}(?:from|by)",
            rf"who is {_ONE}{_BETWEEN}from",
            rf"from whom (?:is|was) {_ONE}{_AFTER}",
            rf"(?:who is |what is )?(?:the )?sender of {_ONE}{_AFTER}",
            rf"who (?:is )?(?:the )?(?P<writes>author) of {_ONE}{_AFTER}",
            rf"wer (?:hat {_ONE}{_BETWEEN}(?:{_SENT}|{_WRITES})|(?:ist der )?absender {_ONE}{_AFTER})",
            rf"wer (?:schickte|sandte) {_ONE}{_AFTER}",
            rf"von wem (?:ist|kommt|stammt|wurde) {_ONE}{_AFTER}",
            rf"qui a (?:{_SENT}|{_WRITES}) {_ONE}{_AFTER}",
            rf"de qui (?:est|vient) {_ONE}{_AFTER}",
            rf"quién (?:{_SENT}|{_WRITES}) {_ONE}{_AFTER}",
            rf"chi ha (?:{_SENT}|{_WRITES}) {_ONE}{_AFTER}",
            rf"wie heeft {_ONE}{_BETWEEN}(?:{_SENT}|{_WRITES})",
        ),
    ),
    (
        "Date",
        (
            rf"when (?:was|were) {_ONE}{_BETWEEN}(?:{_SENT}|{_WRITES})",
            rf"(?:what is |what's )?(?:the )?(?:date|time) of {_ONE}{_AFTER}",
            rf"(?:on )?what (?:date|day) (?:was|is) {_ONE}{_AFTER}",
            rf"wann (?:wurde|ist) {_ONE}{_BETWEEN}(?:{_SENT}|{_WRITES})(?: worden)?",
            rf"quand a été (?:{_SENT}|{_WRITES})e? {_ONE}{_AFTER}",
            rf"quand {_ONE}{_BETWEEN}a-t-(?:il|elle) été (?:{_SENT}|{_WRITES})e?",
            rf"cuándo se (?:{_SENT}|{_WRITES}) {_ONE}{_AFTER}",
            rf"quando è stat[oa] (?:{_SENT}|{_WRITES}) {_ONE}{_AFTER}",
            rf"wanneer is {_ONE}{_BETWEEN}(?:{_SENT}|{_WRITES})",
        ),
    ),
    (
        "Subject",
        (
            rf"(?:what is |what's )?(?:the )?subject(?: line)? of {_ONE}{_AFTER}",
            rf"(?:was ist |wie lautet )?(?:der )?betreff {_ONE}{_AFTER}",
            rf"(?:quel est )?l['’]objet (?:de )?{_ONE}{_AFTER}",
            rf"(?:cuál es )?(?:el )?asunto {_ONE}{_AFTER}",
            rf"(?:qual è )?l['’]oggetto {_ONE}{_AFTER}",
        ),
    ),
)
_SPEAKS_OF_MAIL = lazy_regex(_MAIL, re.IGNORECASE)
"""What every form has: the others are compiled for a question that has it."""
_EDGES = " ¿?.!"
_LETTERS = re.compile(r"news|rund|bolet|lettre", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class MailHead:
    """A head that is asked for (From, To, Date or Subject), and the words that say of which mail; "" for none.

    `is_sure` is false of who writes a newsletter: it may be sent by another one.
    """

    name: str
    topic: str = ""
    is_sure: bool = True


def mail_head(question: str) -> MailHead | None:
    """Return the head of a mail that a question asks for; None for any other question.

    >>> mail_head("Who sent the mail about the roof?")
    MailHead(name='From', topic='about the roof', is_sure=True)
    """
    said = on_one_line(question).strip(_EDGES)
    if not _SPEAKS_OF_MAIL.search(said):
        return None
    for name, patterns in _forms():
        for pattern in patterns:
            found = pattern.fullmatch(said)
            if found:
                return _read(name, found.groupdict(""))
    return None


def _read(name: str, parts: dict[str, str]) -> MailHead:
    held = {key: "".join(value for one, value in parts.items() if one.rstrip("_") == key) for key in _PARTS}
    topic = f"{held['before']} {held['topic']}"
    is_sure = not (held["writes"] and _LETTERS.match(held["noun"]))
    return MailHead(name, on_one_line(topic).strip(_EDGES), is_sure)


_PARTS = ("before", "noun", "topic", "writes")


@cache
def _forms() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    return tuple((name, tuple(re.compile(_told_apart(one), re.IGNORECASE) for one in forms)) for name, forms in _FORMS)


def _told_apart(pattern: str) -> str:
    """Return a pattern in which groups of one name have names of their own: underscores after it tell which."""
    pieces = re.split(r"\(\?P<(\w+)>", pattern)
    told = pieces[0]
    for at in range(1, len(pieces), 2):
        told += f"(?P<{pieces[at]}{'_' * pieces[1:at:2].count(pieces[at])}>{pieces[at + 1]}"
    return told
