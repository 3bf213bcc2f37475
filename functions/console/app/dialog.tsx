import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A modal of the browser's own: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog(props: {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      class={props.wide ? 'wide' : undefined}
      onCancel={(event) => {
        event.preventDefault();
        props.close();
      }}
    >
      <header>
        <h2 id={id}>{props.title}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={props.close}>
          <span aria-hidden="true">×</span>
        </button>
      </header>
      {props.children}
    </dialog>
  );
}
