import type { FastifyInstance, FastifyReply } from 'fastify';
import { isBuilt, programFile } from '../../platform/kernel/programFiles.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { installFiles, openBundle } from '../bundle.ts';
import type { KeptOnPhones } from '../bundleSources.ts';
import { contentPolicy } from '../html.ts';
import { type KeptFile, keptContent, keptFile, typeOf } from '../keptFile.ts';

const APP = '/entregador';
const ICONS = ['icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'badge.png'];

const bundle = openBundle('driver');
let worker: Promise<KeptFile> | undefined;

/** The driver's web app: its page, its files, and the service worker that keeps them on the phone. */
export function installDriver(app: FastifyInstance, mapStyle: string | undefined): void {
  const policy = contentPolicy(mapStyle);

  const page = async (reply: FastifyReply) => {
    const { version } = await bundle();
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(shell(version));
  };
  app.get(APP, async (_request, reply) => page(reply));
  app.get(`${APP}/*`, async (request, reply) => {
    // A request for a missing file must not get the page.
    if (/\.\w+$/.test(request.url.split('?')[0]!)) throw new Refusal('route-not-found');
    return page(reply);
  });

  installFiles(app, `${APP}/assets`, bundle);
  for (const name of ICONS) {
    const icon = keptFile(programFile(`web/driver/icons/${name}`));
    app.get(`${APP}/${name}`, (request, reply) => icon.send(request, reply));
  }
  const manifest = keptContent(typeOf('.webmanifest'), async () => Buffer.from(JSON.stringify(MANIFEST)));
  app.get(`${APP}/manifest.webmanifest`, (request, reply) => manifest.send(request, reply));
  app.get(`${APP}/sw.js`, async (request, reply) => {
    worker ??= openWorker();
    const file = await worker.catch((error) => {
      worker = undefined;
      throw error;
    });
    reply.header('content-security-policy', policy).header('service-worker-allowed', APP);
    return file.send(request, reply);
  });
}

async function openWorker(): Promise<KeptFile> {
  if (isBuilt) return keptFile(programFile('web/driver/sw.js'));
  const { version, files } = await bundle();
  const { bundleDriverWorker } = await import('../bundleSources.ts');
  const script = await bundleDriverWorker(keptOnPhones(version, [...files.keys()]));
  return keptContent(typeOf('.js'), async () => script);
}

/** What the service worker keeps: the page, the files of the bundle, and those with names of their own. */
export const keptOnPhones = (version: string, names: readonly string[]): KeptOnPhones => ({
  version,
  page: shell(version),
  paths: [
    APP,
    ...names.map((name) => `${APP}/assets/${version}/${name}`),
    ...['manifest.webmanifest', ...ICONS].map((name) => `${APP}/${name}`),
  ],
});

const MANIFEST = {
  id: APP,
  name: 'Malote Entregador',
  short_name: 'Entregador',
  description: 'Ofertas, corridas e comprovantes de quem entrega.',
  lang: 'pt-BR',
  start_url: APP,
  scope: APP,
  display: 'standalone',
  orientation: 'portrait',
  background_color: '#ffffff',
  theme_color: '#0b6e4f',
  categories: ['business', 'navigation'],
  icons: [
    { src: `${APP}/icon.svg`, sizes: 'any', type: 'image/svg+xml' },
    { src: `${APP}/icon-192.png`, sizes: '192x192', type: 'image/png' },
    { src: `${APP}/icon-512.png`, sizes: '512x512', type: 'image/png' },
    { src: `${APP}/icon-maskable-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
};

const shell = (version: string): string => `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#111418">
    <meta name="robots" content="noindex">
    <meta name="apple-mobile-web-app-title" content="Entregador">
    <title>Malote Entregador</title>
    <link rel="manifest" href="${APP}/manifest.webmanifest">
    <link rel="icon" href="${APP}/icon.svg" type="image/svg+xml">
    <link rel="apple-touch-icon" href="${APP}/icon-192.png">
    <link rel="stylesheet" href="${APP}/assets/${version}/app.css">
    <script defer src="${APP}/assets/${version}/app.js"></script>
  </head>
  <body><div id="app"><p class="opening" role="status">Abrindo o aplicativo… / Opening the app…</p></div><noscript>O aplicativo precisa de JavaScript. / The app needs JavaScript.</noscript></body>
</html>`;
