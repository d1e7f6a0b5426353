import assert from 'node:assert/strict';
import { NO_NETWORK, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
/** The script of all pages but the first one. */
const LATER = /\/console\/arquivos\/\w+\/laterPages-\w+\.js$/;
/** What a browser logs about a missing script. */
const MISSING = [/status of 404/, NO_NETWORK];

test('a page whose script is gone leads to one reload, then to words, and is shown once it is there', async () => {
  await using screen = await browser.desk({ expected: MISSING });
  const { page } = screen;
  await signIn(page);
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  // The situation after an update of the service: the script that this page names belongs to another version.
  await page.route(LATER, (route) => route.fulfill({ status: 404 }));
  await page.goto('/console');
  await page.getByRole('link', { name: 'Relatórios' }).click();
  await page.getByText('Não foi possível carregar esta página').waitFor();
  await eventually(() => assert.equal(loads, 2, 'it was reloaded once'));
  await screen.assertAccessible();
  await page.unroute(LATER);
  await page.getByRole('button', { name: 'Tentar novamente' }).click();
  await page.getByRole('heading', { name: 'Relatórios', level: 1 }).waitFor();
  await eventually(() => assert.equal(loads, 3));
});

test('without an answer of the service the console stays, and says that the page cannot be loaded', async () => {
  await using screen = await browser.desk({ expected: MISSING });
  const { page } = screen;
  await signIn(page);
  await page.route(LATER, (route) => route.abort());
  await page.route('**/console', (route) =>
    route.request().method() === 'HEAD' ? route.abort() : route.continue(),
  );
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goto('/console');
  await page.getByRole('link', { name: 'Relatórios' }).click();
  await page.getByText('Não foi possível carregar esta página').waitFor();
  await eventually(() => assert.equal(loads, 1));
  await page.getByRole('link', { name: 'O dia' }).click();
  await page.getByRole('heading', { name: 'O dia', level: 1 }).waitFor();
});

test('all other pages are loaded soon after the first one, before one is asked for', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  const seen = new Set<string>();
  page.on('requestfinished', (request) => seen.add(request.url()));
  await page.goto('/console');
  await waitUntil('the other pages are there', async () => [...seen].some((url) => LATER.test(url)));
});

test('a page that cannot be drawn says so with a way on, and the rest of the console goes on', async () => {
  await using screen = await browser.desk({ expected: [/Cannot (read|destructure)|undefined/] });
  const { page } = screen;
  await signIn(page);
  const reports = '**/api/v2/operacao/relatorios/**';
  await page.route(reports, (route) => route.fulfill({ json: { success: true, data: {} } }));
  await page.goto('/console/relatorios');
  await page.getByText('Esta página parou por um erro do console.').waitFor();
  await screen.assertAccessible();
  await page.getByRole('link', { name: 'Entregadores' }).click();
  await page.getByRole('heading', { name: 'Entregadores', level: 1 }).waitFor();
  await page.goBack();
  await page.unroute(reports);
  await page.getByRole('button', { name: 'Abrir de novo' }).click();
  await page.getByRole('heading', { name: 'Relatórios', level: 1 }).waitFor();
});
