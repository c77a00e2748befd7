// The left pane: find a document, the documents, what is being added, and the section tree of the open one.
import { useEffect, useRef } from "preact/hooks";
import { addExample, addFiles } from "../adding";
import { signOut } from "../connection";
import { goLibrary, goPage, moreDocuments, refreshDocuments } from "../reading";
import { dialog, documents, drawerOpen, folder, folders, isNarrow, jobs, libraryFolded, match, opened, outline, pageNumber, sort, status, store, type Sort } from "../state";
import { goTable } from "../tabling";
import { short } from "../api";
import type { Document } from "../types";
import { Brand, Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import { aboutOf, calledOf, namesOf } from "../words";
import { lookEverywhere } from "../finding";
import { Adding } from "./Adding";
import { Everywhere } from "./Everywhere";
import { Tree } from "./Tree";
import { language, number, plural, t } from "../wording";

let waiting: ReturnType<typeof setTimeout> | undefined;

export function find(text: string): void {
  match.value = text;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    void refreshDocuments();
    void lookEverywhere();
  }, 220);
}

const ORDERS: [Sort, string][] = [["title", t("By title")], ["newest", t("Newest first")], ["pages", t("Longest first")]];

function order(by: Sort): void {
  sort.value = by;
  store("sort", by);
  void refreshDocuments();
}

export const pagesTold = (one: Document): string =>
  one.has_pages
    ? plural(one.pages, "page") + (one.scanned_pages === one.pages ? t(", scanned") : "")
    : one.pages > 1 ? plural(one.pages, one.unit) : t("text");

export function Library() {
  const list = documents.value;
  const open = opened.value;
  const choose = (pattern: string): void => {
    folder.value = folders.value.find((one) => one.pattern === pattern) ?? null;
    void refreshDocuments();
    void lookEverywhere();
  };
  const fold = (): void => {
    if (isNarrow.value) drawerOpen.value = false;
    else {
      libraryFolded.value = true;
      store("library-folded", "yes");
    }
  };
  const home = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goLibrary();
  };
  const tabulate = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    drawerOpen.value = false;
    goTable();
  };
  return (
    <>
      <div class="lib-head">
        <a class="brand" href="/" onClick={home}><Brand />Octavo</a>
        <button type="button" class="tool bare" aria-label={t("Fold the library away")} title={t("Fold the library away")} onClick={fold}><Icon name={isNarrow.value ? "close" : "side"} /></button>
      </div>
      <div class="lib-find">
        <label class="unseen" for="find">{t("Find in titles and text")}</label>
        <input id="find" class="find" type="search" placeholder={t("Find in titles and text")} autocomplete="off" maxLength={200} value={match.value} onInput={(event) => find(event.currentTarget.value)} />
      </div>
      {folders.value.length > 1 && (
        <div class="lib-find">
          <label class="unseen" for="folder">{t("Folder")}</label>
          <select id="folder" class="find" value={folder.value?.pattern ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">{t("All folders")}</option>
            {folders.value.map((one) => <option key={one.pattern} value={one.pattern}>{`${one.name} (${one.documents.toLocaleString(language)})`}</option>)}
          </select>
        </div>
      )}
      <div class="lib-scroll">
        <div class="lib-title">
          <h2>{t("Documents")}</h2>
          {list && <span class="count">{(match.value || folder.value) && status.value ? t("{some} of {n}", { some: number(list.total), n: status.value.documents }) : list.total.toLocaleString(language)}</span>}
          <span class="bar-space" />
          {list && list.total > 1 && <Menu label={t("Order of the documents")} icon="sort" class="tool bare" items={ORDERS.map(([by, name]) => ({ name, checked: sort.value === by, act: () => order(by) }))} />}
          {list && list.total > 0 && <a class="tool bare" href="/t" aria-label={t("Table of answers")} title={t("Table of answers: questions as columns, documents as rows")} onClick={tabulate}><Icon name="grid" /></a>}
          <AddButton />
        </div>
        <Adding />
        {list && !list.items.length && (match.value || !jobs.value.length) && <p class="quiet none">{match.value ? t("No title and no name has that.") : t("None yet.")}</p>}
        <ul class={`docs${open && outline.value?.sections.length && list && list.items.length > 8 ? " bounded" : ""}`}>
          {list?.items.map((one) => <Row key={one.id} document={one} isOpen={open?.id === one.id} />)}
        </ul>
        {list?.next && <button type="button" class="tool wide" onClick={() => void moreDocuments()}>{t("More documents")}</button>}
        <Everywhere />
        {open && outline.value && outline.value.sections.length > 0 && (
          <>
            <div class="lib-title"><h2>{t("Sections")}</h2></div>
            <Tree sections={outline.value.sections} page={pageNumber.value} />
          </>
        )}
      </div>
      <div class="lib-foot"><button type="button" class="tool bare" title={t("This browser then needs a key, or the link that octavo serve printed")} onClick={() => void signOut()}>{t("Sign out")}</button></div>
    </>
  );
}

function Row({ document: one, isOpen }: { document: Document; isOpen: boolean }) {
  const choose = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void goPage(one.id, 1, { choose: true });
  };
  const items = [
    { name: t("Entities and relations"), act: () => void (dialog.value = { kind: "entities", document: one, entity: null }) },
    ...(status.value?.can_write ? [{ name: t("Remove…"), act: () => void (dialog.value = { kind: "remove", document: one }) }] : []),
  ];
  const about = aboutOf(one);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen, Boolean(outline.value)]);
  return (
    <li class="doc-row" ref={row}>
      <a class={`doc${isOpen ? " on" : ""}`} href={`/d/${short(one.id)}`} aria-current={isOpen ? "true" : undefined} onClick={choose} title={namesOf(one)}>
        <span class="doc-name">{calledOf(one)}</span>
        <span class="doc-told">{pagesTold(one)}</span>
        {(about.issuer || about.rest) && <small class="doc-about"><span>{about.issuer}</span>{about.rest && <span>{about.rest}</span>}</small>}
        {one.title && <small class="doc-file">{one.name}</small>}
        {one.damage && <small class="doc-damage">{one.damage}</small>}
      </a>
      <Menu label={t("More about {name}", { name: calledOf(one) })} class="tool bare doc-more" items={items} />
    </li>
  );
}

export function AddButton({ big = false }: { big?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  if (!status.value?.can_write) return null;
  return (
    <>
      <input ref={input} class="unseen" type="file" multiple tabIndex={-1} aria-hidden="true" accept={status.value.formats.join(",")}
        onChange={(event) => { addFiles(event.currentTarget.files ?? []); event.currentTarget.value = ""; }} />
      <button type="button" class={big ? "ask-go big" : "tool bare"} aria-label={big ? undefined : t("Add documents")} title={big ? undefined : t("Add documents")} onClick={() => input.current?.click()}>
        {big ? t("Choose files…") : <Icon name="add" />}
      </button>
    </>
  );
}

export function Example() {
  if (!status.value?.example || !status.value.can_write) return null;
  return <button type="button" class="tool big" onClick={() => void addExample()}>{t("Try it with the example handbook")}</button>;
}
