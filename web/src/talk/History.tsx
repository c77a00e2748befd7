// Conversations of this key: found, opened, named, deleted.
import { useEffect, useRef, useState } from "preact/hooks";
import { openConversation, startAnew } from "../asking";
import { get, patch, path, remove } from "../api";
import { noticed } from "../reading";
import { conversation, dialog, say } from "../state";
import type { Conversations } from "../types";
import { Icon } from "../ui/icon";
import { Modal } from "../ui/dialog";
import { since } from "../words";
import { plural, t } from "../wording";

type Kept = Conversations["items"][number];

export function History() {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Conversations | null>(null);
  const [problem, setProblem] = useState("");
  const latest = useRef(0);
  const look = async (match: string, cursor = ""): Promise<void> => {
    const mine = ++latest.current;
    try {
      const more = await get<Conversations>(`/v1/conversations?${new URLSearchParams({ match, limit: "30", ...(cursor ? { cursor } : {}) })}`);
      if (mine !== latest.current) return;
      setFound((before) => (cursor && before ? { ...more, items: [...before.items, ...more.items] } : more));
      setProblem("");
    } catch (error) {
      if (mine === latest.current) setProblem(noticed(error).message);
    }
  };
  useEffect(() => {
    const timer = setTimeout(() => void look(text), text ? 200 : 0);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Modal title={t("Conversations")}>
      <label class="unseen" for="history-find">{t("Find in conversations")}</label>
      <input id="history-find" data-first class="find" type="search" placeholder={t("Find in what was asked and answered")} autocomplete="off" maxLength={200} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {problem && <p class="note" role="alert">{problem}</p>}
      <p class="quiet history-told" role="status">{!found ? t("Loading…") : !found.total ? (text.trim() ? t("No conversation has that.") : t("Nothing was asked with this key yet.")) : t("{conversations}, seen with this key alone", { conversations: plural(found.total, "conversation") })}</p>
      {found && found.items.length > 0 && (
        <ul class="history">
          {found.items.map((one) => <Row key={one.id} kept={one} changed={() => void look(text)} />)}
        </ul>
      )}
      {found?.next && <button type="button" class="tool wide" onClick={() => void look(text, found.next!)}>{t("More conversations")}</button>}
    </Modal>
  );
}

function Row({ kept, changed }: { kept: Kept; changed: () => void }) {
  const [mode, setMode] = useState<"" | "name" | "delete">("");
  const tried = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
      setMode("");
      changed();
    } catch (error) {
      say(noticed(error).message);
    }
  };
  const address = path`/v1/conversations/${kept.id}`;
  const open = (): void => {
    dialog.value = null;
    void openConversation(kept.id);
  };
  const drop = (): Promise<void> => tried(async () => {
    await remove(address);
    if (conversation.value === kept.id) startAnew();
  });
  const rename = (event: SubmitEvent): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get("name") ?? "");
    void tried(() => patch(address, { name }));
  };
  if (mode === "name")
    return (
      <li>
        <form class="history-name" onSubmit={rename}>
          <label class="unseen" for={`name-${kept.id}`}>{t("Name of the conversation")}</label>
          <input id={`name-${kept.id}`} name="name" class="find" maxLength={200} autocomplete="off" value={kept.is_named ? kept.name : ""} placeholder={kept.name} ref={(field) => field?.focus()} />
          <button type="submit" class="tool">{t("Name it")}</button>
          <button type="button" class="tool bare" aria-label={t("Leave the name")} onClick={() => setMode("")}><Icon name="close" /></button>
        </form>
      </li>
    );
  if (mode === "delete")
    return (
      <li>
        <div class="history-drop" role="group" aria-label={t("Delete {name}?", { name: kept.name })}>
        <span>{kept.turns === 1 ? t("Delete “{name}” and its answer?", { name: kept.name }) : t("Delete “{name}” and its {n} answers?", { name: kept.name, n: kept.turns })}</span>
        <button type="button" class="tool" ref={(button) => button?.focus()} onClick={() => setMode("")}>{t("Keep it")}</button>
        <button type="button" class="tool danger" onClick={() => void drop()}>{t("Delete")}</button>
        </div>
      </li>
    );
  return (
    <li>
      <button type="button" class="history-row" aria-current={conversation.value === kept.id ? "true" : undefined} onClick={open}>
        <span>{kept.name}</span>
        <small>{`${plural(kept.turns, "question")}, ${since(kept.changed)}`}</small>
      </button>
      <button type="button" class="tool bare" aria-label={t("Name {name}", { name: kept.name })} title={t("Name")} onClick={() => setMode("name")}><Icon name="pen" /></button>
      <button type="button" class="tool bare" aria-label={t("Delete {name}", { name: kept.name })} title={t("Delete")} onClick={() => setMode("delete")}><Icon name="bin" /></button>
    </li>
  );
}
