// What the page says, in the language that the server chose for this browser: the English text is the key.
type Text = string | Record<string, string>;
interface Words {
  /** The texts of the language by the English ones; none where the page is in English. */
  texts?: Record<string, Text>;
  /** The languages that there are, by their codes, as each calls itself. */
  languages?: Record<string, string>;
  /** How the text of an answer begins where no short answer is sure, in every language. */
  unsure?: string[];
}

function read(): Words {
  try {
    return JSON.parse(document.getElementById("octavo-words")?.textContent || "{}") as Words;
  } catch {
    return {};
  }
}

const words = read();
const texts = new Map(Object.entries(words.texts ?? {}));
export const language = document.documentElement.lang || "en";
export const languages = words.languages ?? { en: "English" };
export const unsure = words.unsure ?? [];
const rules = new Intl.PluralRules(language);
const listing = (type: "conjunction" | "disjunction"): Intl.ListFormat => new Intl.ListFormat(language === "en" ? "en-GB" : language, { type });

export const number = (count: number): string => count.toLocaleString(language);
/** A number with so many digits behind the point. */
export const digits = (value: number, places: number): string => value.toLocaleString(language, { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false });
/** "a, b and c" */
export const listed = (items: string[]): string => listing("conjunction").format(items);

const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** What is written from right to left, kept apart from the sentence it is put in: its marks and numbers stay with it. */
const apart = (value: string): string => (LEFTWARD.test(value) ? `\u2068${value}\u2069` : value);

/** A text in the reader's language, values put in the places of their names; one with forms goes by its first number. */
export function t(english: string, values: Record<string, string | number> = {}): string {
  const found = texts.get(english) ?? english;
  const count = Object.values(values).find((one) => typeof one === "number") ?? 0;
  const text = typeof found === "string" ? found : (found[rules.select(count)] ?? found.other ?? english);
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    return value === undefined ? place : typeof value === "number" ? number(value) : apart(value);
  });
}

/** A count with its noun, which is given in English. */
export function plural(count: number, noun: string): string {
  const many = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return language === "en" && count === 1 ? `1 ${noun}` : t(`{n} ${many}`, { n: count });
}
