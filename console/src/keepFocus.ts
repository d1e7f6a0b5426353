/**
 * Keeps the place of the keyboard, which browsers put at the very beginning of the page when what had it is gone or
 * disabled. A button that is disabled while its work is done has it again afterwards. Where a thing is gone (a button
 * that did its work, the opener of a dialog, a row of the board), the keyboard goes on in the content. Ends with the
 * function that it returns.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | null = null;
  let wasDisabled = false;
  const note = ({ target }: FocusEvent): void => {
    last = target instanceof HTMLElement ? target : null;
    wasDisabled = false;
  };
  const giveBack = (to: HTMLElement): void => {
    if (!to.isConnected) {
      last = null;
      if (!document.querySelector('dialog[open]'))
        document.getElementById('content')?.focus({ preventScroll: true });
    } else if (wasDisabled) to.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(() => {
    // The browser takes the keyboard away from what is disabled only when it draws next.
    if (last?.isConnected && last.matches(':disabled')) wasDisabled = true;
    else if (last && document.activeElement === document.body) giveBack(last);
  });
  document.addEventListener('focusin', note);
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', note);
    watch.disconnect();
  };
}
