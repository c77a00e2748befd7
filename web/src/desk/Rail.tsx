// Finding in the open document, and what stands beside its pages: the hits, or small pictures of the pages.
import { useEffect, useRef } from "preact/hooks";
import { finding, findHere, goHit, moreHits, rail, step, stopFinding } from "../finding";
import { goPage, nameOf } from "../reading";
import { isPhone, pageNumber } from "../state";
import type { Document, Occurrence } from "../types";
import { Icon } from "../ui/icon";
import { said } from "../ui/said";
import { placeName } from "../words";
import { pictureUrl } from "./Sheet";
import { number, t } from "../wording";

export function FindBar() {
  const now = finding.value;
  const field = useRef<HTMLInputElement>(null);
  const isOpen = now !== null;
  useEffect(() => {
    if (isOpen && !finding.peek()?.text) field.current?.focus();
    else if (isOpen) field.current?.select();
  }, [isOpen]);
  if (!now) return null;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter") void step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      stopFinding();
      document.querySelector<HTMLElement>(".desk-scroll")?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const told = now.problem || (!now.text.trim() ? "" : now.isLooking ? t("Looking…") : now.total ? t("{some} of {n}", { some: number(now.at + 1), n: now.total }) : t("Not in this document"));
  const none = now.total === 0;
  return (
    <div class="find-bar" role="search" aria-label={t("Find in this document")}>
      <label class="unseen" for="find-here">{t("Find in this document")}</label>
      <input id="find-here" ref={field} class="find" type="search" placeholder={t("Find in this document")} autocomplete="off" spellcheck={false} enterkeyhint="search" maxLength={200} value={now.text} onInput={(event) => findHere(event.currentTarget.value)} onKeyDown={onKey} />
      <span class="find-told" role="status">{told}</span>
      <button type="button" class="tool bare" aria-label={t("Hit before")} title={t("Hit before (Shift Enter)")} disabled={none} onClick={() => void step(-1)}><Icon name="up" /></button>
      <button type="button" class="tool bare" aria-label={t("Next hit")} title={t("Next hit (Enter)")} disabled={none} onClick={() => void step(1)}><Icon name="down" /></button>
      <button type="button" class={`tool bare${rail.value === "hits" ? " pressed" : ""}`} aria-pressed={rail.value === "hits"} aria-label={t("List of hits")} title={t("List of hits")} disabled={none} onClick={() => void (rail.value = rail.value === "hits" ? "" : "hits")}><Icon name="list" /></button>
      <button type="button" class="tool bare" aria-label={t("End finding")} title={t("End finding (Esc)")} onClick={stopFinding}><Icon name="close" /></button>
    </div>
  );
}

export function Rail({ document: open }: { document: Document }) {
  if (rail.value === "pages" && open.has_pages) return <Thumbnails document={open} />;
  if (rail.value === "hits" && finding.value?.hits.length) return <Hits />;
  return null;
}

function Hits() {
  const now = finding.value!;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [now.at]);
  const choose = (at: number): void => {
    if (isPhone.value) rail.value = "";
    void goHit(at);
  };
  return (
    <nav class="rail hits" aria-label={t("Hits in {name}", { name: nameOf(now.document) })}>
      <ol ref={list}>
        {now.hits.map((one, at) => (
          <li key={`${one.id}${at}`}>
            <button type="button" class="hit-row" aria-current={at === now.at ? "true" : undefined} onClick={() => choose(at)}>
              <Snippet hit={one} />
              <small>{placeName(one)}{one.section.length ? ` · ${one.section.at(-1)}` : ""}</small>
            </button>
          </li>
        ))}
      </ol>
      {now.next && <button type="button" class="tool wide" onClick={() => void moreHits()}>{t("Show more of {n} hits", { n: now.total })}</button>}
    </nav>
  );
}

export function Snippet({ hit }: { hit: Occurrence }) {
  return <span class="snippet">{said(hit.snippet.replace(/\n|\s\|\s/g, (found) => " ".repeat(found.length)), hit.emphasis)}</span>;
}

function Thumbnails({ document: open }: { document: Document }) {
  const list = useRef<HTMLOListElement>(null);
  const here = pageNumber.value;
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [here]);
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const to = (document.activeElement as HTMLElement | null)?.dataset.page;
    if (!by || !to) return;
    event.preventDefault();
    event.stopPropagation();
    list.current?.querySelector<HTMLElement>(`[data-page="${Number(to) + by}"]`)?.focus();
  };
  const choose = (page: number): void => {
    if (isPhone.value) rail.value = "";
    void goPage(open.id, page);
  };
  return (
    <nav class="rail thumbs" aria-label={t("Pages, small")}>
      <ol ref={list} onKeyDown={onKey}>
        {Array.from({ length: open.pages }, (_, at) => at + 1).map((page) => (
          <li key={page}>
            <button type="button" class="thumb" data-page={page} tabIndex={page === here ? 0 : -1} aria-current={page === here ? "page" : undefined} aria-label={t("Page {name}", { name: String(page) })} onClick={() => choose(page)}>
              <img src={pictureUrl(open.id, page, 150)} alt="" loading="lazy" decoding="async" width="110" height="156" />
              <span>{page}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
