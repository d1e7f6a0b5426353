import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

const BASE = '/console';
const readers = new Set<() => void>();
const notifyAll = () => {
  for (const notify of readers) notify();
};
window.addEventListener('popstate', notifyAll);

const current = (): string => location.pathname.slice(BASE.length) + location.search;

/** The path below /console, and the query, which holds the filters so that a view can be shared as a link. */
export function usePlace(): { path: string; query: URLSearchParams } {
  const place = useSyncExternalStore((notify) => {
    readers.add(notify);
    return () => readers.delete(notify);
  }, current);
  const [path = '', query = ''] = place.split('?');
  return { path: path.replace(/\/+$/, '') || '/', query: new URLSearchParams(query) };
}

export function go(to: string, { replace = false } = {}): void {
  if (!replace) history.replaceState({ scrolled: window.scrollY }, '');
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + to);
  notifyAll();
}

// The browser restores the position before the page has its content again.
history.scrollRestoration = 'manual';

const RESTORE_MS = 2_000;

/**
 * Shows a place where it was left, if it is returned to by Back or Forward, and a new place at its top. Its content may
 * come from the server, so it is tried again until the page is long enough. Returns how to give up.
 */
export function restoreScroll(): () => void {
  const state: unknown = history.state;
  const wanted = typeof state === 'object' && state && 'scrolled' in state ? Number(state.scrolled) : 0;
  window.scrollTo(0, wanted);
  if (wanted === 0) return () => {};
  const until = performance.now() + RESTORE_MS;
  let frame = 0;
  const retry = () => {
    if (Math.abs(window.scrollY - wanted) <= 1 || performance.now() > until) return;
    window.scrollTo(0, wanted);
    frame = requestAnimationFrame(retry);
  };
  frame = requestAnimationFrame(retry);
  const giveUp = () => cancelAnimationFrame(frame);
  for (const type of ['wheel', 'touchstart', 'keydown'] as const)
    window.addEventListener(type, giveUp, { once: true, passive: true });
  return giveUp;
}

/** The same place with some filters changed. An empty value removes one. */
export function withQuery(changes: Record<string, string | null>): string {
  const [path = '', query = ''] = current().split('?');
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  return text ? `${path}?${text}` : path;
}

export function Link({
  to,
  replace = false,
  ...rest
}: { to: string; replace?: boolean } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to, { replace });
  };
  return <a {...rest} href={BASE + to} onClick={follow} />;
}
