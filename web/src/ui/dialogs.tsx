// What opens over the page: help, removing a document, choosing which documents are asked, entities.
import { useEffect, useRef, useState } from "preact/hooks";
import { removeDocument } from "../adding";
import { ask } from "../asking";
import { get, Problem, short } from "../api";
import { chosenName, filter, held, noticed, remember } from "../reading";
import { dialog, documents, folders, isPhone, keysOn, scope, scopeIsChosen, status, say, store, where } from "../state";
import type { Document, Documents, Folder } from "../types";
import { Entities } from "../desk/Entities";
import { History } from "../talk/History";
import { FirstLook } from "../talk/FirstLook";
import { pagesTold } from "../library/Library";
import { calledOf, namesOf } from "../words";
import { PrintDialog } from "../desk/Print";
import { Modal } from "./dialog";
import { Icon } from "./icon";
import { Settings } from "./settings";
import { plural, t } from "../wording";

export function Dialogs() {
  const open = dialog.value;
  switch (open?.kind) {
    case "help":
      return <Help />;
    case "remove":
      return <Remove document={open.document} />;
    case "history":
      return <History />;
    case "settings":
      return <Settings />;
    case "print":
      return <PrintDialog document={open.document} />;
    case "look":
      return <Modal title={t("A first look at {name}", { name: calledOf(open.document) })}><FirstLook document={open.document} headed /></Modal>;
    case "scope":
      return <ScopeDialog question={open.question} />;
    case "entities":
      return <Entities key={short(open.document.id)} document={open.document} />;
    default:
      return null;
  }
}

const KEYS: [string, [string, string][]][] = [
  [t("Asking"), [["/", t("write a question")], ["Enter", t("ask it")], ["Shift Enter", t("new line")], ["N", t("new conversation")], ["H", t("conversations before")], ["[ ]", t("citation before, next citation")]]],
  [t("Pages"), [["J K", t("next page, page before")], ["Home End", t("first page, last page")], ["G", t("go to a page")], ["+ −", t("larger, smaller")], ["0", t("comfortable size")], ["L", t("layout: kinds, order, links")], ["T", t("small pictures of the pages")]]],
  [t("Around"), [["Ctrl F", t("find in the document")], ["F", t("find in all documents")], ["O", t("library")], ["1 2 3", t("to the library, the page, the answers")], ["D", t("light, dark, as the system")], ["S", t("the settings")], ["Esc", t("close, go back")], ["?", t("this help")]]],
];

function Help() {
  return (
    <Modal title={t("Keys")} class="help">
      <div class="keys">
        {KEYS.map(([title, rows]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>{rows.map(([keys, told]) => <div key={keys}><dt>{keys.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{told}</dd></div>)}</dl>
          </section>
        ))}
      </div>
      <p><label class="setting"><input type="checkbox" checked={keysOn.value} onChange={(event) => { keysOn.value = event.currentTarget.checked; store("keys", keysOn.value ? "on" : "off"); }} />{t("Single letters are shortcuts")}</label></p>
      <p class="quiet">{t("Select words on a page to copy a link to them or ask about them.")} Octavo {status.value?.version ?? ""}.</p>
    </Modal>
  );
}

/** What goes with a document, as far as the server tells where its file is. */
function removalOf({ is_upload, files_left = 0 }: Document): string {
  if (is_upload && files_left) return files_left === 1 ? t("The copy that was sent through this page is deleted. The document stays in the library: 1 file on the server's disk still leads to it.") : t("The copy that was sent through this page is deleted. The document stays in the library: {n} files on the server's disk still lead to it.", { n: files_left });
  const taken = t("The document, all that was made from it, and the answers that stand on it are taken out of the library.");
  if (is_upload) return `${taken} ${t("Its file was sent through this page: this copy is deleted too, and there is no other here.")}`;
  if (is_upload === false) return `${taken} ${t("Files on the server's disk are not touched.")}`;
  return t("The document, all that was made from it, and the answers that stand on it are taken out of the library, with the copy of the file where it was sent through this page. Files elsewhere are not touched.");
}

function Remove({ document: one }: { document: Document }) {
  const close = (): void => void (dialog.value = null);
  return (
    <Modal title={t("Remove {name}?", { name: calledOf(one) })}>
      {one.title && <p class="quiet">{one.name}</p>}
      <p>{removalOf(one)}</p>
      <div class="modal-acts">
        <button type="button" class="tool big" data-first onClick={close}>{t("Keep it")}</button>
        <button type="button" class="tool big danger" onClick={() => { close(); void removeDocument(one); }}>{t("Remove")}</button>
      </div>
    </Modal>
  );
}

interface Choosing {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
}

function Choice({ document: one, isChosen, isHeld = false, toggle }: { document: Document; isChosen: boolean; isHeld?: boolean; toggle: (id: string) => void }) {
  return (
    <li><label><input type="checkbox" checked={isChosen} disabled={isHeld} onChange={() => toggle(one.id)} /><span class="doc-name" title={namesOf(one)}>{calledOf(one)}{one.title && <small class="doc-file">{one.name}</small>}</span><span class="doc-told">{pagesTold(one)}</span></label></li>
  );
}

const moreTold = (count: number): string => (count === 1 ? t("and 1 more document") : t("and {n} more documents", { n: count }));

/** A folder to be asked as a whole, or unfolded, to choose among its documents. */
function FolderChoice({ place, chosen, toggle }: Choosing & { place: Folder }) {
  const [inside, setInside] = useState<Documents | null>(null);
  const isWhole = chosen.has(place.pattern);
  const unfold = async (): Promise<void> => {
    if (inside) return setInside(null);
    try {
      const found = await get<Documents>(`/v1/documents?${new URLSearchParams({ limit: "100", sort: "title", folder: place.pattern })}`);
      remember(found.items);
      setInside(found);
    } catch (error) {
      say(noticed(error).message);
    }
  };
  return (
    <li class="choice-folder">
      <label><input type="checkbox" checked={isWhole} onChange={() => toggle(place.pattern)} /><span class="doc-name" title={place.name}>{place.name}</span><span class="doc-told">{plural(place.documents, "document")}</span></label>
      <button type="button" class={`sec-fold${inside ? " open" : ""}`} aria-expanded={inside !== null} aria-label={t("Documents in {name}", { name: place.name })} onClick={() => void unfold()}><Icon name="right" /></button>
      {inside && (
        <ul>
          {inside.items.map((one) => <Choice key={one.id} document={one} isChosen={isWhole || chosen.has(one.id)} isHeld={isWhole} toggle={toggle} />)}
          {inside.next && <li class="quiet">{moreTold(inside.total - inside.items.length)}</li>}
        </ul>
      )}
    </li>
  );
}

/** Chooses what questions are asked of; where there is a question already, it is asked then. */
function ScopeDialog({ question }: { question?: string }) {
  const [chosen, setChosen] = useState(new Set(scope.value ?? []));
  const [items, setItems] = useState<Document[]>(documents.value?.items ?? []);
  const [text, setText] = useState("");
  const [only, setOnly] = useState(where.value);
  const [wrong, setWrong] = useState("");
  const [total, setTotal] = useState(held());
  const asked = useRef("");
  useEffect(() => void look("", only), []);
  const look = async (wanted: string, fits: string): Promise<void> => {
    const query = new URLSearchParams({ limit: "100", sort: "title", ...(wanted ? { match: wanted } : {}), ...(fits.trim() ? { where: fits } : {}) }).toString();
    asked.current = query;
    try {
      const found = await get<Documents>(`/v1/documents?${query}`);
      remember(found.items);
      if (asked.current !== query) return;
      setWrong("");
      setItems(found.items);
      setTotal(found.total);
    } catch (error) {
      if (asked.current !== query) return;
      if (error instanceof Problem && error.status === 422) setWrong(error.message);
      else say(noticed(error).message);
    }
  };
  const named = text.trim().toLowerCase();
  const places = only.trim() || folders.value.length < 2 ? [] : folders.value.filter((one) => one.name.toLowerCase().includes(named));
  const more = total - items.length;
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const done = (): void => {
    scope.value = chosen.size ? [...chosen] : null;
    filter(only.trim());
    scopeIsChosen.value = true;
    dialog.value = null;
    if (question) void ask(question);
  };
  return (
    <Modal title={t("Which documents are asked?")}>
      <label class="unseen" for="scope-find">{t("Find a document")}</label>
      <input id="scope-find" data-first={isPhone.value ? undefined : true} class="find" type="search" placeholder={t("Find a document")} autocomplete="off" value={text} onInput={(event) => { setText(event.currentTarget.value); void look(event.currentTarget.value, only); }} />
      <label class="scope-where" for="scope-where">{t("Only where")}</label>
      <input id="scope-where" class="find" type="text" placeholder="date >= 2024 and type = report" autocomplete="off" spellcheck={false} aria-describedby="scope-wrong" value={only} onInput={(event) => { setOnly(event.currentTarget.value); void look(text, event.currentTarget.value); }} />
      <p id="scope-wrong" class={wrong ? "note" : "quiet"} role="status">{wrong}</p>
      <ul class="choices" tabIndex={0} aria-label={t("Documents")}>
        {places.map((one) => <FolderChoice key={one.pattern} place={one} chosen={chosen} toggle={toggle} />)}
        {items.map((one) => <Choice key={one.id} document={one} isChosen={chosen.has(one.id)} toggle={toggle} />)}
      </ul>
      {more > 0 && <p class="quiet">{more === 1 ? t("and 1 more document: write a part of a name to find it.") : t("and {n} more documents: write a part of a name to find them.", { n: more })}</p>}
      <div class="modal-acts">
        {chosen.size > 0 && <button type="button" class="tool big" onClick={() => setChosen(new Set())}>{t("Choose none")}</button>}
        <button type="button" class="ask-go big" disabled={Boolean(wrong)} onClick={done}>{chosen.size ? t("Ask {what}", { what: chosenName([...chosen]) }) : only.trim() && !text ? (total === 1 ? t("Ask the 1 document that fits") : t("Ask the {n} documents that fit", { n: total })) : t("Ask all {n} documents", { n: held() })}</button>
      </div>
    </Modal>
  );
}
