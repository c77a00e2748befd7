// Printing the open document: its pages, some or all, are put together out of sight until each is there, then printed.
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api";
import { loadPage, pageOf } from "../reading";
import { dialog, opened, pageNumber } from "../state";
import type { Document } from "../types";
import { Modal } from "../ui/dialog";
import { calledOf } from "../words";
import { Typeset } from "./Flow";
import { pictureUrl } from "./Sheet";
import { plural, t } from "../wording";

/** Pages that are printed at once: each is drawn for it. */
const MOST = 200;
/** Pixels of a printed page's width: about 150 to the inch. */
const WIDTH = 1240;

/** The first and the last page that are being printed. */
export const printing = signal<{ from: number; to: number } | null>(null);

/** An answer is printed in the place of the document. */
export function printAnswer(): void {
  const root = document.documentElement;
  root.classList.add("prints-answer");
  addEventListener("afterprint", () => root.classList.remove("prints-answer"), { once: true });
  window.print();
}

export function PrintDialog({ document: open }: { document: Document }) {
  const most = Math.min(open.pages, MOST);
  const [from, setFrom] = useState(1);
  const [to, setTo] = useState(most);
  const isWrong = !(from >= 1 && from <= to && to <= open.pages && to - from < MOST);
  const begin = (range: { from: number; to: number }) => (): void => {
    dialog.value = null;
    printing.value = range;
  };
  const here = pageNumber.value;
  const number = (event: Event): number => Math.round(Number((event.currentTarget as HTMLInputElement).value));
  return (
    <Modal title={t("Print {name}", { name: calledOf(open) })}>
      {open.pages > 1 && (
        <fieldset class="print-range">
          <legend>{t(open.has_pages ? "Pages" : `${open.unit.charAt(0).toUpperCase()}${open.unit.slice(1)}s`)}</legend>
          <label for="print-from">{t("from")}</label><input id="print-from" class="find" type="number" inputMode="numeric" min={1} max={open.pages} value={from} onInput={(event) => setFrom(number(event))} />
          <label for="print-to">{t("to")}</label><input id="print-to" class="find" type="number" inputMode="numeric" min={1} max={open.pages} value={to} onInput={(event) => setTo(number(event))} />
        </fieldset>
      )}
      <p class="quiet" role="status">{isWrong ? t("Give pages from 1 to {n}, at most {most} at once.", { n: String(open.pages), most: String(MOST) }) : open.pages > MOST ? t("At most {most} of its {n} pages are printed at once.", { most: String(MOST), n: open.pages }) : t("The document alone is printed, without questions and answers.")}</p>
      <div class="modal-acts">
        {open.pages > 1 && <button type="button" class="tool big" onClick={begin({ from: here, to: here })}>{t(`This ${open.has_pages ? "page" : open.unit}`)}</button>}
        <button type="button" class="ask-go big" data-first disabled={isWrong} onClick={begin({ from, to })}>{open.pages > 1 ? t("Print {what}", { what: plural(Math.max(0, to - from + 1), open.has_pages ? "page" : open.unit) }) : t("Print")}</button>
      </div>
    </Modal>
  );
}

/** What is printed, out of sight; the browser's own dialog opens when all of it is there. */
export function PrintSheets() {
  const range = printing.value;
  const open = opened.value;
  if (!range || !open) return null;
  return <Sheets key={`${open.id}-${range.from}-${range.to}`} document={open} from={range.from} to={range.to} />;
}

function Sheets({ document: open, from, to }: { document: Document; from: number; to: number }) {
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  const hasPrinted = useRef(false);
  const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const settle = (page: number): void => setDone((before) => new Set(before).add(page));
  useEffect(() => {
    if (!open.has_pages) for (const page of pages) loadPage(open.id, page);
  }, []);
  const ready = open.has_pages ? done.size : pages.filter((page) => pageOf(open.id, page)).length;
  useEffect(() => {
    if (ready < pages.length || hasPrinted.current) return;
    hasPrinted.current = true;
    addEventListener("afterprint", () => void (printing.value = null), { once: true });
    window.print();
  }, [ready]);
  return (
    <>
      <div class="print-wait" role="status">
        <span>{t("Preparing to print: {done} of {what}", { done: String(ready), what: plural(pages.length, open.has_pages ? "page" : open.unit) })}</span>
        <button type="button" class="tool" onClick={() => void (printing.value = null)}>{t("Stop")}</button>
      </div>
      <div class="print-sheets" aria-hidden="true">
        {pages.map((page) => (open.has_pages ? (
          <img key={page} src={pictureUrl(open.id, page, WIDTH / Math.min(window.devicePixelRatio || 1, 2))} alt="" onLoad={() => settle(page)} onError={() => settle(page)} />
        ) : <Part key={page} document={open} page={page} />))}
      </div>
    </>
  );
}

function Part({ document: open, page: number }: { document: Document; page: number }) {
  const page = pageOf(open.id, number);
  if (!page || page instanceof Problem) return null;
  return <article class="typeset words">{page.blocks.map((block) => <Typeset key={block.block} block={block} at={null} />)}</article>;
}
