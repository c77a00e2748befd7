// Made by types.mjs from the description of the API: change octavo_server/responses.py and run 'npm run build'.

/** What a document is about, set by hand. */
export interface AboutBody {
  about: Record<string, unknown>;
}

/** What a document is about, as JSON has it; empty is what nobody says. `by` tells who says each field. */
export interface About {
  title: string;
  issuer: string;
  kind: string;
  date: string;
  period: string;
  version: string;
  language: string;
  tags: string[];
  names: string[];
  former: string[];
  own: Record<string, unknown>;
  by: Record<string, "rule" | "model" | "zotero" | "sidecar" | "hand">;
}

/** A cell of a table of answers: what it says, what that stands on, and passages that fit. */
export interface AnswerCell {
  outcome: "answer" | "passages" | "nothing";
  text: string;
  value: string | number | string[] | null;
  label: string;
  by: "rule" | "model" | "hand";
  lead: string;
  found: string;
  citations: Citation[];
  passages: Passage[];
}

/** What an answer says, before what was found on the way to it. */
export interface AnswerEvent {
  understood?: string;
  answer_is_quoted: boolean;
  answer_label: string;
  claims?: Claim[];
  outcome: "answer" | "passages" | "nothing";
  answerable: boolean;
  lead: string;
  answer: string;
  value: string | number | string[] | null;
  format: "Str" | "Int" | "Float" | "List" | "None";
  confidence: number;
  missing: string[];
  id: string;
  link: string;
  conversation: string | null;
  citations: Citation[];
}

/** A document and its cells, by column; null is a cell that is not filled yet. */
export interface AnswerRow {
  document: string;
  document_id: string;
  document_title: string;
  cells: (AnswerCell | null)[];
}

/** An answer, as `octavo ask --json` has it, with its id, its link, and the steps in plain words. */
export interface Answer {
  understood?: string;
  answer_is_quoted: boolean;
  answer_label: string;
  claims?: Claim[];
  outcome: "answer" | "passages" | "nothing";
  answerable: boolean;
  lead: string;
  answer: string;
  value: string | number | string[] | null;
  format: "Str" | "Int" | "Float" | "List" | "None";
  confidence: number;
  missing: string[];
  id: string;
  link: string;
  conversation: string | null;
  citations: Citation[];
  unsearched?: Unsearched;
  words_alone?: string;
  meant?: Meant;
  usage: Usage;
  decided_by: Record<string, number>;
  stopped: string | null;
  trace: TraceStep[];
  rivals?: string[];
  is_seen?: boolean;
  substitutes?: Substitute[];
  question: string;
  system: string;
  pages: RankedPage[];
  pages_read?: PageRead[];
  created: string;
  passages: Passage[];
  steps: string[];
  failures: string[];
  is_kept?: boolean;
}

/** A table of answers: questions are columns, documents are rows. */
export interface AnswerTable {
  questions: string[];
  stopped: string | null;
  notes: string[];
  usage: Usage;
  rows: AnswerRow[];
}

/** A question that was asked of the document without a model, and the place that answers it. */
export interface AnsweredQuestion {
  question: string;
  page: number;
  link: string;
}

/** A question for an answer. */
export interface AskBody {
  question: string;
  documents?: string[] | null;
  where?: string | null;
  system?: string;
  limit?: number | null;
  max_calls?: number | null;
  trace?: boolean;
  conversation?: string | null;
  max_tokens?: number | null;
  max_seconds?: number | null;
  answer_format?: string | null;
}

/** The events of an answer that streams, each with its data: it ends with `done` or `error`. */
export interface AskEvents {
  plan: PlanEvent;
  step: StepEvent;
  token: TokenEvent;
  passages: PassagesEvent;
  answer: AnswerEvent;
  done: Answer;
  error: Problem;
}

/** A block of a page: `relative` is its box in parts (0..1) of the page. */
export interface Block {
  block: string;
  kind: string;
  figure: string | null;
  level: number;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  text: string;
  confidence: number;
  relative: [number, number, number, number] | null;
  table: Table | null;
  links: Link[];
}

/** A section of the highest level and where it begins. */
export interface BriefSection {
  title: string;
  page: number;
  block: string;
}

/** What builds a layer: systems for `octavo add FILE --for SYSTEM`, and what models may take for it. */
export interface Build {
  systems: string[];
  calls: number;
  tokens: number;
  cost: number | null;
}

/** A document that an ambiguous name may mean: its id, and as much of its path as tells it apart. */
export interface Candidate {
  id: string;
  path: string;
}

/** A cell of a table: its top left corner from 0, and how much it covers. */
export interface Cell {
  row: number;
  column: number;
  rows: number;
  columns: number;
  text: string;
  box: [number, number, number, number] | null;
}

/** An annotation of a message, as OpenAI's API has it. */
export interface ChatAnnotation {
  type: "url_citation";
  url_citation: ChatCitation;
}

/** A chat. What steers a model and says nothing here, such as `temperature`, is passed over. */
export interface ChatBody {
  model?: string;
  messages: ChatMessage[];
  stream?: boolean;
  stream_options?: ChatStreamOptions | null;
  documents?: string[] | null;
  where?: string | null;
}

/** The one choice of a completion. */
export interface ChatChoice {
  index: number;
  message: ChatReply;
  finish_reason: "stop";
}

/** A page that a mark leads to; the mark stands at [start, end) of the text. */
export interface ChatCitation {
  start_index: number;
  end_index: number;
  title: string;
  url: string;
}

/** A completion of a chat, as OpenAI's API has it. */
export interface ChatCompletion {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: ChatChoice[];
  usage: ChatUsage;
}

/** A message of a chat. */
export interface ChatMessage {
  role: string;
  content?: string | ChatPart[] | null;
}

/** A system, as a model of OpenAI's API. */
export interface ChatModel {
  id: string;
  object: "model";
  created: number;
  owned_by: string;
}

/** The systems that may be named as a model. */
export interface ChatModels {
  object: "list";
  data: ChatModel[];
}

/** A part of a message; only text is read. */
export interface ChatPart {
  type?: string;
  text?: string;
}

/** The message that answers a chat. */
export interface ChatReply {
  role: "assistant";
  content: string;
  refusal: string | null;
  annotations: ChatAnnotation[];
}

/** What a stream tells besides. */
export interface ChatStreamOptions {
  include_usage?: boolean;
}

/** Tokens of models; 0 without one. */
export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** A place with its words, verbatim; `link` opens it. */
export interface Citation {
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  kind: string;
  cells?: string;
  quote: string;
  id: string;
  link: string;
}

/** What a citation stands for; `state` is `moved` where a new reading put the words elsewhere. */
export interface Cited {
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  kind: string;
  cells?: string;
  quote: string;
  id: string;
  link: string;
  start: number;
  stop: number;
  quote_sha256: string;
  state: "same" | "moved";
  text: string;
  boxes: Spot[];
  page_width: number;
  page_height: number;
}

/** A sentence of an answer, its characters [start, stop), and the numbers from 1 of the citations whose quotes say it, none where no quote stands behind it. */
export interface Claim {
  start: number;
  stop: number;
  citations: number[];
}

/** A cluster of the cross-page tree: its level from 1, its members on the level below, how many leaves it holds. */
export interface ClusterRow {
  id: string;
  level: number;
  heading: string;
  text: string;
  members: string[];
  leaves: number;
  pages: number[];
}

/** Blocks that links hold together: how many, the headings among them, and the beginning of the first one. */
export interface CommunityRow {
  id: string;
  blocks: number;
  headings: string[];
  text: string;
  pages: number[];
}

/** A conversation with the answers of its turns. */
export interface Conversation {
  id: string;
  documents: string[] | null;
  turns: Answer[];
}

/** A page of the list of the conversations of a key, the last one first. */
export interface Conversations {
  items: KeptConversation[];
  next: string | null;
  total: number;
}

/** A cell after a correction; null is one that is not filled. */
export interface Corrected {
  cell: AnswerCell | null;
}

/** What is to stand in a cell. */
export interface CorrectionBody {
  document: string;
  question: string;
  text: string | null;
  citation?: string | null;
}

/** The description of the API. */
export interface Description {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, unknown>;
  components: Record<string, unknown>;
}

/** What a document has of a text: where its title and name have it, how many places, and those of them asked for. `next` is the cursor of the places that follow. */
export interface DocumentFinds {
  document: string;
  document_id: string;
  title: string;
  in_title: [number, number][];
  in_name: [number, number][];
  total: number;
  places: Occurrence[];
  next: string | null;
}

/** A document. `title` is what it is called, "" where its name has to do, `unit` what its pages are; `layers` tells who decided in each: `rule` or `model`. */
export interface Document {
  id: string;
  name: string;
  title: string;
  author: string;
  created: string;
  pages: number;
  scanned_pages: number;
  blocks: number;
  sections: number;
  size_bytes: number;
  added: string;
  has_pages: boolean;
  unit: string;
  warnings: string[];
  damage: string;
  layers: Record<string, string>;
  about: About;
  is_upload: boolean;
  files_left: number;
}

/** A page of the list of documents; `next` is the cursor of the next one. */
export interface Documents {
  items: Document[];
  next: string | null;
  total: number;
}

/** A relation between two entities, by their ids. */
export interface Edge {
  source: string;
  target: string;
  label: string;
  weight: number;
}

/** A table, chart or figure: what it is called, and where it stands. */
export interface Element {
  kind: string;
  called: string;
  page: number;
  block: string;
}

/** An entity with the number of its mentions and relations, and the pages it is mentioned on. */
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

/** A block that fits, and how well by each way of looking. */
export interface EvidenceBlock {
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  kind: string;
  cells?: string;
  text: string;
  scores: Record<string, number>;
}

/** The example document, whether it was added or not, and what can be asked of it. */
export interface Example {
  id: string;
  name: string;
  questions: string[];
}

/** What to export: an answer that was given, or citations. */
export interface ExportBody {
  answer?: string | null;
  citations?: string[] | null;
  format: "bibtex" | "csl-json" | "ris" | "web-annotation" | "markdown" | "pdf";
}

/** Documents that have a text: those first whose title or name has it, then those that have it most often. `found` counts these documents, `total` the places in all; `searched` were looked through, all there are if `is_complete`. */
export interface Finds {
  text: string;
  documents: DocumentFinds[];
  found: number;
  total: number;
  searched: number;
  is_complete: boolean;
}

/** What there is in a document: sections in brief (of `section_count`), tables and figures, questions it answers. */
export interface FirstLook {
  document_id: string;
  sections: BriefSection[];
  section_count: number;
  elements: Element[];
  questions: AnsweredQuestion[];
}

/** A folder that documents came from; `pattern` names those in and under it wherever documents are named. */
export interface Folder {
  name: string;
  pattern: string;
  documents: number;
  pages: number;
}

/** The folders that documents came from, by name; none where that was one. */
export interface Folders {
  items: Folder[];
}

/** A place where a quote stands. */
export interface Found {
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  kind: string;
  cells?: string;
  quote: string;
  id: string;
  link: string;
  similarity: number;
}

/** An entity with those it is related to. */
export interface Graph {
  nodes: Node[];
  edges: Edge[];
}

/** That the server is up. */
export interface Health {
  status: "ok";
  instance: string;
}

/** Why a job failed, or, where it is done, what of a damaged file could be read: a word of `SourceError`, a line for people, and what they can do. */
export interface JobError {
  reason: string;
  detail: string;
  advice: string;
}

/** The events of jobs that are watched: `job` is one that has changed. */
export interface JobEvents {
  job: Job;
}

/** A file that is indexed, or was. `done` of `total` tells how far its stage is; the total is 0 where not known. */
export interface Job {
  id: string;
  name: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  stage: string;
  done: number;
  total: number;
  document_id: string | null;
  created: string;
  heartbeat: string;
  error: JobError | null;
}

/** A page of the list of jobs. */
export interface Jobs {
  items: Job[];
  next: string | null;
  total: number;
}

/** A conversation in a list: `name` is its first question until it is named; `changed` when it last went on. */
export interface KeptConversation {
  id: string;
  name: string;
  is_named: boolean;
  created: string;
  changed: string;
  turns: number;
}

/** The rows of a layer, all of one kind; where it is not built, `build` says what builds it. */
export interface Layer {
  layer: string;
  document_id: string;
  is_built: boolean;
  rows: (EntityRow | LinkRow | SummaryRow | ClusterRow | CommunityRow)[];
  next: string | null;
  total: number;
  build: Build | null;
}

/** A link between blocks; `words` made it, `by` is `rule` or `model`; `pages` are those of source and target. */
export interface LinkRow {
  source: string;
  target: string;
  kind: string;
  words: string;
  by: string;
  weight: number;
  pages: number[];
  source_text: string;
  target_text: string;
}

/** A link from a block to another. */
export interface Link {
  kind: string;
  to: string;
  page: number;
  text: string;
}

/** Where a text stands: a box for each line of print; none where it is not found. */
export interface Mark {
  text: string;
  page: number;
  boxes: [number, number, number, number][];
  relative: ([number, number, number, number] | null)[];
}

/** Where texts stand. */
export interface Marks {
  marks: Mark[];
}

/** What a question asked of several documents names, as it writes it, and the documents that fit that best. `strangers` are written as names, and no document is about them; `uncovered` are years that no document of the name which is asked about speaks of. `age` is "newest", "oldest" or "previous" where that told documents of one name apart. */
export interface Meant {
  documents: NamedDocument[];
  named?: string[];
  periods?: string[];
  kinds?: string[];
  versions?: string[];
  age?: "newest" | "oldest" | "previous";
  strangers?: string[];
  uncovered?: string[];
}

/** A name. */
export interface NameBody {
  name: string;
}

/** A document by its name and its id. */
export interface NamedDocument {
  document: string;
  document_id: string;
}

/** An entity of a graph. */
export interface Node {
  id: string;
  name: string;
  type: string;
  mentions: number;
  pages: number[];
}

/** A place where a text stands: `quote` are its words, `snippet` is what is around them, `emphasis` [start, stop) of the words in it. */
export interface Occurrence {
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  kind: string;
  cells?: string;
  quote: string;
  id: string;
  link: string;
  snippet: string;
  emphasis: [number, number][];
}

/** The section tree of a document, with its `blocks` where they were asked for. */
export interface Outline {
  document: string;
  document_id: string;
  pages: number;
  warnings: string[];
  sections: Section[];
  blocks?: PlainBlock[];
}

/** A page of which a model that answered was shown something; physical, from 1. */
export interface PageRead {
  document: string;
  document_id: string;
  page: number;
}

/** A page with its blocks in reading order. Sizes are points; 0 for text that has no pages. */
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

/** A stretch to be read alone; `emphasis` are [start, stop) of the words that matter. */
export interface Passage {
  document: string;
  document_title?: string;
  document_id: string;
  block: string;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  kind: string;
  cells?: string;
  text: string;
  emphasis: [number, number][];
  score: number;
  id: string;
  whole?: string;
  link: string;
}

/** What is read. */
export interface PassagesEvent {
  passages: Passage[];
}

/** A block of a document. `box` is in points from the top left. */
export interface PlainBlock {
  block: string;
  kind: string;
  figure: string | null;
  level: number;
  page: number;
  page_label: string;
  box: [number, number, number, number];
  section: string[];
  text: string;
  confidence: number;
}

/** What is asked, how and of what; null: of all documents. */
export interface PlanEvent {
  question: string;
  system: string;
  documents: string[] | null;
  models: Record<string, string>;
}

/** What went wrong (RFC 9457): `reason` is a stable word for programs, `detail` says what to do. With `reason` "ambiguous" there are `candidates`: ask again with the id of one. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  reason: string;
  candidates?: Candidate[];
}

/** The job of a file that was sent. */
export interface Queued {
  job: Job;
}

/** A page that fits, with the id of its document: names may be shared. Answers of before this had ids have none. */
export interface RankedPage {
  document: string;
  document_id?: string;
  page: number;
  score: number;
}

/** What removing a document did: `deleted` are names of files that were sent, whose bytes are gone; those of `left_alone` are where they were. Where it is not gone, the file that was sent was a copy of those `remaining`. */
export interface Removed {
  document_id: string;
  name: string;
  is_gone: boolean;
  deleted: string[];
  left_alone: string[];
  remaining: number;
  told: string;
}

/** A question for evidence. */
export interface SearchBody {
  question: string;
  documents?: string[] | null;
  where?: string | null;
  system?: string;
  limit?: number | null;
  max_calls?: number | null;
  trace?: boolean;
  passages?: boolean;
}

/** Evidence, best first, as `octavo search --json` has it. */
export interface Search {
  unsearched?: Unsearched;
  words_alone?: string;
  meant?: Meant;
  usage: Usage;
  decided_by: Record<string, number>;
  stopped: string | null;
  trace: TraceStep[];
  question: string;
  system: string;
  pages: RankedPage[];
  blocks: EvidenceBlock[];
  passages: Passage[];
}

/** A section of an outline. */
export interface Section {
  title: string;
  level: number;
  page: number;
  page_label: string;
  end_page: number;
  block: string;
  sections: Section[];
}

/** A box on a page. */
export interface Spot {
  page: number;
  box: [number, number, number, number];
  relative: [number, number, number, number] | null;
}

/** What the corpus holds and what may be asked of it. */
export interface Status {
  documents: number;
  pages: number;
  passages: number;
  bytes: number;
  layers: Record<string, number>;
  models: Record<string, string>;
  systems: System[];
  formats: string[];
  can_write: boolean;
  example: Example | null;
  instance: string;
  version: string;
}

/** A step that was taken, in a sentence. */
export interface StepEvent {
  step: string;
  told: string;
  seconds: number;
}

/** What stands for a part of a published system: its role, what the paper used, what is used here. */
export interface Substitute {
  role: string;
  paper: string;
  here: string;
}

/** A summary of an element, a page or a section, and the first and last block it stands for. */
export interface SummaryRow {
  of: string;
  place: string;
  block: string;
  last_block: string;
  pages: number[];
  text: string;
}

/** A way to answer, and what it is for. */
export interface System {
  name: string;
  told: string;
}

/** A cell that was filled just now, the `done`th of those that were `due`; row and column are counted from 0. */
export interface TableCellEvent {
  row: number;
  column: number;
  cell: AnswerCell | null;
  done: number;
  due: number;
}

/** The events of a table that is filled, each with its data: it ends with `done` or `error`. */
export interface TableEvents {
  plan: TablePlanEvent;
  cell: TableCellEvent;
  done: AnswerTable;
  error: Problem;
}

/** A table that is to be written as it stands. */
export interface TableFileBody {
  questions: string[];
  documents?: string[] | null;
  where?: string | null;
  system?: string;
  format: "xlsx" | "csv" | "json" | "html";
}

/** A table that is to be filled. */
export interface TableFillBody {
  questions: string[];
  documents?: string[] | null;
  where?: string | null;
  system?: string;
  again?: boolean;
  max_calls?: number | null;
  max_tokens?: number | null;
  max_seconds?: number | null;
}

/** A table as it stands, before the first of the cells that are due is asked. */
export interface TablePlanEvent {
  due: number;
  table: AnswerTable;
}

/** What filling a table takes, about: cells, those that are due, and what models would be asked for them. */
export interface TablePlan {
  cells: number;
  due: number;
  models: string[];
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
}

/** The cells of a table. */
export interface Table {
  rows: number;
  columns: number;
  header_rows: number;
  header_columns: number;
  cells: Cell[];
}

/** All of an answer that is written so far. */
export interface TokenEvent {
  text: string;
}

/** One step as it ran: rows before and after, what it took, and the steps inside it. */
export interface TraceStep {
  step: string;
  parameters: Record<string, unknown>;
  rows_in: number;
  rows_out: number;
  seconds: number;
  calls?: number;
  cached_calls?: number;
  input_tokens?: number;
  output_tokens?: number;
  steps?: TraceStep[];
}

/** Documents that could not be looked among: those of some shards, counted from 1, of `of_shards`. */
export interface Unsearched {
  documents: number;
  of_documents: number;
  shards: number[];
  of_shards: number;
  why: string;
}

/** What models took: calls, those answered out of the journal, tokens; seconds of the whole; cost where known. */
export interface Usage {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_calls: number;
  seconds: number;
  cost: number | null;
  pictures?: number;
}

/** Whether documents hold a quote. */
export interface Verification {
  found: "exact" | "normalised" | "near" | "none";
  places: Found[];
  searched: number;
  is_complete: boolean;
}

/** A quote to be looked for. */
export interface VerifyBody {
  quote: string;
  documents?: string[] | null;
}

/** The words of a page: text, left, top, right, bottom in points, and the number of its line. */
export interface Words {
  page: number;
  source: string;
  words: [string, number, number, number, number, number][];
}
