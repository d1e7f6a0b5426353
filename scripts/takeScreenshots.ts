import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../test/support/findChromium.ts';

/** The pictures of the README, taken from a new demonstration. */
const root = join(import.meta.dirname, '..');
const FOLDER = join(root, 'docs/images');
const BYTES_MAX = 200_000;
/** From the best to the worst that still looks good. */
const QUALITIES = [85, 75, 65, 50];
const CENTRAL = 'Central Demonstração';
const START_MS = 180_000;
const PAGE_MS = 60_000;
/** Long enough for the couriers to be on their way: the demonstration runs ten times as fast as reality. */
const SETTLE_MS = 75_000;
/** Maps load and draw their streets. */
const DRAW_MS = 15_000;

/** White pictures on a white page would run into each other. */
const FRAME = 'position: fixed; inset: 0; z-index: 99; border: 3px solid #80808059; pointer-events: none';

interface OpenDelivery {
  id: string;
  status: string;
  condutor: { id: string } | null;
  chegada_prevista: string;
  paradas: { concluida: boolean; nao_entregue: boolean }[];
}

const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  permissions: ['geolocation'],
};

const data = await mkdtemp(join(tmpdir(), 'malote-screenshots-'));
const environment = Object.entries(process.env).filter(
  ([name]) => !/^(MALOTE_|DATABASE_URL$|HOST$)/.test(name),
);
const service = spawn(process.execPath, [join(root, 'bin/malote.mjs'), 'serve'], {
  env: { ...Object.fromEntries(environment), PORT: '0', MALOTE_DATA: data, MALOTE_DEMO_ORDERS: 'rush' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(service, 'close');
const browser = await launchChromium();
try {
  const url = await listening();
  await sleep(SETTLE_MS);
  // In real time nothing changes much from one picture to the next.
  await ask(url, 'PUT', '/operacao/configuracoes', { simulacao_velocidade: 1 });
  const shown = await deliveryOnItsWay(url);
  await mkdir(FOLDER, { recursive: true });
  await take('board', url, DESK, async (page) => {
    await signIn(page, '/console/sessao', 'x-malote-console', {
      central: CENTRAL,
      usuario: 'central',
      senha: 'demo',
    });
    await page.goto(`/console?sel=${shown.id}`);
    await page.locator('.map-point').first().waitFor();
  });
  await take('driver', url, PHONE, async (page) => {
    const { codigo } = await ask<{ codigo: string }>(
      url,
      'POST',
      `/operacao/condutores/${shown.condutor!.id}/convites`,
    );
    await signIn(page, '/entregador/sessao', 'x-malote-entregador', { codigo, aparelho: 'celular' });
    await page.goto('/entregador');
    await page.getByText('Conectado', { exact: true }).waitFor();
  });
  await take('tracking', url, PHONE, async (page) => {
    const links = await ask<{ link_rastreio: string }[]>(
      url,
      'GET',
      `/integracao/entregas/${shown.id}/links-rastreio`,
    );
    await page.goto(links[shown.paradas.findIndex((stop) => !isVisited(stop))]!.link_rastreio);
    await page.locator('#map').waitFor();
  });
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await ended;
  await rm(data, { recursive: true, force: true });
}

/** The address of the service, once it listens. */
async function listening(): Promise<string> {
  let printed = '';
  service.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(200)) {
    const port = /listening at http:\/\/[^"]*:(\d+)/.exec(printed)?.[1];
    if (port) return `http://localhost:${port}`;
    if (service.exitCode !== null) break;
  }
  throw new Error(`the demonstration did not start: ${printed}`);
}

async function ask<Data>(
  url: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Record<string, unknown>,
): Promise<Data> {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: {
      'api-key': 'demo-chave',
      authorization: `Basic ${btoa('central:demo')}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: Data }).data;
}

/** The delivery in progress that has the longest way ahead and goes as ordered. */
async function deliveryOnItsWay(url: string): Promise<OpenDelivery> {
  const open = await ask<OpenDelivery[]>(url, 'GET', '/operacao/entregas/abertas');
  const candidates = open
    .filter(({ status, condutor, paradas }) => status === 'E' && condutor && !paradas.every(isVisited))
    .toSorted((one, other) => (one.chegada_prevista < other.chegada_prevista ? 1 : -1));
  for (const delivery of candidates) {
    const details = await ask(url, 'GET', `/operacao/entregas/${delivery.id}`);
    if (!JSON.stringify(details).includes('[simular')) return delivery;
  }
  throw new Error('no delivery of the demonstration is in progress');
}

function isVisited({ concluida, nao_entregue }: OpenDelivery['paradas'][number]): boolean {
  return concluida || nao_entregue;
}

async function signIn(page: Page, path: string, header: string, data: Record<string, string>): Promise<void> {
  const answer = await page.request.post(path, { headers: { [header]: '1' }, data });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
}

/** Opens a page once and takes it in light and in dark colours. */
async function take(
  name: string,
  url: string,
  options: BrowserContextOptions,
  open: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    ...options,
  });
  context.setDefaultTimeout(PAGE_MS);
  const page = await context.newPage();
  await open(page);
  await page.evaluate(`document.body.append(document.createElement('div'));
    document.body.lastChild.style.cssText = ${JSON.stringify(FRAME)}`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await sleep(DRAW_MS);
    const picture = await webpOf(page, options);
    await writeFile(join(FOLDER, `${name}-${colorScheme}.webp`), picture);
    console.log(`docs/images/${name}-${colorScheme}.webp: ${picture.length} bytes`);
  }
  await context.close();
}

/** Playwright itself takes PNG and JPEG only. */
async function webpOf(
  page: Page,
  { viewport, deviceScaleFactor = 1 }: BrowserContextOptions,
): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...viewport!, scale: deviceScaleFactor };
  for (const quality of QUALITIES) {
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality, clip });
    const picture = Buffer.from(data, 'base64');
    if (picture.length < BYTES_MAX) return picture;
  }
  throw new Error(`a picture has more than ${BYTES_MAX} bytes at every quality`);
}
