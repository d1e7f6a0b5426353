import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const read = (path: string, headers: Record<string, string> = {}) =>
  fetch(malote.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
const FIRST_LOAD_BYTES_MAX = 150 * 1024;

/** The files that the service worker caches on the phone. */
async function keptFiles(): Promise<string[]> {
  const worker = await (await read('/entregador/sw.js')).text();
  return [...new Set([...worker.matchAll(/"(\/entregador[^"]*)"/g)].map(([, path]) => path!))];
}

test('the app is one page, whichever of its addresses is opened, and takes nothing from elsewhere', async () => {
  for (const path of ['/entregador', '/entregador/', '/entregador/ganhos']) {
    const page = await read(path);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
    assert.match(page.headers.get('content-security-policy')!, /manifest-src 'self'/);
    const text = await page.text();
    assert.match(text, /rel="manifest" href="\/entregador\/manifest.webmanifest"/);
    assert.ok(!/https?:\/\//.test(text));
  }
  assert.equal((await read('/entregador/nada.js')).status, 404);
});

test('the app can be installed: a manifest with its icons', async () => {
  const answer = await read('/entregador/manifest.webmanifest');
  assert.match(answer.headers.get('content-type')!, /application\/manifest\+json/);
  const manifest = (await answer.json()) as {
    start_url: string;
    scope: string;
    display: string;
    icons: { src: string; sizes: string; type: string; purpose?: string }[];
  };
  assert.equal(manifest.start_url, '/entregador');
  assert.equal(manifest.display, 'standalone');
  for (const size of ['192x192', '512x512'])
    assert.ok(manifest.icons.some(({ sizes, type }) => sizes === size && type === 'image/png'));
  assert.ok(manifest.icons.some(({ purpose }) => purpose === 'maskable'));
  for (const { src, type } of manifest.icons) {
    const icon = await read(src);
    assert.equal(icon.status, 200);
    assert.equal(icon.headers.get('content-type'), type);
  }
});

test('the service worker covers the bare address and names files that are all there', async () => {
  const worker = await read('/entregador/sw.js');
  assert.equal(worker.headers.get('service-worker-allowed'), '/entregador');
  assert.equal(worker.headers.get('cache-control'), 'no-cache');
  assert.match(worker.headers.get('content-security-policy')!, /connect-src 'self'/);
  const files = await keptFiles();
  assert.ok(files.length >= 8, files.join());
  for (const path of files) assert.equal((await read(path)).status, 200, path);
});

test('files are kept for good under their version, and another version has none', async () => {
  const [script] = (await keptFiles()).filter((path) => path.endsWith('app.js'));
  const answer = await read(script!, { 'accept-encoding': 'gzip' });
  assert.match(answer.headers.get('cache-control')!, /immutable/);
  assert.equal(answer.headers.get('content-encoding'), 'gzip');
  assert.equal((await read(script!.replace(/assets\/\w+/, 'assets/000000000000'))).status, 404);
});

test('the app is one classic script, which browsers keep compiled beside the files of the service worker', async () => {
  const page = await (await read('/entregador')).text();
  assert.deepEqual([...page.matchAll(/<script[^>]*>/g)].length, 1);
  assert.match(page, /<script defer src="[^"]+\/app\.js">/);
  const [script] = (await keptFiles()).filter((path) => path.endsWith('app.js'));
  const source = await (await read(script!)).text();
  assert.doesNotThrow(() => new Script(source), 'it is no module');
});

test('the first load stays under 150 KB compressed, without the map', async () => {
  let bytes = 0;
  for (const path of [...(await keptFiles()), '/entregador/sw.js'])
    bytes += gzipSync(Buffer.from(await (await read(path)).arrayBuffer()), { level: 9 }).length;
  console.log(`first load: ${(bytes / 1024).toFixed(1)} KB compressed`);
  assert.ok(bytes < FIRST_LOAD_BYTES_MAX, `${bytes} bytes`);
});
