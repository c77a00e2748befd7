// The section tree: the branch that is being read is open and marked. Arrow keys move as in any tree.
import { useEffect, useRef, useState } from "preact/hooks";
import { goPage } from "../reading";
import { focus, opened } from "../state";
import { short } from "../api";
import type { Section } from "../types";
import { Icon } from "../ui/icon";
import { said } from "../ui/said";
import { t } from "../wording";

const SMALL = 40;
const count = (sections: Section[]): number => sections.reduce((sum, one) => sum + 1 + count(one.sections), 0);

/** The path to the section a page is in: of those that share the page the one with the words in focus, else the first. */
function pathTo(sections: Section[], page: number, titles: string[] = []): string[] {
  const holding = sections.filter((one) => one.page <= page && page <= one.end_page);
  const named = holding.find((one) => one.title === titles[0]);
  const found = named ?? holding[0];
  if (!found) return [];
  const isReached = named !== undefined && titles.length === 1;
  return isReached ? [found.block] : [found.block, ...pathTo(found.sections, page, titles.slice(1))];
}

export function Tree({ sections, page }: { sections: Section[]; page: number }) {
  const small = count(sections) <= SMALL;
  const [toggled, setToggled] = useState<Record<string, boolean>>({});
  const root = useRef<HTMLUListElement>(null);
  const at = focus.value;
  const path = pathTo(sections, page, at?.page === page ? at.section : []);
  const here = path.at(-1);
  useEffect(() => {
    root.current?.querySelector(".sec.here")?.scrollIntoView({ block: "nearest" });
  }, [here]);
  const isOpen = (one: Section): boolean => toggled[one.block] ?? (small || path.includes(one.block));
  const onKey = (event: KeyboardEvent): void => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>(".sec") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const block = all[at]!.dataset.block!;
    const expanded = all[at]!.getAttribute("aria-expanded");
    if (event.key === "ArrowDown") all[at + 1]?.focus();
    else if (event.key === "ArrowUp") all[at - 1]?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else if (event.key === "ArrowRight" && expanded === "false") setToggled({ ...toggled, [block]: true });
    else if (event.key === "ArrowRight" && expanded === "true") all[at + 1]?.focus();
    else if (event.key === "ArrowLeft" && expanded === "true") setToggled({ ...toggled, [block]: false });
    else if (event.key === "ArrowLeft") all[at]!.closest("ul")?.closest("li")?.querySelector<HTMLElement>(".sec")?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const document_ = opened.value!;
  const item = (one: Section, depth: number, isFirst: boolean) => {
    const inner = one.sections.length > 0;
    const open = inner && isOpen(one);
    const go = (event: MouseEvent): void => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void goPage(document_.id, one.page);
    };
    return (
      <li key={one.block} role="none">
        <div class={`sec-row${path.includes(one.block) ? " on" : ""}`} ref={(row) => row?.style.setProperty("--depth", String(depth))}>
          {inner ? (
            <button type="button" class={`sec-fold${open ? " open" : ""}`} tabIndex={-1} aria-hidden="true" onClick={() => setToggled({ ...toggled, [one.block]: !open })}><Icon name="right" /></button>
          ) : (
            <span class="sec-fold" />
          )}
          <a class={`sec${here === one.block ? " here" : ""}`} role="treeitem" data-block={one.block} aria-level={depth + 1} aria-expanded={inner ? open : undefined} aria-current={here === one.block ? "location" : undefined} aria-selected={here === one.block}
            tabIndex={here ? (here === one.block ? 0 : -1) : isFirst ? 0 : -1} href={`/d/${short(document_.id)}/${one.page}`} onClick={go}>
            <span>{said(one.title || t("Untitled"))}</span>
            <span class="sec-page">{one.page}</span>
          </a>
        </div>
        {open && <ul role="group">{one.sections.map((inside) => item(inside, depth + 1, false))}</ul>}
      </li>
    );
  };
  return (
    <ul class="tree" role="tree" aria-label={t("Sections")} ref={root} onKeyDown={onKey}>
      {sections.map((one, at) => item(one, 0, at === 0))}
    </ul>
  );
}
