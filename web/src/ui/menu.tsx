// A button that opens a short list of actions; arrow keys move, Escape closes and gives the focus back.
import { useLayoutEffect, useId, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

export interface Item {
  name: string;
  told?: string;
  checked?: boolean;
  act: () => void;
}

export function Menu(props: { label: string; name?: string; icon?: string; items: Item[]; class?: string; children?: ComponentChildren; opensUp?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (!isOpen) return;
    (root.current?.querySelector<HTMLElement>("[role^=menuitem]"))?.focus();
    const outside = (event: Event): void => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>("button")?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    if (event.key === "Escape") close();
    else if (event.key === "Tab") setOpen(false);
    else if (event.key in to) all[(to[event.key]! + all.length) % all.length]?.focus();
    else return;
    if (event.key !== "Tab") {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div class="menu" ref={root} onKeyDown={onKey}>
      <button type="button" class={props.class ?? "tool"} aria-haspopup="menu" aria-expanded={isOpen} aria-controls={isOpen ? id : undefined} aria-label={props.name ?? props.label} title={props.label} onClick={() => setOpen(!isOpen)}>
        {props.children ?? <Icon name={props.icon ?? "more"} />}
      </button>
      {isOpen && (
        <div class={`menu-list${props.opensUp ? " opens-up" : ""}`} role="menu" id={id} aria-label={props.label}>
          {props.items.map((item) => (
            <button type="button" key={item.name} tabIndex={-1} role={item.checked === undefined ? "menuitem" : "menuitemradio"} aria-checked={item.checked} onClick={() => { close(); item.act(); }}>
              <span>{item.name}</span>
              {item.told && <small>{item.told}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
