// What a person may set here, and what the server's owner has set: light and dark, keys, how it is found, who writes.
import { setTheme, theme } from "../keys";
import { chosenSystem, keysOn, status, store } from "../state";
import { Modal } from "./dialog";
import { language, languages, t } from "../wording";

const THEMES: [string, string][] = [["", t("As the system is")], ["light", t("Light")], ["dark", t("Dark")]];
const ROLES: Record<string, string> = { text: t("writes answers"), vision: t("looks at pictures") };

/** The server prints the page in the language that the cookie names. */
function speak(code: string): void {
  document.cookie = `language=${code}; path=/; max-age=31536000; samesite=strict`;
  location.reload();
}

export function Settings() {
  const state = status.value;
  const models = Object.entries(state?.models ?? {});
  const told = state?.systems.find((one) => one.name === chosenSystem.value)?.told ?? "";
  return (
    <Modal title={t("Settings")}>
      <div class="settings">
        <fieldset>
          <legend>{t("Light and dark")}</legend>
          {THEMES.map(([name, label]) => <label key={name} class="setting"><input type="radio" name="theme" checked={theme.value === name} onChange={() => setTheme(name)} />{label}</label>)}
        </fieldset>
        <fieldset>
          <legend><label for="language">{t("Language")}</label>{language !== "en" && <span lang="en"> · Language</span>}</legend>
          <select id="language" class="find" value={language} onChange={(event) => speak(event.currentTarget.value)}>
            {Object.entries(languages).map(([code, name]) => <option key={code} value={code} lang={code}>{name}</option>)}
          </select>
          <p class="quiet">{t("Answers are in the language of their question.")}</p>
        </fieldset>
        <fieldset>
          <legend>{t("Keys")}</legend>
          <label class="setting"><input type="checkbox" checked={keysOn.value} onChange={(event) => { keysOn.value = event.currentTarget.checked; store("keys", keysOn.value ? "on" : "off"); }} />{t("Single letters are shortcuts")}</label>
          <p class="quiet">{t("Without them Ctrl F, Tab, Enter and Esc still do what they say. Turn them off where a voice or a screen reader types letters.")}</p>
        </fieldset>
        <fieldset>
          <legend><label for="system">{t("How answers are found")}</label></legend>
          <select id="system" class="find" aria-describedby="system-told" value={chosenSystem.value} onChange={(event) => { chosenSystem.value = event.currentTarget.value; store("system", chosenSystem.value); }}>
            {(state?.systems ?? []).map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}
          </select>
          <p id="system-told" class="quiet">{told}</p>
        </fieldset>
        <section aria-labelledby="who-writes">
          <h3 id="who-writes">{t("Who writes")}</h3>
          {models.length ? (
            <ul>{models.map(([role, name]) => <li key={role}><b>{name}</b> {ROLES[role] ?? role}</li>)}</ul>
          ) : <p>{t("No model is asked: answers are words of the documents.")}</p>}
          <p class="quiet">{t("Who runs the server chooses it:")} <code>octavo serve --model PROVIDER:NAME</code>. Octavo {state?.version ?? ""}.</p>
        </section>
      </div>
    </Modal>
  );
}
