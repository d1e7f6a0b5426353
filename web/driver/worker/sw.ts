/**
 * Stores the files of the app and the map on the phone, so that the app starts without network, and shows push
 * messages. It stores no data: the outbox is in the page's database, which updates do not touch.
 */
const worker = globalThis as unknown as ServiceWorkerGlobalScope;
/** The server defines these constants when it bundles this file. */
declare const VERSION: string;
declare const FILES: string[];

const KEPT = `malote-entregador-${VERSION}`;
const MAP = 'malote-mapa';
const PAGE = '/entregador';

worker.addEventListener('install', (event) => {
  // Bypasses the HTTP cache: the stored files must be those of this version.
  const files = FILES.map((path) => new Request(path, { cache: 'reload' }));
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(files)));
});

worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== KEPT && name !== MAP);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

// The page decides when a new version takes over, so that no input is lost.
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
  return (await caches.match(path, { cacheName: KEPT })) ?? fetch(request);
}

/** For the scripts of the map. Its tiles are cached by the browser. */
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
  tipo?: string;
}

/** The text of each kind of message. The app reads the details when it opens. */
const NEWS: Record<string, { pt: string; en: string }> = {
  oferta: { pt: 'Nova oferta de entrega', en: 'New delivery offer' },
  cancelada: { pt: 'Uma entrega sua foi cancelada', en: 'One of your deliveries was cancelled' },
  recebida: { pt: 'A central passou uma entrega para você', en: 'The central gave you a delivery' },
  repassada: {
    pt: 'Uma entrega sua passou para outro entregador',
    en: 'A delivery of yours went to another driver',
  },
  alterada: { pt: 'Uma entrega sua mudou', en: 'One of your deliveries changed' },
};
const OTHER_NEWS = { pt: 'Novidade na sua central', en: 'News from your central' };

worker.addEventListener('push', (event) => {
  let pushed: Pushed = {};
  try {
    pushed = (event.data?.json() as Pushed | undefined) ?? {};
  } catch {
    // A push without readable content is shown with the general text.
  }
  const language = worker.navigator.language.toLowerCase().startsWith('en') ? 'en' : 'pt';
  event.waitUntil(
    worker.registration.showNotification((NEWS[pushed.tipo ?? ''] ?? OTHER_NEWS)[language], {
      body: language === 'pt' ? 'Toque para abrir.' : 'Tap to open.',
      icon: '/entregador/icon-192.png',
      badge: '/entregador/badge.png',
      tag: pushed.tipo ?? 'malote',
      requireInteraction: pushed.tipo === 'oferta',
    }),
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
