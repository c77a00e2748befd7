// Calls of the HTTP API. Whatever goes wrong comes back as a Problem, in words with the mend.
import type { ProblemBody, Removed } from "./types";
import { t } from "./wording";

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
  get isGone(): boolean {
    return this.status === 0;
  }
  get isBusy(): boolean {
    return (this.status === 503 && this.reason !== "gone") || this.status === 429; // "gone": the corpus is not there
  }
  get isExpired(): boolean {
    return this.status === 401;
  }
  get isMissing(): boolean {
    return this.status === 404 || this.status === 410;
  }
}

const GONE = t("The server does not answer. It may have been stopped; start `octavo serve` again.");

export const short = (id: string): string => id.replace(/^sha256:/, "").slice(0, 16);
export const path = (strings: TemplateStringsArray, ...values: (string | number)[]): string =>
  strings.reduce((made, part, at) => made + part + (at < values.length ? encodeURIComponent(values[at]!) : ""), "");

async function problemOf(response: Response): Promise<Problem> {
  let body: Partial<ProblemBody> = {};
  try {
    body = await response.json();
  } catch {
    // not JSON: the status has to do
  }
  const after = Number(response.headers.get("Retry-After"));
  const told = body.detail || body.title || t("The server answered {status}.", { status: String(response.status) });
  return new Problem(response.status, body.reason ?? "", told, after > 0 ? after : null);
}

export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(0, "gone", GONE);
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

const pause = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));

/** GET a JSON value; a busy server is asked again, three times. */
export async function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await (await send(url, { signal, headers: { Accept: "application/json" } })).json()) as T;
    } catch (error) {
      if (!(error instanceof Problem) || !error.isBusy || attempt >= 3) throw error;
      await pause(Math.min(error.retryAfter ?? 1, 5) * (1 + Math.random() / 2));
    }
  }
}

export async function post<T>(url: string, body?: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const response = await send(url, { method: "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return (await response.json()) as T;
}

export async function patch<T>(url: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return (await (await send(url, { method: "PATCH", headers, body: JSON.stringify(body) })).json()) as T;
}

export const remove = (url: string): Promise<Response> => send(url, { method: "DELETE" });

/** Remove, and return what came of it, where the server tells that. */
export async function removed(url: string): Promise<Partial<Removed>> {
  const response = await send(url, { method: "DELETE", headers: { Accept: "application/json" } });
  return response.status === 204 ? {} : ((await response.json()) as Removed);
}

export interface ServerEvent {
  event: string;
  data: string;
}

/** A server says at least every ten seconds that it is there. */
const SILENT_MS = 60_000;

function soon<T>(awaited: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem(0, "cut", t("The server fell silent while the answer came in."))), SILENT_MS);
  });
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}

/** Parse a text/event-stream as it comes. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "message";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await soon(reader.read());
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) {
        if (line === "") {
          if (data.length) yield { event, data: data.join("\n") };
          event = "message";
          data = [];
        } else if (!line.startsWith(":")) {
          const colon = line.indexOf(":");
          const field = colon < 0 ? line : line.slice(0, colon);
          const told = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
          if (field === "event") event = told;
          else if (field === "data") data.push(told);
        }
      }
      if (done) return;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** POST a JSON body and yield the events of the answer. */
export async function* stream(url: string, body: unknown, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  const response = await send(url, { method: "POST", headers, body: JSON.stringify(body), signal });
  if (!response.body) throw new Problem(0, "gone", GONE);
  try {
    yield* events(response.body);
  } catch (error) {
    if (error instanceof Problem || (error instanceof DOMException && error.name === "AbortError")) throw error;
    throw new Problem(0, "cut", t("The connection was cut while the answer came in."));
  }
}

/** Send a file; fetch cannot tell how far an upload is, so this is an XMLHttpRequest. */
export function upload(
  url: string,
  file: File,
  onProgress: (part: number) => void,
): { done: Promise<unknown>; abort: () => void } {
  const request = new XMLHttpRequest();
  const done = new Promise<unknown>((resolve, reject) => {
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = () => reject(new Problem(0, "gone", GONE));
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    request.onload = () => {
      let body: Partial<ProblemBody> = {};
      try {
        body = JSON.parse(request.responseText);
      } catch {
        // not JSON
      }
      if (request.status < 300) resolve(body);
      else {
        const after = Number(request.getResponseHeader("Retry-After")) || null;
        reject(new Problem(request.status, body.reason ?? "", body.detail || body.title || t("The server answered {status}.", { status: String(request.status) }), after));
      }
    };
    request.open("POST", url);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.setRequestHeader("Accept", "application/json");
    request.send(file);
  });
  return { done, abort: () => request.abort() };
}
