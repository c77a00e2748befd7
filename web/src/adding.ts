// Adding documents: upload, then a job of the server that is asked about until it is over.
import { get, path, post, Problem, remove, removed, upload } from "./api";
import { closeDocument, goLibrary, noticed, refreshDocuments } from "./reading";
import { batchOfFiles, drawerOpen, isNarrow, jobs, libraryFolded, nextKey, opened, say, scope, status, store, stored, uploads, type Upload } from "./state";
import type { Document, Job, Jobs, Queued } from "./types";
import { calledOf } from "./words";
import { t } from "./wording";

const EVERY_MS = 700;
const AT_ONCE = 2;
/** Jobs that are not to be told of again; kept, as a server that only reads cannot forget them. */
const dismissed = new Set(kept(stored("dismissed")));
/** Jobs this visit has seen under way: what became of them is told in full, of others in a line. */
const SEEN = "octavo-jobs-seen";
const seen = new Set(visited());
let timer: ReturnType<typeof setTimeout> | null = null;

export const isOld = (job: Job): boolean => !isActive(job) && !seen.has(job.id);

export const isActive = (job: Job): boolean => job.state === "queued" || job.state === "running";

export function addFiles(files: Iterable<File>): void {
  if (status.value && !status.value.can_write) return say(t("This library is read-only: documents cannot be added here."));
  const added = [...files].map((file): Upload => ({
    key: nextKey(), name: file.name, size: file.size, part: 0, problem: null, file, abort: () => undefined,
  }));
  const before = uploads.value.some((one) => !one.problem) || jobs.value.some(isActive) ? batchOfFiles.value : { total: 0, done: 0 };
  batchOfFiles.value = { ...before, total: before.total + added.length };
  uploads.value = [...uploads.value, ...added];
  if (isNarrow.value) drawerOpen.value = true;
  else libraryFolded.value = false;
  pump();
}

const underWay = new Set<number>();

function pump(): void {
  for (const one of uploads.value) {
    if (underWay.size >= AT_ONCE) return;
    if (!one.problem && !underWay.has(one.key)) void transfer(one);
  }
}

async function transfer(one: Upload): Promise<void> {
  underWay.add(one.key);
  const set = (with_: Partial<Upload>): void => {
    uploads.value = uploads.value.map((other) => (other.key === one.key ? { ...other, ...with_ } : other));
  };
  const sending = upload(`/v1/documents?${new URLSearchParams({ name: one.name })}`, one.file, (part) => set({ part }));
  set({ abort: sending.abort });
  try {
    const { job } = (await sending.done) as Queued;
    drop(one.key);
    if (job.state === "done") {
      say(t("{name} is in the library already.", { name: one.name }));
      through(1);
    }
    else {
      begun(job);
      jobs.value = [...jobs.value.filter((other) => other.id !== job.id), job];
    }
    watch();
  } catch (error) {
    if (error instanceof DOMException) drop(one.key);
    else set({ problem: noticed(error) });
    through(1);
  }
  underWay.delete(one.key);
  pump();
}

const through = (count: number): void => void (count && (batchOfFiles.value = { ...batchOfFiles.value, done: Math.min(batchOfFiles.value.done + count, batchOfFiles.value.total) }));

export function drop(key: number): void {
  uploads.value = uploads.value.filter((one) => one.key !== key);
}

/** Send again what did not get through while the server was away. */
export function resumeUploads(): void {
  for (const one of uploads.value) if (one.problem?.isGone) sendAgain(one);
}

export function sendAgain(one: Upload): void {
  uploads.value = uploads.value.map((other) => (other.key === one.key ? { ...other, problem: null, part: 0 } : other));
  pump();
}

/** Ask about jobs until none is under way. */
export function watch(): void {
  if (timer === null) timer = setTimeout(() => void look(), EVERY_MS);
}

export async function look(): Promise<void> {
  timer = null;
  try {
    const found = (await get<Jobs>("/v1/jobs?limit=200")).items.filter((job) => !dismissed.has(job.id));
    for (const job of found) if (isActive(job) && !seen.has(job.id)) begun(job);
    const before = new Map(jobs.value.map((job) => [job.id, job.state]));
    jobs.value = found.filter((job) => isActive(job) || job.state === "failed" || (job.state === "done" && job.error));
    const over = found.filter((job) => job.state === "done" && before.has(job.id) && before.get(job.id) !== "done");
    for (const job of over) {
      if (!job.error) hide(job);
      const isPart = job.error && job.error.reason !== "beside";
      say(t(isPart ? "{name} was read in part, and can be asked now." : "{name} can be asked now.", { name: job.name }));
    }
    through(found.filter((job) => !isActive(job) && isActive({ ...job, state: before.get(job.id) ?? job.state })).length);
    if (over.length) await refreshDocuments();
    if (found.some(isActive)) watch();
  } catch (error) {
    if (!noticed(error).isExpired && jobs.value.some(isActive)) timer = setTimeout(() => void look(), 4 * EVERY_MS);
  }
}

export async function cancel(job: Job): Promise<void> {
  await tried(async () => {
    await post<Job>(path`/v1/jobs/${job.id}/cancel`);
    jobs.value = jobs.value.filter((one) => one.id !== job.id);
  });
}

export async function retry(job: Job): Promise<void> {
  await tried(async () => {
    const fresh = await post<Job>(path`/v1/jobs/${job.id}/retry`);
    begun(fresh);
    jobs.value = jobs.value.map((one) => (one.id === job.id ? fresh : one));
    watch();
  });
}

/** Forget a job that has failed, and the file it could not read. */
export async function dismiss(job: Job): Promise<void> {
  hide(job);
  jobs.value = jobs.value.filter((one) => one.id !== job.id);
  if (status.value?.can_write) await tried(() => remove(path`/v1/jobs/${job.id}`).then(() => undefined));
}

const LONGEST = 500;

function hide(job: Job): void {
  dismissed.add(job.id);
  store("dismissed", JSON.stringify([...dismissed].slice(-LONGEST)));
}

/** A job is under way, perhaps once more: what comes of it is told. */
function begun(job: Job): void {
  if (dismissed.delete(job.id)) store("dismissed", JSON.stringify([...dismissed]));
  seen.add(job.id);
  try {
    sessionStorage.setItem(SEEN, JSON.stringify([...seen].slice(-LONGEST)));
  } catch {
    // a browser that keeps nothing
  }
}

function visited(): string[] {
  try {
    return kept(sessionStorage.getItem(SEEN));
  } catch {
    return [];
  }
}

function kept(text: string | null): string[] {
  try {
    const found: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export async function addExample(): Promise<void> {
  await tried(async () => {
    const { job } = await post<Queued>("/v1/examples");
    begun(job);
    jobs.value = [...jobs.value.filter((one) => one.id !== job.id), job];
    watch();
  });
}

export async function removeDocument(document: Document): Promise<void> {
  await tried(async () => {
    const { is_gone: isGone = true, told = "" } = await removed(path`/v1/documents/${document.id}`);
    if (!isGone) {
      say(told || t("{name} stays in the library: other files lead to it.", { name: calledOf(document) }));
      return refreshDocuments();
    }
    if (opened.value?.id === document.id) {
      closeDocument();
      goLibrary();
    }
    if (scope.value?.includes(document.id)) {
      const left = scope.value.filter((one) => one !== document.id);
      scope.value = left.length ? left : null;
    }
    say(t("{name} was removed.", { name: calledOf(document) }));
    await refreshDocuments();
    // What had the focus went with the document: the keyboard goes on in the list.
    if (!globalThis.document.activeElement?.closest("a, button, input, textarea")) globalThis.document.querySelector<HTMLElement>(".docs .doc, #find")?.focus();
  });
}

async function tried(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    const problem = noticed(error);
    say(problem instanceof Problem ? problem.message : String(problem));
  }
}
