// A table of answers: what is asked, filling it cell by cell, correcting a cell, writing it as a file.
import { batch, signal } from "@preact/signals";
import { post, Problem, send, stream } from "./api";
import { noticed } from "./reading";
import { record } from "./route";
import { address, opened, say, scope, status, store, stored, where } from "./state";
import type { AnswerCell, Corrected, TableCellEvent, AnswerTable, TablePlan, TablePlanEvent } from "./types";
import { t } from "./wording";


const KEPT = "table-questions";
/** What the questions are written in, a line each: it stays in this browser. */
export const questions = signal(stored(KEPT) ?? "");
export const table = signal<AnswerTable | null>(null);
/** "asking": what it takes is told first, where a model is asked. */
export const filling = signal<"no" | "estimating" | "agreeing" | "filling" | "stopping">("no");
export const estimate = signal<TablePlan | null>(null);
export const progress = signal<{ done: number; due: number; seconds: number } | null>(null);
export const problem = signal<Problem | null>(null);
/** The cell that is looked at: row and column. */
export const looked = signal<{ row: number; column: number } | null>(null);

let running: AbortController | null = null;
let latest = 0;

export const asked = (): string[] => [...new Set(questions.value.split("\n").map((one) => one.trim().replace(/\s+/g, " ")).filter((one) => one && !one.startsWith("#")))];
const body = (): Record<string, unknown> => ({ questions: asked(), documents: scope.value, where: where.value || null });

export function write(text: string): void {
  questions.value = text;
  store(KEPT, text);
}

/** Show the page of tables, with what is there of the questions that were asked last. */
export function goTable(): void {
  record({ kind: "table" });
  void standing();
}

/** Show the table as it stands; nothing is asked for it. */
export async function standing(): Promise<void> {
  if (filling.value === "filling" || !asked().length || !status.value?.documents) return;
  const mine = ++latest;
  try {
    const found = await post<AnswerTable>("/v1/table/file", { ...body(), format: "json" });
    if (mine === latest) table.value = found;
  } catch (error) {
    if (mine === latest && !(error instanceof Problem && error.status === 422)) problem.value = noticed(error);
  }
}

/** Begin to fill the table; where a model is asked, say first what that takes. */
export async function begin(): Promise<void> {
  if (filling.value !== "no" || !asked().length) return;
  batch(() => {
    problem.value = null;
    filling.value = "estimating";
  });
  try {
    if (Object.keys(status.value?.models ?? {}).length) {
      const plan = await post<TablePlan>("/v1/table/plan", body());
      if (plan.calls) {
        batch(() => {
          estimate.value = plan;
          filling.value = "agreeing";
        });
        return;
      }
    }
    await fill();
  } catch (error) {
    batch(() => {
      problem.value = noticed(error);
      filling.value = "no";
    });
  }
}

export async function fill(): Promise<void> {
  running = new AbortController();
  const begun = performance.now();
  latest++;
  batch(() => {
    estimate.value = null;
    filling.value = "filling";
    progress.value = null;
  });
  try {
    let isDone = false;
    for await (const { event, data } of stream("/v1/table", body(), running.signal)) {
      const value: unknown = JSON.parse(data);
      if (event === "plan") {
        const plan = value as TablePlanEvent;
        batch(() => {
          table.value = plan.table;
          progress.value = { done: 0, due: plan.due, seconds: 0 };
        });
      } else if (event === "cell") {
        const filled = value as TableCellEvent;
        batch(() => {
          put(filled.row, filled.column, filled.cell);
          progress.value = { done: filled.done, due: filled.due, seconds: (performance.now() - begun) / 1000 };
        });
      } else if (event === "error") {
        const told = value as { status: number; reason: string; detail?: string; title: string };
        throw new Problem(told.status, told.reason, told.detail || told.title);
      } else if (event === "done") {
        table.value = value as AnswerTable;
        isDone = true;
      }
    }
    if (!isDone) throw new Problem(0, "cut", t("The connection was cut. What is filled is kept."));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) problem.value = noticed(error);
  } finally {
    batch(() => {
      filling.value = "no";
      progress.value = null;
    });
  }
}

export function stop(): void {
  if (filling.value === "agreeing") batch(() => {
    filling.value = "no";
    estimate.value = null;
  });
  else running?.abort();
}

function put(row: number, column: number, cell: AnswerCell | null): void {
  const before = table.value;
  if (!before) return;
  const rows = before.rows.map((one, at) => (at === row ? { ...one, cells: one.cells.map((kept, place) => (place === column ? cell : kept)) } : one));
  table.value = { ...before, rows };
}

/** Put a text in the place of what was found; null: what was found comes back. */
export async function correct(row: number, column: number, text: string | null, citation: string | null = null): Promise<boolean> {
  const there = table.value;
  if (!there) return false;
  try {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const told = JSON.stringify({ document: there.rows[row]!.document_id, question: there.questions[column]!, text, citation });
    const response = await send("/v1/table/cell", { method: "PUT", headers, body: told });
    put(row, column, ((await response.json()) as Corrected).cell);
    return true;
  } catch (error) {
    say(noticed(error).message);
    return false;
  }
}

/** Save the table as it stands as a file. */
export async function download(format: "xlsx" | "csv" | "html" | "json"): Promise<void> {
  try {
    const headers = { "Content-Type": "application/json", Accept: "*/*" };
    const response = await send("/v1/table/file", { method: "POST", headers, body: JSON.stringify({ ...body(), format }) });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = `answers.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    say(noticed(error).message);
  }
}

/** Leave the page of tables for the document that was open, or the library. */
export function leave(): void {
  const open = opened.value;
  record(open ? { kind: "page", document: open.id, page: 1 } : { kind: "library" });
  looked.value = null;
}

export const isShown = (): boolean => address.value.kind === "table";
