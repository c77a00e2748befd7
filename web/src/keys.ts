// Keys for everything; none of them is taken while something is written.
import { signal } from "@preact/signals";
import { startAnew } from "./asking";
import { goPage, goPlace, turn } from "./reading";
import { address, dialog, drawerOpen, focus, isPhone, keysOn, opened, say, sheetUp, showsLayout, turns, zoom, type Zoom } from "./state";
import { openLibrary, toggleThumbs } from "./desk/Desk";
import { finding, startFinding, stopFinding } from "./finding";
import { fitted } from "./desk/Pages";
import { looked } from "./tabling";
import { bare } from "./words";
import { t } from "./wording";

const THEMES = ["", "light", "dark"];

export const theme = signal(document.documentElement.dataset.theme ?? "");

function nextTheme(): void {
  setTheme(THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!);
}

export function setTheme(to: string): void {
  const root = document.documentElement;
  theme.value = to;
  if (to) root.dataset.theme = to;
  else delete root.dataset.theme;
  document.cookie = `theme=${to}; path=/; max-age=${to ? 31536000 : 0}; samesite=strict`;
  say(to === "light" ? t("Always light.") : to === "dark" ? t("Always dark.") : t("Light or dark as the system is."));
}

/** Step through what the last answer cites, or the passages it shows. */
function step(by: number): void {
  const answer = turns.value.findLast((one) => one.answer)?.answer;
  if (!answer || answer.outcome === "nothing") return;
  const cited = answer.citations.length > 0;
  const places = cited ? answer.citations : answer.passages;
  if (!places.length) return;
  const at = places.findIndex((one) => one.id === focus.value?.id);
  const to = (at < 0 ? (by > 0 ? 0 : places.length - 1) : at + by + places.length) % places.length;
  if (cited) void goPlace(answer.citations[to]!, to + 1, { answer: bare(answer) });
  else void goPlace(answer.passages[to]!, null, { passage: answer.passages[to]! });
}

function zoomed(to: Zoom): void {
  zoom.value = to;
}

function focusOn(selector: string): void {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  if (found instanceof HTMLInputElement) found.select();
}

const KEYS: Record<string, () => void> = {
  "/": () => { sheetUp.value = false; focusOn("#question"); },
  "?": () => void (dialog.value = { kind: "help" }),
  j: () => turn(1),
  k: () => turn(-1),
  n: startAnew,
  h: () => void (dialog.value = { kind: "history" }),
  g: () => focusOn("#page-field"),
  l: () => void (showsLayout.value = !showsLayout.value),
  o: openLibrary,
  f: () => { openLibrary(); setTimeout(() => focusOn("#find"), 30); },
  t: toggleThumbs,
  s: () => void (dialog.value = { kind: "settings" }),
  d: nextTheme,
  "[": () => step(-1),
  "]": () => step(1),
  "+": () => zoomed(Math.min(4, fitted.value * 1.15)),
  "=": () => zoomed(Math.min(4, fitted.value * 1.15)),
  "-": () => zoomed(Math.max(0.25, fitted.value / 1.15)),
  "0": () => zoomed("auto"),
  "1": () => { openLibrary(); setTimeout(() => focusOn("#find"), 30); },
  "2": () => focusOn(".desk-scroll"),
  "3": () => focusOn("#question"),
  Home: () => opened.value && void goPage(opened.value.id, 1),
  End: () => opened.value && void goPage(opened.value.id, opened.value.pages),
  Escape: () => {
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    else if (drawerOpen.value) drawerOpen.value = false;
    else if (isPhone.value && sheetUp.value) sheetUp.value = false;
    else if (finding.value) stopFinding();
    else if (showsLayout.value) showsLayout.value = false;
  },
};

/** Keys that do something where a table is shown and neither a page nor an answer. */
const IN_TABLES = new Set(["?", "o", "f", "d", "s", "1", "escape"]);

/** Ctrl F finds in all pages, of which the browser has only those in sight; once more, and it is the browser's. */
function findInstead(event: KeyboardEvent): void {
  const field = opened.value ? "#find-here" : "#find";
  if (document.activeElement?.matches(field)) return;
  event.preventDefault();
  if (!opened.value) KEYS.f!();
  else {
    startFinding(getSelection()?.toString().trim().slice(0, 200) || undefined);
    setTimeout(() => focusOn("#find-here"), 30);
  }
}

export function listen(): void {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "f" && !event.shiftKey && !event.altKey && !dialog.value && address.value.kind !== "table") return findInstead(event);
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || dialog.value || looked.value) return;
    if (address.value.kind === "table" && !IN_TABLES.has(event.key.toLowerCase())) return;
    const at = event.target as HTMLElement;
    const writes = at.closest("input, textarea, select, [contenteditable]");
    if (writes && event.key !== "Escape") return;
    if ((event.key === "Home" || event.key === "End") && at.closest(".desk-scroll") === null && at !== document.body) return;
    const action = KEYS[event.key] ?? (event.key.length === 1 ? KEYS[event.key.toLowerCase()] : undefined);
    if (!action || (!keysOn.value && event.key.length === 1)) return;
    event.preventDefault();
    action();
  });
}
