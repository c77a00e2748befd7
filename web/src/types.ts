// What the API says, as far as the viewer reads it.
export type Box = [number, number, number, number];

export interface Document {
  id: string;
  name: string;
  title: string;
  author?: string;
  created?: string | null;
  pages: number;
  scanned_pages: number;
  blocks: number;
  sections: number;
  size_bytes: number;
  added: string;
  has_pages: boolean;
  unit: string;
  warnings: string[];
  /** What of a damaged file could be read: "8 of 44 pages could be read". */
  damage: string;
  /** Whether its file was sent to the server, and how many files on disk lead to it besides. */
  is_upload?: boolean;
  files_left?: number;
  layers: Record<string, string>;
}

export interface Listing<T> {
  items: T[];
  next: string | null;
  total: number;
}

export interface Section {
  title: string;
  level: number;
  page: number;
  page_label: string;
  end_page: number;
  block: string;
  sections: Section[];
}

export interface Outline {
  document: string;
  document_id: string;
  pages: number;
  sections: Section[];
}

export interface Cell {
  row: number;
  column: number;
  rows: number;
  columns: number;
  text: string;
  box: Box | null;
}

export interface Grid {
  rows: number;
  columns: number;
  header_rows: number;
  header_columns: number;
  cells: Cell[];
}

export interface BlockLink {
  kind: string;
  to: string;
  page: number;
  text: string;
}

export interface Block {
  block: string;
  kind: string;
  figure: string | null;
  level: number;
  page: number;
  box: Box;
  relative: Box;
  section: string[];
  text: string;
  table: Grid | null;
  links: BlockLink[];
}

export interface Page {
  document: string;
  document_id: string;
  page: number;
  page_label: string;
  pages: number;
  width: number;
  height: number;
  rotation: number;
  is_scanned: boolean;
  has_picture: boolean;
  blocks: Block[];
}

export type Word = [string, number, number, number, number, number];

export interface Words {
  page: number;
  source: string;
  words: Word[];
}

export interface Mark {
  text: string;
  page: number;
  boxes: Box[];
  relative: Box[];
}

export interface Place {
  id: string;
  link: string;
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: Box;
  section: string[];
  kind: string;
}

export interface Citation extends Place {
  quote: string;
}

export interface Passage extends Place {
  text: string;
  emphasis: [number, number][];
  score: number;
}

export interface FullCitation extends Citation {
  start: number;
  stop: number;
  quote_sha256: string;
  state: "same" | "moved";
  text: string;
  boxes: { page: number; box: Box; relative: Box }[];
  page_width: number;
  page_height: number;
}

export interface Usage {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_calls: number;
  seconds: number;
  cost: number | null;
}

export interface Answer {
  id: string;
  link: string;
  conversation: string | null;
  question: string;
  understood?: string;
  system: string;
  /** What was found and where, or that nothing fits and what was searched, in a sentence. */
  lead?: string;
  outcome: "answer" | "passages" | "nothing";
  answerable: boolean;
  answer: string;
  answer_is_quoted?: boolean;
  answer_label?: string;
  value: unknown;
  format: string;
  confidence: number;
  missing: string[];
  known?: string;
  passages: Passage[];
  citations: Citation[];
  pages: { document: string; page: number; score: number }[];
  usage: Usage;
  decided_by: Record<string, number>;
  stopped: string | null;
  steps: string[];
  failures?: string[];
  /** False where there was no room for it on the disk. */
  is_kept?: boolean;
}

export interface Job {
  id: string;
  name: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  stage: string;
  done: number;
  total: number;
  document_id: string | null;
  created: string | number;
  heartbeat: string | number;
  error: null | { reason: string; detail: string; advice: string };
}

export interface Status {
  documents: number;
  pages: number;
  models: Record<string, string>;
  systems: { name: string; told: string }[];
  formats: string[];
  can_write: boolean;
  example: { id: string; name: string; questions: string[] } | null;
  version: string;
}

export interface EntityRow {
  id: string;
  name: string;
  type: string;
  aliases: string[];
  description: string;
  mentions: number;
  relations: number;
  pages: number[];
}

export interface Layer {
  layer: string;
  is_built: boolean;
  rows: EntityRow[];
  build: null | { systems: string[]; calls: number; tokens: number; cost: number | null };
}

export interface Graph {
  nodes: { id: string; name: string; type: string; mentions: number; pages: number[] }[];
  edges: { source: string; target: string; label: string; weight: number }[];
}

export interface Verification {
  found: "exact" | "normalised" | "near" | "none";
  places: (Citation & { similarity: number })[];
  searched: number;
  is_complete: boolean;
}

export interface ProblemBody {
  title: string;
  status: number;
  detail: string;
  reason: string;
}

/** What the server wrote into the page it sent. */
export interface Start {
  view?: string;
  status?: Status;
  documents?: Listing<Document>;
  match?: string;
  document?: Document;
  page?: Page;
  citation?: FullCitation;
  answer?: Answer;
  problem?: { status: number; title: string; detail: string };
}
