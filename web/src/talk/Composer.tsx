// Where a question is written, which documents it is asked of, and whether a model writes the answer.
import { useEffect, useRef } from "preact/hooks";
import { ask, isAsking } from "../asking";
import { chosenName, filter, held, nameOf } from "../reading";
import { dialog, documents, draft, folder, opened, scope, scopeIsChosen, status, where } from "../state";
import { Icon } from "../ui/icon";
import { calledOf, namesOf } from "../words";
import { t } from "../wording";

export function scopeName(): string {
  const chosen = scope.value;
  if (!chosen) {
    const only = held() === 1 ? documents.value?.items[0] : undefined;
    if (where.value) return t("documents where {where}", { where: where.value });
    return only ? calledOf(only) : t("all documents");
  }
  return chosenName(chosen);
}

const LONGEST = 30;
/** Documents that have a chip each; of more there is one chip for all. */
const MOST_CHIPS = 3;
const cut = (name: string): string => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1).trimEnd()}…` : name);

export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current!;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 160)}px`;
  }, [draft.value]);
  const submit = (event: Event): void => {
    event.preventDefault();
    void ask(draft.value);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
    else if (event.key === "Escape") field.current?.blur();
  };
  const models = Object.values(status.value?.models ?? {}).map((one) => one.replace(/^\w+:/, ""));
  const none = status.value !== null && held() === 0;
  return (
    <form class="ask" onSubmit={submit}>
      <Scope />
      <div class="ask-box">
        <label class="unseen" for="question">{t("Question")}</label>
        <textarea id="question" ref={field} rows={1} placeholder={none ? t("Add a document first") : t("Ask about {scope}", { scope: cut(scopeName()) })} value={draft.value} maxLength={4000} onInput={(event) => void (draft.value = event.currentTarget.value)} onKeyDown={onKey} />
        <button type="submit" class="ask-go" aria-label={t("Ask")} disabled={!draft.value.trim() || isAsking()}><Icon name="send" /></button>
      </div>
      <p class="ask-told"><span class={`lamp${models.length ? " lit" : ""}`} aria-hidden="true" />{models.length ? t("{models} writes; every quote is checked", { models: [...new Set(models)].join(", ") }) : t("No model is asked; every quote is checked")}</p>
    </form>
  );
}

function Scope() {
  const chosen = scope.value;
  const open = opened.value;
  const set = (to: string[] | null): void => {
    scope.value = to;
    scopeIsChosen.value = true;
  };
  const total = held();
  if (total < 2) return null;
  const isFolder = chosen?.length === 1 && chosen[0] === folder.value?.pattern;
  const isThis = chosen?.length === 1 && chosen[0] === open?.id;
  return (
    <div class="scope" role="group" aria-label={t("Ask in")} onPointerDown={(event) => event.preventDefault()}>
      <button type="button" class="chip" aria-pressed={chosen === null && !where.value} onClick={() => set(null)}>{t("All {n}", { n: total })}</button>
      {open && <button type="button" class="chip" aria-pressed={isThis} onClick={() => set([open.id])}><span class="chip-name" title={namesOf(open)}>{calledOf(open)}</span></button>}
      {folder.value && <button type="button" class="chip" aria-pressed={isFolder} onClick={() => set([folder.value!.pattern])}><span class="chip-name">{nameOf(folder.value.pattern)}</span></button>}
      {chosen && chosen.length > MOST_CHIPS && (
        <span class="chip chosen">
          <span class="chip-name">{chosenName(chosen)}</span>
          <button type="button" class="chip-drop" aria-label={t("Ask all documents")} onClick={() => set(null)}><Icon name="close" /></button>
        </span>
      )}
      {chosen && !isThis && !isFolder && chosen.length <= MOST_CHIPS && chosen.map((id) => (
        <span class="chip chosen" key={id}>
          <span class="chip-name">{nameOf(id)}</span>
          <button type="button" class="chip-drop" aria-label={t("Do not ask {name}", { name: nameOf(id) })} onClick={() => set(chosen.length > 1 ? chosen.filter((one) => one !== id) : null)}><Icon name="close" /></button>
        </span>
      ))}
      {where.value && (
        <span class="chip chosen">
          <span class="chip-name">{t("where {filter}", { filter: where.value })}</span>
          <button type="button" class="chip-drop" aria-label={t("Ask without the filter")} onClick={() => filter("")}><Icon name="close" /></button>
        </span>
      )}
      <button type="button" class="chip" aria-haspopup="dialog" onClick={() => void (dialog.value = { kind: "scope" })}>{t("Choose…")}</button>
    </div>
  );
}
