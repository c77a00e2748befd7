// Finding what is typed: in the open document, hit by hit, and in all documents.
import { batch, signal } from "@preact/signals";
import { get, Problem } from "./api";
import { goPage, noticed, scrollTo } from "./reading";
import { record } from "./route";
import { drawerOpen, focus, folder, isPhone, match, opened, pageNumber, sheetUp } from "./state";
import type { Box, Finds, Occurrence, Word } from "./types";

/** What is looked for in the open document; `at` is the hit that is shown, -1 before one is. */
export interface Finding {
  document: string;
  text: string;
  hits: Occurrence[];
  total: number;
  next: string | null;
  at: number;
  isLooking: boolean;
  problem: string;
}

/** What stands beside the pages: small pictures of them, or the hits. */
export const rail = signal<"" | "pages" | "hits">("");
export const finding = signal<Finding | null>(null);
/** What all documents have of the text in the field of the library. */
export const everywhere = signal<{ text: string; finds: Finds | null; problem: string } | null>(null);

const AT_ONCE = "200";
const PAUSE_MS = 160;
let waiting: ReturnType<typeof setTimeout> | undefined;
let asked = 0;

const nothing = (document: string, text: string): Finding => ({ document, text, hits: [], total: 0, next: null, at: -1, isLooking: Boolean(text.trim()), problem: "" });

export function startFinding(text?: string): void {
  const open = opened.value;
  if (!open) return;
  const kept = finding.value?.document === open.id ? finding.value : null;
  if (!kept) finding.value = nothing(open.id, "");
  if (isPhone.value) sheetUp.value = true;
  else rail.value = "hits";
  if (text !== undefined && text !== kept?.text) findHere(text);
}

export function stopFinding(): void {
  asked++;
  batch(() => {
    finding.value = null;
    if (rail.value === "hits") rail.value = "";
  });
}

/** Look for a text in the open document; the first hit from the page that is read on is shown, or the one named. */
export function findHere(text: string, shown?: string): void {
  const open = opened.value;
  if (!open) return;
  finding.value = { ...(finding.value ?? nothing(open.id, text)), document: open.id, text, isLooking: Boolean(text.trim()), problem: "" };
  clearTimeout(waiting);
  const mine = ++asked;
  if (!text.trim()) {
    finding.value = nothing(open.id, text);
    return;
  }
  waiting = setTimeout(() => void look(mine, open.id, text, shown), shown ? 0 : PAUSE_MS);
}

const address = (text: string, more: Record<string, string>): string => `/v1/find?${new URLSearchParams({ text, ...more })}`;

async function look(mine: number, document: string, text: string, shown?: string): Promise<void> {
  try {
    const found = (await get<Finds>(address(text, { document, limit: AT_ONCE }))).documents[0];
    if (mine !== asked) return;
    const hits = found?.places ?? [];
    finding.value = { ...nothing(document, text), isLooking: false, hits, total: found?.total ?? 0, next: found?.next ?? null };
    const from = hits.findIndex((one) => (shown ? one.id === shown : one.page >= pageNumber.value));
    if (hits.length) void goHit(Math.max(from, 0));
  } catch (error) {
    if (mine === asked) finding.value = { ...nothing(document, text), isLooking: false, problem: noticed(error).message };
  }
}

/** The hits that follow those that came in. */
export async function moreHits(): Promise<void> {
  const now = finding.value;
  if (!now?.next) return;
  const mine = asked;
  try {
    const found = (await get<Finds>(address(now.text, { document: now.document, limit: AT_ONCE, cursor: now.next }))).documents[0];
    if (mine === asked && found && finding.value) finding.value = { ...finding.value, hits: [...finding.value.hits, ...found.places], next: found.next };
  } catch (error) {
    if (mine === asked && finding.value) finding.value = { ...finding.value, problem: noticed(error).message };
  }
}

export async function step(by: number): Promise<void> {
  const now = finding.value;
  if (!now?.hits.length) return;
  if (now.at + by >= now.hits.length && now.next) await moreHits();
  const count = finding.value?.hits.length ?? 0;
  if (count) await goHit((now.at + by + count) % count);
}

/** Whether the page of the hit that is shown has been scrolled to its words; a page that is drawn again is left where it is. */
let hasArrived = true;
export function arriving(): boolean {
  const isFirst = !hasArrived;
  hasArrived = true;
  return isFirst;
}

/** Show a hit on its page. */
export async function goHit(at: number): Promise<void> {
  const now = finding.value;
  const hit = now?.hits[at];
  if (!now || !hit || opened.value?.id !== now.document) return;
  hasArrived = false;
  batch(() => {
    finding.value = { ...now, at };
    focus.value = null;
    pageNumber.value = hit.page;
    record({ kind: "page", document: now.document, page: hit.page }, true);
  });
  scrollTo(hit.page, hit.box, null);
}

/** Open a document where it has what is looked for. */
export async function openHit(document: string, text: string, hit?: Occurrence): Promise<void> {
  await goPage(document, hit?.page ?? 1, { choose: true });
  if (opened.value?.id !== document) return;
  finding.value = nothing(document, text);
  if (!isPhone.value) rail.value = "hits";
  drawerOpen.value = false;
  findHere(text, hit?.id ?? "first");
}

let latest = 0;
export async function lookEverywhere(): Promise<void> {
  const text = match.value.trim();
  const mine = ++latest;
  if (!text) {
    everywhere.value = null;
    return;
  }
  if (everywhere.value?.text !== text) everywhere.value = { text, finds: everywhere.value?.finds ?? null, problem: "" };
  try {
    const finds = await get<Finds>(address(text, { limit: "3", ...(folder.value ? { document: folder.value.pattern } : {}) }));
    if (mine === latest) everywhere.value = { text, finds, problem: "" };
  } catch (error) {
    if (mine === latest) everywhere.value = { text, finds: null, problem: error instanceof Problem ? noticed(error).message : String(error) };
  }
}

/** Whether hits of the open document are to be marked. */
export const isFinding = (document: string): boolean => finding.value?.document === document && finding.value.text.trim() !== "";

const WITHOUT_SPACES = /^[฀-￿]/;
/** What is looked for as a pattern, as the server has it: case, accents and line breaks do not count. */
export function patternOf(text: string): RegExp | null {
  const parts = folded(text).trim().split(/\s+/).filter(Boolean);
  if (!parts.length) return null;
  const whole = parts.join(" ");
  const isShort = whole.length <= 2 && /^[\p{L}\p{N}]/u.test(whole) && !WITHOUT_SPACES.test(whole);
  return new RegExp((isShort ? "(?<![\\p{L}\\p{N}])" : "") + parts.map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("[\\s|]+"), "gu");
}

const SIGNS: Record<string, string> = { "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-" };
/** A text without case, accents and typography, as long as before. */
export const folded = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : [...text].map((one) => {
    const plain = (SIGNS[one] ?? one).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
    return plain.length === one.length ? plain : one;
  }).join("");

export function rangesIn(text: string): [number, number][] {
  const pattern = finding.value && patternOf(finding.value.text);
  return pattern ? [...folded(text).matchAll(pattern)].map((one) => [one.index, one.index + one[0].length]) : [];
}

/** Where what is looked for stands among the words of a page: of each place a box for each line, a part of a word in part. */
export function boxesIn(words: Word[]): Box[][] {
  const texts = words.map(([text]) => text);
  const starts: number[] = [];
  let at = 0;
  for (const one of texts) {
    starts.push(at);
    at += one.length + 1;
  }
  return rangesIn(texts.join(" ")).map(([from, to]) => {
    const boxes: Box[] = [];
    let line: number | null = null;
    for (let index = 0; index < words.length; index++) {
      const start = starts[index]!;
      const length = texts[index]!.length;
      if (start + length <= from || start >= to || !length) continue;
      const [, x0, y0, x1, y1, of] = words[index]!;
      const part = (x1 - x0) / length;
      const box: Box = [x0 + Math.max(0, from - start) * part, y0, x0 + Math.min(length, to - start) * part, y1];
      const last = boxes.at(-1);
      if (last && line === of) boxes[boxes.length - 1] = [last[0], Math.min(last[1], box[1]), box[2], Math.max(last[3], box[3])];
      else boxes.push(box);
      line = of;
    }
    return boxes;
  }).filter((one) => one.length > 0);
}

/** Which of the places on a page is the hit that is shown: the one in its block that has as many before it. */
export function currentAmong(places: Box[][], page: number): number {
  const now = finding.value;
  const hit = now?.hits[now.at];
  if (!now || !hit || hit.page !== page) return -1;
  const [x0, y0, x1, y1] = hit.box;
  const inside = places.flatMap((boxes, at) => {
    const [a, b, c, d] = boxes[0]!;
    const [x, y] = [(a + c) / 2, (b + d) / 2];
    return x0 - 3 <= x && x <= x1 + 3 && y0 - 3 <= y && y <= y1 + 3 ? [at] : [];
  });
  return inside[Math.min(nthInBlock(now), inside.length - 1)] ?? -1;
}

/** How many hits before the one that is shown are of its block. */
export function nthInBlock(now: Finding): number {
  const hit = now.hits[now.at]!;
  let count = 0;
  for (let at = now.at - 1; at >= 0 && now.hits[at]!.block === hit.block; at--) count++;
  return count;
}

