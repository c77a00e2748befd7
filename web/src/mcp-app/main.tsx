// The page that a chat shows beside an answer: the cited page with its words marked, what became of the quote, the next one.
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import {
  at, capabilities, context, current, enlarge, focus, go, here, isAddress, load, open, places, sized, start, verdict, waits, type Page,
} from "./pages";

/** How much of the frame's width the cited words take in the close view, and how wide the page becomes there at most. */
const TAKES = 0.94;
const WIDEST = 820;

const isLarge = (): boolean => context.value.displayMode === "fullscreen" || context.value.containerDimensions?.height !== undefined;

const named = (page: Page): string => (page.page_label && page.page_label !== String(page.page) ? `page ${page.page_label} (${page.page} of ${page.pages})` : `page ${page.page} of ${page.pages}`);

/** What became of the quote, in a sentence. */
function fate(page: Page): [kind: "sure" | "moved" | "plain", words: string] {
  if (!page.quote) return ["plain", `This is ${named(page)}.`];
  if (page.state === "moved") return ["moved", `The document was read anew since: the words stand on ${named(page)} now.`];
  return ["sure", `The words stand on ${named(page)}, as they are quoted.`];
}

function Head() {
  const count = places.value.length;
  return (
    <header>
      <h1>{verdict.value || (count > 1 ? "Cited pages" : "The page")}</h1>
      {count > 1 && (
        <nav aria-label="Citations">
          <button type="button" aria-label="Citation before" aria-keyshortcuts="ArrowLeft" disabled={at.value === 0} onClick={() => go(at.value - 1)}><Icon name="left" /></button>
          <span aria-live="polite"><span class="unseen">Citation </span>{at.value + 1} of {count}</span>
          <button type="button" aria-label="Next citation" aria-keyshortcuts="ArrowRight" disabled={at.value === count - 1} onClick={() => go(at.value + 1)}><Icon name="right" /></button>
        </nav>
      )}
    </header>
  );
}

/** The picture with its boxes. Close, the cited block takes the width of the frame and stands in its middle. */
function Sheet({ page, isClose }: { page: Page; isClose: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  const box = focus(page);
  useLayoutEffect(() => {
    const outer = frame.current, inner = sheet.current;
    if (!outer || !inner || !isDrawn) return;
    const [left, top, right, bottom] = box ?? [0, 0, 1, 0];
    const room = outer.clientWidth;
    const width = isClose && box ? Math.max(room, Math.min((room * TAKES) / Math.max(0.01, right - left), WIDEST)) : room;
    inner.style.width = `${(100 * width) / room}%`;
    outer.scrollLeft = ((left + right) / 2) * inner.offsetWidth - outer.clientWidth / 2;
    outer.scrollTop = Math.min(top * inner.offsetHeight - 24, ((top + bottom) / 2) * inner.offsetHeight - outer.clientHeight / 2);
  }, [page, isDrawn, isClose]);
  const about = `${named(page)} of ${page.document}${focus(page) ? ", what is cited marked" : ""}`;
  return (
    <div class={isClose ? "frame" : "frame whole"} ref={frame} tabIndex={0} role="region" aria-label={`Picture of ${about}`}>
      <div class="sheet" ref={sheet}>
        <img src={page.picture} alt={about} onLoad={() => setDrawn(true)} />
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {!page.isMarked && page.marks.map(([left, top, right, bottom], key) => <rect key={key} class="mark" x={left} y={top} width={right - left} height={bottom - top} />)}
        </svg>
        {!page.isMarked && page.boxes.map((one, key) => <Outline key={key} box={one} />)}
      </div>
    </div>
  );
}

function Outline({ box: [left, top, right, bottom] }: { box: [number, number, number, number] }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const percent = (part: number): string => `${part * 100}%`;
    Object.assign(element.current!.style, { left: percent(left), top: percent(top), width: percent(right - left), height: percent(bottom - top) });
  });
  return <div class="outline" ref={element} />;
}

/** Of text without pages: the block with the quote in it. */
function Words({ page }: { page: Page }) {
  const from = page.quote ? page.text.indexOf(page.quote) : -1;
  const to = from + page.quote.length;
  return (
    <div class="frame words" tabIndex={0} role="region" aria-label={`Text of ${page.document}`}>
      {from < 0 ? page.text || page.quote : <>{page.text.slice(0, from)}<mark>{page.text.slice(from, to)}</mark>{page.text.slice(to)}</>}
    </div>
  );
}

function Foot({ page, isClose, turn }: { page: Page; isClose: boolean; turn(): void }) {
  const canOpen = capabilities.value.openLinks && isAddress(page.link);
  const canEnlarge = context.value.availableDisplayModes?.includes("fullscreen");
  const isFull = context.value.displayMode === "fullscreen";
  return (
    <footer>
      {canOpen && <a href={page.link} aria-keyshortcuts="o" onClick={(event) => (event.preventDefault(), open(page.link))}>Open in Octavo<Icon name="link" /></a>}
      <span class="gap" />
      {page.picture && focus(page) && <button type="button" aria-pressed={!isClose} aria-keyshortcuts="z" onClick={turn}>Whole page</button>}
      {canEnlarge && <button type="button" aria-pressed={isFull} aria-label="Fill the window" title="Fill the window" onClick={enlarge}><Icon name="fit" /></button>}
    </footer>
  );
}

function Shown({ page }: { page: Page }) {
  const [isClose, setClose] = useState(true);
  const [kind, words] = fate(page);
  const turn = (): void => setClose(!isClose);
  useKeys({ z: turn, o: () => open(page.link) });
  return (
    <>
      <p class="where"><bdi class="name">{page.document}</bdi>{page.section.map((title, key) => <bdi key={key}>{title}</bdi>)}</p>
      {page.picture ? <Sheet key={here.value?.id} page={page} isClose={isClose && !!focus(page)} /> : <Words page={page} />}
      {page.picture && page.quote && <blockquote>{page.quote}</blockquote>}
      <p class={`fate ${kind}`}>{kind !== "plain" && <Icon name={kind === "sure" ? "check" : "again"} />}{words}</p>
      <Foot page={page} isClose={isClose} turn={turn} />
    </>
  );
}

/** Keys that do something as long as what they do it to is shown. */
function useKeys(keys: Record<string, () => void>): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey || scrolls(event)) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

/** Whether a key scrolls a picture that is wider than its frame. */
function scrolls({ key, target }: KeyboardEvent): boolean {
  const frame = target as Element;
  return key.startsWith("Arrow") && frame.classList.contains("frame") && frame.scrollWidth > frame.clientWidth + 1;
}

function Trouble({ words }: { words: string }) {
  return (
    <div class="empty" role="alert">
      <p>{words}</p>
      <button type="button" onClick={() => here.value && void load(here.value.id)}>Try again</button>
    </div>
  );
}

function Body() {
  if (!here.value) return <div class="empty" role="status"><p>{waits.value}</p></div>;
  const found = current.value;
  if (found === "coming") return <div class="empty coming" role="status"><p>Page {here.value.page} is coming …</p></div>;
  return "page" in found ? <Shown key={here.value.id} page={found.page} /> : <Trouble words={found.trouble} />;
}

function App() {
  const root = useRef<HTMLElement>(null);
  useKeys({ ArrowLeft: () => go(at.value - 1), ArrowRight: () => go(at.value + 1) });
  useEffect(() => {
    const watch = new ResizeObserver(() => sized(Math.ceil(root.current!.getBoundingClientRect().height)));
    watch.observe(root.current!);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const { theme, styles } = context.value;
    const html = document.documentElement;
    if (theme === "light" || theme === "dark") html.dataset.theme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {})) if (name.startsWith("--") && value) html.style.setProperty(name, value);
  });
  return (
    <main ref={root} class={isLarge() ? "large" : ""}>
      {(places.value.length > 0 || verdict.value) && <Head />}
      <Body />
    </main>
  );
}

render(<App />, document.getElementById("app")!);
start().catch(() => (waits.value = "This page is shown by a program for chats, which does not answer."));
