// A box that scrolls sideways where what it holds is wider; only then the keyboard stops at it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Pixels at the right edge that fade out where a box goes on. */
const FADED = 40;

/** `toward`: changes whenever something else is marked in it, which is then scrolled to. */
export function Wide({ label, toward = "", children }: { label: string; toward?: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  const [goesOn, setGoesOn] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    const look = (): void => {
      setWide(element.scrollWidth > element.clientWidth);
      setGoesOn(element.scrollLeft + element.clientWidth < element.scrollWidth - 2);
    };
    const observer = new ResizeObserver(look);
    element.addEventListener("scroll", look, { passive: true });
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current!;
    const marked = element.querySelector<HTMLElement>(".says") ?? element.querySelector<HTMLElement>("mark");
    if (!marked) return;
    const [from, to] = [element.getBoundingClientRect(), marked.getBoundingClientRect()];
    const isSeen = to.left >= from.left && to.right <= from.right - FADED;
    if (!isSeen) element.scrollLeft += to.left + to.width / 2 - from.left - from.width / 2;
  }, [toward]);
  return <div class={`table-box${goesOn ? " goes-on" : ""}`} ref={box} {...(isWide ? { tabIndex: 0, role: "group", "aria-label": label } : {})}>{children}</div>;
}
