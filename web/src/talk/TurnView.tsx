// One question and what came of it.
import { useEffect, useState } from "preact/hooks";
import { again, askBeside, askIn, isAsking, stop } from "../asking";
import { send } from "../api";
import { chosenName, countChosen, goPlace, held, noticed } from "../reading";
import { focus, isPhone, say, type Turn } from "../state";
import type { Answer } from "../types";
import { printAnswer } from "../desk/Print";
import { markdown } from "../markdown";
import { copy, copyLink } from "../ui/copy";
import { said } from "../ui/said";
import { Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import { bare, claimsIn, coveredTold, how, leadOf, placeIn, placeName, preferredIn, saysMore, seconds, sentence, sorted, sureness, surenessTold, unstruck } from "../words";
import { CitedCard, PassageCard } from "./Cards";
import { peeking, unpeek } from "./Peek";
import { digits, number, plural, t } from "../wording";

export function TurnView({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const answer = turn.answer;
  const Head = isPhone.value ? "h2" : "h3";
  return (
    <section class={`turn turn-${turn.state}`} data-turn={turn.key} aria-label={t("Question: {question}", { question: turn.question })}>
      <Head class="question">{turn.question}</Head>
      {answer?.understood && answer.understood !== turn.question && (
        <p class="understood"><span>{t("Understood as")}</span> {answer.understood}</p>
      )}
      {turn.scope && <p class="asked-in">{t("Asked in {scope}", { scope: chosenName(turn.scope) })}</p>}
      <div class="outcome" aria-live={isLast ? "polite" : undefined} aria-busy={turn.state === "asking"}>
        {turn.state === "asking" && <Working turn={turn} />}
        {turn.state === "waiting" && <Waiting turn={turn} />}
        {turn.state === "failed" && <Failed turn={turn} />}
        {turn.state === "stopped" && <Stopped turn={turn} />}
        {answer && turn.state === "done" && <Failures answer={answer} unfinished={turn.unfinished ?? ""} />}
        {answer && turn.state === "done" && <Outcome answer={answer} />}
      </div>
      {answer && turn.state === "done" && (
        <>
          <Preferred turn={turn} answer={answer} />
          <Found answer={answer} />
          <Acts answer={answer} />
        </>
      )}
    </section>
  );
}

/** Why a model did not write the answer, and what it had written by then. */
function Failures({ answer, unfinished }: { answer: Answer; unfinished: string }) {
  if (!answer.failures?.length) return null;
  return (
    <div class="failures">
      <p class="unsure"><Icon name="warn" /><span>{answer.failures.map(sentence).join(" ")} {answer.decided_by.rule && answer.failures.length > (answer.is_kept === false ? 1 : 0) ? t("What follows was found without it.") : ""}</span></p>
      {unfinished && (
        <details class="fold">
          <summary>{t("What it had written, not checked")}</summary>
          <p class="answer long unfinished">{unfinished} …</p>
        </details>
      )}
    </div>
  );
}

function Outcome({ answer }: { answer: Answer }) {
  const { cited, considered } = sorted(answer);
  if (answer.outcome === "nothing")
    return (
      <div class="nothing">
        <p class="lead">{said(leadOf(answer))}</p>
        <p class="quiet">{t("Try the words the documents use, or ask more of them.")}</p>
      </div>
    );
  if (answer.outcome === "passages")
    return (
      <>
        <p class="lead">{said(leadOf(answer))}</p>
        {saysMore(answer) && <p class="answer long">{said(answer.answer)}</p>}
        {answer.missing.length > 0 && <p class="quiet">{t("Not found: {what}", { what: answer.missing.join("; ") })}</p>}
        <div class="cards">{answer.passages.map((one, index) => <PassageCard key={`${one.id}${index}`} passage={one} isBest={index === 0} />)}</div>
        <p class="hedge">{t("No short answer is sure enough to be stated: read what is marked.")}</p>
      </>
    );
  return (
    <>
      {answer.lead && <p class="lead over">{said(leadOf(answer))}</p>}
      <Text answer={answer} />
      <p class="meta">
        <span class={`sure sure-${sureness(answer)}`}>{surenessTold(answer)}</span>
        {[how(answer), seconds(answer.usage.seconds), coveredTold(answer), ...(answer.words_alone ? [t("looked for words alone: {why}", { why: answer.words_alone })] : []), ...(answer.stopped ? [t("stopped at the limit {limit}", { limit: answer.stopped.replace(/_/g, " ") })] : [])].filter(Boolean).map((one) => <span key={one}>{one}</span>)}
      </p>
      <div class="cards" aria-label={t("Cited")} role="group">
        {cited.map(({ citation, passage }, index) => <CitedCard key={`${citation.id}${index}`} citation={citation} passage={passage} number={index + 1} answer={bare(answer)} />)}
      </div>
      {considered.length > 0 && (
        <details class="fold">
          <summary>{t("Considered, not cited ({n})", { n: considered.length })}</summary>
          <div class="cards considered">{considered.map((one, index) => <PassageCard key={`${one.id}${index}`} passage={one} />)}</div>
        </details>
      )}
    </>
  );
}

/** The answer itself, in the size its length allows, with the numbers of its citations. */
function Text({ answer }: { answer: Answer }) {
  // The text may have more than the values: their units.
  const listed = Array.isArray(answer.value) && answer.value.length > 1 ? answer.value.map(String) : null;
  const items = listed && [", ", "; ", "\n"].some((between) => listed.join(between) === answer.answer) ? listed : null;
  const length = answer.answer.length;
  const numbers = <Numbers answer={answer} of={answer.citations.map((_, index) => index + 1)} />;
  if (items && items.length <= 40)
    return <ul class="answer list">{items.map((one, index) => <li key={index}>{said(one)}{index === items.length - 1 && numbers}</li>)}</ul>;
  const paragraphs = answer.answer.split(/\n{1,}/).filter(Boolean);
  const kind = length <= 40 ? "short" : length <= 160 ? "middling" : "long";
  const claimed = claimsIn(answer);
  if (claimed.length)
    return (
      <div class={`answer ${kind}`}>
        {claimed.map((pieces, index) => (
          <p key={index}>
            {pieces.map((one, at) => one.citations === null ? said(one.text) : one.citations.length ? <>{said(one.text)}<Numbers answer={answer} of={one.citations} /></> : (
              <span key={at} class="unquoted">{said(one.text)}<small class="unquoted-told">{t("no quote")}</small></span>
            ))}
          </p>
        ))}
      </div>
    );
  return <div class={`answer ${kind}`}>{paragraphs.map((one, index) => <p key={index}>{said(one)}{index === paragraphs.length - 1 && numbers}</p>)}</div>;
}

/** Numbers of citations that lead to their places. */
function Numbers({ answer, of }: { answer: Answer; of: number[] }) {
  return (
    <span class="numbers">
      {of.map((number) => {
        const one = answer.citations[number - 1];
        return one && (
          <a key={number} class={`num${focus.value?.id === one.id ? " on" : ""}`} href={one.link} aria-label={t("Citation {number}: {place}", { number: String(number), place: `${unstruck(placeIn(one))}, ${placeName(one)}` })}
            {...peeking(one)}
            onClick={(event) => { unpeek(); if (!event.metaKey && !event.ctrlKey && !event.shiftKey) { event.preventDefault(); void goPlace(one, number, { answer: bare(answer) }); } }}>{number}</a>
        );
      })}
    </span>
  );
}

function Working({ turn }: { turn: Turn }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 500);
    return () => clearInterval(timer);
  }, []);
  const passed = (performance.now() - turn.started) / 1000;
  return (
    <div class="working">
      {turn.text && <div class="answer long"><p>{turn.text}</p></div>}
      <ol class="steps">
        {turn.steps.map((one, index) => <li key={index} class={index === turn.steps.length - 1 && !turn.text ? "now" : ""}>{one}</li>)}
        {!turn.steps.length && <li class="now">{t("Looking through the documents…")}</li>}
      </ol>
      {turn.passages.length > 0 && !turn.text && (
        <div class="cards considered" aria-hidden="true">{turn.passages.slice(0, 2).map((one) => <PassageCard key={one.id} passage={one} />)}</div>
      )}
      <p class="working-foot"><span class="quiet" aria-hidden="true">{passed > 1.5 ? seconds(passed) : ""}</span><button type="button" class="tool" onClick={stop}><Icon name="stop" />{t("Stop")}</button></p>
    </div>
  );
}

/** The server went away: the question is asked again as soon as it is back. */
function Waiting({ turn }: { turn: Turn }) {
  return (
    <div class="failed-told waits" role="status">
      <p><b>{t("The server went away while this was being answered.")}</b> {t("The question is asked again when it is back.")}</p>
      <button type="button" class="tool" onClick={stop}><Icon name="stop" />{t("Do not wait")}</button>
      <Got turn={turn} />
    </div>
  );
}

function Stopped({ turn }: { turn: Turn }) {
  return (
    <>
      <div class="nothing stopped" role="status">
        <p><b>{t("Stopped before there was an answer.")}</b> {t("The question is in the field again.")}</p>
        <button type="button" class="tool" onClick={() => void again(turn)}><Icon name="again" />{t("Try again")}</button>
      </div>
      <Got turn={turn} />
    </>
  );
}

/** What had come in of an answer that was not finished. */
function Got({ turn }: { turn: Turn }) {
  if (!turn.text && !turn.passages.length) return null;
  return (
    <div class="got">
      {turn.text && <div class="answer long unfinished"><p>{turn.text} …</p></div>}
      {turn.passages.length > 0 && (
        <details class="fold" open={!turn.text}>
          <summary>{t("Passages found by then ({n})", { n: turn.passages.length })}</summary>
          <div class="cards considered">{turn.passages.map((one, index) => <PassageCard key={`${one.id}${index}`} passage={one} />)}</div>
        </details>
      )}
    </div>
  );
}

function Failed({ turn }: { turn: Turn }) {
  const problem = turn.problem;
  const [left, setLeft] = useState(problem?.isBusy ? Math.ceil(problem.retryAfter ?? 3) : 0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => {
      setLeft(left - 1);
      if (left === 1) void again(turn);
    }, 1000);
    return () => clearTimeout(timer);
  }, [left]);
  if (!problem) return null;
  const title = problem.isGone ? t("The answer did not come through.") : problem.isBusy ? t("The server is busy.") : problem.isExpired ? t("The key of this browser is no longer valid.") : problem.isMissing ? t("That is no longer here.") : t("No answer.");
  return (
    <>
      <div class="failed-told" role="alert">
        <p><b>{title}</b> {problem.isExpired ? t("Sign in, then ask again.") : problem.message}</p>
        {left > 0 && <p class="quiet">{t("Asking again in {time}.", { time: plural(left, "second") })}</p>}
        {turn.started > 0 && <button type="button" class="tool" onClick={() => void again(turn)}><Icon name="again" />{t("Try again")}</button>}
      </div>
      <Got turn={turn} />
    </>
  );
}

/** Which documents were looked into first, and a click to ask the others, or these alone. */
function Preferred({ turn, answer }: { turn: Turn; answer: Answer }) {
  const told = preferredIn(answer.meant);
  if (!told) return null;
  const ids = answer.meant!.documents.map((one) => one.document_id);
  const question = answer.understood || turn.question;
  const hasOthers = (turn.scope ? countChosen(turn.scope) : held()) > ids.length;
  return (
    <p class="preferred">
      {t("Looked first in {told}", { told })}
      {hasOthers && <> · <button type="button" class="linkish" disabled={isAsking()} onClick={() => void askBeside(turn, question, ids)}>{t("ask the others")}</button></>}
      {hasOthers && <> · <button type="button" class="linkish" disabled={isAsking()} onClick={() => askIn(question, ids)}>{ids.length === 1 ? t("ask only this one") : t("ask only these {n}", { n: ids.length })}</button></>}
    </p>
  );
}

function Found({ answer }: { answer: Answer }) {
  if (!answer.steps?.length) return null;
  const { usage } = answer;
  const calls = usage.calls + usage.cached_calls;
  return (
    <details class="fold">
      <summary>{t("How this was found")}</summary>
      <ol class="steps">{answer.steps.map((one, index) => <li key={index}>{one}</li>)}</ol>
      <p class="quiet">
        {calls ? t("{calls} of a model, {tokens} tokens", { calls: plural(calls, "call"), tokens: number(usage.input_tokens + usage.output_tokens) }) + (usage.cost ? t(", cost {cost}", { cost: digits(usage.cost, 4) }) : "") : t("No model was asked")}
        {t(", system {system}, {pages} considered.", { system: answer.system, pages: plural(answer.pages.length, "page") })}
      </p>
    </details>
  );
}

const FORMATS: [string, string, string][] = [
  ["markdown", "Markdown", ".md"], ["bibtex", "BibTeX", ".bib"], ["ris", "RIS", ".ris"], ["csl-json", "CSL-JSON", ".json"],
  ["web-annotation", "Web Annotation", ".jsonld"], ["pdf", t("PDF with highlights"), ".pdf"],
];

function Acts({ answer }: { answer: Answer }) {
  return (
    <div class="acts">
      <button type="button" class="tool bare" aria-label={t("Copy link to this answer")} title={t("Copy link to this answer")} onClick={() => void copyLink(answer.link)}><Icon name="link" /></button>
      <button type="button" class="tool bare" aria-label={t("Copy as Markdown")} title={t("Copy as Markdown")} onClick={() => void copy(markdown(answer, location.origin), t("Answer"))}><Icon name="copy" /></button>
      <button type="button" class="tool bare" aria-label={t("Print this answer")} title={t("Print this answer")} onClick={printAnswer}><Icon name="print" /></button>
      {answer.outcome !== "nothing" && (
        <Menu label={t("Export the citations")} class="tool bare" icon="more" items={FORMATS.map(([format, name, ending]) => ({ name, told: ending, act: () => void exported(answer, format, ending) }))} />
      )}
    </div>
  );
}

async function exported(answer: Answer, format: string, ending: string): Promise<void> {
  try {
    const body = answer.citations.length ? { answer: answer.id, format } : { citations: answer.passages.map((one) => one.id), format };
    const response = await send("/v1/export", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const named = /filename\*?=(?:UTF-8'')?"?([^";]+)/i.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = named ? decodeURIComponent(named) : `octavo-${answer.id}${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    say(noticed(error).message);
  }
}
