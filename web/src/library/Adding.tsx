// Files on their way into the library: sent, read page by page, done or failed with the reason and what to do.
import { cancel, dismiss, drop, isActive, isOld, retry, sendAgain } from "../adding";
import type { Problem } from "../api";
import { formatsTold } from "../desk/Shelf";
import { batchOfFiles, jobs, status, uploads } from "../state";
import type { Job } from "../types";
import { Icon } from "../ui/icon";
import { sentence, size } from "../words";
import { number, t } from "../wording";

/** What is counted in pages; the stages after it make the document searchable. */
const PAGES: Record<string, string> = { parse: "", ocr: t(", reading pictures of text") };

function progress(job: Job): string {
  if (job.state === "queued" || job.stage === "waiting") return t("waiting its turn");
  const told = PAGES[job.stage];
  if (told === undefined) return job.stage ? t("making it searchable") : t("starting to read");
  return job.total > 0 ? t("page {page} of {n}", { page: String(Math.min(job.done, job.total)), n: String(job.total) }) + told : t("reading") + told;
}

/** Why a file failed, as a sentence without its name, which stands above it. */
function reason(name: string, detail: string): string {
  const told = [`${name} is `, `${name}: `, `${name} `].reduce((left, start) => (left.startsWith(start) ? left.slice(start.length) : left), detail);
  return sentence(`${told.charAt(0).toUpperCase()}${told.slice(1)}`);
}

/** Why a file was not taken, for who chose it: the server's words are for programs too. */
function refusal(problem: Problem): string {
  if (problem.reason === "empty") return t("The file is empty.");
  if (problem.reason === "format") return t("Files of this kind are not read; {formats} are.", { formats: formatsTold(status.value?.formats ?? []) });
  return problem.message;
}

export function Adding() {
  const old = jobs.value.filter(isOld);
  return <><Current /><Old jobs={old} /></>;
}

/** In a line what went wrong with files of earlier visits. */
function Old({ jobs: old }: { jobs: Job[] }) {
  if (!old.length) return null;
  const failed = old.filter((job) => job.state === "failed");
  const told = failed.length
    ? failed.length === 1 ? t("{name} could not be read", { name: failed[0]!.name }) : t("{n} files could not be read", { n: failed.length })
    : old.length === 1 ? t("{name} was read in part", { name: old[0]!.name }) : t("{n} files were read in part", { n: old.length });
  return (
    <div class="adding-old">
      <details>
        <summary title={old.map((job) => job.name).join("\n")}>{told}</summary>
        <ul class="adding" aria-label={t("What went wrong earlier")}>{old.map((job) => <JobCard key={job.id} job={job} />)}</ul>
      </details>
      <button type="button" class="tool bare" aria-label={t("Dismiss: {what}", { what: told })} title={t("Dismiss")} onClick={() => old.forEach((job) => void dismiss(job))}><Icon name="close" /></button>
    </div>
  );
}

function Current() {
  const current = jobs.value.filter((job) => !isOld(job));
  if (!uploads.value.length && !current.length) return null;
  const { total, done } = batchOfFiles.value;
  return (
    <>
    {total > 1 && done < total && (
      <div class="adding-all">
        <p role="status">{t("{done} of {n} files through", { done: number(done), n: total })}</p>
        <Bar part={done / total} label={t("Files that are through")} />
      </div>
    )}
    <ul class="adding" aria-label={t("Being added")}>
      {uploads.value.map((one) => (
        <li key={`u${one.key}`} class={one.problem ? "failed" : ""}>
          <div class="adding-row">
            <span class="doc-name" title={one.name}>{one.name}</span>
            {one.problem ? <button type="button" class="tool bare" aria-label={t("Send {name} again", { name: one.name })} title={t("Send again")} onClick={() => sendAgain(one)}><Icon name="again" /></button> : null}
            <button type="button" class="tool bare" aria-label={one.problem ? t("Dismiss {name}", { name: one.name }) : t("Stop sending {name}", { name: one.name })} onClick={() => (one.problem ? drop(one.key) : one.abort())}><Icon name="close" /></button>
          </div>
          {one.problem ? <p class="adding-told" title={one.problem.message}>{refusal(one.problem)}</p> : (
            <>
              <p class="adding-told">{one.part < 1 ? t("sending, {part} % of {size}", { part: String(Math.round(one.part * 100)), size: size(one.size) }) : t("waiting for the server…")}</p>
              <Bar part={one.part} label={t("Sending {name}", { name: one.name })} />
            </>
          )}
        </li>
      ))}
      {current.map((job) => <JobCard key={job.id} job={job} />)}
    </ul>
    </>
  );
}

function JobCard({ job }: { job: Job }) {
  return (
    <li class={job.state === "failed" ? "failed" : job.error ? "partly" : ""}>
      <div class="adding-row">
        <span class="doc-name" title={job.name}>{job.name}</span>
        {job.state === "failed" && <button type="button" class="tool bare" aria-label={t("Try {name} again", { name: job.name })} title={t("Try again")} onClick={() => void retry(job)}><Icon name="again" /></button>}
        <button type="button" class="tool bare" aria-label={isActive(job) ? t("Cancel {name}", { name: job.name }) : t("Dismiss {name}", { name: job.name })} title={isActive(job) ? t("Cancel") : t("Dismiss")} onClick={() => (isActive(job) ? void cancel(job) : void dismiss(job))}><Icon name="close" /></button>
      </div>
      {job.error ? (
        <p class="adding-told" role="status"><b>{reason(job.name, job.error.detail)}</b> {job.error.advice}</p>
      ) : (
        <>
          <p class="adding-told">{progress(job)}</p>
          <Bar part={job.total > 0 ? job.done / job.total : null} label={t("Reading {name}", { name: job.name })} />
        </>
      )}
    </li>
  );
}

function Bar({ part, label }: { part: number | null; label: string }) {
  return <progress class="meter" aria-label={label} max={1} value={part ?? undefined} />;
}
