// Texts for people: plurals, places, and a passage as paragraphs and tables with the words that matter marked.
import type { Answer, Citation, Document, Meant, Passage, Place } from "./types";
import { digits, language, listed, t, unsure } from "./wording";


/** What a document is called: its title, else its file's name. */
export const calledOf = (one: Pick<Document, "name" | "title">): string => (one.title ? unstruck(one.title) : one.name);
/** What a tooltip tells of a document whose name may be cut off. */
export const namesOf = (one: Pick<Document, "name" | "title">): string => (one.title ? `${one.title}\n${one.name}` : one.name);
/** The same of a place in one; answers of before documents had titles have none. */
export const placeIn = (place: Place): string => place.document_title || place.document;

/** An answer whose documents are called by their files where several have the same title. */
export function toldApart(answer: Answer): Answer {
  const titled = new Map<string, Set<string>>();
  const places: Place[] = [...answer.citations, ...answer.passages];
  for (const one of places) titled.set(placeIn(one), (titled.get(placeIn(one)) ?? new Set()).add(one.document_id));
  const apart = <P extends Place>(one: P): P => (titled.get(placeIn(one))!.size > 1 ? { ...one, document_title: "" } : one);
  return { ...answer, citations: answer.citations.map(apart), passages: answer.passages.map(apart) };
}

/** Who issued a document, and what kind it is with its period or date, as far as it says so. */
export function aboutOf({ about }: Pick<Document, "about">): { issuer: string; rest: string } {
  const told = [about.kind && t(about.kind), about.period || about.date].filter(Boolean).join(" · ");
  const issuer = about.issuer.replace(/\s*<[^<>]*@[^<>]*>$/, "");
  return { issuer, rest: issuer ? told : told.charAt(0).toLocaleUpperCase(language) + told.slice(1) };
}

const MOST_NAMED = 3;
const MOST_PERIODS = 3;
/** Which documents were looked into first and for what, as the server's own sentence has it; "" for none. */
export function preferredIn(meant: Meant | undefined): string {
  const names = meant?.documents.map((one) => one.document) ?? [];
  if (!meant || !names.length) return "";
  const named = meant.named?.length ? [`“${meant.named.join(" ")}”`] : [];
  const why = [...named, ...(meant.periods ?? []).slice(0, MOST_PERIODS), ...(meant.kinds ?? []), ...(meant.versions ?? [])];
  const shown = names.length > MOST_NAMED ? t("{names} and {n} more", { names: names.slice(0, 2).join(", "), n: names.length - 2 }) : names.join(", ");
  return t("{documents}, for {why}", { documents: shown, why: listed(why) });
}

/** What a kind of block, link or element is called. */
export const kindName = (kind: string): string => t(kind.replace(/_/g, " "));

export function size(bytes: number): string {
  for (const unit of ["bytes", "KB", "MB"]) {
    if (bytes < 1000) return `${unit === "bytes" || bytes >= 10 ? Math.round(bytes) : digits(bytes, 1)} ${unit === "bytes" ? t("bytes") : unit}`;
    bytes /= 1000;
  }
  return `${digits(bytes, 1)} GB`;
}

export function seconds(value: number): string {
  if (value < 0.95) return `${digits(Math.max(value, 0.1), 1)} s`;
  return value < 60 ? `${digits(value, value < 9.5 ? 1 : 0)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

const DAY_MS = 86_400_000;
/** When something was, for people: "today 14:05", "yesterday", "3 March", "3 March 2025". */
export function since(time: string): string {
  const then = new Date(time);
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (then.getTime() >= midnight) return t("today {time}", { time: then.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false }) });
  if (then.getTime() >= midnight - DAY_MS) return t("yesterday");
  const isThisYear = then.getFullYear() === new Date().getFullYear();
  return then.toLocaleDateString(language === "en" ? "en-GB" : language, { day: "numeric", month: "long", ...(isThisYear ? {} : { year: "numeric" }) });
}

/** What a label that says by itself where one is begins with; the server has the same words. */
const PLACES = ["part", "slide", "sheet", "chapter", "message", "cell", "page"];
export const isPlace = (label?: string): boolean => PLACES.some((one) => label?.startsWith(`${one} `) && label.length > one.length + 1);

/** "sheet Costs" in the reader's language: the label says in English what kind of place it is. */
function placeTold(label: string): string {
  const at = label.indexOf(" ");
  return t(`${label.slice(0, at)} {name}`, { name: label.slice(at + 1) });
}

/** How a page is called: "page 28", or the label of what is no page: "message 5", "sheet Costs". */
export const pageName = (page: number, label?: string): string => (label && isPlace(label) ? placeTold(label) : t("page {name}", { name: String(page) }));
/** The number that is printed on a page, where that is another one. */
export function printed(page: number, label?: string): string {
  const told = label?.replace(/^page\s+/i, "") ?? "";
  return told && told !== String(page) && !isPlace(label) ? t("printed {label}", { label: told }) : "";
}
/** Where one is among the parts of a document: "part 2 of 7", "sheet Costs (2 of 3)". */
export function standing(page: number, of: number, label?: string): string {
  const name = pageName(page, label);
  return !label || !isPlace(label) || / \d+$/.test(label) ? t("{place} of {n}", { place: name, n: String(of) }) : t("{place} ({page} of {n})", { place: name, page: String(page), n: String(of) });
}

export const placeName = (place: Place): string => pageName(place.page, place.page_label);

export interface Span {
  text: string;
  marked: boolean;
  struck: boolean;
}
export interface PrintedCell {
  spans: Span[];
  text: string;
  isNumber: boolean;
}
export interface Part {
  spans: Span[];
  rows: PrintedCell[][] | null;
}

const BAR = " | ";
const MOST_BETWEEN = 2;
const LONGEST_PART = 80;
const NUMBER = /^[-+−–~<>≤≥$€£(]*\d[\d.,:\s]*(?:\^[-−]?\d+)?\s?[%)a-zA-Z°²³¹⁰-⁾ᵃ-ᶿ*†‡]{0,5}$/;
export const isNumber = (text: string): boolean => NUMBER.test(unstruck(text).trim());

/** A date, a code or a short word: what reads badly in two lines. */
export const isOneWord = (text: string): boolean => /^\S{1,12}$/.test(unstruck(text).trim());

/** What is struck out in the document stands between these marks: "a ticket costs ~~4~~ 5 euros". */
const STRUCK = /(?<!~)~~(?=[^\s~])([^\n]*?[^\s~])~~(?!~)/g;
/** A text without the marks of what is struck out, for where it cannot be shown as such. */
export const unstruck = (text: string): string => text.replace(STRUCK, "$1");

type Ranges = readonly (readonly [number, number])[];
/** A text with what is marked in it and what is struck out, as ranges. */
interface Told {
  text: string;
  marked: Ranges;
  struck: Ranges;
}

export function tell(text: string, marked: Ranges = []): Told {
  const struck = text.includes("~~") ? [...text.matchAll(STRUCK)].map((one) => [one.index, one.index + one[0].length] as const) : [];
  return { text, marked, struck };
}

/** A stretch of a text in spans; the marks around what is struck out are left out. */
export function spansOf(told: Told, start: number, stop: number): Span[] {
  const spans: Span[] = [];
  let at = start;
  for (const [from, to] of told.marked) {
    const left = Math.max(from, at);
    const right = Math.min(to, stop);
    if (left >= right) continue;
    spans.push(...struckIn(told, at, left, false), ...struckIn(told, left, right, true));
    at = right;
  }
  return [...spans, ...struckIn(told, at, stop, false)];
}

function struckIn({ text, struck }: Told, start: number, stop: number, marked: boolean): Span[] {
  const spans: Span[] = [];
  const add = (from: number, to: number, isStruck: boolean): void => {
    if (from < to) spans.push({ text: text.slice(from, to), marked, struck: isStruck });
  };
  let at = start;
  for (const [from, to] of struck) {
    if (to <= at || from >= stop) continue;
    add(at, from, false);
    add(Math.max(at, from + 2), Math.min(stop, to - 2), true);
    at = Math.min(stop, to);
  }
  add(at, stop, false);
  return spans;
}

/**
 * A passage's text as paragraphs and tables; offsets count code points, as the server's do. Two or more lines of cells
 * between bars are a table; a short line or two among them names a part of it.
 */
export function parts(told: string, emphasis: readonly [number, number][] = []): Part[] {
  const { text, ranges } = inUnits(told, emphasis);
  const whole = tell(text, ranges);
  const found: Part[] = [];
  let group: [number, number][] = [];
  let between: [number, number][] = [];
  const say = ([start, stop]: [number, number]): void => {
    if (text.slice(start, stop).trim()) found.push({ spans: spansOf(whole, start, stop), rows: null });
  };
  const flush = (): void => {
    if (group.length > 1) found.push({ spans: [], rows: table(whole, group) });
    else group.forEach(say);
    between.forEach(say);
    group = [];
    between = [];
  };
  let at = 0;
  for (const line of text.split("\n")) {
    const stop = at + line.length;
    if (line.includes(BAR)) {
      group.push(...between, [at, stop]);
      between = [];
    } else if (group.length && between.length < MOST_BETWEEN && line.length <= LONGEST_PART && !line.endsWith(".")) between.push([at, stop]);
    else {
      flush();
      say([at, stop]);
    }
    at = stop + 1;
  }
  flush();
  return found;
}

/** The bare value that an answer states, as a cell may have it; "" where it states several or none. */
export const bare = (answer: Answer): string => (Array.isArray(answer.value) ? "" : String(answer.value ?? answer.answer));

/** Which of some cells says an answer: the one that is it, else the longest that it holds or that holds it; -1 for none. */
export function cellSaying(cells: readonly string[], answer: string): number {
  const wanted = plainly(answer);
  let best = -1;
  let length = 1;
  if (!wanted) return best;
  cells.forEach((one, at) => {
    const cell = plainly(one);
    const shared = cell === wanted ? Infinity : wanted.includes(cell) || cell.includes(wanted) ? Math.min(cell.length, wanted.length) : 0;
    if (shared > length) [best, length] = [at, shared];
  });
  return best;
}

const plainly = (text: string): string => unstruck(text).replace(/\s+/g, " ").trim().toLowerCase();

/** Python counts code points, JavaScript UTF-16 units. */
export function inUnits(text: string, ranges: readonly [number, number][]): { text: string; ranges: [number, number][] } {
  if (!/[\ud800-\udbff]/.test(text)) return { text, ranges: ranges.map(([a, b]) => [a, b]) };
  const offsets: number[] = [];
  let unit = 0;
  for (const point of text) {
    offsets.push(unit);
    unit += point.length;
  }
  const at = (point: number): number => offsets[point] ?? text.length;
  return { text, ranges: ranges.map(([a, b]) => [at(a), at(b)]) };
}

function table(told: Told, lines: [number, number][]): PrintedCell[][] {
  const rows = lines.map(([start, stop]) => {
    let at = start;
    return told.text
      .slice(start, stop)
      .split(BAR)
      .map((cell): PrintedCell => {
        const spans = spansOf(told, at, at + cell.length);
        at += cell.length + BAR.length;
        return { spans, text: cell, isNumber: isNumber(cell) };
      });
  });
  const width = Math.max(...rows.map((row) => row.length));
  const empty: PrintedCell = { spans: [], text: "", isNumber: false };
  return rows.map((row, at) => {
    if (row.length === 1) return row;
    const fill = Array<PrintedCell>(width - row.length).fill(empty);
    return at < 2 ? [...fill, ...row] : [...row, ...fill];
  });
}

/** The emphasised words of a passage, cell by cell and line by line: what is marked on the page. */
export function emphasised(passage: Passage): string[] {
  const { text, ranges } = inUnits(passage.text, passage.emphasis);
  return ranges.flatMap(([start, stop]) => text.slice(start, stop).split(/ \| |\n/)).map((one) => one.replace(/~~/g, "").trim()).filter(Boolean);
}

/** Whether the text of passages tells what their first words do not: why, or what a model knows. */
export const saysMore = (answer: Answer): boolean =>
  Boolean(answer.answer) && !unsure.some((one) => answer.answer.startsWith(one)) && !(answer.lead && answer.answer.startsWith(answer.lead));

/** A sentence with its full stop, which Chinese writes otherwise. */
export const sentence = (told: string): string => (!told || /[.!?…。！？]$/.test(told) ? told : /\p{Script=Han}$/u.test(told.replace(/[”“」』（）)\s\d]+$/, "")) ? `${told}。` : `${told}.`);

/** The first words of an answer: what was found and where, or that nothing fits and what was searched. */
export function leadOf(answer: Answer): string {
  const otherwise = { answer: "", passages: t("These passages come closest"), nothing: t("Nothing in the documents that were asked fits the question") };
  const told = answer.lead || otherwise[answer.outcome];
  return sentence(told);
}

/** How sure an answer is, as a name for the style sheet. */
export function sureness(answer: Answer): "sure" | "likely" | "uncertain" {
  const chance = answer.confidence ?? 0;
  return chance >= 0.75 ? "sure" : chance >= 0.5 ? "likely" : "uncertain";
}
export const surenessTold = (answer: Answer): string => ({ sure: t("sure"), likely: t("likely"), uncertain: t("uncertain: read the page") })[sureness(answer)];

/** How the answer came about, as the server tells it by its words; answers of before it did so are not labelled. */
export const how = (answer: Answer): string => answer.answer_label ?? "";

/** A stretch of an answer; `citations` are those whose quotes say it, null where it is no sentence of a model. */
export interface Piece {
  text: string;
  citations: number[] | null;
}

/** The paragraphs of an answer that a model wrote, sentence by sentence; none where a rule answered. */
export function claimsIn(answer: Answer): Piece[][] {
  const claims = answer.claims ?? [];
  if (!claims.length) return [];
  const { text, ranges } = inUnits(answer.answer, claims.map((one) => [one.start, one.stop]));
  const pieces: Piece[] = [];
  let at = 0;
  ranges.forEach(([start, stop], index) => {
    if (start > at) pieces.push({ text: text.slice(at, start), citations: null });
    pieces.push({ text: text.slice(start, stop), citations: claims[index]!.citations });
    at = stop;
  });
  if (at < text.length) pieces.push({ text: text.slice(at), citations: null });
  const paragraphs: Piece[][] = [[]];
  for (const one of pieces) {
    if (one.citations === null && one.text.includes("\n")) paragraphs.push([]);
    else paragraphs.at(-1)!.push(one);
  }
  return paragraphs.filter((one) => one.some((piece) => piece.text.trim()));
}

/** How many sentences of a model have a quote behind them; "" where no model wrote. */
export function coveredTold(answer: Answer): string {
  const claims = answer.claims ?? [];
  const held = claims.filter((one) => one.citations.length).length;
  if (!claims.length) return "";
  if (held === claims.length) return claims.length === 1 ? t("a quote stands behind it") : t("a quote stands behind each of its {n} sentences", { n: claims.length });
  return claims.length === 1 ? t("no quote stands behind it") : t("quotes stand behind {held} of its {n} sentences", { held: String(held), n: claims.length });
}

/** Passages an answer shows with its citations, and those it looked at and did not cite. */
export function sorted(answer: Answer): { cited: { citation: Citation; passage: Passage | null }[]; considered: Passage[] } {
  const left = [...answer.passages];
  const used = new Set<Passage>();
  const cited = answer.citations.map((citation) => {
    const passage = left.find((one) => !used.has(one) && one.document_id === citation.document_id && one.block === citation.block) ?? null;
    if (passage) used.add(passage);
    return { citation, passage };
  });
  return { cited, considered: left.filter((one) => !used.has(one)) };
}
