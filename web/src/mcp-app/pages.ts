// What the chat's page shows: the places that a tool named, and for each its page, read through the host when it is looked at.
import { computed, signal } from "@preact/signals";
import { ask, connect, tell, type Capabilities, type HostContext, type ToolResult } from "./host";

/** Left, top, right, bottom in parts of the page. */
type Box = [number, number, number, number];

export interface Place {
  id: string;
  page: number;
}

export interface Page {
  document: string;
  page: number;
  page_label: string;
  pages: number;
  section: string[];
  quote: string;
  state: string;
  text: string;
  link: string;
  boxes: Box[];
  marks: Box[];
  /** As an address of data; "" where the document has no pages to draw. */
  picture: string;
  /** Whether the picture has its marks in it. */
  isMarked: boolean;
}

export type Loaded = { page: Page } | { trouble: string } | "coming";

const SHOWN = "octavo/shown";
const PAGE = "octavo/page";
const PICTURE = /^image\/(png|jpeg|webp)$/;

export const verdict = signal("");
export const places = signal<Place[]>([]);
export const at = signal(0);
/** In the place of places: what is waited for, or what went wrong. */
export const waits = signal("Waiting for the answer …");
export const context = signal<HostContext>({});
export const capabilities = signal<Capabilities>({});
const loaded = signal<ReadonlyMap<string, Loaded>>(new Map());

export const here = computed<Place | undefined>(() => places.value[at.value]);
export const current = computed<Loaded>(() => loaded.value.get(here.value?.id ?? "") ?? "coming");

const keep = (id: string, value: Loaded): void => {
  loaded.value = new Map(loaded.value).set(id, value);
};

const picture = (data: unknown, type: unknown): string =>
  typeof data === "string" && PICTURE.test(String(type)) ? `data:${type};base64,${data}` : "";

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function isBox(box: unknown): box is Box {
  return Array.isArray(box) && box.length === 4 && box.every(Number.isFinite);
}

/** A page as the server tells it; what is no text or number there is not taken. */
function pageOf(told: Record<string, unknown>, drawn: string): Page {
  const boxes = (value: unknown): Box[] => (Array.isArray(value) ? value.filter(isBox) : []);
  return {
    document: text(told.document),
    page: Number(told.page) || 1,
    page_label: text(told.page_label),
    pages: Number(told.pages) || 1,
    section: Array.isArray(told.section) ? told.section.map(text) : [],
    quote: text(told.quote),
    state: text(told.state),
    text: text(told.text),
    link: text(told.link),
    boxes: boxes(told.boxes),
    marks: boxes(told.marks),
    picture: drawn,
    isMarked: false,
  };
}

/** What is looked at: the marked words together, else the first box. */
export function focus({ marks, boxes }: Page): Box | undefined {
  const [first, ...rest] = marks.length ? marks : boxes.slice(0, 1);
  return first && rest.reduce<Box>((all, one) => [Math.min(all[0], one[0]), Math.min(all[1], one[1]), Math.max(all[2], one[2]), Math.max(all[3], one[3])], first);
}

interface Contents {
  contents?: { text?: string; blob?: string; mimeType?: string }[];
}

/** The page of a place: as a resource, which no model sees; by a tool where the host passes on nothing else. */
async function read(id: string): Promise<Page> {
  if (capabilities.value.serverResources) {
    const { contents = [] } = await ask<Contents>("resources/read", { uri: `octavo://page/${id}` });
    const drawn = contents.find((one) => one.blob);
    return pageOf(JSON.parse(contents.find((one) => one.text)?.text ?? "{}"), picture(drawn?.blob, drawn?.mimeType));
  }
  if (!capabilities.value.serverTools) throw new Error("This program shows no pages here.");
  const [document, page] = id.split("/");
  const given = page ? { document, page: Number(page) } : { citation: id };
  const result = await ask<ToolResult>("tools/call", { name: "show_page", arguments: given });
  if (result.isError) throw new Error(trouble(result));
  return ofTool(result);
}

/** The page in a result of `show_page`, on whose picture the cited block is marked already. */
function ofTool(result: ToolResult): Page {
  const drawn = result.content?.find((one) => one.type === "image");
  const told = result._meta?.[PAGE] as Record<string, unknown>;
  return { ...pageOf(told ?? {}, picture(drawn?.data, drawn?.mimeType)), isMarked: true };
}

/** What a tool that failed says in its first line, before words of documents. */
function trouble(result: ToolResult): string {
  const said = result.content?.find((one) => one.type === "text")?.text ?? "";
  return said.split(/\n|Words of documents are data/)[0]!.trim() || "It could not be done.";
}

export async function load(id: string): Promise<void> {
  keep(id, "coming");
  try {
    keep(id, { page: await read(id) });
  } catch (error) {
    keep(id, { trouble: error instanceof SyntaxError ? "The server told nothing that can be shown." : (error as Error).message });
  }
}

export function go(to: number): void {
  const place = places.value[to];
  if (!place) return;
  at.value = to;
  if (!loaded.value.has(place.id)) void load(place.id);
}

function isPlace(one: unknown): one is Place {
  return typeof (one as Place | null)?.id === "string" && Number.isFinite((one as Place).page);
}

function take(result: ToolResult): void {
  const shown = result._meta?.[SHOWN] as { verdict?: unknown; places?: unknown } | undefined;
  const found = Array.isArray(shown?.places) ? shown.places.filter(isPlace) : [];
  verdict.value = text(shown?.verdict);
  waits.value = result.isError ? trouble(result) : "There is no page to show.";
  loaded.value = new Map();
  places.value = found;
  const first = found[0];
  if (first && result._meta?.[PAGE]) keep(first.id, { page: ofTool(result) });
  go(0);
}

export async function start(): Promise<void> {
  let early: ToolResult | undefined;
  let isReady = false;
  capabilities.value = await connect({
    context: (changed) => (context.value = { ...context.value, ...changed }),
    result: (result) => (isReady ? take(result) : (early = result)),
    cancelled: () => (waits.value = "It was stopped before an answer came."),
  });
  isReady = true;
  if (early) take(early);
}

/** Addresses of the web alone are opened, and by the host. */
export const isAddress = (link: string): boolean => /^https?:\/\//i.test(link);

export function open(link: string): void {
  if (isAddress(link)) void ask("ui/open-link", { url: link }).catch(() => {});
}

export const enlarge = (): void => {
  const mode = context.value.displayMode === "fullscreen" ? "inline" : "fullscreen";
  void ask<{ mode?: string }>("ui/request-display-mode", { mode })
    .then((told) => (context.value = { ...context.value, displayMode: told.mode ?? context.value.displayMode }))
    .catch(() => {});
};

export const sized = (height: number): void => tell("ui/notifications/size-changed", { height });
