// The page of tables: questions are columns, documents are rows, each cell an answer with its page.
import { useEffect, useRef } from "preact/hooks";
import { countChosen, held } from "../reading";
import { dialog, drawerOpen, isNarrow, isPhone, libraryFolded, scope, status, store, where } from "../state";
import { asked, begin, download, estimate, fill, filling, leave, looked, problem, progress, questions, standing, stop, table, write } from "../tabling";
import { scopeName } from "../talk/Composer";
import type { AnswerCell, AnswerTable } from "../types";
import { Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import { pageName, seconds } from "../words";
import { CellDialog } from "./CellDialog";
import { digits, number, plural, t } from "../wording";

const FILES = [["xlsx", t("Excel workbook")], ["csv", "CSV"], ["html", t("Web page")], ["json", "JSON"]] as const;

export function TableView() {
  const found = table.value;
  useEffect(() => void standing(), [scope.value, where.value]);
  const library = (): void => {
    if (isNarrow.value) drawerOpen.value = true;
    else {
      libraryFolded.value = false;
      store("library-folded", "no");
    }
  };
  return (
    <section class="table-view" role="main" aria-label={t("Table of answers")}>
      <div class="bar">
        {(isNarrow.value || libraryFolded.value) && <button type="button" class="tool bare" aria-label={t("Library")} title={t("Library")} onClick={library}><Icon name="menu" /></button>}
        <h1 class="bar-name">{t("Table of answers")}</h1>
        <span class="bar-space" />
        {found && <Menu label={t("Save the table")} icon="save" class="tool" items={FILES.map(([format, name]) => ({ name, act: () => void download(format) }))} />}
        <button type="button" class="tool bare" aria-label={t("Close the table")} title={t("Close the table")} onClick={leave}><Icon name="close" /></button>
      </div>
      <div class="table-scroll">
        <Asking />
        {problem.value && <p class="unsure table-problem" role="alert"><Icon name="warn" /><span>{problem.value.message}</span></p>}
        {found ? <Answers found={found} /> : <p class="quiet table-none">{t("Each question is asked of each document by itself. A cell says what the document answers and on which page, that it does not state it, or shows passages to choose from.")}</p>}
      </div>
      {looked.value && found?.rows[looked.value.row] && <CellDialog key={`${looked.value.row}/${looked.value.column}`} at={looked.value} found={found} />}
    </section>
  );
}

function Asking() {
  const field = useRef<HTMLTextAreaElement>(null);
  const count = asked().length;
  const documents = scope.value ? countChosen(scope.value) : held();
  const isBusy = filling.value === "estimating" || filling.value === "filling";
  useEffect(() => {
    if (!isPhone.value) field.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const element = field.current!;
    element.style.height = "auto";
    element.style.height = `${Math.min(Math.max(element.scrollHeight, 78), 240)}px`;
  }, [questions.value]);
  return (
    <form class="table-ask" onSubmit={(event) => { event.preventDefault(); void begin(); }}>
      <label for="table-questions">{t("Questions, one a line")}</label>
      <textarea id="table-questions" ref={field} rows={3} placeholder={`${t("What was the revenue?")}\n${t("Who is the auditor?")}`} value={questions.value} onInput={(event) => write(event.currentTarget.value)} onBlur={() => void standing()} />
      <div class="table-acts">
        <button type="button" class="chip" aria-haspopup="dialog" onClick={() => void (dialog.value = { kind: "scope" })}>{t("Asked of {scope}…", { scope: scopeName() })}</button>
        <span class="quiet">{where.value ? t("where {filter}", { filter: where.value }) : count > 0 && documents > 0 ? t("{documents} by {questions}", { documents: plural(documents, "document"), questions: plural(count, "question") }) : ""}</span>
        <span class="bar-space" />
        {isBusy
          ? <button type="button" class="tool big" onClick={stop}><Icon name="stop" />{t("Stop")}</button>
          : <button type="submit" class="ask-go big" disabled={!count || !documents || filling.value !== "no"}>{t("Fill the table")}</button>}
      </div>
      <Estimate />
      <Progress />
    </form>
  );
}

function Estimate() {
  const plan = estimate.value;
  if (!plan || filling.value !== "agreeing") return null;
  const tokens = t("{read} tokens read and {written} written", { read: number(plan.input_tokens), written: number(plan.output_tokens) });
  const cost = plan.cost === null ? t("its price is not known") : t("cost {cost}", { cost: digits(plan.cost, 2) });
  return (
    <div class="table-plan" role="alert">
      <p>{t("{cells} to fill: about {calls} of {models}, {tokens}, {cost}.", { cells: plural(plan.due, "cell"), calls: plural(plan.calls, "call"), models: plan.models.join(", "), tokens, cost })}</p>
      <button type="button" class="tool big" onClick={stop}>{t("Leave it")}</button>
      <button type="button" class="ask-go big" onClick={() => void fill()}>{t("Fill it")}</button>
    </div>
  );
}

function Progress() {
  const at = progress.value;
  if (filling.value === "estimating" || (filling.value === "filling" && !at)) return <p class="quiet" role="status">{t("Looking what is there…")}</p>;
  if (!at || filling.value !== "filling") return null;
  const left = at.done ? (at.seconds / at.done) * (at.due - at.done) : 0;
  return (
    <div class="table-progress">
      <progress max={Math.max(1, at.due)} value={at.done} aria-label={t("Cells that are filled")} />
      <span>{t("{some} of {what}", { some: number(at.done), what: plural(at.due, "cell") }) + (at.done > 1 && left >= 1 ? t(", about {time} left", { time: seconds(left) }) : "")}</span>
    </div>
  );
}

function Answers({ found }: { found: AnswerTable }) {
  const cells = found.rows.flatMap((row) => row.cells);
  const count = (outcome: string): number => cells.filter((one) => one?.outcome === outcome).length;
  const empty = cells.filter((one) => !one).length;
  const hand = cells.filter((one) => one?.by === "hand").length;
  const told = [plural(count("answer"), "answer"), t("{n} with passages to choose from", { n: count("passages") }), t("{n} not stated", { n: count("nothing") }), empty && t("{n} not filled yet", { n: empty }), hand && t("{n} by hand", { n: hand })];
  return (
    <>
      <p class="quiet table-told">{told.filter(Boolean).join(", ")}{found.stopped ? t(". Ended by a cap ({cap}): fill it again to go on.", { cap: found.stopped }) : ""}</p>
      {found.notes.map((note) => <p key={note} class="quiet table-told">{note}</p>)}
      <div class="answers-box" tabIndex={0} role="region" aria-label={t("Answers")}>
        <table class="answers">
          <thead><tr><th scope="col">{t("Document")}</th>{found.questions.map((question) => <th scope="col" key={question}>{question}</th>)}</tr></thead>
          <tbody>
            {found.rows.map((row, at) => (
              <tr key={row.document_id}>
                <th scope="row"><span class="row-name" title={row.document_title || row.document}>{row.document_title || row.document}</span>{row.document_title && <small class="doc-file">{row.document}</small>}</th>
                {row.cells.map((cell, column) => (
                  <td key={found.questions[column]} data-question={found.questions[column]} class={cell ? `is-${cell.outcome}${cell.by === "hand" ? " by-hand" : ""}` : "is-empty"}>
                    {cell ? <CellButton cell={cell} open={() => void (looked.value = { row: at, column })} /> : <span class="quiet">…</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {status.value?.can_write === false && <p class="quiet table-told">{t("This library is read-only: cells are not corrected here.")}</p>}
    </>
  );
}

function CellButton({ cell, open }: { cell: AnswerCell; open: () => void }) {
  const place = cell.outcome === "nothing" ? undefined : (cell.citations[0] ?? (cell.by === "hand" ? undefined : cell.passages[0]));
  const page = place && pageName(place.page, place.page_label);
  const said = cell.outcome === "answer" ? cell.text : cell.outcome === "nothing" ? t("not stated") : t("{n} to choose from", { n: cell.passages.length });
  return (
    <button type="button" class="cell" aria-haspopup="dialog" onClick={open}>
      <span class="cell-said">{said}</span>
      {cell.outcome === "passages" && cell.passages[0] && <span class="cell-first">{likeliest(cell.passages[0])}</span>}
      <small>{[cell.by === "hand" && t("by hand"), page].filter(Boolean).join(", ")}</small>
    </button>
  );
}

/** The words of a passage that fit best, as they are marked in it. */
function likeliest(passage: AnswerCell["passages"][number]): string {
  const [start, end] = passage.emphasis[0] ?? [0, passage.text.length];
  return passage.text.slice(start, end).replace(/\s+/g, " ").trim();
}
