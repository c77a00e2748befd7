// Places in documents: what an answer cites, and passages that were considered or come closest.
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { goPlace } from "../reading";
import { focus } from "../state";
import type { Citation, Passage, Place } from "../types";
import { copyLink } from "../ui/copy";
import { Icon } from "../ui/icon";
import { said, shown as spans } from "../ui/said";
import { Wide } from "../ui/wide";
import { cellSaying, emphasised, inUnits, isOneWord, parts, placeIn, placeName, printed, unstruck, type PrintedCell } from "../words";
import { t } from "../wording";

/** The whole of a passage; of a very long table the rows that matter: those marked, and those of the quote. */
export function Printed({ text, emphasis, quote = "", answer = "" }: { text: string; emphasis: [number, number][]; quote?: string; answer?: string }) {
  const lines = useMemo(() => new Set(quote.split("\n").map(plain).filter(Boolean)), [quote]);
  return (
    <div class="words">
      {parts(text, emphasis).map((part, index) => (part.rows ? <PrintedTable key={index} rows={part.rows} quoted={lines} answer={answer} /> : <p key={index}>{spans(part.spans)}</p>))}
    </div>
  );
}

const plain = (text: string): string => text.replace(/[\s|]+/g, " ").trim();
/** Rows of a table that is shown whole; of a longer one as many as FIRST are shown. */
const MOST = 16;
const FIRST = 10;

/** Which rows of a long table to show: all that matter, with what comes before each, then the first ones. */
function chosenOf(matter: boolean[]): Set<number> {
  const chosen = new Set(matter.flatMap((matters, at) => (matters ? [at] : [])));
  for (const at of [...chosen]) if (at > 0 && chosen.size < FIRST) chosen.add(at - 1);
  for (let at = 0; at < matter.length && chosen.size < FIRST; at++) chosen.add(at);
  return chosen;
}

function PrintedTable({ rows, quoted, answer }: { rows: PrintedCell[][]; quoted: Set<string>; answer: string }) {
  const [isWhole, setWhole] = useState(false);
  const [head, ...body] = rows as [PrintedCell[], ...PrintedCell[][]];
  const width = Math.max(...rows.map((row) => row.length));
  const hits = body.map((row) => row.some((cell) => cell.spans.some((one) => one.marked)) || quoted.has(plain(row.map((cell) => cell.text).join(" "))));
  const saying = body.map((row, at) => (hits[at] ? cellSaying(row.map((cell) => cell.text), answer) : -1));
  const chosen = chosenOf(hits);
  const shown = body.map((row, at) => ({ row, at })).filter(({ at }) => isWhole || body.length <= MOST || chosen.has(at));
  const numeric = Array.from({ length: width }, (_, at) => body.some((row) => row[at]?.isNumber));
  const left = body.length - shown.length;
  return (
    <>
      <Wide label={t("Table")} toward={answer}>
        <table dir="auto">
          <thead><tr>{head.map((cell, at) => <th key={at} scope="col" class={numeric[at] ? "n" : undefined}>{spans(cell.spans)}</th>)}</tr></thead>
          <tbody>{shown.map(({ row, at: line }) => <tr key={line} class={row.length === 1 ? "part" : hits[line] ? "hit" : undefined}>{row.length === 1 ? <td colSpan={width}>{spans(row[0]!.spans)}</td> : row.map((cell, at) => <td key={at} class={[numeric[at] && (cell.isNumber ? "n" : "n wraps"), isOneWord(cell.text) && "one", at === saying[line] && "says"].filter(Boolean).join(" ") || undefined}>{spans(cell.spans)}</td>)}</tr>)}</tbody>
        </table>
      </Wide>
      {(left > 0 || isWhole) && <button type="button" class="linkish rows-left" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>{isWhole ? t("Show fewer rows") : left === 1 ? t("Show 1 more row") : t("Show {n} more rows", { n: left })}</button>}
    </>
  );
}

function Card(props: { place: Place; number: number | null; isOn: boolean; open: () => void; children: ComponentChildren; kind?: "muted" | "best" }) {
  const { place } = props;
  const label = printed(place.page, place.page_label);
  const where = `${unstruck(placeIn(place))}, ${placeName(place)}`;
  const choose = (event: MouseEvent): void => {
    if ((event.target as HTMLElement).closest("a, button") || getSelection()?.toString()) return;
    props.open();
  };
  return (
    <article class={`card${props.isOn ? " on" : ""}${props.kind ? ` ${props.kind}` : ""}`} onClick={choose}>
      <header class="card-head">
        {props.number !== null && <b class="num">{props.number}</b>}
        <a class="card-place" href={place.link} title={place.document_title ? place.document : undefined} data-url={location.origin + place.link} aria-current={props.isOn ? "true" : undefined}
          onClick={(event) => { if (!event.metaKey && !event.ctrlKey && !event.shiftKey) { event.preventDefault(); props.open(); } }}><span class="card-doc">{said(placeIn(place))}</span><span class="card-page">, {placeName(place)}</span></a>
        {label && <span class="card-label">{label}</span>}
        <button type="button" class="tool bare card-copy" aria-label={t("Copy link to {place}", { place: where })} title={t("Copy link")} onClick={() => void copyLink(place.link)}><Icon name="link" /></button>
        {place.section.length > 0 && <span class="card-section">{said(place.section.at(-1)!)}</span>}
      </header>
      {props.children}
    </article>
  );
}

/** `answer`: what was answered from it, whose cell stands out in a table. */
export function CitedCard({ citation, passage, number, isOn, answer = "" }: { citation: Citation; passage: Passage | null; number: number | null; isOn?: boolean; answer?: string }) {
  const on = isOn ?? focus.value?.id === citation.id;
  const body = passage ?? { text: citation.quote, emphasis: [] as [number, number][] };
  const quoted = passage ? quotedIn(passage, citation.quote) : null;
  return (
    <Card place={citation} number={number} isOn={on} open={() => void goPlace(citation, number, { answer })}>
      <Printed text={body.text || t("The whole of it, as a picture.")} emphasis={quoted ?? body.emphasis} quote={citation.quote} answer={answer} />
    </Card>
  );
}

/** The quote inside its passage; where it stands there once, it is marked rather than the passage's own emphasis. */
function quotedIn(passage: Passage, quote: string): [number, number][] | null {
  if (!quote || passage.emphasis.length) return null;
  const { text } = inUnits(passage.text, []);
  const at = text.indexOf(quote);
  if (at < 0) return null;
  const before = [...text.slice(0, at)].length;
  return [[before, before + [...quote].length]];
}

/** `isBest`: the one that fits best of those that are shown in the place of an answer. */
export function PassageCard({ passage, isBest = false }: { passage: Passage; isBest?: boolean }) {
  return (
    <Card place={passage} number={null} isOn={focus.value?.id === passage.id && focus.value.texts.join() === emphasised(passage).join()} open={() => void goPlace(passage, null, { passage })} kind={isBest ? "best" : "muted"}>
      <Printed text={passage.text} emphasis={passage.emphasis} />
    </Card>
  );
}
