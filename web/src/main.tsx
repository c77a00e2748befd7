// Takes over the page the server printed: same address, same place.
import { render } from "preact";
import { look } from "./adding";
import { App } from "./App";
import { goAnswer, restoreKept } from "./asking";
import { restoreUnsent, watchConnection } from "./connection";
import { listen } from "./keys";
import { closeDocument, goCitation, goPage, loadFolders, refreshDocuments } from "./reading";
import { parse } from "./route";
import { address, isNarrow, isPhone, sort, start } from "./state";

function follow(query: string, change: (matches: boolean) => void): void {
  const media = matchMedia(query);
  change(media.matches);
  media.addEventListener("change", () => change(media.matches));
}

async function show(isFirst: boolean): Promise<void> {
  const to = parse(location.pathname);
  address.value = to;
  if (to.kind === "page") await goPage(to.document, to.page, { replace: true, choose: isFirst });
  else if (to.kind === "citation") await goCitation(to.id);
  else if (to.kind === "answer") await goAnswer(to.id, start.answer?.id === to.id ? start.answer : undefined);
  else if (to.kind !== "table") closeDocument();
  if (isFirst && to.kind !== "answer") restoreKept();
}

function begin(): void {
  const root = document.getElementById("app");
  if (!root || start.view === "message") return;
  follow("(max-width: 1120px)", (matches) => void (isNarrow.value = matches));
  follow("(max-width: 720px)", (matches) => void (isPhone.value = matches));
  void show(true);
  document.querySelector(".skip")?.remove();
  root.replaceChildren();
  render(<App />, root);
  document.documentElement.classList.add("ready");
  addEventListener("popstate", () => void show(false));
  listen();
  watchConnection();
  restoreUnsent();
  void look();
  void loadFolders();
  if (!start.documents || !start.status || sort.value !== "title") void refreshDocuments();
}

begin();
