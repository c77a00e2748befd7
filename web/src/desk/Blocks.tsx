// The layout view of a page: every block coloured by its kind, numbered in reading order, with its links.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../api";
import { goPage, pageOf } from "../reading";
import { pageNumber, showsLayout } from "../state";
import type { Block, Document, Page } from "../types";
import { said } from "../ui/said";
import { kindName, unstruck } from "../words";
import { Table } from "./Table";
import { t } from "../wording";

interface Told {
  page: Page;
  at: number;
}

/** The block that is told about below the pages: one under the pointer before the one that was chosen. */
const chosenBlock = signal<Told | null>(null);
const hoveredBlock = signal<Told | null>(null);

export function Blocks({ page }: { page: Page }) {
  const root = useRef<HTMLDivElement>(null);
  const here = (told: Told | null): number | null => (told && told.page === page ? told.at : null);
  const chosen = here(chosenBlock.value);
  const at = here(hoveredBlock.value) ?? chosen;
  const block = at === null ? null : (page.blocks[at] ?? null);
  useEffect(() => () => {
    if (chosenBlock.peek()?.page === page) chosenBlock.value = null;
    if (hoveredBlock.peek()?.page === page) hoveredBlock.value = null;
  }, [page]);
  const setChosen = (index: number): void => void (chosenBlock.value = { page, at: index });
  const setHovered = (index: number | null): void => void (hoveredBlock.value = index === null ? null : { page, at: index });
  const onKey = (event: KeyboardEvent): void => {
    const now = Number((event.target as HTMLElement).dataset.at ?? -1);
    const to = { ArrowDown: now + 1, ArrowRight: now + 1, ArrowUp: now - 1, ArrowLeft: now - 1, Home: 0, End: page.blocks.length - 1 }[event.key];
    if (to === undefined || now < 0) return;
    event.preventDefault();
    event.stopPropagation();
    root.current?.querySelector<HTMLElement>(`[data-at="${Math.min(Math.max(0, to), page.blocks.length - 1)}"]`)?.focus();
  };
  return (
    <div class="blocks" ref={root} role="group" aria-label={t("Blocks of page {name} in reading order", { name: String(page.page) })} onKeyDown={onKey}>
      <Links page={page} from={block} />
      {page.blocks.map((one, index) => (
        <button type="button" key={one.block} data-at={index} tabIndex={index === (chosen ?? 0) ? 0 : -1} class={`blk k-${one.kind}${at === index ? " on" : ""}`}
          aria-label={`${index + 1}, ${kindName(one.kind)}${one.section.length ? t(", in {section}", { section: unstruck(one.section.at(-1)!) }) : ""}`} aria-pressed={chosen === index}
          onFocus={() => setChosen(index)} onClick={() => setChosen(index)} onPointerEnter={() => setHovered(index)} onPointerLeave={() => setHovered(null)}
          ref={(element) => place(element, one, page)}>
          <span>{index + 1}</span>
        </button>
      ))}
    </div>
  );
}

function place(element: HTMLElement | null, block: Block, page: Page): void {
  if (!element) return;
  const [x0, y0, x1, y1] = block.box;
  Object.assign(element.style, {
    left: `${(x0 / page.width) * 100}%`, top: `${(y0 / page.height) * 100}%`,
    width: `${((x1 - x0) / page.width) * 100}%`, height: `${((y1 - y0) / page.height) * 100}%`,
  });
}

function Links({ page, from }: { page: Page; from: Block | null }) {
  const boxes = new Map(page.blocks.map((one) => [one.block, one.box]));
  const lines = page.blocks.flatMap((one) => one.links.filter((link) => link.page === page.page && boxes.has(link.to)).map((link) => ({ one, link, to: boxes.get(link.to)! })));
  return (
    <svg class="ink links" viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden="true">
      {lines.map(({ one, link, to }, index) => {
        const [x, y] = [one.box[2] - 6, (one.box[1] + one.box[3]) / 2];
        const [tx, ty] = [to[2] - 6, (to[1] + to[3]) / 2];
        const out = Math.max(x, tx) + 14 + Math.min(24, Math.abs(ty - y) / 6);
        const isOn = from && (from.block === one.block || from.block === link.to);
        return <g key={index} class={isOn ? "link on" : "link"}><path d={`M${x} ${y}C${out} ${y} ${out} ${ty} ${tx} ${ty}`} /><circle cx={tx} cy={ty} r="2.2" /></g>;
      })}
    </svg>
  );
}

/** Below the pages: what the block is that is pointed at or chosen, or else which kinds there are on the page. */
export function BlockBar({ document: open }: { document: Document }) {
  if (!showsLayout.value) return null;
  const told = hoveredBlock.value ?? chosenBlock.value;
  const block = told?.page.blocks[told.at];
  if (told && block) return <Card block={block} open={open} page={told.page} order={told.at + 1} />;
  const page = pageOf(open.id, pageNumber.value);
  const kinds = new Map<string, number>();
  if (page && !(page instanceof Problem)) for (const one of page.blocks) kinds.set(one.kind, (kinds.get(one.kind) ?? 0) + 1);
  return (
    <div class="blk-card legend">
      {[...kinds].map(([kind, count]) => <span key={kind} class={`k-${kind}`}><i aria-hidden="true" />{kindName(kind)} <b>{count}</b></span>)}
      {!kinds.size && <span>{t("No blocks on this page.")}</span>}
    </div>
  );
}

function Card({ block, open, page, order }: { block: Block; open: Document; page: Page; order: number }) {
  return (
    <div class={`blk-card k-${block.kind}`} role="status">
      <p class="blk-kind"><i aria-hidden="true" /><b>{kindName(block.figure || block.kind)}</b><span>{t("{some} of {n} on this page", { some: String(order), n: page.blocks.length })}</span></p>
      {block.section.length > 0 && <p class="quiet">{said(block.section.join(" › "))}</p>}
      {block.table ? <Table grid={block.table} /> : block.text && <p class="words blk-text">{said(block.text.length > 280 ? `${block.text.slice(0, 280)}…` : block.text)}</p>}
      {block.links.length > 0 && (
        <ul class="blk-links">
          {block.links.slice(0, 6).map((link, index) => (
            <li key={index}><button type="button" class="linkish" onClick={() => void goPage(open.id, link.page)}>{`${kindName(link.kind)}${link.text ? ` “${unstruck(link.text)}”` : ""}, ${t("page {name}", { name: String(link.page) })}`}</button></li>
          ))}
        </ul>
      )}
    </div>
  );
}
