// Opening documents, turning pages, following citations.
import { batch, signal } from "@preact/signals";
import { get, path, Problem, short } from "./api";
import { record } from "./route";
import {
  address, connection, dialog, drawerOpen, focus, isPhone, match, documents, nextKey, opened, openProblem, outline, pageNumber, prefersStill, say,
  scope, scopeIsChosen, sheetUp, sort, start, status, wish, zoom, type Focus,
} from "./state";
import type { Box, Document, FullCitation, Listing, Mark, Outline, Page, Passage, Place, Status, Words } from "./types";
import { emphasised } from "./words";

const pages = new Map<string, Promise<Page>>();
const words = new Map<string, Promise<Words>>();
/** Pages that have come in, by "document/page": what a sheet draws. */
export const loaded = signal<ReadonlyMap<string, Page | Problem>>(new Map());

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
      loaded.value = new Map(loaded.value).set(key, noticed(error));
      pages.delete(key);
    },
  );
}

export const pageOf = (document: string, page: number): Page | Problem | undefined => loaded.value.get(keyOf(document, page));

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

async function open(id: string): Promise<void> {
  if (isOpen(id)) return;
  openProblem.value = null;
  try {
    const given = start.document;
    const known = given && short(given.id) === short(id) ? given : documents.value?.items.find((one) => short(one.id) === short(id));
    const found = known ?? (await get<Document>(path`/v1/documents/${short(id)}`));
    batch(() => {
      opened.value = found;
      outline.value = null;
      focus.value = null;
      pageNumber.value = 1;
    });
    get<Outline>(path`/v1/documents/${short(id)}/outline`).then(
      (tree) => isOpen(id) && (outline.value = tree),
      (error) => noticed(error),
    );
  } catch (error) {
    batch(() => {
      opened.value = null;
      outline.value = null;
      openProblem.value = noticed(error);
    });
  }
}

/** Smoothly where the way is short; otherwise every page between would be drawn. */
function scrollTo(page: number, box: Box | null, from: number | null): void {
  const smooth = from !== null && Math.abs(page - from) < 2 && !prefersStill();
  wish.value = { page, box, at: nextKey(), smooth };
}

/** Open a document at a page. Choosing it from the library also makes it what is asked, unless that was chosen. */
export async function goPage(id: string, page: number, options: { replace?: boolean; choose?: boolean; box?: Box } = {}): Promise<void> {
  const from = isOpen(id) ? pageNumber.value : null;
  record({ kind: "page", document: id, page }, options.replace);
  await open(id);
  if (!opened.value) return;
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
export async function goPlace(place: Place, number: number | null, options: { quiet?: boolean; passage?: Passage } = {}): Promise<void> {
  if (!options.quiet) record({ kind: "citation", id: place.id });
  const from = isOpen(place.document_id) ? pageNumber.value : null;
  await open(place.document_id);
  if (!opened.value) return;
  const made: Focus = {
    id: place.id,
    document: place.document_id,
    page: place.page,
    block: place.block,
    box: place.box,
    section: place.section,
    marks: [],
    texts: options.passage ? emphasised(options.passage) : [],
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
    if (focus.value?.id !== place.id) return;
    focus.value = found;
    const first = found.marks.find((one) => one.page === found.page);
    if (first) scrollTo(found.page, first.box, place.page);
  } catch (error) {
    noticed(error);
  }
}

async function citationOf(id: string, made: Focus): Promise<Focus> {
  const full = start.citation?.id === id ? start.citation : await get<FullCitation>(path`/v1/citations/${id}`);
  const boxes = full.boxes.map((one) => ({ page: one.page, box: one.box }));
  return { ...made, full, page: full.page, block: full.block, box: full.box, texts: full.quote ? [full.quote] : [], marks: boxes };
}

async function marksOf(passage: Passage, made: Focus): Promise<Focus> {
  const query = new URLSearchParams([["block", passage.block], ...emphasised(passage).slice(0, 40).map((text) => ["text", text])] as string[][]);
  const found = await get<{ marks: Mark[] }>(`${path`/v1/documents/${short(passage.document_id)}/marks`}?${query}`);
  return { ...made, marks: found.marks.flatMap((one) => one.boxes.map((box) => ({ page: one.page, box }))) };
}

/** Show a citation by its id alone, as its permalink does. */
export async function goCitation(id: string): Promise<void> {
  try {
    const full = start.citation?.id === id ? start.citation : await get<FullCitation>(path`/v1/citations/${id}`);
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

/** The address of the documents that are listed, as they are sorted. */
const listed = (): string => `/v1/documents?${new URLSearchParams({ limit: "50", sort: sort.value, ...(match.value ? { match: match.value } : {}) })}`;

export async function refreshDocuments(): Promise<void> {
  const asked = listed();
  try {
    const [list, state] = await Promise.all([get<Listing<Document>>(asked), get<Status>("/v1/status")]);
    if (listed() !== asked) return;
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
    const more = await get<Listing<Document>>(`${listed()}&cursor=${shown.next}`);
    documents.value = { ...more, items: [...shown.items, ...more.items] };
  } catch (error) {
    say(noticed(error).message);
  }
}
