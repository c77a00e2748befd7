// One cell: where its answer stands, passages to choose from, and a text in its place.
import { useEffect, useRef, useState } from "preact/hooks";
import { goPlace } from "../reading";
import { status } from "../state";
import { correct, looked } from "../tabling";
import type { AnswerTable, Place } from "../types";
import { Icon } from "../ui/icon";
import { placeName } from "../words";
import { t } from "../wording";

/** As much of a passage as is put in a cell by one click. */
const LONGEST = 400;

export function CellDialog({ at, found }: { at: { row: number; column: number }; found: AnswerTable }) {
  const element = useRef<HTMLDialogElement>(null);
  const row = found.rows[at.row]!;
  const cell = row.cells[at.column] ?? null;
  const [text, setText] = useState(cell?.outcome === "answer" ? cell.text : "");
  const mayWrite = status.value?.can_write !== false;
  const close = (): void => void (looked.value = null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    element.current?.showModal();
    return () => {
      element.current?.close();
      before?.focus?.();
    };
  }, []);
  const put = async (said: string | null, citation: string | null = null): Promise<void> => {
    if (await correct(at.row, at.column, said, citation)) close();
  };
  const follow = (event: MouseEvent, place: Place): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    close();
    void goPlace(place, null);
  };
  const quotes = cell?.outcome === "answer" ? cell.citations : [];
  const choice = cell?.passages ?? [];
  return (
    <dialog ref={element} class="modal cell-dialog" aria-labelledby="cell-title" onClose={close} onClick={(event) => event.target === element.current && close()}>
      <div class="modal-inside">
        <header class="modal-head">
          <h2 id="cell-title">{found.questions[at.column]}</h2>
          <button type="button" class="tool bare" aria-label={t("Close")} onClick={close}><Icon name="close" /></button>
        </header>
        <p class="quiet">{row.document_title || row.document}</p>
        {cell?.outcome === "answer" && <p class="answer middling">{cell.text}</p>}
        {cell?.outcome === "nothing" && <p class="nothing">{cell.lead || t("Not stated in this document.")}</p>}
        {cell && <p class="quiet">{[cell.label, cell.by === "hand" && cell.found && t("found before: {text}", { text: cell.found })].filter(Boolean).join("; ")}</p>}
        {quotes.map((one) => (
          <blockquote key={one.id} class="cell-quote"><p class="words">{one.quote}</p><a href={`/c/${encodeURIComponent(one.id)}`} onClick={(event) => follow(event, one)}>{placeName(one)}</a></blockquote>
        ))}
        {choice.length > 0 && cell?.outcome !== "nothing" && (
          <details open={cell?.outcome === "passages"}>
            <summary>{cell?.outcome === "passages" ? t("Passages to choose from") : t("Passages that were read")}</summary>
            {choice.map((one) => (
              <blockquote key={one.id} class="cell-quote">
                <p class="words">{one.text}</p>
                <a href={`/c/${encodeURIComponent(one.id)}`} onClick={(event) => follow(event, one)}>{placeName(one)}</a>
                {mayWrite && <button type="button" class="tool" onClick={() => void put(text.trim() || one.text.slice(0, LONGEST), one.id)}>{text.trim() ? t("It stands here") : t("Take this")}</button>}
              </blockquote>
            ))}
          </details>
        )}
        {mayWrite && (
          <form class="cell-correct" onSubmit={(event) => { event.preventDefault(); void put(text.trim()); }}>
            <label for="cell-text">{t("What is to stand here")}</label>
            <textarea id="cell-text" rows={2} maxLength={2000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
            <div class="modal-acts">
              {cell?.by === "hand" && <button type="button" class="tool big" onClick={() => void put(null)}>{t("Take it back")}</button>}
              <button type="button" class="tool big" onClick={() => void put("")}>{t("Not stated")}</button>
              <button type="submit" class="ask-go big" disabled={!text.trim() || text.trim() === cell?.text}>{t("Keep")}</button>
            </div>
          </form>
        )}
      </div>
    </dialog>
  );
}
