// An answer as Markdown for the clipboard, in which nothing that a document or a model says is markup or a link.
import type { Answer, Place } from "./types";
import { leadOf, placeIn, placeName } from "./words";

const SPECIAL = /([\\`*_{}[\]<>#|~!&$@]|:(?=\/\/)|(?<=www)\.)/gi;
const LEADING = /^([-+=]|\d+[.)](?=\s))/;
/** Controls and what nobody sees, which would turn a line round or hide something in it. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;

/** One line of text so that Markdown shows it as it is; the exports of the server escape the same. */
export function escaped(text: string): string {
  const line = text.replace(/\s+/g, " ").replace(UNSEEN, "").trim();
  return line.replace(SPECIAL, "\\$1").replace(LEADING, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

const lines = (text: string): string[] => text.split("\n").map(escaped).filter(Boolean);

function entry(place: Place, text: string, number: number, origin: string): string {
  const indent = " ".repeat(String(number).length + 2);
  const where = `[${escaped(placeIn(place))}, ${escaped(placeName(place))}](<${origin}${place.link}>)`;
  const section = place.section.length ? ` · ${place.section.map(escaped).join(" › ")}` : "";
  return `${number}. ${where}${section}\n\n${lines(text).map((line) => `${indent}> ${line}`).join("  \n")}`;
}

export function markdown(answer: Answer, origin: string): string {
  const lead = leadOf(answer) ? [escaped(leadOf(answer))] : [];
  const told = answer.outcome === "answer" ? lines(answer.answer) : [];
  const places: [Place, string][] =
    answer.outcome === "answer" ? answer.citations.map((one) => [one, one.quote]) : answer.outcome === "passages" ? answer.passages.map((one) => [one, one.text]) : [];
  const entries = places.map(([place, text], at) => entry(place, text, at + 1, origin));
  const link = places.length ? [`<${origin}${answer.link}>`] : [];
  return `${[`**${escaped(answer.question)}**`, ...lead, ...told, ...entries, ...link].join("\n\n")}\n`;
}
