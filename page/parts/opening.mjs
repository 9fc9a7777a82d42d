// What opens takes the focus, and gives it back when it closes: keys that are typed next belong to it.
import { useRef, useState } from "preact/hooks";

/** As the `ref` of an element: it takes the focus when it appears. */
export const focus = (element) => element?.focus();

/** As the `ref` of a form: its first field takes the focus, the caret behind the text. */
export function focusFirst(form) {
  const field = form?.querySelector("input:not([type=file]), select, textarea");
  field?.focus();
  if (field?.localName === "textarea") field.setSelectionRange(field.value.length, field.value.length);
}

/** Whether nothing has the focus, because the element that had it is gone. */
const isFree = () => !document.activeElement || document.activeElement === document.body;

/**
 * Opens and closes an editor: `[open, setOpen, close, ref]`. The button with `ref` gets the focus back, unless the editor was
 * closed because the focus went elsewhere, `close(true)`, or the user went on while it was saved.
 * @returns {[any, (open: any) => void, (left?: boolean) => void, (button: HTMLElement | null) => void]}
 */
export function useEditor(first = /** @type {any} */ (null)) {
  const [open, setOpen] = useState(/** @type {any} */ (first));
  const comes = useRef(false);
  const close = (left) => {
    comes.current = left !== true;
    setOpen(null);
  };
  const ref = (element) => {
    if (!element || !comes.current) return;
    comes.current = false;
    if (isFree()) element.focus();
  };
  return [open, setOpen, close, ref];
}
