/**
 * Keeps the focus, which browsers reset to the beginning of the page when the focused element is removed or disabled.
 * A button that is disabled while its action runs gets the focus back afterwards. If the element was removed (a button
 * after its action, the opener of a dialog, a row of a list), the focus moves to the content. The returned function
 * ends this.
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
    // The browser takes the focus from a disabled element only at the next rendering.
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
