// Texts for people: plurals, places, and a passage as paragraphs and tables with the words that matter marked.
import type { Answer, Citation, Document, Passage, Place } from "./types";

export const plural = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** What a document is called: its title, else its file's name. */
export const calledOf = (one: Pick<Document, "name" | "title">): string => one.title || one.name;
/** What a tooltip tells of a document whose name may be cut off. */
export const namesOf = (one: Pick<Document, "name" | "title">): string => (one.title ? `${one.title}\n${one.name}` : one.name);
/** The same of a place in one; answers of before documents had titles have none. */
export const placeIn = (place: Place): string => place.document_title || place.document;

export const kindName = (kind: string): string => kind.replace(/_/g, " ");

export function size(bytes: number): string {
  for (const unit of ["bytes", "KB", "MB"]) {
    if (bytes < 1000) return `${unit === "bytes" || bytes >= 10 ? Math.round(bytes) : bytes.toFixed(1)} ${unit}`;
    bytes /= 1000;
  }
  return `${bytes.toFixed(1)} GB`;
}

export function seconds(value: number): string {
  if (value < 0.95) return `${Math.max(value, 0.1).toFixed(1)} s`;
  return value < 60 ? `${value.toFixed(value < 9.5 ? 1 : 0)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

/** How a page is called: "page 28", with its printed number where that is another; or the label of a part. */
export function pageName(page: number, label?: string): string {
  if (!label || label === String(page)) return `page ${page}`;
  return /^(part|slide|sheet|page) /i.test(label) ? label : `page ${page}`;
}
export const printed = (page: number, label?: string): string =>
  label && label !== String(page) && !/^(part|slide|sheet|page) /i.test(label) ? `printed ${label}` : "";

export const placeName = (place: Place): string => pageName(place.page, place.page_label);

export interface Span {
  text: string;
  marked: boolean;
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
const NUMBER = /^[-+−–~<>≤≥$€£(]*\d[\d.,:\s]*\s?[%)a-zA-Z°²³]{0,4}$/;

export function spansOf(text: string, start: number, stop: number, marked: readonly [number, number][]): Span[] {
  const spans: Span[] = [];
  let at = start;
  for (const [from, to] of marked) {
    const left = Math.max(from, at);
    const right = Math.min(to, stop);
    if (left >= right) continue;
    if (at < left) spans.push({ text: text.slice(at, left), marked: false });
    spans.push({ text: text.slice(left, right), marked: true });
    at = right;
  }
  if (at < stop) spans.push({ text: text.slice(at, stop), marked: false });
  return spans;
}

/**
 * A passage's text as paragraphs and tables; offsets count code points, as the server's do. Two or more lines of cells
 * between bars are a table; a short line or two among them names a part of it.
 */
export function parts(told: string, emphasis: readonly [number, number][] = []): Part[] {
  const { text, ranges } = inUnits(told, emphasis);
  const found: Part[] = [];
  let group: [number, number][] = [];
  let between: [number, number][] = [];
  const say = ([start, stop]: [number, number]): void => {
    if (text.slice(start, stop).trim()) found.push({ spans: spansOf(text, start, stop, ranges), rows: null });
  };
  const flush = (): void => {
    if (group.length > 1) found.push({ spans: [], rows: table(text, group, ranges) });
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

function table(text: string, lines: [number, number][], ranges: [number, number][]): PrintedCell[][] {
  const rows = lines.map(([start, stop]) => {
    let at = start;
    return text
      .slice(start, stop)
      .split(BAR)
      .map((cell): PrintedCell => {
        const spans = spansOf(text, at, at + cell.length, ranges);
        at += cell.length + BAR.length;
        return { spans, text: cell, isNumber: NUMBER.test(cell.trim()) };
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
  return ranges.flatMap(([start, stop]) => text.slice(start, stop).split(/ \| |\n/)).map((one) => one.trim()).filter(Boolean);
}

export function sureness(answer: Answer): string {
  const chance = answer.confidence ?? 0;
  return chance >= 0.75 ? "sure" : chance >= 0.5 ? "likely" : "uncertain: read the page";
}

/** How the answer came about, as the server tells it by its words; answers of before it did so are not labelled. */
export const how = (answer: Answer): string => answer.answer_label ?? "";

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

export function markdown(answer: Answer, origin: string): string {
  const quoted = (text: string): string => text.split("\n").map((line) => `   > ${line}`).join("\n");
  const entry = (place: Place, text: string, at: number): string =>
    `${at + 1}. [${placeIn(place)}, ${placeName(place)}](${origin}${place.link})${place.section.length ? ` · ${place.section.join(" › ")}` : ""}\n\n${quoted(text)}`;
  const head = `**${answer.question}**`;
  if (answer.outcome === "answer")
    return [head, answer.answer, ...answer.citations.map((one, at) => entry(one, one.quote, at)), `${origin}${answer.link}`].join("\n\n") + "\n";
  if (answer.outcome === "passages")
    return [head, "No sure short answer. These passages come closest.", ...answer.passages.map((one, at) => entry(one, one.text, at)), `${origin}${answer.link}`].join("\n\n") + "\n";
  return `${head}\n\nNothing in these documents fits the question.\n`;
}
