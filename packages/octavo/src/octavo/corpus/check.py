"""What may be wrong with a corpus, and mending it.

Each examination yields findings and, when asked to, mends what it found; documents whose parts are damaged or missing
are built again: sound parts are used as they are, layers are computed from the document, and only a lost document is
read from its file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from octavo.corpus.backend import Backend
from octavo.corpus.index import sources
from octavo.corpus.index.builders import Builders, OcrMode
from octavo.corpus.index.document_builder import DocumentBuilder, HowToRead
from octavo.corpus.index.document_layers import build_stored
from octavo.corpus.index.document_reading import read_file
from octavo.corpus.index.layering import Layering
from octavo.corpus.index.pictures import NONE, RenderedPdfs
from octavo.corpus.index.publishing import publish
from octavo.corpus.index.tasks import Candidate, Task
from octavo.corpus.progress import Silence
from octavo.corpus.reports import CheckReport, Finding
from octavo.corpus.store import DOCUMENT_PART, DocumentInfo, LeaseLost, Source, Store
from octavo.corpus.store.paths import is_address
from octavo.errors import CorpusError, SourceError

_LOST = "{} cannot be read through: move it away and add the files again"


def checked(
    opened: Callable[[], Backend], name: str, builders: Builders, prints: RenderedPdfs, *, repair: bool
) -> CheckReport:
    """Look for damage in a corpus, `name` in messages; with `repair`, mend what can be mended."""
    found = list[Finding]()
    try:
        backend = opened()
        case = Examination(backend, name, tuple(builders.layers), repair)
        found.extend(case.run())
        found.extend(rebuild(backend.store, builders, case.rebuild, case.lost, prints))
    except CorpusError as error:
        if error.reason != "damaged":
            raise
        found.append(Finding("integrity", "", _LOST.format(name)))
    return CheckReport(tuple(sorted(found, key=lambda finding: (finding.repaired, finding.code))))


@dataclass
class Examination:
    """One check: the corpus, its name in messages, the layers every document has, and whether to mend."""

    backend: Backend
    name: str
    layers: tuple[str, ...]
    repair: bool
    rebuild: dict[str, list[Finding]] = field(default_factory=dict[str, list[Finding]])
    """Findings by id of the document that must be built again to mend them."""
    lost: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Parts that were taken out because they were damaged, by document id."""

    def run(self) -> Iterator[Finding]:
        """Yield every finding; those in `rebuild` are mended by building the document again.

        When the file itself is damaged and stays so, nothing else is looked at.
        """
        broken = list(integrity(self))
        yield from broken
        if all(finding.repaired for finding in broken):
            self._infos = {info.id: info for info in self.backend.store.documents()}
            for examine in EXAMINATIONS:
                yield from examine(self)

    def info(self, document_id: str) -> DocumentInfo | None:
        """Return a visible document, None when it is not."""
        return self._infos.get(document_id)

    def infos(self) -> tuple[DocumentInfo, ...]:
        """Return the visible documents."""
        return tuple(self._infos.values())

    def damaged(self, code: str, document_id: str, message: str) -> Iterator[Finding]:
        """Yield a finding unless building the document again will mend it; then note it for that."""
        finding = Finding(code, document_id, message)
        if self.repair:
            self.rebuild.setdefault(document_id, []).append(finding)
        else:
            yield finding


def integrity(case: Examination) -> Iterator[Finding]:
    """Ask the engine of the store whether its files are sound."""
    problems, left = case.backend.care.integrity(mend=case.repair)
    if not problems:
        return
    advice = "" if not left else _MOVE_AWAY if case.repair else "; run 'octavo check --repair'"
    yield Finding("integrity", "", f"{case.name}: {_first_of(left or problems)}{advice}", repaired=not left)


def _first_of(problems: list[str]) -> str:
    """Return the first of the problems and how many more there are."""
    count = f"{len(problems)}{' or more' if len(problems) >= _MOST_PROBLEMS else ''}"
    return problems[0] if len(problems) == 1 else f"{problems[0]} (the first of {count} problems)"


def checksums(case: Examination) -> Iterator[Finding]:
    """Read every stored part and compare its checksum."""
    for key, is_published in case.backend.care.damaged_parts():
        info = case.info(key.document_id)
        name = info.name if info else key.document_id[:19]
        message = f"the stored {key.name} of {name} is damaged"
        if case.repair:
            case.backend.care.drop(key)
        if is_published and info:
            case.lost.setdefault(key.document_id, []).append(key.name)
            yield from case.damaged("checksum", key.document_id, message)
        else:
            yield Finding("checksum", key.document_id, message, repaired=case.repair)


def missing_layers(case: Examination) -> Iterator[Finding]:
    """Compare what each visible document has with what it must have."""
    have: dict[str, set[str]] = {}
    for key in case.backend.store.published():
        have.setdefault(key.document_id, set()).add(key.name)
    for info in case.infos():
        missing = [name for name in (DOCUMENT_PART, *case.layers) if name not in have.get(info.id, set())]
        if missing and info.id not in case.rebuild:
            yield from case.damaged("missing_layer", info.id, f"{info.name} has no {', '.join(missing)}")


_MOST_PROBLEMS = 100
"""How many problems an engine looks for before it gives up."""
_MOVE_AWAY = " and cannot be mended: move it away and add the files again"


def orphans(case: Examination) -> Iterator[Finding]:
    """Look for what is stored and belongs to nothing."""
    for what, count in case.backend.care.orphans(remove=case.repair).items():
        yield Finding("orphan", "", f"{what} ({count})", repaired=case.repair)


def passage_index(case: Examination) -> Iterator[Finding]:
    """Read the files of the passage index; what is damaged, or nobody takes up any more, is made again or removed."""
    damage = case.backend.first_stage.damage()
    if case.repair and damage:
        case.backend.first_stage.close()
        for path in damage:
            path.unlink(missing_ok=True)
        case.backend.first_stage.current()
    for path in damage:
        yield Finding("passage_index", "", f"{path} is damaged or left over", repaired=case.repair)


def expired_leases(case: Examination) -> Iterator[Finding]:
    """Look for documents whose process went away without a word."""
    for job in case.backend.care.abandoned(forget=case.repair):
        yield Finding(
            "expired_lease",
            job.document_id,
            f"indexing of {job.path} was cut off: 'octavo add' takes it up again",
            repaired=case.repair,
        )


def vanished_sources(case: Examination) -> Iterator[Finding]:
    """Look for files that have gone; what was read from them stays."""
    containers = set[str]()
    for source in case.backend.store.sources().values():
        if source.container:
            containers.add(source.container)
        elif not is_address(source.path) and not Path(source.path).exists():
            yield Finding("vanished_source", source.document_id, f"{source.path} is no longer there")
    for path in sorted(containers):
        if not Path(path).exists():
            yield Finding("vanished_source", "", f"{path} is no longer there")


def replies(case: Examination) -> Iterator[Finding]:
    """Read every kept reply of a model; a damaged one is forgotten and asked for again when it is wanted."""
    count = case.backend.care.replies(forget=case.repair)
    if count:
        yield Finding("checksum", "", f"kept replies of models are damaged ({count})", repaired=case.repair)


EXAMINATIONS: tuple[Callable[[Examination], Iterator[Finding]], ...] = (
    checksums,
    missing_layers,
    orphans,
    passage_index,
    expired_leases,
    vanished_sources,
    replies,
)


# Building documents again


def rebuild(
    store: Store,
    builders: Builders,
    broken: Mapping[str, list[Finding]],
    lost: Mapping[str, list[str]],
    prints: RenderedPdfs = NONE,
) -> Iterator[Finding]:
    """Build documents again; yield their findings, mended or with the reason why not.

    `broken` holds findings and `lost` the parts that were taken out, by document id. Optional layers are built by rule.
    """
    if not broken:  # the store may be past reading
        return
    modes = store.ocr_modes()
    files: dict[str, list[Source]] = {}
    for source in store.sources().values():
        files.setdefault(source.document_id, []).append(source)
    for document_id, findings in broken.items():
        builder = DocumentBuilder(store, builders, Silence(), HowToRead(_mode(modes[document_id]), prints=prints))
        had = {key.name for key in store.published([document_id])} | set(lost.get(document_id, ()))
        problem = _attempt(builder, document_id, files.get(document_id, []))
        if not problem:
            path = next((source.path for source in files.get(document_id, [])), "")
            layering = Layering(store, builders, Silence(), prints=prints)
            layering.complete(document_id, path, dict.fromkeys(had, False))
        for finding in findings:
            if problem:
                yield replace(finding, message=f"{finding.message} and cannot be built again: {problem}")
            else:
                yield replace(finding, repaired=True)


def _attempt(builder: DocumentBuilder, document_id: str, files: Sequence[Source]) -> str:
    """Build one document; return what is in the way, "" when nothing was."""
    source = next(filter(_is_as_it_was, files), files[0] if files else Source("", 0, -1, document_id))
    lease = builder.store.claim(document_id, source.path)
    if lease is None:
        return "another process works on it"
    task = Task(Candidate(source), lease, builder.expected(document_id), sources.settled(source), is_visible=True)
    try:
        with builder.builders.parser(1) as parser:
            draft = read_file(builder, task, parser)
        build_stored(builder, draft)
        is_held = publish(builder, [draft])[0]
    except SourceError as error:
        builder.store.release(lease, keep=True)
        return str(error)
    except LeaseLost:
        is_held = False
    return "" if is_held else "another process works on it"


def _is_as_it_was(source: Source) -> bool:
    try:
        return sources.document_id(source.path) == source.document_id
    except SourceError:
        return False


def _mode(ocr: str) -> OcrMode:
    return ocr if ocr in ("always", "never") else "auto"
