// A modal dialog: the browser keeps the focus inside and gives it back afterwards.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { dialog } from "../state";
import { Icon } from "./icon";
import { t } from "../wording";

export function Modal({ title, children, class: kind }: { title: string; children: ComponentChildren; class?: string }) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    element.current?.showModal();
    element.current?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => {
      element.current?.close();
      before?.focus?.();
    };
  }, []);
  const close = (): void => void (dialog.value = null);
  return (
    <dialog ref={element} class={`modal ${kind ?? ""}`} aria-labelledby="dialog-title" onClose={close} onClick={(event) => event.target === element.current && close()}>
      <div class="modal-inside">
        <header class="modal-head">
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="tool bare" aria-label={t("Close")} onClick={close}><Icon name="close" /></button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
