// Flowing text (HTML, Markdown, plain text): typeset here, part by part, with the marks in the text itself.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Problem, short } from "../api";
import { finding, isFinding, nthInBlock, rangesIn } from "../finding";
import { loadPage, pageOf, revived, turn } from "../reading";
import { focus, opened, pageNumber, prefersStill, showsLayout, wish, type Focus } from "../state";
import type { Block, Document } from "../types";
import { said } from "../ui/said";
import { calledOf, cellSaying, inUnits, kindName, standing, unstruck } from "../words";
import { Table } from "./Table";
import { t } from "../wording";

export function Flow({ document: open }: { document: Document }) {
  const box = useRef<HTMLDivElement>(null);
  const number = pageNumber.value;
  useEffect(() => {
    loadPage(open.id, number);
    if (number < open.pages) loadPage(open.id, number + 1);
  }, [open.id, number, revived.value]);
  const found = pageOf(open.id, number);
  const page = found instanceof Problem ? null : found;
  const at = focus.value;
  const unit = `${open.unit.charAt(0).toUpperCase()}${open.unit.slice(1)}`;
  const isHere = at && short(at.document) === short(open.id) && at.page === number ? at : null;
  useLayoutEffect(() => {
    const now = isFinding(open.id) ? finding.value! : null;
    const hit = now?.hits[now.at];
    const found = hit && box.current?.querySelectorAll(`[data-block="${CSS.escape(hit.block)}"] mark`);
    for (const one of box.current?.querySelectorAll("mark.now") ?? []) one.classList.remove("now");
    if (now && hit) {
      const shown = found?.[Math.min(nthInBlock(now), found.length - 1)] ?? box.current?.querySelector(`[data-block="${CSS.escape(hit.block)}"]`);
      if (shown?.tagName === "MARK") shown.classList.add("now");
      shown?.scrollIntoView({ block: "center" });
      return;
    }
    const marked = box.current?.querySelector(".says mark") ?? box.current?.querySelector("mark") ?? (isHere ? box.current?.querySelector(`[data-block="${CSS.escape(isHere.block)}"]`) : null);
    if (marked) marked.scrollIntoView({ block: "center", behavior: prefersStill() ? "auto" : "smooth" });
    else box.current?.scrollTo({ top: 0 });
  }, [page, wish.value?.at, isHere?.texts.join(), finding.value?.at, finding.value?.hits]);
  return (
    <div class="desk-scroll" ref={box} tabIndex={0} role="region" aria-label={`Text of ${calledOf(open)}`} data-keys="pages">
      <article class={`typeset words${showsLayout.value ? " with-kinds" : ""}`}>
        {found instanceof Problem && <p class="note">{found.message}</p>}
        {!found && <p class="quiet">{t("Loading…")}</p>}
        {page?.blocks.map((block) => <Typeset key={block.block} block={block} at={isHere} />)}
        {open.pages > 1 && (
          <nav class="parts" aria-label={`${unit}s`}>
            <button type="button" class="tool big" disabled={number <= 1} onClick={() => turn(-1)}>{`${unit} before`}</button>
            <span class="quiet">{standing(number, open.pages, page?.page_label || `${open.unit} ${number}`)}</span>
            <button type="button" class="tool big" disabled={number >= open.pages} onClick={() => turn(1)}>{`Next ${open.unit}`}</button>
          </nav>
        )}
      </article>
    </div>
  );
}

/** A block as text, with the words marked that are in focus there. */
export function Typeset({ block, at }: { block: Block; at: Focus | null }) {
  const isCited = at?.block === block.block;
  return (
    <div class={`b b-${block.kind} k-${block.kind}${isCited ? " cited" : ""}`} data-block={block.block} title={[kindName(block.kind), ...block.section.slice(-1).map(unstruck)].join(", in ")}>
      {showsLayout.value && <span class="b-kind">{kindName(block.kind)}</span>}
      <Body block={block} marks={at ? ranges(block, at) : opened.value && isFinding(opened.value.id) ? rangesIn(block.text) : []} texts={isCited ? at.texts : []} answer={isCited ? at.answer : ""} />
    </div>
  );
}

type Range = [number, number];

function ranges(block: Block, at: Focus): Range[] {
  const full = at.full;
  if (full && full.block === block.block && full.stop > full.start) return inUnits(block.text, [[full.start, full.stop]]).ranges;
  const found: Range[] = [];
  for (const text of at.texts) {
    const pattern = text.split(/\s+/).map((word) => `(?:~~)?${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?:~~)?`).join("\\s+");
    const hit = pattern && new RegExp(pattern).exec(block.text);
    if (hit && (hit[0].length > 12 || at.block === block.block)) found.push([hit.index, hit.index + hit[0].length]);
  }
  return found.sort((a, b) => a[0] - b[0]);
}

function Body({ block, marks, texts, answer }: { block: Block; marks: Range[]; texts: string[]; answer: string }) {
  if (block.table) {
    const cells = new Set(texts.flatMap((one) => one.split(" | ")).map((one) => unstruck(one).trim()));
    const quoted = block.table.cells.map((cell) => (cells.has(unstruck(cell.text).trim()) ? cell.text : ""));
    return <Table grid={block.table} says={answer ? cellSaying(quoted, answer) : -1} toward={[...texts, answer].join()} printed={(text) => (cells.has(unstruck(text).trim()) ? <mark>{said(text)}</mark> : said(text))} />;
  }
  const text = block.kind === "code" ? block.text : said(block.text, marks);
  switch (block.kind) {
    case "title":
      return <h2 class="b-head">{text}</h2>;
    case "heading":
      return <h3 class={`b-head level-${Math.min(block.level || 1, 4)}`}>{text}</h3>;
    case "code":
      return <pre tabIndex={0}>{text}</pre>;
    case "list_item":
      return <p class="b-item" ref={(item) => item?.style.setProperty("--level", String(Math.max(0, block.level - 1)))}>{text}</p>;
    default:
      return <p>{text}</p>;
  }
}
