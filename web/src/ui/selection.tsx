// Words selected on a page: copy them, copy a link to them (the server finds where they stand), or ask about them.
import { useEffect, useState } from "preact/hooks";
import { post } from "../api";
import { noticed } from "../reading";
import { draft, opened, say } from "../state";
import type { Verification } from "../types";
import { copy, copyLink } from "./copy";
import { Icon } from "./icon";
import { t } from "../wording";

/** Of the bar of actions, which stands over the tools of the page: near the words it would cover others. */
const HEIGHT = 40;

interface Chosen {
  text: string;
  x: number;
  y: number;
}

export function Selection() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const selection = getSelection();
        const text = selection?.toString().replace(/\s+/g, " ").trim() ?? "";
        const inside = selection?.anchorNode?.parentElement?.closest(".text-layer, .typeset");
        if (!selection || !inside || text.length < 2 || text.length > 2000) return setChosen(null);
        const box = selection.getRangeAt(0).getBoundingClientRect();
        const bar = inside.closest(".desk")?.querySelector(".bar")?.getBoundingClientRect();
        if (bar && (box.width || box.height)) setChosen({ text, x: bar.left + bar.width / 2, y: bar.top + (bar.height - HEIGHT) / 2 });
      }, 180);
    };
    document.addEventListener("selectionchange", look);
    return () => document.removeEventListener("selectionchange", look);
  }, []);
  if (!chosen || !opened.value) return null;
  const link = async (): Promise<void> => {
    try {
      const found = await post<Verification>("/v1/verify", { quote: chosen.text, documents: [opened.value!.id] });
      const place = found.places[0];
      if (place) await copyLink(place.link);
      else say(t("These words run over several blocks: select less."));
    } catch (error) {
      say(noticed(error).message);
    }
  };
  const askAbout = (): void => {
    draft.value = t("What is said about “{words}”?", { words: chosen.text.slice(0, 160) });
    document.getElementById("question")?.focus();
    setChosen(null);
  };
  return (
    <div class="selected" role="toolbar" aria-label={t("Selected words")} onPointerDown={(event) => event.preventDefault()}
      style={{ left: `${chosen.x}px`, top: `${chosen.y}px` }}>
      <button type="button" onClick={() => void link()}><Icon name="link" />{t("Copy link")}</button>
      <button type="button" onClick={() => void copy(chosen.text, t("Quote"))}><Icon name="copy" />{t("Copy")}</button>
      <button type="button" onClick={askAbout}>{t("Ask")}</button>
    </div>
  );
}
