// The page of the API, where scripts run: each route can be sent from its form, and what comes is shown as it is.

/** Of an answer so many characters are shown; the rest is for programs. */
const LONGEST = 200_000;

const make = <Name extends keyof HTMLElementTagNameMap>(name: Name, className = "", text = ""): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
};

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The request that a form stands for. */
function requestOf(form: HTMLFormElement): { url: string; init: RequestInit; line: string } {
  const method = form.dataset.method!;
  let path = form.dataset.path!;
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll<Field>("[data-in]")) {
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (field.value) query.append(field.name, field.value);
  }
  const url = query.size ? `${path}?${query}` : path;
  const headers: Record<string, string> = {};
  const field = <Kind extends Field>(name: string) => form.elements.namedItem(name) as Kind | null;
  if (field<HTMLInputElement>("stream")?.checked) headers.Accept = "text/event-stream";
  const body = field("body")?.value;
  const file = field<HTMLInputElement>("file")?.files?.[0];
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const told = Object.entries({ Authorization: "Bearer KEY", ...headers }).map(([name, value]) => ` -H ${quoted(`${name}: ${value}`)}`);
  const sent = body !== undefined ? ` -d ${quoted(body)}` : file ? ` --data-binary @${quoted(file.name)}` : "";
  const line = `curl${method === "GET" ? "" : ` -X ${method}`} ${quoted(location.origin + url)}${told.join("")}${sent}`;
  const init: RequestInit = { method, headers };
  if (body !== undefined || file) init.body = body ?? file!;
  return { url, init, line };
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** Show what comes: text as it comes where it is a stream, JSON set out, files to be saved. */
async function show(response: Response, shown: HTMLElement): Promise<void> {
  const type = response.headers.get("content-type") ?? "";
  if (/^text\/event-stream/.test(type) && response.body) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (shown.textContent!.length < LONGEST) shown.append(next.value);
    }
  } else if (/json|^text\//.test(type)) {
    const text = pretty(await response.text());
    shown.textContent = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text;
  } else {
    const bytes = await response.blob();
    if (!bytes.size) return shown.remove();
    const link = make("a", "", `Save ${bytes.size.toLocaleString("en")} bytes of ${type}`);
    link.href = URL.createObjectURL(bytes);
    link.download = "";
    shown.replaceChildren(link);
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const came = form.querySelector<HTMLElement>(".came")!;
  const button = form.querySelector<HTMLButtonElement>("button")!;
  const { url, init, line } = requestOf(form);
  const shown = make("pre");
  shown.tabIndex = 0;
  const state = make("p", "state", "Sent; nothing has come yet …");
  came.replaceChildren(make("pre", "line", line), state, shown);
  button.disabled = true;
  const from = performance.now();
  try {
    const response = await fetch(url, init);
    state.textContent = `${response.status} ${response.statusText}, after ${Math.round(performance.now() - from)} ms`;
    state.classList.toggle("bad", !response.ok);
    await show(response, shown);
  } catch {
    state.textContent = "The server does not answer.";
    state.classList.add("bad");
  } finally {
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>("form.try")) {
  form.querySelector<HTMLButtonElement>("button")!.disabled = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** The route that the address names is open. */
function open(): void {
  const named = document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLDetailsElement) named.open = true;
}
open();
addEventListener("hashchange", open);
