import { useEffect, useRef } from 'react';

export type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Page-wide keyboard shortcuts. They are inactive in fields, in dialogs and with modifier keys. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      if (event.key === 'Enter' && isPressable(event.target)) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const isPressable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('a, button, summary') !== null;

/** Names a shortcut after the text of a field, except on a device without a keyboard. */
export const withKey = (text: string, key: string): string =>
  matchMedia('(pointer: coarse)').matches ? text : `${text} ( ${key} )`.trim();

/** One selection in a list: j and k or the arrows move it, Enter opens it. */
export function useRowKeys({
  rows,
  selected,
  onSelect,
  onOpen,
}: {
  rows: readonly string[];
  selected: string | null;
  onSelect: (key: string) => void;
  onOpen: (key: string) => void;
}): void {
  const move = (by: number) => {
    const at = selected === null ? -1 : rows.indexOf(selected);
    const next = at === -1 ? rows[by > 0 ? 0 : rows.length - 1] : rows[at + by];
    if (next !== undefined) onSelect(next);
  };
  const forward = () => move(1);
  const back = () => move(-1);
  const open = () => {
    if (selected !== null && rows.includes(selected)) onOpen(selected);
  };
  useKeys({ j: forward, ArrowDown: forward, k: back, ArrowUp: back, Enter: open });
}
