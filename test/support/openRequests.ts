import type { Page, Request } from 'playwright-core';
import { waitUntil } from './waitUntil.ts';

/** Live updates stay open. */
const STREAM = /\/eventos$/;

/**
 * Map files, which the map's worker loads. The worker ends with its map, and the browser then reports neither an end
 * nor a failure of its open requests, nor of its script. They need no permission.
 */
const MAP = /^\/mapa\//;

const isWaitedFor = (request: Request): boolean => {
  const { pathname } = new URL(request.url());
  return !STREAM.test(pathname) && !MAP.test(pathname);
};

/** Waits for two frames, by which time the page has drawn every answer and sent every request that followed from it. */
export const nextFrames = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))',
  );

/**
 * Returns a function that waits until all requests of the page are answered and drawn, and those that the answers
 * cause. Live updates and maps are not waited for.
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
