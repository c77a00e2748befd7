// The library as a shelf: each document by its first page. An empty one says how to begin.
import { Problem, short } from "../api";
import { everywhere } from "../finding";
import { goPage, loadPage, moreDocuments, pageOf, revived } from "../reading";
import { documents, folder, isNarrow, isPhone, jobs, match, status, uploads } from "../state";
import type { Document, Grid } from "../types";
import { useEffect, useRef, useState } from "preact/hooks";
import { AddButton, Example, pagesTold } from "../library/Library";
import { Adding } from "../library/Adding";
import { Icon } from "../ui/icon";
import { said } from "../ui/said";
import { calledOf, namesOf } from "../words";
import { LibraryButton, TalkButton } from "./Desk";
import { pictureUrl } from "./Sheet";
import { number, plural, t } from "../wording";

export function Shelf() {
  const list = documents.value;
  const state = status.value;
  const isEmpty = list !== null && list.total === 0 && !match.value && !state?.documents;
  return (
    <>
      <header class="bar">
        <LibraryButton />
        <h1 class="bar-name">{t("Library")}</h1>
        {state && !isEmpty && <span class="bar-page">{(match.value || folder.value) && list ? t("{some} of {what}", { some: number(list.total), what: plural(state.documents, "document") }) : `${plural(state.documents, "document")}, ${plural(state.pages, "page")}`}</span>}
        <span class="bar-space" />
        <TalkButton />
      </header>
      <div class="desk-scroll" tabIndex={0} role="region" aria-label={t("Library")}>
        {isEmpty ? <Empty /> : (
          <>
            <ul class="shelf">
              {list?.items.map((one) => <Book key={one.id} document={one} />)}
            </ul>
            {list && !list.items.length && match.value && <p class="quiet centred">{everywhere.value?.finds?.total ? t("No title and no name has “{text}”; in the text, in the library beside: {places}.", { text: match.value, places: plural(everywhere.value.finds.total, "place") }) : t("No title and no name has “{text}”.", { text: match.value })}</p>}
            {list?.next && <p class="centred"><button type="button" class="tool big" onClick={() => void moreDocuments()}>{t("More documents")}</button></p>}
            {state?.can_write && <p class="quiet centred drop-told"><Icon name="upload" /> {t("Drop files anywhere on this page to add them.")}</p>}
          </>
        )}
      </div>
    </>
  );
}

function Book({ document: one }: { document: Document }) {
  const choose = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void goPage(one.id, 1, { choose: true });
  };
  return (
    <li>
      <a class="book" href={`/d/${short(one.id)}`} onClick={choose} title={namesOf(one)}>
        <span class="book-cover">{one.has_pages ? <Cover document={one} /> : <Blank document={one} />}</span>
        <span class="book-name">{calledOf(one)}</span>
        {one.title && <small class="book-file">{one.name}</small>}
        <span class="book-told">{pagesTold(one)}</span>
        {one.damage && <small class="doc-damage">{one.damage}</small>}
      </a>
    </li>
  );
}

function Cover({ document: one }: { document: Document }) {
  const [isDrawn, setDrawn] = useState(false);
  const [isFailed, setFailed] = useState(false);
  if (isFailed) return <Blank document={one} />;
  return <img class={isDrawn ? "drawn" : ""} src={pictureUrl(one.id, 1, 300)} alt="" loading="lazy" decoding="async" onLoad={() => setDrawn(true)} onError={() => setFailed(true)} />;
}

/** How far from sight a cover is asked for. */
const NEAR = "300px";

/** The cover of flowing text: how it begins. */
function Blank({ document: one }: { document: Document }) {
  const cover = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => {
      if (!seen.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      loadPage(one.id, 1);
    }, { rootMargin: NEAR });
    observer.observe(cover.current!);
    return () => observer.disconnect();
  }, [one.id, revived.value]);
  const page = pageOf(one.id, 1);
  const blocks = page && !(page instanceof Problem) ? page.blocks : [];
  const head = blocks.find((block) => block.kind === "title" || block.kind === "heading");
  const rows = blocks.find((block) => block.table)?.table;
  const rest = blocks.filter((block) => block !== head && block.text && !block.table).map((block) => block.text).join(" ");
  return <span class="book-blank words" ref={cover}><b>{said(head?.text || one.title || one.name)}</b>{rest ? <span>{said(cutAtWord(rest, MOST_ON_COVER))}</span> : rows && <CoverRows grid={rows} />}</span>;
}

/** As much text as the largest cover has room for. */
const MOST_ON_COVER = 900;
const cutAtWord = (text: string, most: number): string => (text.length > most ? text.slice(0, text.lastIndexOf(" ", most)) : text);

/** The first rows of a sheet, as much as a cover shows. */
function CoverRows({ grid }: { grid: Grid }) {
  const rows = Array.from({ length: Math.min(grid.rows, 24) }, (_, row) => grid.cells.filter((cell) => cell.row === row).slice(0, 4));
  return <span class="book-rows">{rows.map((cells, row) => <span key={row}>{cells.map((cell, at) => <span key={at}>{cell.text}</span>)}</span>)}</span>;
}

const NAMES: [RegExp, string][] = [
  [/^\.pdf$/, "PDF"], [/^\.docx?$/, "Word"], [/^\.pptx?$/, "PowerPoint"], [/^\.xlsx?$/, "Excel"], [/^\.epub$/, "EPUB"],
  [/^\.x?html?$/, "HTML"], [/^\.(md|markdown)$/, "Markdown"], [/^\.(png|jpe?g|tiff?|webp|bmp|gif)$/, t("pictures")], [/^\.(txt|text)$/, t("plain text")],
];

export function formatsTold(formats: string[]): string {
  const names = NAMES.filter(([pattern]) => formats.some((one) => pattern.test(one))).map(([, name]) => name);
  const more = formats.some((one) => !NAMES.some(([pattern]) => pattern.test(one)));
  return more ? t("{names} and more", { names: names.join(", ") }) : names.join(", ");
}

function Empty() {
  const state = status.value;
  const busy = jobs.value.length + uploads.value.length > 0;
  return (
    <div class="empty">
      <div class="empty-art" aria-hidden="true"><span /><span /><span /></div>
      <h2>{busy ? t("The first document is on its way") : t("The library is empty")}</h2>
      {state?.can_write ? (
        <>
          <p>{t(isPhone.value ? "Add files: {formats}. They stay where this server runs." : "Drop files anywhere on this page: {formats}. They stay where this server runs.", { formats: formatsTold(state.formats) })}</p>
          {busy && isNarrow.value && <Adding />}
          <p class="empty-acts"><AddButton big />{!busy && <Example />}</p>
        </>
      ) : (
        <p>{t("This server only reads. Documents are added on its machine:")} <code>octavo add FILE</code>.</p>
      )}
    </div>
  );
}
