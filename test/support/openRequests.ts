import type { Page, Request } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** Live updates, which stay open. */
const STREAM = /\/eventos$/;

/**
 * Files of maps, which the map's own worker loads. A worker ends with its map, and the browser then reports neither an
 * end nor a failure of what the worker was loading, nor of its script. They need no rights.
 */
const MAP = /^\/mapa\//;

const isWaitedFor = (request: Request): boolean => {
  const { pathname } = new URL(request.url());
  return !STREAM.test(pathname) && !MAP.test(pathname);
};

/** Two frames: whatever was to be drawn or asked for because of an answer or a hand is drawn and asked for by then. */
export const nextFrames = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))',
  );

/**
 * Waits until everything that the page asked for is answered and drawn, except its live updates and maps. What the
 * answers make it ask for is waited for as well.
 */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (isWaitedFor(request)) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return async () => {
    const what = () => `every request is answered; open: ${[...open].map((each) => each.url()).join(', ')}`;
    await waitUntil(what, async () => {
      if (open.size > 0) return false;
      await nextFrames(page);
      return open.size === 0;
    });
  };
}
