/**
 * Keeps the app's files on the phone, so that it starts without network, and shows what is pushed to it. It keeps
 * nothing else: the outbox lives in the page's database, which no update touches.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope;
/** Written by the server when it bundles this file. */
declare const VERSION: string;
declare const FILES: string[];

const KEPT = `malote-entregador-${VERSION}`;
const MAP = 'malote-mapa';
const PAGE = '/entregador';

worker.addEventListener('install', (event) => {
  // Past the browser's own cache: what is kept for good must be what this version names.
  const files = FILES.map((path) => new Request(path, { cache: 'reload' }));
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(files)));
});

worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== KEPT && name !== MAP);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

// The page decides when, so that nobody loses what is being typed.
worker.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fromKept(PAGE, request));
  else if (FILES.includes(pathname)) event.respondWith(fromKept(pathname, request));
  else if (/^\/mapa\/[\w-]+\.\w+$/.test(pathname)) event.respondWith(freshOrKept(request));
});

async function fromKept(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(KEPT);
  return (await cache.match(path)) ?? fetch(request);
}

/** The map's program; its tiles are kept by the browser itself. */
async function freshOrKept(request: Request): Promise<Response> {
  const cache = await caches.open(MAP);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw error;
  }
}

interface Pushed {
  titulo?: string;
  texto?: string;
  motivo?: string;
}

worker.addEventListener('push', (event) => {
  let pushed: Pushed = {};
  try {
    pushed = (event.data?.json() as Pushed | undefined) ?? {};
  } catch {
    // A push without readable content still wakes the phone.
  }
  const isPortuguese = !worker.navigator.language.toLowerCase().startsWith('en');
  event.waitUntil(
    worker.registration.showNotification(
      pushed.titulo ?? (isPortuguese ? 'Novidade na sua central' : 'News from your central'),
      {
        body: pushed.texto ?? (isPortuguese ? 'Toque para abrir.' : 'Tap to open.'),
        icon: '/entregador/icon-192.png',
        badge: '/entregador/badge.png',
        tag: pushed.motivo ?? 'malote',
        requireInteraction: pushed.motivo === 'oferta',
      },
    ),
  );
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show());
});

async function show(): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window' });
  if (open) await open.focus();
  else await worker.clients.openWindow(PAGE);
}

export {};
