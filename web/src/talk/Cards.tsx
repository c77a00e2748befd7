// Places in documents: what an answer cites, and passages that were considered or come closest.
import type { ComponentChildren } from "preact";
import { goPlace } from "../reading";
import { focus } from "../state";
import type { Citation, Passage, Place } from "../types";
import { copyLink } from "../ui/copy";
import { Icon } from "../ui/icon";
import { inUnits, parts, placeName, printed, type Span } from "../words";

const spans = (all: Span[]): ComponentChildren => all.map((one, index) => (one.marked ? <mark key={index}>{one.text}</mark> : one.text));

export function Printed({ text, emphasis }: { text: string; emphasis: [number, number][] }) {
  return (
    <div class="words">
      {parts(text, emphasis).map((part, index) =>
        part.rows ? (
          <div class="table-box" key={index}>
            <table>
              <thead><tr>{part.rows[0]!.map((cell, at) => <th key={at} scope="col" class={part.rows!.slice(1).some((row) => row[at]?.isNumber) ? "n" : undefined}>{spans(cell.spans)}</th>)}</tr></thead>
              <tbody>
                {part.rows.slice(1).map((row, line) => <tr key={line} class={row.some((cell) => cell.spans.some((one) => one.marked)) ? "hit" : undefined}>{row.map((cell, at) => <td key={at} class={part.rows!.slice(1).some((other) => other[at]?.isNumber) ? "n" : undefined}>{spans(cell.spans)}</td>)}</tr>)}
              </tbody>
            </table>
          </div>
        ) : (
          <p key={index}>{spans(part.spans)}</p>
        ),
      )}
    </div>
  );
}

function Card(props: { place: Place; number: number | null; isOn: boolean; open: () => void; children: ComponentChildren; muted?: boolean }) {
  const { place } = props;
  const label = printed(place.page, place.page_label);
  const where = `${place.document}, ${placeName(place)}`;
  const choose = (event: MouseEvent): void => {
    if ((event.target as HTMLElement).closest("a, button") || getSelection()?.toString()) return;
    props.open();
  };
  return (
    <article class={`card${props.isOn ? " on" : ""}${props.muted ? " muted" : ""}`} onClick={choose}>
      <header class="card-head">
        {props.number !== null && <b class="num">{props.number}</b>}
        <a class="card-place" href={place.link} aria-current={props.isOn ? "true" : undefined}
          onClick={(event) => { if (!event.metaKey && !event.ctrlKey && !event.shiftKey) { event.preventDefault(); props.open(); } }}>{where}</a>
        {label && <span class="card-label">{label}</span>}
        <button type="button" class="tool bare card-copy" aria-label={`Copy link to ${where}`} title="Copy link" onClick={() => void copyLink(place.link)}><Icon name="link" /></button>
        {place.section.length > 0 && <span class="card-section">{place.section.at(-1)}</span>}
      </header>
      {props.children}
    </article>
  );
}

export function CitedCard({ citation, passage, number, isOn }: { citation: Citation; passage: Passage | null; number: number | null; isOn?: boolean }) {
  const on = isOn ?? focus.value?.id === citation.id;
  const body = passage ?? { text: citation.quote, emphasis: [] as [number, number][] };
  const quoted = passage ? quotedIn(passage, citation.quote) : null;
  return (
    <Card place={citation} number={number} isOn={on} open={() => void goPlace(citation, number)}>
      <Printed text={body.text || "The whole of it, as a picture."} emphasis={quoted ?? body.emphasis} />
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

export function PassageCard({ passage }: { passage: Passage }) {
  return (
    <Card place={passage} number={null} isOn={focus.value?.id === passage.id} open={() => void goPlace(passage, null, { passage })} muted>
      <Printed text={passage.text} emphasis={passage.emphasis} />
    </Card>
  );
}
