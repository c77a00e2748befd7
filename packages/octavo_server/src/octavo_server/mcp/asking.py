"""Tools that find, check and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from octavo.evidence import TraceStep
from octavo.evidence.citation_ids import document_digits
from octavo.evidence.meant_documents import MEANT, preferred_in_words, strangers_in_words
from octavo.models.gateway import Caps
from octavo.systems import SYSTEMS
from octavo_documents.document import page_name
from octavo_server.mcp import results
from octavo_server.mcp.fencing import Fence, Said
from octavo_server.mcp.reading import Name, place
from octavo_server.mcp.tool import Arguments, Reply, Tool, ToolCall, ToolContext
from octavo_server.questions import QuestionOptions, StepSentences

if TYPE_CHECKING:
    from octavo.corpus.streaming import Event
    from octavo.evidence.answer_shapes import MeantShape
    from octavo_server.responses import AnswerShape, PassageShape

Question = Annotated[str, Field(min_length=1, max_length=4000)]
Documents = Annotated[
    list[Name] | None, Field(max_length=100, description="Ids or names of documents to look into; all when left out.")
]
Where = Annotated[
    str | None, Field(max_length=2_000, description="Only documents that fit, as in: date >= 2024 and type = report.")
]
_LONGEST_PASSAGE = 1500
_NAMES = [*SYSTEMS]
_SYSTEMS = f"{', '.join(_NAMES[:-1])} or {_NAMES[-1]}"


System = Annotated[str, Field(max_length=100, description=f"How: {_SYSTEMS}.")]


class SearchArguments(Arguments):
    """Arguments of `search`."""

    query: Annotated[Question, Field(description="A question or words to look for.")]
    documents: Documents = None
    where: Where = None
    limit: Annotated[int, Field(ge=1, le=30, description="Pages.")] = 8
    system: System = "auto"


def _search(context: ToolContext, _call: ToolCall, given: SearchArguments) -> Reply:
    found = context.library.search(
        given.query,
        documents=context.documents(given.documents),
        where=given.where,
        system=given.system,
        limit=given.limit,
    )
    passages = [hit(context, passage) for passage in found["passages"]]
    pages = [
        results.PageHit(
            document=Said(page["document"]),
            document_id=document_digits(page.get("document_id", "")),
            page=page["page"],
            score=page["score"],
        )
        for page in found["pages"][: given.limit]
    ]
    steps = _after_search(passages, pages)
    has_more = len(found["pages"]) >= given.limit
    preferred = _preferred(found.get("meant"))
    result = results.Hits(passages=passages, pages=pages, preferred=Said(preferred), has_more=has_more, next=steps)
    fence = Fence()
    ranked = ", ".join(f"{page.document_id} p. {page.page} ({page.score:.2f})" for page in pages)
    text = [
        f"{len(passages)} passages that fit best. {fence.rule()}",
        *([preferred] if preferred else []),
        *(_place_text(fence, passage, passage.text) for passage in passages),
        f"Pages, best first: {ranked}" if ranked else "No page fits.",
        f"Next: {'; '.join(steps)}.",
    ]
    return Reply(result, "\n".join(text))


def _after_search(passages: list[results.Hit], pages: list[results.PageHit]) -> list[str]:
    if not pages:
        return ["Nothing fits: use other words, or list_documents to see what there is"]
    first = pages[0]
    return [
        "read(citation=id) for what stands around a passage",
        f"read(document='{first.document_id}', pages='{first.page}') for a whole page",
        *(["show_page(citation=id) to see it"] if passages else []),
        "verify_quote for the id of exact words, since a passage may join several blocks",
        "search again with other words or a larger limit where this does not settle it",
    ]


def _preferred(meant: MeantShape | None) -> str:
    """Return which documents were preferred, by their ids, and for what words of the question; "" for none."""
    if meant is None:
        return ""
    ids = [document_digits(one["document_id"]) for one in meant["documents"]]
    named: MeantShape = {**meant, "documents": [{"document": one, "document_id": one} for one in ids]}
    told, strangers = preferred_in_words(named), strangers_in_words(meant)
    first = f"Looked first in {told}; name documents to ask others." if told else ""
    return " ".join(filter(None, (first, f"No document is about {strangers}." if strangers else "")))


def hit(context: ToolContext, passage: PassageShape) -> results.Hit:
    """Return a passage of the library as tools give it."""
    text = Said(passage["text"], _LONGEST_PASSAGE)
    return results.Hit(**place(context, passage), text=text, score=round(passage["score"], 3))


def _place_text(fence: Fence, where: results.Place, words: Said) -> str:
    head = f"[{where.id}] document {where.document_id} page {where.page} {where.link}".rstrip()
    path = " > ".join(title.bare for title in where.section)
    label = page_name(where.page, where.page_label.bare)
    return f"{head}\n" + fence.around(f"{where.document.bare}, {label}: {path}\n{words.bare}")


class VerifyArguments(Arguments):
    """Arguments of `verify_quote`."""

    quote: Annotated[str, Field(min_length=1, max_length=4000, description="The words, as they should stand there.")]
    documents: Documents = None


def _verify(context: ToolContext, _call: ToolCall, given: VerifyArguments) -> Reply:
    found = context.library.verify(given.quote, context.documents(given.documents))
    places = [
        results.FoundAt(**place(context, one), quote=Said(one["quote"]), similarity=round(one["similarity"], 3))
        for one in found["places"]
    ]
    steps = _after_check(found["found"], is_complete=found["is_complete"])
    result = results.QuoteCheck(
        found=found["found"],
        places=places,
        searched=found["searched"],
        is_complete=found["is_complete"],
        next=steps,
    )
    fence = Fence()
    text = [
        f"{_VERDICTS[result.found]} ({result.searched} documents searched). {fence.rule()}",
        *(_place_text(fence, one, one.quote) for one in places),
        f"Next: {'; '.join(steps)}.",
    ]
    places = [(one.id, one.page) for one in result.places]
    return Reply(result, "\n".join(text), places=places, verdict=f"{_VERDICTS[result.found]}.")


_VERDICTS = {
    "exact": "The quote stands there word for word",
    "normalised": "The quote stands there, but for white space, hyphens, case or quotation marks",
    "near": "Words like the quote stand there, not the quote itself",
    "none": "The quote stands nowhere",
}


def _after_check(found: str, *, is_complete: bool) -> list[str]:
    steps = {
        "normalised": ["Quote it as it stands there, and cite it by its id and link"],
        "near": ["Quote what stands there instead, or do not call it a quote"],
        "none": ["Do not present it as a quote; search for what the documents do say"],
    }.get(found, ["Cite it by its id and link"])
    return steps if is_complete else [*steps, "Not all documents were looked through: name documents to be sure"]


class AskArguments(Arguments):
    """Arguments of `ask`."""

    question: Question
    documents: Documents = None
    where: Where = None
    conversation: Annotated[
        str | None, Field(max_length=80, description="'new', or the id an answer gave, for follow-up questions.")
    ] = None
    max_seconds: Annotated[float, Field(gt=0, le=300)] = 120
    system: System = "auto"
    answer_format: Annotated[
        str | None,
        Field(max_length=100, description="Str, Int, Float, List or None, for systems that ask by type (mmrag-paper)."),
    ] = None


_WITH_NAMES = (MEANT, "CompleteQuestion")
"""Steps whose sentences have words of documents in them."""


def _ask(context: ToolContext, call: ToolCall, given: AskArguments) -> Reply:
    steps = StepSentences()

    def listen(event: Event) -> None:
        sentence = steps.add(event)
        if sentence and isinstance(event, TraceStep) and event.step not in _WITH_NAMES:
            call.tell(sentence)

    asked = context.library.asking(
        given.question,
        listen,
        QuestionOptions(
            documents=context.documents(given.documents),
            where=given.where,
            system=given.system,
            caps=Caps(seconds=given.max_seconds),
            conversation=given.conversation,
            answer_format=given.answer_format,
            owner=context.owner,
        ),
    )
    call.on_cancel(asked.cancel)
    result = _answered(context, asked.finish(asked.run(call.slot), steps.sentences, False))  # noqa: FBT003
    fence = Fence()
    sure, cited = f"{result.confidence:.0%} sure", f"{len(result.citations)} citations"
    verdict = {
        "answer": f"An answer ({result.answer_label}), {sure}",
        "passages": "Passages; no short answer is sure.",
        "nothing": "The documents do not say.",
    }[result.outcome]
    head = f"{verdict}, {cited}. {result.link}" if result.outcome == "answer" else verdict
    told = (result.lead, result.answer, result.preferred)
    text = [
        f"{head} {fence.rule()}",
        fence.around("\n".join(dict.fromkeys(filter(None, (one.bare for one in told))))),
        *(_place_text(fence, one, one.quote) for one in result.citations),
        *(() if result.citations else (_place_text(fence, one, one.text) for one in result.passages)),
        f"Next: {'; '.join(result.next)}.",
    ]
    places = [(one.id, one.page) for one in result.citations or result.passages]
    return Reply(result, "\n".join(text), places=places, verdict=verdict)


def _answered(context: ToolContext, answer: AnswerShape) -> results.Answered:
    steps = {
        "answer": ["Check it: get_citation(id) or show_page(citation=id)", "Cite by id and link"],
        "passages": ["Read the passages and answer from them: read(citation=id)", "search with other words"],
        "nothing": ["search with other words, or say that the documents do not tell"],
    }[answer["outcome"]]
    if answer.get("conversation"):
        steps.append(f"ask(conversation='{answer['conversation']}') goes on from here")
    return results.Answered(
        outcome=answer["outcome"],
        lead=Said(answer.get("lead", "")),
        answer=Said(answer["answer"]),
        answer_is_quoted=answer["answer_is_quoted"],
        answer_label=answer["answer_label"],
        confidence=answer["confidence"],
        citations=[
            results.Quoted(**place(context, one), quote=Said(one["quote"], _LONGEST_PASSAGE))
            for one in answer["citations"]
        ],
        passages=[hit(context, one) for one in answer["passages"]],
        preferred=Said(_preferred(answer.get("meant"))),
        steps=[Said(step, 300) for step in answer.get("steps", [])],
        missing=[Said(one, 300) for one in answer["missing"]],
        understood=Said(answer.get("understood", "")),
        link=context.link(answer.get("link")),
        conversation=answer.get("conversation"),
        stopped=answer["stopped"],
        words_alone=Said(answer.get("words_alone", "")),
        next=steps,
    )


SEARCH: Tool[Any] = Tool(
    name="search",
    title="Search",
    description="Find the passages and pages that fit a question best. Returns citation ids.",
    arguments=SearchArguments,
    result=results.Hits,
    run=_search,
)
VERIFY: Tool[Any] = Tool(
    name="verify_quote",
    title="Check a quote",
    description="Tell whether a quote stands in the documents word for word, and where. Check before quoting.",
    arguments=VerifyArguments,
    result=results.QuoteCheck,
    run=_verify,
    is_shown=True,
)
ASK: Tool[Any] = Tool(
    name="ask",
    title="Ask",
    description="Answer a question from the documents with citations; says so where they do not tell.",
    arguments=AskArguments,
    result=results.Answered,
    run=_ask,
    asks_models=True,
    is_shown=True,
)
