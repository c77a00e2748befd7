// One page: the picture the server draws, the marks and boxes over it, and its words as a transparent layer to select.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem, send, short } from "../api";
import { loadPage, noticed, pageOf, revived, scrollTo, wordsOf } from "../reading";
import { arriving, boxesIn, currentAmong, finding, isFinding } from "../finding";
import { focus, showsLayout } from "../state";
import type { Block, Box, Document, Page, Word } from "../types";
import { said } from "../ui/said";
import { kindName } from "../words";
import { Blocks } from "./Blocks";
import { Typeset } from "./Flow";
import { TextLayer } from "./TextLayer";
import { t } from "../wording";

const WIDTHS = [300, 600, 900, 1200, 1600, 2000, 2600];

export function pictureUrl(id: string, page: number, width: number): string {
  const wanted = width * Math.min(window.devicePixelRatio || 1, 2);
  const drawn = WIDTHS.find((one) => one >= wanted) ?? WIDTHS.at(-1)!;
  return `/v1/documents/${short(id)}/pages/${page}/image?width=${drawn}&v=${short(id)}`;
}

export function Sheet(props: { document: Document; page: number; top: number; width: number; height: number }) {
  const { document: open, page: number } = props;
  const found = pageOf(open.id, number);
  const page = found instanceof Problem ? null : found;
  const [hovered, setHovered] = useState<Block | null>(null);
  const [failed, setFailed] = useState(0);
  const [why, setWhy] = useState("");
  const [isDrawn, setDrawn] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const back = revived.value;
  useEffect(() => {
    if (!back) return;
    setWhy("");
    if (!isDrawn) setFailed(failed + 1);
  }, [back]);
  const src = pictureUrl(open.id, number, props.width) + (failed ? `&try=${failed}` : "");
  /** A server that is busy is asked again, twice; of one that cannot draw the page the reason is told. */
  const onError = async (): Promise<void> => {
    const problem = await send(src).then(() => null, noticed);
    if (problem && (!(problem.isBusy || problem.isGone) || failed >= 2)) setWhy(problem.message);
    else if (failed < 3) setTimeout(() => setFailed(failed + 1), 1200 * (failed + 1));
  };
  const onMove = (event: PointerEvent): void => {
    if (!page || event.pointerType === "touch" || showsLayout.value) return;
    const { left, top, width, height } = element.current!.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * page.width;
    const y = ((event.clientY - top) / height) * page.height;
    setHovered(page.blocks.findLast(({ box }) => box[0] - 2 <= x && x <= box[2] + 2 && box[1] - 2 <= y && y <= box[3] + 2) ?? null);
  };
  return (
    <div ref={element} class="sheet" role="group" aria-label={t("Page {name}", { name: String(number) })} data-page={number} onPointerMove={onMove} onPointerLeave={() => setHovered(null)}
      style={{ top: `${props.top}px`, width: `${props.width}px`, height: `${props.height}px` }}>
      {found instanceof Problem ? (
        <div class="sheet-trouble"><p>{found.message}</p><button type="button" class="tool" onClick={() => loadPage(open.id, number)}>{t("Try again")}</button></div>
      ) : (
        <img class="picture" src={src} alt="" decoding="async" draggable={false} onLoad={() => setDrawn(true)} onError={() => void onError()} />
      )}
      {!isDrawn && !why && !(found instanceof Problem) && <Coming />}
      {why && page && <PlainText page={page} why={why} />}
      {page && !why && <Ink page={page} hovered={hovered} />}
      {page && !why && isFinding(open.id) && <FoundInk document={open} page={page} />}
      {page && !why && <TextLayer document={open} page={page} scale={props.width / page.width} />}
      {page && !why && showsLayout.value && <Blocks page={page} />}
      {page && hovered && !why && !showsLayout.value && <Told block={hovered} page={page} />}
    </div>
  );
}

/** A page whose picture is on its way; the style sheet shows the wheel when that takes a while. */
function Coming() {
  return <div class="coming" aria-hidden="true"><span class="wheel" /></div>;
}

/** The words of a page whose picture cannot be drawn. */
function PlainText({ page, why }: { page: Page; why: string }) {
  const at = focus.value;
  const isHere = at && short(at.document) === short(page.document_id) && at.page === page.page ? at : null;
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isHere) text.current?.querySelector("mark, .cited")?.scrollIntoView({ block: "nearest" });
  }, [isHere]);
  return (
    <div class="sheet-text words" ref={text}>
      <p class="note">{t("The picture of this page cannot be drawn: {why}. These are its words.", { why: why.replace(/[.。]$/, "") })}</p>
      {page.blocks.map((block) => <Typeset key={block.block} block={block} at={isHere} />)}
    </div>
  );
}

const grown = ([x0, y0, x1, y1]: Box, by: number): { x: number; y: number; width: number; height: number } => ({
  x: x0 - by, y: y0 - by, width: x1 - x0 + 2 * by, height: y1 - y0 + 2 * by,
});

/** Whether a mark is not of words but of a whole block that is tall: it is then drawn lightly. */
const isWhole = (mark: Box, box: Box | null): boolean => box !== null && mark[3] - mark[1] > 40 && mark[3] - mark[1] > 0.9 * (box[3] - box[1]);

/** Marks like a highlighter, the box they stand in, and its number in the margin. */
function Ink({ page, hovered }: { page: Page; hovered: Block | null }) {
  const at = focus.value;
  const isHere = at && short(at.document) === short(page.document_id);
  const marks = isHere ? at.marks.filter((one) => one.page === page.page) : [];
  const box = isHere && at.page === page.page && at.box && at.box[2] > at.box[0] ? at.box : null;
  const key = isHere ? `${at.id}-${at.marks.length}` : "";
  return (
    <>
      <svg class="ink" viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden="true">
        {hovered && <rect class="hovered" {...grown(hovered.box, 2)} rx="2.5" />}
        {box && <rect class="cited-box" {...grown(box, 3.5)} rx="3" />}
        {box && at?.number !== null && (
          <g class="badge">
            <rect x={Math.max(1, box[0] - 21)} y={box[1] - 3.5} width="15" height="14" rx="3" />
            <text x={Math.max(1, box[0] - 21) + 7.5} y={box[1] + 6.8} text-anchor="middle">{at?.number}</text>
          </g>
        )}
      </svg>
      <svg class="ink marks" viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden="true" key={key}>
        {marks.map((one, index) => <rect key={index} class={isWhole(one.box, box) ? "mark whole" : "mark"} {...grown(one.box, 0.8)} rx="1.5" />)}
        {!marks.length && box && <rect class="mark whole" {...grown(box, 2)} rx="2" />}
      </svg>
    </>
  );
}

/** All places of what is looked for, and the hit that is shown. */
function FoundInk({ document: open, page }: { document: Document; page: Page }) {
  const [words, setWords] = useState<Word[]>([]);
  useEffect(() => {
    let isOff = false;
    wordsOf(open.id, page.page).then((found) => !isOff && setWords(found.words), () => undefined);
    return () => void (isOff = true);
  }, [open.id, page.page, revived.value]);
  const text = finding.value?.text ?? "";
  const places = useMemo(() => boxesIn(words), [words, text]);
  const now = currentAmong(places, page.page);
  const box = now < 0 ? null : places[now]![0]!;
  const hit = finding.value?.at;
  useEffect(() => {
    if (box && arriving()) scrollTo(page.page, box, page.page);
  }, [box?.join(), hit]);
  return (
    <svg class="ink found" viewBox={`0 0 ${page.width} ${page.height}`} aria-hidden="true">
      {places.map((boxes, at) => boxes.map((one, line) => <rect key={`${at}-${line}`} class={at === now ? "now" : undefined} {...grown(one, at === now ? 1.4 : 0.6)} rx="1.5" />))}
    </svg>
  );
}

function Told({ block, page }: { block: Block; page: Page }) {
  const chip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const style = chip.current!.style;
    style.left = `${(block.box[0] / page.width) * 100}%`;
    style.top = `${(block.box[1] / page.height) * 100}%`;
  }, [block, page]);
  const told = useMemo(() => [kindName(block.figure || block.kind), ...block.section.slice(-1)], [block]);
  return <div class="told" ref={chip} aria-hidden="true"><b>{told[0]}</b>{told[1] && <span>{said(told[1])}</span>}</div>;
}
