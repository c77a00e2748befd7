// The middle pane: the shelf of documents, or the open document with its tools.
import { closeDocument, goLibrary, goPage, turn } from "../reading";
import { dialog, isPhone, openProblem, opened, pageNumber, sheetUp, showsLayout, zoom, libraryFolded, isNarrow, drawerOpen, store, talkFolded } from "../state";
import { finding, rail, startFinding, stopFinding } from "../finding";
import { pageOf } from "../reading";
import { short, Problem } from "../api";
import { copyLink } from "../ui/copy";
import { Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import { calledOf, namesOf, printed, sentence } from "../words";
import { BlockBar } from "./Blocks";
import { Flow } from "./Flow";
import { fitted, Pages } from "./Pages";
import { FindBar, Rail } from "./Rail";
import { Shelf } from "./Shelf";
import { t } from "../wording";

export function Desk() {
  const open = opened.value;
  if (openProblem.value) return <Trouble problem={openProblem.value} />;
  if (!open) return <Shelf />;
  const notes = [...(open.damage ? [t("this file is damaged: {damage}", { damage: open.damage })] : []), ...open.warnings];
  return (
    <>
      <DeskBar />
      {notes.length > 0 && <p class="note doc-note">{notes.map((one) => sentence(`${one.charAt(0).toUpperCase()}${one.slice(1)}`)).join(" ")}</p>}
      <FindBar />
      <div class="desk-body">
        <Rail document={open} />
        {open.has_pages ? <Pages key={open.id} document={open} /> : <Flow key={open.id} document={open} />}
      </div>
      {open.has_pages && <BlockBar document={open} />}
    </>
  );
}

export function toggleThumbs(): void {
  if (opened.value?.has_pages) rail.value = rail.value === "pages" ? "" : "pages";
}

export function openLibrary(): void {
  if (isNarrow.value) drawerOpen.value = true;
  else {
    libraryFolded.value = false;
    store("library-folded", "no");
  }
}

export function LibraryButton() {
  if (!isNarrow.value && !libraryFolded.value) return null;
  return <button type="button" class="tool bare" aria-label={t("Show the library")} title={t("Show the library")} onClick={openLibrary}><Icon name="menu" /></button>;
}

export function TalkButton() {
  if (!talkFolded.value || isPhone.value) return null;
  return <button type="button" class="tool" aria-label={t("Show questions and answers")} onClick={() => { talkFolded.value = false; store("talk-folded", "no"); }}><Icon name="sideRight" /></button>;
}

function DeskBar() {
  const open = opened.value!;
  const page = pageOf(open.id, pageNumber.value);
  const label = page && !(page instanceof Problem) ? printed(page.page, page.page_label) : "";
  const zoomed = (by: number): void => void (zoom.value = Math.min(4, Math.max(0.25, Math.round(fitted.value * by * 20) / 20)));
  const close = (): void => {
    if (isPhone.value) sheetUp.value = false;
    else goLibrary();
  };
  return (
    <header class="bar">
      {!isPhone.value && <LibraryButton />}
      <h1 class="bar-name" title={namesOf(open)}>{calledOf(open)}</h1>
      {!isPhone.value && <span class="bar-space" />}
      <div class="bar-group bar-turn" role="group" aria-label={t("Pages")}>
        <button type="button" class="tool bare" aria-label={t("Previous page")} title={t("Previous page (K)")} disabled={pageNumber.value <= 1} onClick={() => turn(-1)}><Icon name={open.has_pages ? "up" : "left"} /></button>
        <PageField />
        <button type="button" class="tool bare" aria-label={t("Next page")} title={t("Next page (J)")} disabled={pageNumber.value >= open.pages} onClick={() => turn(1)}><Icon name={open.has_pages ? "down" : "right"} /></button>
        {label && <span class="bar-page printed">{label}</span>}
      </div>
      {!isPhone.value && <span class="bar-space" />}
      {open.has_pages && !isPhone.value && (
        <div class="bar-group bar-size" role="group" aria-label={t("Size")}>
          <button type="button" class="tool bare" aria-label={t("Smaller")} title={t("Smaller (−)")} onClick={() => zoomed(1 / 1.15)}><Icon name="minus" /></button>
          <Menu label={t("Size of the page")} name={t("{part} %, size of the page", { part: String(Math.round(fitted.value * 100)) })} class="tool bare zoom" items={[
            { name: t("Comfortable"), checked: zoom.value === "auto" || zoom.value === "block", act: () => void (zoom.value = "auto") },
            { name: t("Fit the width"), checked: zoom.value === "width", act: () => void (zoom.value = "width") },
            { name: t("Whole page"), checked: zoom.value === "page", act: () => void (zoom.value = "page") },
            ...[0.75, 1, 1.5, 2].map((one) => ({ name: `${one * 100} %`, checked: zoom.value === one, act: () => void (zoom.value = one) })),
          ]}>{Math.round(fitted.value * 100)} %</Menu>
          <button type="button" class="tool bare" aria-label={t("Larger")} title={t("Larger (+)")} onClick={() => zoomed(1.15)}><Icon name="add" /></button>
        </div>
      )}
      <button type="button" class={`tool bare${finding.value ? " pressed" : ""}`} aria-pressed={finding.value !== null} aria-label={t("Find in this document")} title={t("Find in this document (Ctrl F)")} onClick={() => (finding.value ? stopFinding() : startFinding())}><Icon name="search" /></button>
      {open.has_pages && !isPhone.value && <button type="button" class={`tool bare${rail.value === "pages" ? " pressed" : ""}`} aria-pressed={rail.value === "pages"} aria-label={t("Small pictures of the pages")} title={t("Small pictures of the pages (T)")} onClick={() => toggleThumbs()}><Icon name="pages" /></button>}
      {!isPhone.value && <button type="button" class={`tool bare bar-layout${showsLayout.value ? " pressed" : ""}`} aria-pressed={showsLayout.value} title={t("Show what the page is made of (L)")} onClick={() => void (showsLayout.value = !showsLayout.value)}><Icon name="layout" /><span class="wide-only">{t("Layout")}</span></button>}
      <Menu label={t("More about this document")} class="tool bare" items={[
        ...(isPhone.value ? [{ name: showsLayout.value ? t("Hide the layout") : t("Show the layout"), act: () => void (showsLayout.value = !showsLayout.value) }] : []),
        ...(isPhone.value && open.has_pages ? [{ name: rail.value === "pages" ? t("Hide the small pages") : t("Small pictures of the pages"), act: toggleThumbs }] : []),
        { name: t("Copy link to this page"), act: () => void copyLink(`/d/${short(open.id)}/${pageNumber.value}`) },
        { name: t("A first look"), act: () => void (dialog.value = { kind: "look", document: open }) },
        { name: t("Entities and relations"), act: () => void (dialog.value = { kind: "entities", document: open, entity: null }) },
        { name: t("Print…"), act: () => void (dialog.value = { kind: "print", document: open }) },
        { name: t("Close the document"), act: () => (isPhone.value ? close() : (closeDocument(), goLibrary())) },
      ]} />
      {isPhone.value && <button type="button" class="tool bare" aria-label={t("Back to the answer")} onClick={close}><Icon name="close" /></button>}
      <TalkButton />
    </header>
  );
}

function PageField() {
  const open = opened.value!;
  const go = (event: Event): void => {
    const field = event.currentTarget as HTMLInputElement;
    const wanted = Number(field.value);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= open.pages && wanted !== pageNumber.value) void goPage(open.id, wanted);
    else field.value = String(pageNumber.value);
  };
  return (
    <span class="bar-page">
      <label class="unseen" for="page-field">{t("Go to page, 1 to {n}", { n: String(open.pages) })}</label>
      <input id="page-field" class="page-field" inputMode="numeric" autocomplete="off" value={String(pageNumber.value)} size={Math.max(2, String(open.pages).length)}
        onFocus={(event) => event.currentTarget.select()} onChange={go} onKeyDown={(event) => event.key === "Enter" && go(event)} />
      {` ${t("of {n}", { n: String(open.pages) })}`}
    </span>
  );
}

function Trouble({ problem }: { problem: Problem }) {
  return (
    <>
      <header class="bar"><LibraryButton /><h1 class="bar-name">{problem.isMissing ? t("Not in the library") : t("That did not work")}</h1><span class="bar-space" /><TalkButton /></header>
      <div class="desk-scroll">
        <div class="trouble" role="alert">
          <Icon name="warn" />
          <p>{problem.isMissing ? t("This document, or the place the link leads to, is no longer in the library. It may have been removed.") : problem.message}</p>
          {problem.isMissing && <p class="quiet">{problem.message}</p>}
          <p><button type="button" class="tool big" onClick={goLibrary}>{t("Back to the library")}</button></p>
        </div>
      </div>
    </>
  );
}

