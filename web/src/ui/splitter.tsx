// The line between two panes: drag it, or move it with the arrow keys; the width is kept.
import { useEffect, useRef } from "preact/hooks";
import { store, stored } from "../state";

export function Splitter(props: { name: string; label: string; least: number; most: number; usual: number; fromRight?: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const set = (wanted: number, keep = true): void => {
    const width = Math.round(Math.min(Math.max(wanted, props.least), props.most));
    document.getElementById("app")?.style.setProperty(`--${props.name}`, `${width}px`);
    element.current?.setAttribute("aria-valuenow", String(width));
    if (keep) store(props.name, String(width));
  };
  useEffect(() => set(Number(stored(props.name)) || props.usual, false), []);
  const now = (): number => Number(element.current?.getAttribute("aria-valuenow")) || props.usual;
  const drag = (event: PointerEvent): void => {
    event.preventDefault();
    const from = event.clientX;
    const width = now();
    const line = event.currentTarget as HTMLElement;
    line.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => set(width + (moved.clientX - from) * (props.fromRight ? -1 : 1));
    const end = (): void => {
      line.removeEventListener("pointermove", move);
      line.removeEventListener("pointerup", end);
      line.removeEventListener("pointercancel", end);
    };
    line.addEventListener("pointermove", move);
    line.addEventListener("pointerup", end);
    line.addEventListener("pointercancel", end);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(now() + step * (props.fromRight ? -1 : 1));
  };
  return (
    <div ref={element} class={`splitter${props.fromRight ? " from-right" : ""}`} role="separator" aria-orientation="vertical" aria-label={props.label} aria-valuemin={props.least} aria-valuemax={props.most} aria-valuenow={props.usual} tabIndex={0}
      onPointerDown={drag} onKeyDown={onKey} onDblClick={() => set(props.usual)} />
  );
}
