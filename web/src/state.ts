// What the viewer knows, as signals. Everything else reads these and calls the actions beside them.
import { signal } from "@preact/signals";
import type { Answer, Box, Cited, Document, Documents, Folders, Job, Outline, Passage, Start, Status } from "./types";
import type { Problem } from "./api";

export type Address =
  | { kind: "library" }
  | { kind: "page"; document: string; page: number }
  | { kind: "citation"; id: string }
  | { kind: "answer"; id: string }
  | { kind: "table" };

/** What is marked on a page: a block's box, and the very words as far as they are known. */
export interface Focus {
  id: string;
  document: string;
  page: number;
  block: string;
  box: Box | null;
  section: string[];
  marks: { page: number; box: Box }[];
  texts: string[];
  /** What was answered from it, "" where nothing was. */
  answer: string;
  number: number | null;
  full: Cited | null;
}

export interface Turn {
  key: number;
  question: string;
  /** "waiting": the server went away meanwhile, and is asked again when it is back. */
  state: "asking" | "waiting" | "done" | "failed" | "stopped";
  steps: string[];
  text: string;
  /** What a model had written before it failed. */
  unfinished?: string;
  passages: Passage[];
  answer: Answer | null;
  problem: Problem | null;
  scope: string[] | null;
  started: number;
  /** How often it was asked again by itself after the server went away. */
  resumed: number;
}

export interface Upload {
  key: number;
  name: string;
  size: number;
  part: number;
  problem: Problem | null;
  file: File;
  abort: () => void;
}

export type Dialog =
  | { kind: "help" }
  | { kind: "history" }
  | { kind: "settings" }
  | { kind: "remove"; document: Document }
  | { kind: "look"; document: Document }
  | { kind: "print"; document: Document }
  /** `question` is asked at once of what is chosen. */
  | { kind: "scope"; question?: string }
  | { kind: "entities"; document: Document; entity: string | null };

/** Where the pages should scroll to; `at` tells one wish from the next. */
export interface Wish {
  page: number;
  box: Box | null;
  at: number;
  smooth: boolean;
}

/** "block": on a phone as large as the cited block can be with all its width in sight; elsewhere as "auto". */
export type Zoom = "auto" | "width" | "page" | "block" | number;

export const start: Start = readStart();
export const address = signal<Address>({ kind: "library" });
export const status = signal<Status | null>(start.status ?? null);
export const documents = signal<Documents | null>(start.documents ?? null);
/** What documents are listed by. */
export type Sort = "title" | "newest" | "pages";
export const sort = signal<Sort>((["newest", "pages"] as const).find((one) => one === stored("sort")) ?? "title");
/** The folders that documents came from, and the one whose documents are listed; none: all. */
export const folders = signal<Folders["items"]>([]);
export const folder = signal<Folders["items"][number] | null>(null);
export const match = signal(start.match ?? "");
export const opened = signal<Document | null>(null);
export const outline = signal<Outline | null>(null);
export const openProblem = signal<Problem | null>(null);
export const pageNumber = signal(1);
export const wish = signal<Wish | null>(null);
export const focus = signal<Focus | null>(null);
export const turns = signal<Turn[]>([]);
export const conversation = signal<string | null>(null);
/** Ids of the documents that are asked; null: all. */
export const scope = signal<string[] | null>(null);
export const scopeIsChosen = signal(false);
/** A filter of what is asked by what documents are about, "" for none. */
export const where = signal(stored("where") ?? "");
/** How answers are found; "auto" where nothing was chosen. */
export const chosenSystem = signal(stored("system") ?? "auto");
/** Whether single letters are shortcuts. */
export const keysOn = signal(stored("keys") !== "off");
export const draft = signal("");
export const uploads = signal<Upload[]>([]);
export const jobs = signal<Job[]>([]);
/** How many files of those that were added one after another are through, read or not. */
export const batchOfFiles = signal({ total: 0, done: 0 });
export const showsLayout = signal(false);
export const zoom = signal<Zoom>("auto");
export const dialog = signal<Dialog | null>(null);
export const toast = signal<{ text: string; at: number } | null>(null);
export const connection = signal<"ok" | "gone" | "expired">("ok");
export const libraryFolded = signal(stored("library-folded") === "yes");
export const talkFolded = signal(stored("talk-folded") === "yes");
/** Narrow screens: the library as a drawer, the page as a sheet. */
export const drawerOpen = signal(false);
export const sheetUp = signal(false);
export const isNarrow = signal(false);
export const isPhone = signal(false);

export const prefersStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

let counter = 0;
export const nextKey = (): number => ++counter;

export function say(text: string): void {
  toast.value = { text, at: nextKey() };
}

export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`octavo-${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`octavo-${name}`, value);
  } catch {
    // a browser that keeps nothing
  }
}

function readStart(): Start {
  try {
    return JSON.parse(document.getElementById("octavo-data")?.textContent || "{}") as Start;
  } catch {
    return {};
  }
}
