import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { Malote } from '../../client/src/index.ts';
import { NO_NETWORK, openBrowser } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { clientCheckInput } from '../support/clientCheckInput.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();

// A shop's own site, on another port, with the client in its bundle.
const bundled = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]!.text;
};
const files: Record<string, [type: string, content: string]> = {
  '/': ['text/html', '<!doctype html><html lang="pt-BR"><title>Loja</title><link rel="icon" href="data:,">'],
  '/client.js': ['text/javascript', await bundled('../../client/src/index.ts')],
  '/checks.js': ['text/javascript', await bundled('../support/clientChecks.ts')],
};
const site = createServer(({ url }, answer) => {
  const [type, content] = files[url ?? ''] ?? ['text/plain', ''];
  answer.writeHead(content ? 200 : 404, { 'content-type': `${type}; charset=utf-8` }).end(content);
});
await new Promise<void>((ready) => {
  site.listen(0, '127.0.0.1', ready);
});
after(() => site.close());
const shop = `http://localhost:${(site.address() as AddressInfo).port}`;
const browser = await openBrowser(shop);
const toService = /request to elsewhere: http:\/\/127\.0\.0\.1:\d+\/api\//;

interface Failure {
  name: string;
  status?: number;
  kind?: string | null;
  message: string;
  requestId?: string | null;
  retryAfterSeconds?: number;
  fields?: Record<string, string>;
}

/** Calls a method of the client on the page, and returns its result or its error. */
const call = (
  page: Page,
  method: keyof Malote,
  parameters: unknown[] = [],
  options: Record<string, unknown> = {},
): Promise<{ result?: unknown; failure?: Failure }> =>
  page.evaluate(
    async ([name, given, config]) => {
      const module = '/client.js';
      const { Malote: Client } = (await import(module)) as typeof import('../../client/src/index.ts');
      const client = new Client(config as unknown as ConstructorParameters<typeof Client>[0]);
      try {
        const run = client[name] as (...given: unknown[]) => Promise<unknown>;
        return { result: await run.apply(client, given) };
      } catch (error) {
        return { failure: { ...(error as Failure), message: (error as Failure).message } };
      }
    },
    [
      method,
      parameters,
      { url: malote.url, apiKey: 'demo-chave', user: 'gerente', password: 'demo', attempts: 1, ...options },
    ] as const,
  );

test('a page of a listed origin uses the client: it reads, writes, and understands what is refused', async (t) => {
  await malote.configureFor(t, { browserOrigins: [shop] });
  await using screen = await browser.desk({ expected: [toService, /status of (400|401|404|429)/] });
  const { page } = screen;
  await page.goto('/');

  const { result } = await call(page, 'criarEntrega', [order()]);
  const { id_mch: id } = result as { id_mch: string };
  assert.deepEqual((await call(page, 'obterStatus', [id])).result, { status: 'D' });
  const edited = await call(page, 'editarEntrega', [id, order()]);
  assert.equal(edited.failure, undefined);

  const invalid = await call(page, 'criarEntrega', [{}]);
  assert.equal(invalid.failure?.name, 'InvalidInputError');
  assert.match(invalid.failure.requestId ?? '', /\S{16,}/);
  const unknown = await call(page, 'obterStatus', [999_999_999]);
  assert.equal(unknown.failure?.kind, 'delivery-not-found');
  for (const wrong of [{ password: 'errada' }, { apiKey: 'errada' }]) {
    const { failure } = await call(page, 'obterStatus', [id], wrong);
    assert.equal(failure?.name, 'UnauthorizedError', JSON.stringify(wrong));
  }

  await malote.configure({ limitDeliveries: 1 });
  await call(page, 'obterStatus', [id]);
  const { failure } = await call(page, 'obterStatus', [id]);
  assert.equal(failure?.name, 'LimitError');
  assert.ok(failure.retryAfterSeconds! >= 1, 'Retry-After is readable');
});

test('all that the client does works in a browser', async (t) => {
  await malote.configureFor(t, { browserOrigins: [shop] });
  await using screen = await browser.desk({ expected: [toService, /status of (401|404)/] });
  await screen.page.goto('/');
  const done = await screen.page.evaluate(
    async (given) => {
      const module = '/checks.js';
      const { checkClient } = (await import(module)) as typeof import('../support/clientChecks.ts');
      return checkClient(given);
    },
    { ...(await clientCheckInput(malote)), program: null },
  );
  assert.equal(done.length, 7);
});

test('the browser’s own fetch may be handed to the client', async (t) => {
  await malote.configureFor(t, { browserOrigins: [shop] });
  await using screen = await browser.desk({ expected: [toService] });
  await screen.page.goto('/');
  const areas = await screen.page.evaluate(async (url) => {
    const module = '/client.js';
    const { Malote: Client } = (await import(module)) as typeof import('../../client/src/index.ts');
    const options = { url, apiKey: 'demo-chave', user: 'central', password: 'demo', fetch: globalThis.fetch };
    return new Client(options).listarAreasAtuacao();
  }, malote.url);
  assert.ok(areas.length > 0);
});

test('a page of an origin that the central does not list reads and writes nothing', async (t) => {
  const [{ count: before } = { count: 0 }] = await malote.db<{ count: number }>`
    select count(*) from deliveries where central_id = 1`;
  for (const settings of [{}, { browserOrigins: ['https://painel.example'] }]) {
    await malote.configureFor(t, settings);
    await using screen = await browser.desk({ expected: [toService, /CORS policy/, NO_NETWORK] });
    await screen.page.goto('/');
    for (const [method, ...given] of [['criarEntrega', order()], ['listarAreasAtuacao']] as const)
      assert.equal((await call(screen.page, method, given)).failure?.name, 'ConnectionError');
  }
  // Listed by a neighbour alone: its preflight is answered, and nothing of this central can be read.
  await malote.configureFor(t, { browserOrigins: [shop] }, 2);
  await using screen = await browser.desk({ expected: [toService, /CORS policy/, NO_NETWORK] });
  await screen.page.goto('/');
  assert.equal((await call(screen.page, 'listarAreasAtuacao')).failure?.name, 'ConnectionError');
  const [after] = await malote.db<{ count: number }>`
    select count(*) from deliveries where central_id = 1`;
  assert.equal(after?.count, before);
});
