// The right pane: questions and answers, and where the next question is written.
import { useLayoutEffect, useRef } from "preact/hooks";
import { ask, startAnew } from "../asking";
import { address, conversation, dialog, focus, isNarrow, isPhone, libraryFolded, match, opened, prefersStill, status, store, talkFolded, turns } from "../state";
import { AddButton } from "../library/Library";
import { LibraryButton } from "../desk/Desk";
import { Shelf } from "../desk/Shelf";
import { copyLink } from "../ui/copy";
import { goLibrary, held, known } from "../reading";
import { Brand, Icon } from "../ui/icon";
import { CitedCard } from "./Cards";
import { Composer } from "./Composer";
import { FirstLook } from "./FirstLook";
import { TurnView } from "./TurnView";
import { t } from "../wording";

export function Talk() {
  const flow = useRef<HTMLDivElement>(null);
  const all = turns.value;
  const last = all.at(-1);
  const count = all.length;
  // Before it is painted, and on a phone at once: what is tapped must not move away under the finger.
  useLayoutEffect(() => {
    const shown = address.value;
    const isAnswered = !last || last.state === "done";
    const at = (shown.kind === "answer" && isAnswered && all.find((one) => one.answer?.id === shown.id)) || last;
    const element = at && flow.current?.querySelector(`[data-turn="${at.key}"]`);
    element?.scrollIntoView({ block: "start", behavior: isPhone.value || prefersStill() ? "auto" : "smooth" });
  }, [count, last?.state, address.value.kind === "answer" ? address.value.id : ""]);
  const Head = isPhone.value ? "h1" : "h2";
  const cited = address.value.kind === "citation" && !count ? focus.value : null;
  return (
    <>
      <header class="bar talk-bar">
        {isPhone.value && <LibraryButton />}
        {isPhone.value && !count ? <h1><a class="brand" href="/" onClick={(event) => { event.preventDefault(); goLibrary(); }}><Brand />Octavo</a></h1> : <Head class="bar-name">{count ? t("Answers") : cited ? t("Citation") : t("Ask")}</Head>}
        <span class="bar-space" />
        <button type="button" class="tool bare" aria-label={t("Conversations before")} title={t("Conversations before (H)")} onClick={() => void (dialog.value = { kind: "history" })}><Icon name="clock" /></button>
        {conversation.value || count ? <button type="button" class="tool" onClick={startAnew} title={t("Start a new conversation (N)")}><Icon name="add" /><span>{t("New")}</span></button> : null}
        <button type="button" class="tool bare" aria-label={t("Settings")} title={t("Settings: light and dark, keys, how it is found, who writes")} onClick={() => void (dialog.value = { kind: "settings" })}><Icon name="gear" /></button>
        {!isPhone.value && (
          <button type="button" class="tool bare" aria-label={t("Fold questions and answers away")} title={t("Fold questions and answers away")} onClick={() => { talkFolded.value = true; store("talk-folded", "yes"); }}><Icon name="sideRight" /></button>
        )}
      </header>
      <div class="flow" ref={flow}>
        {cited?.full && (
          <section class="turn" aria-label={t("Citation")}>
            <CitedCard citation={cited.full} passage={null} number={null} isOn />
            {cited.full.state === "moved" && <p class="note">{t("These words have moved since the citation was made.")}</p>}
            <p><button type="button" class="tool" onClick={() => void copyLink(cited.full!.link)}><Icon name="link" />{t("Copy link")}</button></p>
          </section>
        )}
        {!count && !cited && (isPhone.value && !opened.value ? <PhoneHome /> : <Welcome />)}
        {all.map((one, index) => <TurnView key={one.key} turn={one} isLast={index === count - 1} />)}
      </div>
      <Composer />
    </>
  );
}

function Welcome() {
  const open = opened.value;
  return (
    <div class="welcome">
      <p class="welcome-head">{open ? t("What would you like to know?") : t("Ask your documents.")}</p>
      <p>{t("Every answer is shown with its page, its place on the page and its very words.")}</p>
      <Suggested />
      {open && <FirstLook key={open.id} document={open} asks={open.id !== status.value?.example?.id} />}
      {!isNarrow.value && !libraryFolded.value && <p class="quiet keys-told"><kbd>/</kbd> {t("to ask")} <kbd>J</kbd> <kbd>K</kbd> {t("to turn pages")} <kbd>?</kbd> {t("for all keys")}</p>}
    </div>
  );
}

/** Questions to begin with, where the example is what is asked. */
function Suggested() {
  const example = status.value?.example;
  const open = opened.value;
  const isThere = example && known.has(example.id) && (!open || open.id === example.id);
  if (!isThere) return null;
  return (
    <div class="suggested" role="group" aria-label={t("Questions to begin with")}>
      {example.questions.map((one) => <button type="button" class="suggestion" key={one} onClick={() => void ask(one)}>{one}</button>)}
    </div>
  );
}

function PhoneHome() {
  const isEmpty = status.value !== null && held() === 0 && !match.value;
  return (
    <div class="phone-home">
      {!isEmpty && <Welcome />}
      <Shelf />
      {!isEmpty && status.value?.can_write && <p class="empty-acts"><AddButton big /></p>}
    </div>
  );
}
