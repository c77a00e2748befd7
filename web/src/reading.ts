// Opening documents, turning pages, following citations.
import { batch, signal } from "@preact/signals";
import { get, path, Problem, short } from "./api";
import { record } from "./route";
import {
  address, connection, dialog, drawerOpen, focus, folder, folders, isPhone, match, documents, nextKey, opened, openProblem, outline, pageNumber, prefersStill, say,
  scope, scopeIsChosen, sheetUp, sort, start, status, store, where, wish, zoom, type Focus,
} from "./state";
import type { Box, Cited, Document, Documents, Folders, Marks, Outline, Page, Passage, Place, Status, Words } from "./types";
import { calledOf, emphasised } from "./words";
import { listed as enumerated, plural, t } from "./wording";

const pages = new Map<string, Promise<Page>>();
const words = new Map<string, Promise<Words>>();
/** Pages that have come in, by "document/page": what a sheet draws. */
export const loaded = signal<ReadonlyMap<string, Page | Problem>>(new Map());

/** Counts how often the server came back: what failed meanwhile is asked for again. */
export const revived = signal(0);
/** Documents by id, as far as they were listed or opened: what a filter hides keeps its name. */
export const known = new Map<string, Document>();
export function nameOf(id: string): string {
  const place = folders.value.find((one) => one.pattern === id);
  if (place) return t("folder {name}", { name: place.name });
  const found = opened.value?.id === id ? opened.value : known.get(id);
  return found ? calledOf(found) : "a document";
}

/** What is asked, by name: a document, a folder, or how many of each. */
export function chosenName(chosen: string[]): string {
  if (chosen.length === 1) return nameOf(chosen[0]!);
  const patterns = new Set(folders.value.map((one) => one.pattern));
  const places = chosen.filter((one) => patterns.has(one)).length;
  const told = [places && plural(places, "folder"), chosen.length > places && plural(chosen.length - places, "document")];
  return enumerated(told.filter((one) => typeof one === "string"));
}

/** How many documents are asked, those of folders among them. */
export const countChosen = (chosen: string[]): number =>
  chosen.reduce((sum, id) => sum + (folders.value.find((one) => one.pattern === id)?.documents ?? 1), 0);

/** The latest wish to see a place: what an earlier one still waits for does not overtake it. */
let latest = 0;

const keyOf = (document: string, page: number): string => `${short(document)}/${page}`;

export function noticed(error: unknown): Problem {
  const problem = error instanceof Problem ? error : new Problem(0, "script", String(error));
  if (problem.isExpired) connection.value = "expired";
  else if (problem.isGone && problem.reason === "gone") connection.value = "gone";
  return problem;
}

export function loadPage(document: string, page: number): void {
  const key = keyOf(document, page);
  if (pages.has(key)) return;
  const given = start.page;
  const wanted =
    given && given.page === page && short(given.document_id) === short(document)
      ? Promise.resolve(given)
      : get<Page>(path`/v1/documents/${short(document)}/pages/${page}`);
  pages.set(key, wanted);
  wanted.then(
    (found) => (loaded.value = new Map(loaded.value).set(key, found)),
    (error) => {
      const problem = noticed(error);
      loaded.value = new Map(loaded.value).set(key, problem);
      pages.delete(key);
      if (problem.isMissing && isOpen(document)) void lookWhetherGone(document);
    },
  );
}

export const pageOf = (document: string, page: number): Page | Problem | undefined => loaded.value.get(keyOf(document, page));

/** The label of the page of the open document that is read, as far as it came in. */
export function labelHere(): string | undefined {
  const page = opened.value ? pageOf(opened.value.id, pageNumber.value) : undefined;
  return page && !(page instanceof Problem) ? page.page_label : undefined;
}

export function wordsOf(document: string, page: number): Promise<Words> {
  const key = keyOf(document, page);
  let wanted = words.get(key);
  if (!wanted) {
    wanted = get<Words>(path`/v1/documents/${short(document)}/pages/${page}/words`);
    words.set(key, wanted);
    wanted.catch(() => words.delete(key));
  }
  return wanted;
}

const isOpen = (id: string): boolean => opened.value !== null && short(opened.value.id) === short(id);

/** Open a document; false where another place was asked for meanwhile, or it cannot be opened. */
async function open(id: string, mine: number): Promise<boolean> {
  if (isOpen(id)) return true;
  openProblem.value = null;
  try {
    const given = start.document;
    const listed = given && short(given.id) === short(id) ? given : documents.value?.items.find((one) => short(one.id) === short(id));
    const found = listed ?? (await get<Document>(path`/v1/documents/${short(id)}`));
    if (mine !== latest) return false;
    known.set(found.id, found);
    batch(() => {
      opened.value = found;
      outline.value = null;
      focus.value = null;
      pageNumber.value = 1;
    });
    loadOutline(id);
    return true;
  } catch (error) {
    if (mine === latest) batch(() => {
      opened.value = null;
      outline.value = null;
      openProblem.value = noticed(error);
    });
    return false;
  }
}

function loadOutline(id: string): void {
  get<Outline>(path`/v1/documents/${short(id)}/outline`).then(
    (tree) => isOpen(id) && (outline.value = tree),
    (error) => noticed(error),
  );
}

/** The server is back: ask again for what could not come in meanwhile. */
export function revive(): void {
  loaded.value = new Map([...loaded.value].filter(([, one]) => !(one instanceof Problem && one.isGone)));
  revived.value++;
  const to = address.value;
  if (openProblem.value?.isGone) {
    openProblem.value = null;
    if (to.kind === "page") void goPage(to.document, to.page, { replace: true });
    else if (to.kind === "citation") void goCitation(to.id);
  } else if (opened.value && !outline.value) loadOutline(opened.value.id);
  void refreshDocuments();
}

/** Smoothly where the way is short; otherwise every page between would be drawn. */
export function scrollTo(page: number, box: Box | null, from: number | null): void {
  const smooth = from !== null && Math.abs(page - from) < 2 && !prefersStill();
  wish.value = { page, box, at: nextKey(), smooth };
}

/** Open a document at a page. Choosing it from the library also makes it what is asked, unless that was chosen. */
export async function goPage(id: string, page: number, options: { replace?: boolean; choose?: boolean; box?: Box } = {}): Promise<void> {
  const from = isOpen(id) ? pageNumber.value : null;
  const mine = ++latest;
  record({ kind: "page", document: id, page }, options.replace);
  if (!(await open(id, mine)) || !opened.value) return;
  const number = Math.min(Math.max(1, page), opened.value.pages);
  batch(() => {
    pageNumber.value = number;
    focus.value = null;
    drawerOpen.value = false;
    if (isPhone.value) sheetUp.value = true;
    if (options.choose && !scopeIsChosen.value) scope.value = [opened.value!.id];
  });
  scrollTo(number, options.box ?? null, from);
}

/** Show a place on its page and mark its words. */
export async function goPlace(place: Place, number: number | null, options: { quiet?: boolean; passage?: Passage; answer?: string } = {}): Promise<void> {
  const mine = ++latest;
  if (!options.quiet) record({ kind: "citation", id: place.id });
  const from = isOpen(place.document_id) ? pageNumber.value : null;
  if (!(await open(place.document_id, mine))) return;
  const made: Focus = {
    id: place.id,
    document: place.document_id,
    page: place.page,
    block: place.block,
    box: place.box,
    section: place.section,
    marks: [],
    texts: options.passage ? emphasised(options.passage) : [],
    answer: options.answer ?? "",
    number,
    full: null,
  };
  batch(() => {
    focus.value = made;
    pageNumber.value = place.page;
    drawerOpen.value = false;
    if (isPhone.value && !options.quiet) sheetUp.value = true;
    if (isPhone.value) zoom.value = "block";
  });
  scrollTo(place.page, place.box, from);
  try {
    const found = options.passage?.emphasis.length ? await marksOf(options.passage, made) : await citationOf(place.id, made);
    if (mine !== latest || focus.value?.id !== place.id) return;
    focus.value = found;
    const first = found.marks.find((one) => one.page === found.page);
    // Sideways to where the cited box begins, whose number stands in the margin.
    if (first) scrollTo(found.page, [Math.min(first.box[0], found.box && found.box[2] > found.box[0] ? found.box[0] : first.box[0]), first.box[1], first.box[2], first.box[3]], place.page);
  } catch (error) {
    if (noticed(error).isMissing && mine === latest) await lookWhetherGone(place.document_id);
  }
}

/** Say so where the open document was removed meanwhile, by somebody else or in another window. */
async function lookWhetherGone(id: string): Promise<void> {
  try {
    await get<Document>(path`/v1/documents/${short(id)}`);
  } catch (error) {
    const problem = noticed(error);
    if (!problem.isMissing || !isOpen(id)) return;
    batch(() => {
      opened.value = null;
      outline.value = null;
      focus.value = null;
      openProblem.value = problem;
    });
    void refreshDocuments();
  }
}

async function citationOf(id: string, made: Focus): Promise<Focus> {
  const full = start.citation?.id === id ? start.citation : await get<Cited>(path`/v1/citations/${id}`);
  const boxes = full.boxes.map((one) => ({ page: one.page, box: one.box }));
  return { ...made, full, page: full.page, block: full.block, box: full.box, texts: full.quote ? [full.quote] : [], marks: boxes };
}

async function marksOf(passage: Passage, made: Focus): Promise<Focus> {
  const query = new URLSearchParams([["block", passage.block], ...emphasised(passage).slice(0, 40).map((text) => ["text", text])] as string[][]);
  const found = await get<Marks>(`${path`/v1/documents/${short(passage.document_id)}/marks`}?${query}`);
  return { ...made, marks: found.marks.flatMap((one) => one.boxes.map((box) => ({ page: one.page, box }))) };
}

/** Show a citation by its id alone, as its permalink does. */
export async function goCitation(id: string): Promise<void> {
  try {
    const full = start.citation?.id === id ? start.citation : await get<Cited>(path`/v1/citations/${id}`);
    await goPlace(full, null, { quiet: true });
    if (isPhone.value) sheetUp.value = true;
  } catch (error) {
    batch(() => {
      opened.value = null;
      openProblem.value = noticed(error);
    });
  }
}

export function goLibrary(): void {
  record({ kind: "library" });
  closeDocument();
}

export function closeDocument(): void {
  latest++;
  batch(() => {
    opened.value = null;
    outline.value = null;
    focus.value = null;
    openProblem.value = null;
    dialog.value = null;
    drawerOpen.value = false;
    sheetUp.value = false;
    if (!scopeIsChosen.value) scope.value = null;
  });
}

/** Turn to another page of the open document. */
export function turn(by: number): void {
  const open = opened.value;
  if (!open) return;
  const to = Math.min(Math.max(1, pageNumber.value + by), open.pages);
  if (to !== pageNumber.value) void goPage(open.id, to, { replace: address.value.kind === "page" });
}

export function remember(items: Document[]): void {
  for (const one of items) known.set(one.id, one);
}
remember(documents.value?.items ?? []);

const ROWS = "200";
/** The ids of all documents. */
export async function allIds(): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const found: Documents = await get<Documents>(`/v1/documents?${new URLSearchParams({ limit: ROWS, ...(cursor ? { cursor } : {}) })}`);
    remember(found.items);
    ids.push(...found.items.map((one) => one.id));
    cursor = found.next;
  }
  return ids;
}

/** Ask only documents that fit a filter; it stays in this browser. */
export function filter(text: string): void {
  where.value = text;
  store("where", text);
}

/** How many documents the library has: what a filter leaves of the list is no part of that. */
export const held = (): number => status.value?.documents ?? documents.value?.total ?? 0;

/** The address of the documents that are listed, as they are sorted. */
const listed = (): string => `/v1/documents?${new URLSearchParams({ limit: "50", sort: sort.value, ...(match.value ? { match: match.value } : {}), ...(folder.value ? { folder: folder.value.pattern } : {}) })}`;

export async function loadFolders(): Promise<void> {
  await get<Folders>("/v1/folders").then((found) => void (folders.value = found.items), noticed);
}

export async function refreshDocuments(): Promise<void> {
  const asked = listed();
  try {
    const [list, state, found] = await Promise.all([get<Documents>(asked), get<Status>("/v1/status"), get<Folders>("/v1/folders")]);
    folders.value = found.items;
    if (listed() !== asked) return;
    remember(list.items);
    documents.value = list;
    status.value = state;
  } catch (error) {
    say(noticed(error).message);
  }
}

export async function moreDocuments(): Promise<void> {
  const shown = documents.value;
  if (!shown?.next) return;
  try {
    const more = await get<Documents>(`${listed()}&cursor=${shown.next}`);
    remember(more.items);
    documents.value = { ...more, items: [...shown.items, ...more.items] };
  } catch (error) {
    say(noticed(error).message);
  }
}
