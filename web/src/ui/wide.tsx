// A box that scrolls sideways where what it holds is wider; only then the keyboard stops at it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export function Wide({ label, children }: { label: string; children: ComponentChildren }) {
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
  return <div class={`table-box${goesOn ? " goes-on" : ""}`} ref={box} {...(isWide ? { tabIndex: 0, role: "group", "aria-label": label } : {})}>{children}</div>;
}
