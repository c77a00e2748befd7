// The pages of a document one under the other. Only those in sight, and their neighbours, are there at all.
import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem, short } from "../api";
import { loaded, loadPage, pageOf, revived } from "../reading";
import { record } from "../route";
import { address, focus, isPhone, pageNumber, wish, zoom, type Wish } from "../state";
import type { Document } from "../types";
import { calledOf } from "../words";
import { Sheet } from "./Sheet";
import { t } from "../wording";

const GAP = 22;
const POINT = 96 / 72;
const COMFORTABLE = 860;
/** Points to the left of a cited box that its number takes. */
const BADGE = 26;
/** The scale of the page that is read, 1 for its real size. */
export const fitted = signal(1);

interface Size {
  width: number;
  height: number;
}

export function Pages({ document: open }: { document: Document }) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<Size>({ width: 0, height: 0 });
  const [top, setTop] = useState(0);
  const settling = useRef(0);
  /** The place that is scrolled to, until it is reached or the reader goes elsewhere. */
  const aim = useRef<Wish | null>(null);
  const anchor = useRef<{ page: number; offset: number } | null>(null);

  const known = loaded.value;
  const sizeOf = (page: number): Size | null => {
    const found = pageOf(open.id, page);
    return found && !(found instanceof Problem) ? found : null;
  };
  const usual = sizeOf(pageNumber.value) ?? sizeOf(wish.value?.page ?? 1) ?? sizeOf(1) ?? { width: 595, height: 842 };
  const side = isPhone.value ? 10 : view.width < 560 ? 14 : 30;

  const at = focus.value;
  /** How wide the cited block is, in points, where the pages are fitted to it. */
  const cited = isPhone.value && at?.box && short(at.document) === short(open.id) ? at.box[2] - at.box[0] : 0;

  const layout = useMemo(() => {
    const room = Math.max(120, view.width - 2 * side);
    const tops: number[] = [];
    const sizes: Size[] = [];
    let at = isPhone.value ? 10 : 26;
    let wide = room;
    for (let page = 1; page <= open.pages; page++) {
      const { width, height } = sizeOf(page) ?? usual;
      let scale: number;
      if (zoom.value === "block" && cited > 0) scale = POINT * Math.min(1.4, Math.max((view.width - 36) / (cited + 2 * BADGE) / POINT, 0.3));
      else if (zoom.value === "auto" || zoom.value === "block") scale = Math.min(room, COMFORTABLE) / width;
      else if (zoom.value === "width") scale = room / width;
      else if (zoom.value === "page") scale = Math.min(room / width, Math.max(100, view.height - 2 * GAP) / height);
      else scale = zoom.value * POINT;
      const size = { width: width * scale, height: height * scale };
      tops.push(at);
      sizes.push(size);
      wide = Math.max(wide, size.width);
      at += size.height + GAP;
    }
    return { tops, sizes, height: at + 10, wide };
  }, [open.id, known, view.width, view.height, zoom.value, cited, side, usual.width, usual.height]);

  const pageAt = (y: number): number => {
    let low = 0;
    let high = layout.tops.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (layout.tops[middle]! <= y) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setView({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    setView({ width: element.clientWidth, height: element.clientHeight });
    return () => observer.disconnect();
  }, []);

  /** Where a place is as the pages are laid out now. */
  const targetOf = (wanted: Wish): { top: number; left: number | null } | null => {
    const element = box.current!;
    const size = layout.sizes[wanted.page - 1];
    if (!size) return null;
    const scale = size.width / (sizeOf(wanted.page) ?? usual).width;
    const first = layout.tops[wanted.page - 1]!;
    let top = first - (isPhone.value ? 8 : 14);
    let left: number | null = null;
    if (wanted.box) {
      const [x0, y0, , y1] = wanted.box;
      const room = Math.max(60, view.height * 0.28);
      const seen = { from: first + y0 * scale, to: first + y1 * scale };
      const whole = size.height + 2 * GAP <= view.height;
      if (!whole) top = Math.max(top, Math.min(seen.from - room, seen.to + 24 - view.height + room));
      if (element.scrollWidth > element.clientWidth) left = Math.max(0, (layout.wide + 2 * side - size.width) / 2 + x0 * scale - Math.max(isPhone.value ? 30 : 60, BADGE * scale));
    }
    return { top, left };
  };

  /** Go where a wish leads; a smooth way there ends where the pages were when it began, so that it is made sure of. */
  const go = (wanted: Wish, smooth: boolean): void => {
    const element = box.current!;
    const to = targetOf(wanted);
    if (!to) return;
    if (to.left !== null) element.scrollLeft = to.left;
    anchor.current = { page: wanted.page, offset: (to.top - layout.tops[wanted.page - 1]!) / layout.sizes[wanted.page - 1]!.height };
    if (smooth) element.scrollTo({ top: to.top, behavior: "smooth" });
    else element.scrollTop = to.top;
    setTop(element.scrollTop);
  };
  const latestGo = useRef(go);
  latestGo.current = go;

  const arrive = (): void => {
    if (!aim.current) return;
    settling.current = 0;
    latestGo.current(aim.current, false);
    aim.current = null;
  };
  /** The reader scrolls: where they were led to counts no more. */
  const letGo = (): void => {
    if (!aim.current) return;
    aim.current = null;
    settling.current = 0;
  };

  // Keep the reader's place when sizes become known or the zoom changes.
  useLayoutEffect(() => {
    const element = box.current!;
    const kept = anchor.current;
    if (aim.current && view.width) go(aim.current, false);
    else if (kept && view.width) {
      const size = layout.sizes[kept.page - 1];
      const to = (layout.tops[kept.page - 1] ?? 0) + kept.offset * (size?.height ?? 0);
      if (Math.abs(element.scrollTop - to) > 1 && performance.now() > settling.current) element.scrollTop = to;
    }
    const read = layout.sizes[pageNumber.value - 1];
    const points = sizeOf(pageNumber.value) ?? usual;
    if (read) fitted.value = read.width / points.width / POINT;
  }, [layout]);

  const wanted = wish.value;
  const isKnown = wanted ? sizeOf(wanted.page) !== null : false;
  useLayoutEffect(() => {
    if (!wanted || !view.width) return;
    loadPage(open.id, wanted.page);
    const settles = wanted.smooth ? 700 : 60;
    settling.current = performance.now() + settles;
    aim.current = wanted;
    go(wanted, wanted.smooth);
    const timer = setTimeout(arrive, settles);
    return () => clearTimeout(timer);
  }, [wanted?.at, view.width > 0, isKnown]);

  const onScroll = (): void => {
    const element = box.current!;
    setTop(element.scrollTop);
    if (aim.current || performance.now() < settling.current) return;
    const first = pageAt(element.scrollTop);
    anchor.current = { page: first, offset: (element.scrollTop - layout.tops[first - 1]!) / layout.sizes[first - 1]!.height };
    const now = pageAt(element.scrollTop + view.height * 0.4);
    if (now !== pageNumber.value) {
      pageNumber.value = now;
      if (address.value.kind === "page") record({ kind: "page", document: open.id, page: now }, true);
    }
  };

  const from = Math.max(1, pageAt(top - view.height * 0.6));
  const to = Math.min(open.pages, pageAt(top + view.height * 1.6));
  useEffect(() => {
    if (!view.width) return;
    for (let page = from; page <= to; page++) loadPage(open.id, page);
  }, [from, to, view.width > 0, revived.value]);

  const shown: number[] = [];
  if (view.width) for (let page = from; page <= to; page++) shown.push(page);
  return (
    <div class="desk-scroll pages" ref={box} onScroll={onScroll} onWheel={letGo} onTouchStart={letGo} onPointerDown={letGo} onKeyDown={letGo} tabIndex={0} role="region" aria-label={t("Pages of {name}", { name: calledOf(open) })} data-keys="pages">
      <div class="stack" style={{ height: `${layout.height}px`, minWidth: layout.wide > view.width ? `${layout.wide + 2 * side}px` : "100%" }}>
        {shown.map((page) => (
          <Sheet key={page} document={open} page={page} top={layout.tops[page - 1]!} width={layout.sizes[page - 1]!.width} height={layout.sizes[page - 1]!.height} />
        ))}
      </div>
    </div>
  );
}
