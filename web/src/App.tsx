// The three panes, or on a phone the answer with the page as a sheet over it.
import { useEffect, useRef, useState } from "preact/hooks";
import { addFiles } from "./adding";
import { Desk } from "./desk/Desk";
import { PrintSheets } from "./desk/Print";
import { Library } from "./library/Library";
import { address, connection, drawerOpen, isNarrow, isPhone, libraryFolded, opened, openProblem, pageNumber, sheetUp, status, talkFolded, toast } from "./state";
import { TableView } from "./table/TableView";
import { Peek } from "./talk/Peek";
import { Talk } from "./talk/Talk";
import { Dialogs } from "./ui/dialogs";
import { Icon } from "./ui/icon";
import { Selection } from "./ui/selection";
import { Splitter } from "./ui/splitter";
import { labelHere } from "./reading";
import { calledOf, pageName } from "./words";
import { t } from "./wording";

export function App() {
  const narrow = isNarrow.value;
  const phone = isPhone.value;
  const classes = ["app", narrow ? "narrow" : "wide", phone ? "phone" : "", !narrow && libraryFolded.value ? "no-lib" : "", talkFolded.value && !phone ? "no-talk" : "", opened.value ? "has-doc" : "", narrow && drawerOpen.value ? "drawer" : "", phone && sheetUp.value ? "sheet-up" : ""];
  const tabulates = address.value.kind === "table";
  if (tabulates) classes.push("tables");
  const showsLibrary = narrow ? drawerOpen.value : !libraryFolded.value;
  const showsTalk = phone || !talkFolded.value;
  const talkIsMain = phone && !sheetUp.value;
  const talk = (
    <section class="talk" role={talkIsMain ? "main" : undefined} aria-label={t("Questions and answers")} inert={phone && (sheetUp.value || drawerOpen.value)} key="talk">
      {!phone && <Splitter name="talk" label={t("Width of the answers")} least={320} most={720} usual={432} fromRight />}
      <Talk />
    </section>
  );
  return (
    <>
    <Connection />
    <div class={classes.filter(Boolean).join(" ")}>
      <Skips />
      {narrow && drawerOpen.value && <div class="veil" onClick={() => void (drawerOpen.value = false)} />}
      {showsLibrary && <Drawer />}
      {tabulates && <TableView />}
      {phone && !tabulates && talk}
      {!tabulates && (!phone || opened.value || openProblem.value) && (
        <section class="desk" role={talkIsMain ? "region" : "main"} aria-label={t("Page")} inert={phone && !sheetUp.value} key="desk">
          {phone && <button type="button" class="handle" aria-label={t("Slide the page down")} onClick={() => void (sheetUp.value = false)} />}
          <Desk />
        </section>
      )}
      {phone && !tabulates && opened.value && !sheetUp.value && <button type="button" class="peek" onClick={() => void (sheetUp.value = true)}><Icon name="up" /><span class="doc-name">{calledOf(opened.value)}</span><span class="doc-told">{pageName(pageNumber.value, labelHere())}</span></button>}
      {!phone && showsTalk && !tabulates && talk}
      <DropZone />
      <Selection />
      <Peek />
      <PrintSheets />
      <Dialogs />
      <Toast />
    </div>
    </>
  );
}

/** For who comes with Tab: past the library and the tools of the page. */
function Skips() {
  const to = (selector: string) => (event: Event): void => {
    event.preventDefault();
    sheetUp.value = selector !== "#question" && Boolean(opened.value);
    document.querySelector<HTMLElement>(selector)?.focus();
  };
  if (address.value.kind === "table") return null;
  return (
    <nav class="skips" aria-label={t("Skip")}>
      <a href="#question" onClick={to("#question")}>{t("Skip to the question")}</a>
      <a href="#page" onClick={to(".desk-scroll")}>{opened.value ? t("Skip to the page") : t("Skip to the documents")}</a>
    </nav>
  );
}

function Drawer() {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNarrow.value) pane.current?.querySelector<HTMLElement>("button, a")?.focus();
  }, []);
  return (
    <nav class="lib" aria-label={t("Library")} ref={pane}>
      <Library />
      {!isNarrow.value && <Splitter name="lib" label={t("Width of the library")} least={200} most={460} usual={288} />}
    </nav>
  );
}

function Toast() {
  const told = toast.value;
  const [shown, setShown] = useState(0);
  useEffect(() => {
    if (!told) return;
    setShown(told.at);
    const timer = setTimeout(() => setShown(0), 4200);
    return () => clearTimeout(timer);
  }, [told]);
  return <div class="toast" role="status" data-shown={Boolean(told && shown === told.at)}>{told && shown === told.at ? told.text : ""}</div>;
}

function Connection() {
  const state = connection.value;
  if (state === "ok") return null;
  return (
    <div class="banner" role="alert">
      <Icon name="warn" />
      <p>{state === "gone" ? t("The server does not answer. It may be starting again; else start it with octavo serve. This page then goes on by itself.") : t("The key of this browser is no longer valid. Sign in with another, or open the link that octavo serve printed.")}</p>
      {state === "expired" && <button type="button" class="tool" onClick={() => location.reload()}>{t("Sign in")}</button>}
    </div>
  );
}

function DropZone() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const hasFiles = (event: DragEvent): boolean => Boolean(event.dataTransfer?.types.includes("Files"));
    const enter = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth++;
      setOver(true);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    const leave = (event: DragEvent): void => {
      if (hasFiles(event) && --depth <= 0) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      addFiles(event.dataTransfer!.files);
    };
    const pairs = [["dragenter", enter], ["dragover", over], ["dragleave", leave], ["drop", drop]] as const;
    for (const [name, handler] of pairs) document.addEventListener(name, handler);
    return () => {
      for (const [name, handler] of pairs) document.removeEventListener(name, handler);
    };
  }, []);
  if (!isOver) return null;
  return <div class="drop"><div><Icon name="upload" /><p>{status.value?.can_write === false ? t("This library is read-only") : t("Drop to add to the library")}</p></div></div>;
}
