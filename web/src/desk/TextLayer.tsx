// The words of a page, transparent, where they are printed: they can be selected, copied and found.
import { useEffect, useRef } from "preact/hooks";
import { revived, wordsOf } from "../reading";
import type { Document, Page, Word } from "../types";

let context: CanvasRenderingContext2D | null = null;
const FAMILY = "serif";

function measured(text: string, size: number): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return 0;
  context.font = `${size}px ${FAMILY}`;
  return context.measureText(text).width;
}

function fill(layer: HTMLElement, words: Word[]): void {
  const parts: Node[] = [];
  let line: number | null = null;
  for (const [text, x0, y0, x1, y1, at] of words) {
    if (line !== null && at !== line) parts.push(document.createElement("br"));
    line = at;
    const size = Math.max(2, (y1 - y0) * 0.82);
    const span = document.createElement("span");
    span.textContent = `${text} `;
    const wide = measured(text, size);
    Object.assign(span.style, {
      left: `${x0}px`, top: `${y0}px`, fontSize: `${size}px`, lineHeight: `${y1 - y0}px`,
      transform: wide > 0 ? `scaleX(${(x1 - x0) / wide})` : "",
    });
    parts.push(span);
  }
  layer.replaceChildren(...parts);
}

export function TextLayer({ document: open, page, scale }: { document: Document; page: Page; scale: number }) {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isOff = false;
    const timer = setTimeout(() => {
      wordsOf(open.id, page.page).then(
        (found) => !isOff && layer.current && fill(layer.current, found.words),
        () => undefined,
      );
    }, 120);
    return () => {
      isOff = true;
      clearTimeout(timer);
    };
  }, [open.id, page.page, revived.value]);
  return <div class="text-layer" ref={layer} style={{ width: `${page.width}px`, height: `${page.height}px`, transform: `scale(${scale})` }} />;
}
