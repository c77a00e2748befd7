// Asking: one question after another, the answer as it comes in, and what became of it.
import { batch } from "@preact/signals";
import { get, path, Problem, stream } from "./api";
import { allIds, goPlace, held, nameOf, noticed } from "./reading";
import { record } from "./route";
import { chosenSystem, connection, conversation, dialog, draft, focus, isPhone, nextKey, opened, say, scope, scopeIsChosen, sheetUp, status, talkFolded, turns, where, type Turn } from "./state";
import type { Answer, AskEvents, Conversation } from "./types";
import { bare, toldApart } from "./words";
import { t } from "./wording";

/** The system that was chosen, if this server has it. */
const systemHere = (): string => (status.value?.systems.some((one) => one.name === chosenSystem.value) === false ? "auto" : chosenSystem.value);

let running: AbortController | null = null;

export const isAsking = (): boolean => turns.value.some((one) => one.state === "asking" || one.state === "waiting");
/** A server that goes away again and again while it answers is not asked for ever. */
const MOST_RESUMED = 3;

function change(key: number, with_: Partial<Turn>): void {
  turns.value = turns.value.map((one) => (one.key === key ? { ...one, ...with_ } : one));
}

export async function ask(question: string): Promise<void> {
  const told = question.trim();
  if (!told || isAsking()) return;
  const last = turns.value.at(-1);
  if (last?.question === told && (last.state === "failed" || last.state === "stopped")) return again({ ...last, scope: scope.value });
  const turn: Turn = {
    key: nextKey(), question: told, state: "asking", steps: [], text: "", passages: [], answer: null, problem: null,
    scope: scope.value, started: performance.now(), resumed: 0,
  };
  batch(() => {
    turns.value = [...turns.value, turn];
    draft.value = "";
    sheetUp.value = false;
  });
  letGo();
  await run(turn);
}

/** Where a keyboard on the screen covers the answer the field gives it up; a keyboard of keys goes on from the field. */
function letGo(): void {
  const at = document.activeElement;
  if ((isPhone.value || matchMedia("(pointer: coarse)").matches) && at instanceof HTMLElement && at.matches("textarea, input")) at.blur();
}

/** Ask a question of some documents, and what follows too. */
export function askIn(question: string, documents: string[]): void {
  if (isAsking()) return;
  batch(() => {
    scope.value = documents;
    scopeIsChosen.value = true;
  });
  void ask(question);
}

/** As many documents as one question may name. */
const MOST_ASKED = 1000;

/** Ask a question of the documents that a turn was asked of but some; of very many those to ask are chosen first. */
export async function askBeside(turn: Turn, question: string, besides: string[]): Promise<void> {
  if (!turn.scope && held() - besides.length > MOST_ASKED) {
    dialog.value = { kind: "scope", question };
    return;
  }
  try {
    const asked = turn.scope ?? (await allIds());
    askIn(question, asked.filter((id) => !besides.includes(id)));
  } catch (error) {
    say(noticed(error).message);
  }
}

export async function again(turn: Turn): Promise<void> {
  if (isAsking()) return;
  await anew(turn, { resumed: 0 });
}

async function anew(turn: Turn, with_: Partial<Turn>): Promise<void> {
  batch(() => {
    if (draft.value === turn.question) draft.value = "";
    change(turn.key, { state: "asking", scope: turn.scope, steps: [], text: "", passages: [], problem: null, started: performance.now(), ...with_ });
  });
  await run(turn);
}

/** Ask once more what was under way when the server went away. */
export function resume(): void {
  const turn = turns.value.find((one) => one.state === "waiting");
  if (turn) void anew(turn, { resumed: turn.resumed + 1 });
}

export function stop(): void {
  running?.abort();
  const turn = turns.value.find((one) => one.state === "waiting");
  if (turn) missed(turn.key, { state: "stopped" });
}

/** A question that got no answer: it is in the field again, and told of where its place is out of sight. */
function missed(key: number, with_: Partial<Turn>): void {
  const turn = turns.value.find((one) => one.key === key);
  if (!turn) return;
  batch(() => {
    change(key, with_);
    if (!draft.value.trim()) draft.value = turn.question;
  });
  if (with_.state === "failed" && (isPhone.value ? sheetUp.value : talkFolded.value)) say(t("The question was not answered. It is in the field again."));
}

async function run(turn: Turn): Promise<void> {
  running = new AbortController();
  const { signal } = running;
  // In a conversation no documents named means those of the question before.
  const documents = turn.scope ?? (conversation.value ? ["*"] : null);
  const body = { question: turn.question, documents, where: where.value || null, conversation: conversation.value ?? "new", trace: false, system: systemHere() };
  try {
    let answer: Answer | null = null;
    for await (const { event, data } of stream("/v1/ask", body, signal)) {
      const value: unknown = JSON.parse(data);
      if (event === "step") {
        const { told } = value as AskEvents["step"];
        if (told) change(turn.key, { steps: [...(turns.value.find((one) => one.key === turn.key)?.steps ?? []), told] });
      } else if (event === "passages") change(turn.key, { passages: (value as AskEvents["passages"]).passages });
      else if (event === "token") change(turn.key, { text: (value as AskEvents["token"]).text });
      else if (event === "error") {
        const problem = value as AskEvents["error"];
        throw new Problem(problem.status, problem.reason, problem.detail || problem.title);
      } else if (event === "done") answer = value as AskEvents["done"];
    }
    if (!answer) throw new Problem(0, "cut", t("The connection was cut before the answer was complete."));
    finish(turn.key, toldApart(answer));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return missed(turn.key, { state: "stopped" });
    const problem = await leftOut(turn, noticed(error));
    if (problem.reason === "unknown" && conversation.value && /conversation/.test(problem.message)) {
      // A server that only reads keeps conversations as long as it runs.
      conversation.value = null;
      keep(null);
      say(t("The conversation is no longer kept: this question begins a new one."));
      return run(turn);
    }
    const resumed = turns.value.find((one) => one.key === turn.key)?.resumed ?? 0;
    if (problem.isGone && resumed < MOST_RESUMED) batch(() => {
      change(turn.key, { state: "waiting", problem });
      connection.value = "gone";
    });
    else if (problem.isExpired) batch(() => {
      draft.value ||= turn.question;
      change(turn.key, { state: "failed", problem });
    });
    else missed(turn.key, { state: "failed", problem });
  }
}

/** Documents that were removed leave what is asked; the problem says so, and what the next question is asked of. */
async function leftOut(turn: Turn, problem: Problem): Promise<Problem> {
  const asked = turn.scope;
  if (!problem.isMissing || !asked) return problem;
  const isGone = await Promise.all(asked.map((id) => (id.includes("*") ? Promise.resolve(false) : get(path`/v1/documents/${id}`).then(() => false, (error: unknown) => error instanceof Problem && error.isMissing))));
  const left = asked.filter((_, at) => !isGone[at]);
  if (left.length === asked.length) return problem;
  scope.value = left.length ? left : null;
  change(turn.key, { scope: scope.value });
  const names = asked.filter((_, at) => isGone[at]).map(nameOf).join(", ");
  return new Problem(problem.status, "removed", left.length ? t("No longer in the library: {names}. Asked again, the question goes to the other documents that were chosen.", { names }) : t("No longer in the library: {names}. Asked again, the question goes to all documents.", { names }));
}

function finish(key: number, answer: Answer): void {
  const written = turns.value.find((one) => one.key === key)?.text ?? "";
  const unfinished = answer.failures?.length && written !== answer.answer ? written : "";
  batch(() => {
    change(key, { state: "done", unfinished, answer, steps: answer.steps, text: answer.answer, passages: answer.passages });
    conversation.value = answer.conversation;
    connection.value = "ok";
    if (draft.value === answer.question) draft.value = "";
    keep(answer.conversation);
    record({ kind: "answer", id: answer.id });
  });
  if (!isPhone.value) void showFirst(answer);
}

/** Turn to where an answer stands, without leaving its address. */
async function showFirst(answer: Answer): Promise<void> {
  const cited = answer.citations[0];
  const passage = answer.outcome === "nothing" ? undefined : answer.passages[0];
  if (cited) await goPlace(cited, 1, { quiet: true, answer: bare(answer) });
  else if (passage) await goPlace(passage, null, { quiet: true, passage });
  else if (focus.value) focus.value = null;
}

/** Show a stored answer, with the turns of its conversation around it. */
export async function goAnswer(id: string, given?: Answer): Promise<void> {
  if (turns.value.some((one) => one.answer?.id === id)) return;
  try {
    const answer = toldApart(given ?? (await get<Answer>(path`/v1/answers/${id}`)));
    turns.value = [stored(answer)];
    conversation.value = answer.conversation;
    if (!isPhone.value || !opened.value) await showFirst(answer);
    if (answer.conversation) await restore(answer.conversation);
  } catch (error) {
    const problem = noticed(error);
    turns.value = [
      { key: nextKey(), question: t("An answer"), state: "failed", steps: [], text: "", passages: [], answer: null, problem, scope: null, started: 0, resumed: 0 },
    ];
  }
}

function stored(answer: Answer): Turn {
  return {
    key: nextKey(), question: answer.question, state: "done", steps: answer.steps, text: answer.answer,
    passages: answer.passages, answer, problem: null, scope: null, started: 0, resumed: 0,
  };
}

/** Show a conversation that was kept, in the place of the one that is shown. */
export async function openConversation(id: string): Promise<void> {
  stop();
  try {
    const found = await get<Conversation>(path`/v1/conversations/${id}`);
    const shown = found.turns.map((one) => stored(toldApart(one)));
    batch(() => {
      turns.value = shown;
      conversation.value = id;
      focus.value = null;
      talkFolded.value = false;
      sheetUp.value = false;
    });
    keep(id);
    const last = shown.at(-1)?.answer;
    if (!last) return;
    record({ kind: "answer", id: last.id });
    if (!isPhone.value) await showFirst(last);
  } catch (error) {
    say(noticed(error).message);
  }
}

async function restore(id: string): Promise<void> {
  try {
    const found = await get<Conversation>(path`/v1/conversations/${id}`);
    if (found.turns.length && !isAsking()) {
      const known = new Map(turns.value.map((one) => [one.answer?.id, one]));
      turns.value = found.turns.map((one) => known.get(one.id) ?? stored(toldApart(one)));
      conversation.value = id;
      keep(id);
    }
  } catch (error) {
    if (error instanceof Problem && error.isMissing) keep(null);
  }
}

/** Take the conversation up again after a reload. */
export function restoreKept(): void {
  try {
    const id = sessionStorage.getItem("octavo-conversation");
    if (id && !turns.value.length) void restore(id);
  } catch {
    // a browser that keeps nothing
  }
}

function keep(id: string | null): void {
  try {
    if (id) sessionStorage.setItem("octavo-conversation", id);
    else sessionStorage.removeItem("octavo-conversation");
  } catch {
    // a browser that keeps nothing
  }
}

export function startAnew(): void {
  stop();
  batch(() => {
    turns.value = [];
    conversation.value = null;
    focus.value = null;
  });
  keep(null);
  const open = opened.value;
  record(open ? { kind: "page", document: open.id, page: focus.value?.page ?? 1 } : { kind: "library" }, true);
}
