// The clipboard, with a word about what was copied.
import { say } from "../state";
import { t } from "../wording";

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(t("{what} copied.", { what }));
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    say(done ? t("{what} copied.", { what }) : t("This browser does not let the page copy."));
  }
}

export const copyLink = (path: string): Promise<void> => copy(location.origin + path, t("Link"));
