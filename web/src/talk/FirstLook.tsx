// What there is in a document at first: questions that it answers, its sections in brief, its tables and figures.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../asking";
import { get, path, short } from "../api";
import { goPage, noticed } from "../reading";
import { dialog } from "../state";
import type { Document, FirstLook as Look } from "../types";
import { said } from "../ui/said";
import { pageName } from "../words";
import { listed, plural, t } from "../wording";

const looks = signal<ReadonlyMap<string, Look>>(new Map());

/** What there is comes at once; questions are tried after it, which takes longer. */
async function look(id: string, asks: boolean): Promise<void> {
  const address = path`/v1/documents/${short(id)}/first-look`;
  const keep = (found: Look): void => void (looks.value = new Map(looks.value).set(id, found));
  if (!looks.value.has(id)) keep(await get<Look>(`${address}?questions=false`));
  if (asks && !looks.value.get(id)!.questions.length) keep(await get<Look>(address));
}

const MOST = 6;

export function FirstLook({ document: open, headed = false, asks = true }: { document: Document; headed?: boolean; asks?: boolean }) {
  const [problem, setProblem] = useState("");
  const [isTrying, setTrying] = useState(true);
  useEffect(() => {
    let isOff = false;
    setTrying(true);
    look(open.id, asks).catch((error: unknown) => setProblem(noticed(error).message)).finally(() => !isOff && setTrying(false));
    return () => void (isOff = true);
  }, [open.id]);
  const found = looks.value.get(open.id);
  const choose = (act: () => void) => () => {
    dialog.value = null;
    act();
  };
  if (problem && !found) return <p class="quiet">{problem}</p>;
  if (!found) return null;
  const there = (page: number): string => (open.has_pages ? pageName(page) : pageName(page, `${open.unit} ${page}`));
  return (
    <div class="look">
      {asks && found.questions.length > 0 && (
        <div class="suggested" role="group" aria-label={t("Questions that this document answers")}>
          {found.questions.map((one) => <button type="button" class="suggestion" key={one.question} onClick={choose(() => void ask(one.question))}>{one.question}</button>)}
        </div>
      )}
      {asks && !found.questions.length && isTrying && <p class="quiet">{t("Trying which questions it answers…")}</p>}
      {headed && !found.questions.length && !isTrying && <p class="quiet">{t("No question that a rule could make of it was answered where it was made from.")}</p>}
      {found.sections.length > 1 && <List title={t("{sections}, in brief", { sections: plural(found.section_count, "section") })} isOpen={headed} items={found.sections.map((one) => ({ name: one.title, told: there(one.page), go: choose(() => void goPage(open.id, one.page)) }))} />}
      {found.elements.length > 0 && <List title={counted(found)} isOpen={headed} items={found.elements.map((one) => ({ name: one.called, told: there(one.page), go: choose(() => void goPage(open.id, one.page)) }))} />}
      {headed && !found.sections.length && !found.elements.length && <p class="quiet">{t("It has no sections, tables or figures that were told apart.")}</p>}
    </div>
  );
}

function counted(found: Look): string {
  const kinds = new Map<string, number>();
  for (const one of found.elements) {
    const kind = one.kind === "table" || one.kind === "chart" ? one.kind : "figure";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const told = [...kinds].map(([kind, count]) => plural(count, kind));
  return listed(told);
}

function List({ title, items, isOpen }: { title: string; items: { name: string; told: string; go: () => void }[]; isOpen: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, MOST);
  return (
    <details class="fold look-list" open={isOpen}>
      <summary>{title}</summary>
      <ul>
        {shown.map((one, at) => <li key={at}><button type="button" class="look-row" onClick={one.go}><span>{said(one.name)}</span><small>{one.told}</small></button></li>)}
      </ul>
      {items.length > MOST && <button type="button" class="linkish" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>{isWhole ? t("Show fewer") : t("Show all {n}", { n: items.length })}</button>}
    </details>
  );
}
