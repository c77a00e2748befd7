// What a citation's number leads to, shown beside it: the place cut out of its page, or its words.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { Problem } from "../api";
import { pictureUrl } from "../desk/Sheet";
import { known, loadPage, pageOf } from "../reading";
import type { Box, Citation, Page } from "../types";
import { said } from "../ui/said";
import { placeIn, placeName } from "../words";

interface Peeked {
  citation: Citation;
  /** Where the number stands in the window. */
  left: number;
  top: number;
  bottom: number;
}

const WIDE = 380;
const MOST_HIGH = 240;
/** Points of the page around the box, so that it is seen where it stands. */
const AROUND = 16;
const LONGEST = 420;
const COMES_MS = 220;
const GOES_MS = 160;

const peeked = signal<Peeked | null>(null);
export const PEEK = "peek";
let timer: ReturnType<typeof setTimeout> | undefined;

const soon = (to: Peeked | null, after: number): void => {
  clearTimeout(timer);
  timer = setTimeout(() => void (peeked.value = to), after);
};

/** What a number needs to show its place where it is pointed at or has the focus. */
export function peeking(citation: Citation) {
  const show = (event: Event): void => {
    const { left, top, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    soon({ citation, left, top, bottom }, COMES_MS);
  };
  const hide = (): void => soon(null, GOES_MS);
  return {
    onPointerEnter: (event: PointerEvent) => event.pointerType !== "touch" && show(event),
    onPointerLeave: hide,
    onFocus: (event: Event) => (event.currentTarget as HTMLElement).matches(":focus-visible") && show(event),
    onBlur: hide,
    "aria-describedby": peeked.value?.citation.id === citation.id ? PEEK : undefined,
  };
}

export function unpeek(): void {
  soon(null, 0);
}

export function Peek() {
  const at = peeked.value;
  useLayoutEffect(() => { // what is shown can be closed at once: other effects may come a tenth of a second later
    if (!at) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      unpeek();
    };
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("scroll", unpeek, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("scroll", unpeek, true);
    };
  }, [at]);
  if (!at) return null;
  const wide = Math.min(WIDE, innerWidth - 16);
  const isBelow = at.top < MOST_HIGH + 90;
  return (
    <div class="peek-card" id={PEEK} role="tooltip" onPointerEnter={() => clearTimeout(timer)} onPointerLeave={() => soon(null, GOES_MS)}
      style={{ width: `${wide}px`, left: `${Math.max(8, Math.min(at.left - 24, innerWidth - wide - 8))}px`, ...(isBelow ? { top: `${at.bottom + 3}px` } : { bottom: `${innerHeight - at.top + 3}px` }) }}>
      <p class="peek-head"><b>{said(placeIn(at.citation))}</b>, {placeName(at.citation)}</p>
      <Cutting citation={at.citation} wide={wide} />
    </div>
  );
}

/** The part of the page that holds the box; where a document has no pages, or while one comes, the words. */
function Cutting({ citation, wide }: { citation: Citation; wide: number }) {
  const id = citation.document_id;
  const hasPages = known.get(id)?.has_pages ?? false;
  useEffect(() => {
    if (hasPages) loadPage(id, citation.page);
  }, [id, citation.page, hasPages]);
  const page = hasPages ? pageOf(id, citation.page) : undefined;
  const quote = citation.quote.length > LONGEST ? `${citation.quote.slice(0, LONGEST)}…` : citation.quote;
  if (!page || page instanceof Problem || citation.box[2] <= citation.box[0]) return <p class="words peek-words">{said(quote)}</p>;
  const [x0, y0, x1, y1] = around(citation.box, page);
  const scale = wide / (x1 - x0);
  const high = Math.min(MOST_HIGH, (y1 - y0) * scale);
  const [left, top, right, bottom] = citation.box;
  return (
    <div class="peek-cut" style={{ height: `${high}px` }}>
      <span class="unseen">{quote}</span>
      <img src={pictureUrl(id, citation.page, page.width * scale)} alt="" decoding="async" style={{ width: `${page.width * scale}px`, height: `${page.height * scale}px`, left: `${-x0 * scale}px`, top: `${-y0 * scale}px` }} />
      <i style={{ left: `${(left - x0) * scale - 3}px`, top: `${(top - y0) * scale - 3}px`, width: `${(right - left) * scale + 6}px`, height: `${(bottom - top) * scale + 6}px` }} />
    </div>
  );
}

/** A box with what is around it, at least half as wide as the page, so that its letters are not larger than life. */
function around(box: Box, page: Page): Box {
  const wide = Math.min(page.width, Math.max(box[2] - box[0] + 2 * AROUND, page.width / 2));
  const x0 = Math.max(0, Math.min((box[0] + box[2] - wide) / 2, page.width - wide));
  return [x0, Math.max(0, box[1] - AROUND), x0 + wide, Math.min(page.height, box[3] + AROUND)];
}
