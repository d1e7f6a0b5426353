import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { loadDemoAddresses } from '../../../server/simulation/demo/demoAddresses.ts';
import { mapIsReady, openBrowser, signIn, standsStill } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Json } from '../../support/client.ts';
import { startMalote } from '../../support/malote.ts';
import { order, stop } from '../../support/orders.ts';
import { assertAttribute, assertHidden, assertNone, assertValue } from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
await loadDemoAddresses(malote.db, malote.clock);
await malote.app.deps.geocoders.refresh();
const browser = await openBrowser(malote.url);
const { operator, manager } = malote;

const placeOf = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
const addressOf = (page: Page, name: string): Locator => placeOf(page, name).getByLabel('Endereço');

/** Types as a person does, and counts groups of keys: a run of letters, or of one key. */
function keyboardOf(page: Page) {
  const groups: string[] = [];
  return {
    groups,
    async type(text: string) {
      groups.push(text);
      await page.keyboard.type(text, { delay: 15 });
    },
    async press(key: string) {
      if (groups.at(-1) !== `[${key}]`) groups.push(`[${key}]`);
      await page.keyboard.press(key);
    },
  };
}

/** A pause this short may already request suggestions. */
const TYPING_PAUSE_MS = 60;

const shop = {
  tipo: 'partida',
  nome: 'Loja',
  endereco: 'Rua Padre Chagas, 185',
  bairro: 'Moinhos de Vento',
  cidade: 'Porto Alegre',
  estado: 'RS',
  lat: -30.0263,
  lng: -51.2022,
  padrao: true,
};

test('a delivery with two stops is ordered by typing only, and no coordinate is seen', async (t) => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/');
  await page.getByRole('heading', { name: 'O dia' }).waitFor();
  const keys = keyboardOf(page);
  await keys.press('n');
  const company = page.getByRole('combobox', { name: 'Empresa' });
  await company.getByRole('option', { name: 'Padaria Moinhos' }).waitFor({ state: 'attached' });
  await waitUntil('the form has the focus', () => company.evaluate((it) => it.matches(':focus')));
  await keys.type('Pad');
  await keys.press('Enter');
  await keys.type('padre chagas 185');
  await keys.press('Enter');
  const pickup = placeOf(page, 'Coleta');
  await pickup.getByText('Encontrado no número.').waitFor();
  await keys.press('Enter');
  await keys.type('rua da republica 320');
  await keys.press('Enter');
  await placeOf(page, 'Parada 1').getByText('Encontrado no número.').waitFor();
  await keys.press('Alt+Enter');
  await keys.type('osvaldo aranha 1022');
  await screen.screenshot('console-new-suggestions');
  await keys.press('Enter');
  await placeOf(page, 'Parada 2').getByText('Encontrado no número.').waitFor();
  await page.getByRole('region', { name: 'Estimativa' }).getByText('R$').first().waitFor();
  await page.locator('.map-point.stop').nth(1).waitFor();
  await assertValue(addressOf(page, 'Parada 1'), 'Rua da República');
  await assertValue(placeOf(page, 'Parada 1').getByLabel('Bairro'), 'Cidade Baixa');
  await assertHidden(page.getByLabel('Latitude').first());
  assert.doesNotMatch(await page.locator('main').innerText(), /-?\d{2}\.\d{4}/, 'no coordinate is seen');
  await screen.assertAccessible();
  await screen.screenshot(
    'console-new-typed',
    page.getByRole('region', { name: 'Mapa: clique para dar lugar' }),
  );
  await keys.press('Control+Enter');
  await page.getByRole('heading', { name: /^Entrega \d+$/ }).waitFor();
  t.diagnostic(`${keys.groups.length} keystroke groups: ${keys.groups.join(' ')}`);
  assert.ok(keys.groups.length <= 12, keys.groups.join(' '));
  const id = page.url().split('/').at(-1);
  const { paradas, partida } = assertOk(await operator.get(`/entregas/${id}`)).body.data;
  assert.equal(partida.endereco, 'Rua Padre Chagas, 185');
  assert.deepEqual(
    paradas.map((each: Json) => each.endereco),
    ['Rua da República, 320', 'Avenida Osvaldo Aranha, 1022'],
  );
  assert.ok(Math.abs(paradas[0].lat - -30.0393) < 0.001);
});

test('the list is a combobox: arrows, Enter, Escape, and a click; a street asks for its number', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  const field = addressOf(page, 'Coleta');
  await field.pressSequentially('andrad');
  const list = page.getByRole('listbox', { name: 'Sugestões' });
  await list.getByRole('option').first().waitFor();
  await assertAttribute(field, 'aria-expanded', 'true');
  await eventually(async () => {
    const marked = await list.locator('[aria-selected=true]').getAttribute('id');
    assert.equal(await field.getAttribute('aria-activedescendant'), marked);
  });
  await page.keyboard.press('Escape');
  await assertNone(list);
  await assertValue(field, 'andrad', 'what was typed stays');
  await page.keyboard.press('ArrowDown');
  await list
    .getByRole('option', { name: /Rua dos Andradas/ })
    .first()
    .click();
  const place = placeOf(page, 'Coleta');
  await assertValue(field, 'Rua dos Andradas');
  await place.getByText('Só a rua foi encontrada').waitFor();
  const number = place.getByLabel('Número');
  await waitUntil('the number is asked for', () => number.evaluate((it) => it.matches(':focus')));
  await number.pressSequentially('1001');
  await page.keyboard.press('Tab');
  await place.getByText('Encontrado no número.').waitFor();
  await screen.assertAccessible();
});

test('older requests are cancelled, and leaving the field finds what was typed', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/enderecos/buscar')) asked.push(request.postDataJSON().texto);
  });
  // Only these requests can be cancelled.
  await page.addInitScript(`
    window.cancelled = 0;
    window.typedAt = [];
    document.addEventListener('input', () => window.typedAt.push(performance.now()), true);
    const plain = window.fetch;
    window.fetch = (url, init) => {
      init?.signal?.addEventListener('abort', () => { window.cancelled += 1; });
      return plain(url, init);
    };`);
  await signIn(page);
  await page.goto('/console/nova');
  const field = addressOf(page, 'Coleta');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/enderecos/buscar', async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  await field.pressSequentially('ipir', { delay: 10 });
  await waitUntil('the first request', async () => asked.length > 0);
  await field.pressSequentially('anga 1200', { delay: 10 });
  await waitUntil('the older one is cancelled', async () => (await page.evaluate('window.cancelled')) !== 0);
  release();
  // A busy machine may pause where no person would.
  const typedAt = await page.evaluate<number[]>('window.typedAt');
  const pauses = typedAt.filter((at, index) => at - (typedAt[index - 1] ?? at) >= TYPING_PAUSE_MS);
  assert.ok(
    asked.length <= pauses.length + 1,
    `a pause in typing asks, not every letter: ${asked.join(' | ')}`,
  );
  await page.keyboard.press('Tab');
  await placeOf(page, 'Coleta').getByText('Encontrado no número.').waitFor();
  await assertValue(field, 'Avenida Ipiranga');
  await assertValue(placeOf(page, 'Coleta').getByLabel('Número'), '1200');
});

test('a known phone fills the recipient, favourites are kept, and the company’s pickup is there at once', async () => {
  const rita = {
    ...stop(3),
    endereco_parada: 'Rua 24 de Outubro, 800',
    bairro_parada: 'Moinhos de Vento',
    complemento_parada: 'apto 5',
    nome_cliente_parada: 'Rita Lima',
    telefone_cliente_parada: '51988887777',
  };
  assertOk(await manager.post('/entregas', order({ paradas: [rita] })));
  assertOk(await operator.post('/empresas/1/enderecos', shop));
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('combobox', { name: 'Empresa' }).selectOption('1');
  await waitUntil(
    'the default pickup',
    async () => (await addressOf(page, 'Coleta').inputValue()) === 'Rua Padre Chagas',
  );
  const first = placeOf(page, 'Parada 1');
  await first.getByLabel('Telefone').fill('(51) 98888-7777');
  await waitUntil(
    'the recipient',
    async () => (await first.getByLabel('Destinatário').inputValue()) === 'Rita Lima',
  );
  await assertValue(addressOf(page, 'Parada 1'), 'Rua 24 de Outubro');
  await assertValue(first.getByLabel('Complemento'), 'apto 5');
  await first.getByRole('button', { name: 'Guardar nos favoritos' }).click();
  await page.getByText('Guardado nos favoritos da empresa.').waitFor();
  await assertNone(first.getByRole('button', { name: 'Guardar nos favoritos' }));
  await page.getByRole('button', { name: 'Adicionar parada' }).click();
  // Before anything is typed, the list shows what the company uses.
  const option = page.getByRole('option', { name: /Rita Lima.*favorito/ });
  await option.waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-new-known');
  await option.click();
  await assertValue(placeOf(page, 'Parada 2').getByLabel('Telefone'), '(51) 98888-7777');
});

test('a click fills the address, and a dragged pin is found first by the next order', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('combobox', { name: 'Empresa' }).selectOption('2');
  const map = page.getByRole('region', { name: 'Mapa: clique para dar lugar' });
  await addressOf(page, 'Coleta').fill('andradas 1234');
  await page.keyboard.press('Enter');
  await placeOf(page, 'Coleta').getByText('Encontrado no número.').waitFor();
  await mapIsReady(map);
  const box = (await map.boundingBox())!;
  await placeOf(page, 'Parada 1').getByLabel('Referência').focus();
  await map.click({ position: { x: box.width / 2 + 40, y: box.height / 2 } });
  await waitUntil(
    'the address of the point',
    async () => (await addressOf(page, 'Parada 1').inputValue()) !== '',
  );
  await placeOf(page, 'Parada 1').getByText('Ponto marcado no mapa.').waitFor();

  await addressOf(page, 'Parada 1').fill('vasco da gama 600');
  await page.keyboard.press('Enter');
  await placeOf(page, 'Parada 1').getByText('Perto deste número').waitFor();
  await standsStill(map);
  const pin = page.locator('.map-point.stop');
  const at = (await pin.boundingBox())!;
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + 60, at.y + 20, { steps: 5 });
  await page.mouse.up();
  await placeOf(page, 'Parada 1').getByText('Ponto marcado no mapa.').waitFor();
  await assertValue(addressOf(page, 'Parada 1'), 'Rua Vasco da Gama', 'the address stays');
  const corrected = page.waitForResponse('**/enderecos/correcoes');
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await page.getByRole('heading', { name: /^Entrega \d+$/ }).waitFor();
  await corrected;
  const found = assertOk(
    await operator.post('/enderecos/localizar', { endereco: 'r. vasco da gama 600', cidade: 'Porto Alegre' }),
  ).body.data;
  assert.equal(found.fonte, 'correction');
});

test('a phone: the same form, one column', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/nova');
  const field = addressOf(page, 'Parada 1');
  await field.pressSequentially('osvaldo');
  await page.getByRole('option').first().waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-new-typed-phone');
});
