// Text of documents as it is shown: what matters marked, what is struck out there struck out here, and said to be.
import type { ComponentChildren } from "preact";
import { spansOf, tell, type Span } from "../words";
import { t } from "../wording";

/** Spans that follow each other are one mark, whatever of them is struck out. */
export function shown(spans: Span[]): ComponentChildren {
  const runs: Span[][] = [];
  for (const one of spans) {
    if (runs.at(-1)?.[0]!.marked === one.marked) runs.at(-1)!.push(one);
    else runs.push([one]);
  }
  return runs.map((run, at) => {
    const text = run.map((one, index) => (one.struck ? <del key={index}><span class="unseen">{t("struck out: ")}</span>{one.text}</del> : one.text));
    return run[0]!.marked ? <mark key={at}>{text}</mark> : text;
  });
}

export const said = (text: string, marked: readonly (readonly [number, number])[] = []): ComponentChildren =>
  marked.length || text.includes("~~") ? shown(spansOf(tell(text, marked), 0, text.length)) : text;
