// Text of documents as it is shown: what matters marked, what is struck out there struck out here, and said to be.
import type { ComponentChildren } from "preact";
import { spansOf, tell, type Span } from "../words";

export const shown = (spans: Span[]): ComponentChildren =>
  spans.map((one, index) => {
    const text = one.struck ? <del key={index}><span class="unseen">struck out: </span>{one.text}</del> : one.text;
    return one.marked ? <mark key={index}>{text}</mark> : text;
  });

export const said = (text: string, marked: readonly (readonly [number, number])[] = []): ComponentChildren =>
  marked.length || text.includes("~~") ? shown(spansOf(tell(text, marked), 0, text.length)) : text;
