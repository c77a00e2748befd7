// Whether the server answers. Where it went away it is asked until it is back, and the page goes on where it was; where
// the key is no longer valid the page goes to the form for a new one.
import { effect } from "@preact/signals";
import { look, resumeUploads } from "./adding";
import { get, Problem, send } from "./api";
import { resume } from "./asking";
import { revive } from "./reading";
import { connection, draft, say, status, turns } from "./state";
import type { Status } from "./types";
import { t } from "./wording";

const EVERY_MS = 2000;
const UNSENT = "octavo-unsent";
const LEFT = "octavo-left";
/** Who comes back from the form and is not let in is not sent there again at once. */
const AGAIN_MS = 20_000;

export function watchConnection(): void {
  effect(() => {
    if (connection.value === "expired") return signIn();
    if (connection.value !== "gone") return;
    let timer = setTimeout(ask, EVERY_MS / 4);
    function ask(): void {
      get<Status>("/v1/status").then(back, (error: unknown) => {
        if (error instanceof Problem && error.isExpired) connection.value = "expired";
        else timer = setTimeout(ask, EVERY_MS);
      });
    }
    return () => clearTimeout(timer);
  });
}

function back(found: Status): void {
  if (connection.peek() !== "gone") return;
  connection.value = "ok";
  status.value = found;
  say(t("The server is back."));
  revive();
  void look();
  resumeUploads();
  resume();
}

/** Whether this tab is on its way to the page that asks for a key: what is refused meanwhile must not take it elsewhere. */
let isLeaving = false;

/** Go to the page that asks for a key, which the server shows at this address; what was not sent yet is kept. */
function signIn(): void {
  if (isLeaving) return;
  try {
    const now = Date.now();
    const isAgain = now - Number(sessionStorage.getItem(LEFT) ?? 0) < AGAIN_MS;
    const open = turns.peek().at(-1);
    const unsent = draft.peek() || (open && open.state !== "done" ? open.question : "");
    if (unsent) sessionStorage.setItem(UNSENT, unsent);
    if (isAgain) return;
    sessionStorage.setItem(LEFT, String(now));
    location.reload();
  } catch {
    // a browser that keeps nothing: the banner leads there
  }
}

/** End the session here and on the server; what this tab kept of questions goes with it. */
export async function signOut(): Promise<void> {
  isLeaving = true;
  try {
    await send("/v1/session", { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof Problem) || !error.isExpired) {
      isLeaving = false;
      return say(error instanceof Error ? error.message : String(error));
    }
  }
  try {
    sessionStorage.clear();
  } catch {
    // a browser that keeps nothing
  }
  location.replace("/sign-in");
}

/** What was written before the page went to ask for a key is in the field again. */
export function restoreUnsent(): void {
  try {
    draft.value = sessionStorage.getItem(UNSENT) ?? draft.value;
    sessionStorage.removeItem(UNSENT);
  } catch {
    // a browser that keeps nothing
  }
}
