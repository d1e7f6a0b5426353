import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Work } from '../../web/driver/src/core/work.ts';
import { NO_NETWORK, openBrowser, type Screen, type ScreenOptions } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import {
  cameraPhoto,
  cutNetwork,
  DRIVER_PHONE,
  keptOnPhone,
  press,
  screenshot,
} from '../support/driverPhone.ts';
import { startMalote } from '../support/malote.ts';
import { assertNone, assertText } from '../support/shown.ts';
import { assertOk, openDelivery, type TestDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, manager } = malote;
const browser = await openBrowser(malote.url);
const PHOTO_BYTES_MAX = 200 * 1024;
const LATER_START_MS_AIM = 1_000;
/** The factor by which this machine is slowed down. */
const SLOW_PHONE = 4;

const openPhone = (options: ScreenOptions = {}): Promise<Screen> =>
  browser.phone({ expected: [NO_NETWORK, NOBODY_YET], ...DRIVER_PHONE, ...options });

/** A phone that was never signed in also asks for its session: its storage may have been cleared. */
const NOBODY_YET = /status of 401 .*\/entregador\/sessao$/;

async function offered(
  driverId: number,
  stops: number,
  changes: Record<string, unknown> = {},
): Promise<TestDelivery> {
  const delivery = await openDelivery(malote, changes, stops);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  return delivery;
}

interface Told {
  type: string;
  timestamp: string;
  data: { status?: string };
}

/** The events of a delivery from its history, oldest first: "status E", "parada_concluida". */
async function historyOf({ id }: TestDelivery): Promise<string[]> {
  const { body } = assertOk(await operator.get(`/entregas/${id}/historico`));
  return body.data.eventos.map(({ type, data }: Told) =>
    [type.replace('entrega.', ''), data.status].filter(Boolean).join(' '),
  );
}

test('a whole run with two stops, without network in the middle, the app killed and opened again', async () => {
  const delivery = await offered(1, 2, { observacao: 'Levar a máquina de cartão.' });
  await using screen = await openPhone();
  let { page } = screen;
  await page.goto('/entregador');
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  await screenshot(page, '1-sign-in');
  const { body } = assertOk(await operator.post(`/condutores/1/convites`, {}));
  await page.goto(`/entregador${new URL(body.data.link).hash}`);

  await page.getByRole('heading', { name: 'Nova oferta' }).waitFor();
  await screenshot(page, '2-offer');
  await press(page, 'Aceitar');
  await page.getByRole('heading', { name: 'Coleta' }).waitFor();
  await screenshot(page, '3-go-to-pickup');
  await press(page, 'Já estou lá');
  await press(page, 'Cheguei na coleta');
  await press(page, 'Peguei os pedidos');
  await page.getByRole('heading', { name: 'Entregar para Cliente' }).waitFor();
  await waitUntil('the server knows', async () => (await historyOf(delivery)).includes('status E'));

  await cutNetwork(page);
  await press(page, 'Já estou lá');
  await press(page, 'Cheguei');
  await page.getByText('Sem rede').waitFor();
  await screenshot(page, '4-at-a-stop-offline');
  await press(page, 'Entregar');
  await screenshot(page, '5-hand-over');
  await press(page, 'Confirmar entrega');
  await page.getByText('2 a enviar').waitFor();

  await page.close();
  page = await screen.page.context().newPage();
  await page.goto('/entregador');
  await page.getByText('2 a enviar').waitFor();
  await assertText(page.locator('.stop.concluida'), /entregue/);
  await press(page, 'Já estou lá');
  await press(page, 'Cheguei');
  await press(page, 'Entregar');
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await page.getByText('4 a enviar').waitFor();
  await page.goto('/entregador#/pendentes');
  await page.getByText('Esperando para enviar').waitFor();
  await screenshot(page, '6-waiting-for-network');

  await page.context().setOffline(false);
  await page.getByText('Tudo enviado à central.').waitFor();
  const history = await historyOf(delivery);
  assert.deepEqual(
    history.slice(history.indexOf('status A')),
    [
      // The arrival at the pickup is a separate event with the same status.
      ...['status A', 'status A', 'status E'],
      ...['parada_chegada E', 'parada_concluida E', 'parada_chegada E', 'parada_concluida E', 'status F'],
    ],
    history.join(),
  );
  const read = assertOk(await manager.get(`/entregas/${delivery.id}/status`));
  assert.equal(read.body.data.status, 'F');
});

/** Changes the server's answer, for values that only a central's settings can produce. */
async function withWork(page: Page, change: (work: Work) => void): Promise<void> {
  await page.context().route('**/trabalho', async (route) => {
    const answer = await route.fetch();
    if (answer.status() !== 200) return route.fulfill({ response: answer });
    const body = (await answer.json()) as { data: Work };
    change(body.data);
    return route.fulfill({ response: answer, json: body });
  });
}

async function signedIn(page: Page, driverId: number): Promise<void> {
  const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
  await page.goto(`/entregador${new URL(body.data.link).hash}`);
}

test('a wrong code is corrected where it was typed, and a cancelled run is explained', async (t) => {
  await malote.configureFor(t, { confirmationCode: true, supportText: '(51) 3000-0000' });
  const delivery = await offered(2, 1);
  const { body } = assertOk(await manager.get(`/entregas/${delivery.id}/links-rastreio`));
  const code: number = body.data[0].codigo_confirmacao;
  await using screen = await openPhone({ expected: [NO_NETWORK, /status of 4\d\d/] });
  const { page } = screen;
  await signedIn(page, 2);
  await press(page, 'Aceitar');
  for (const name of ['Já estou lá', 'Cheguei na coleta', 'Peguei os pedidos', 'Já estou lá', 'Cheguei'])
    await press(page, name);
  await press(page, 'Entregar');
  await press(page, 'Confirmar entrega');
  await page.getByText('Falta: o código.').waitFor();
  await page.getByLabel('Código que o cliente diz').fill(String(code === 1234 ? 4321 : 1234));
  await press(page, 'Confirmar entrega');
  await page
    .getByText(/código/i)
    .last()
    .waitFor();
  await screenshot(page, '7-wrong-code');
  await page.getByLabel('Código que o cliente diz').fill(String(code));
  await press(page, 'Confirmar entrega');
  await page.getByRole('switch').waitFor();
  await waitUntil('it is finished', async () => (await historyOf(delivery)).includes('status F'));
  await screenshot(page, '8-waiting-for-offers');

  const other = await offered(2, 1);
  await press(page, 'Aceitar');
  await page.getByRole('heading', { name: 'Coleta' }).waitFor();
  assertOk(await manager.post(`/entregas/${other.id}/cancelar`, { motivo_id: 2 }));
  await page.getByText(/saiu da sua lista/).waitFor();
  await screenshot(page, '9-cancelled');
  await press(page, 'Entendi');
});

test('in English, at night: an offer with its countdown, proof, a failed stop, what was refused', async () => {
  await offered(3, 2, { observacao: 'Ring twice.' });
  await using screen = await openPhone({
    maps: true,
    locale: 'en-GB',
    colorScheme: 'dark',
    expected: [NO_NETWORK, /status of 4\d\d/],
  });
  const { page } = screen;
  await withWork(page, (work) => {
    work.regras.comprovante = {
      foto: 'obrigatorio',
      assinatura: 'opcional',
      nome: 'obrigatorio',
      codigo: false,
      valor: true,
    };
    for (const run of work.corridas) run.comprovante = work.regras.comprovante;
    work.central.telefone_ajuda = '(51) 3000-0000';
    work.ganhos = {
      hoje: { entregas: 7, valor: '96.50', dinheiro_recebido: '40.00' },
      semana: { entregas: 31, valor: '428.10', dinheiro_recebido: '212.00' },
      saldo: '388.10',
      dinheiro_a_entregar: '40.00',
    };
    for (const offer of work.ofertas)
      Object.assign(offer, {
        ganho: '14.90',
        // Long enough for a slow machine to show it.
        expira_em: new Date(Date.parse(offer.oferecida_em) + 300_000).toISOString(),
      });
    for (const stop of work.corridas.flatMap(({ paradas }) => paradas))
      Object.assign(stop, {
        valor_a_receber: '45.90',
        complemento: 'ap 302',
        referencia: 'Opposite the square',
      });
  });
  await signedIn(page, 3);
  await page.getByRole('timer').waitFor();
  await screenshot(page, '10-offer-dark');
  await press(page, 'Accept');
  for (const name of ['I am there', 'I am at the pickup', 'I have the goods', 'I am there', 'I have arrived'])
    await press(page, name);
  await page.getByRole('button', { name: 'Show the map' }).click();
  await page.locator('.map canvas').waitFor();
  await screenshot(page, '11-run-dark');
  await press(page, 'Hide the map');
  await press(page, 'Hand over');
  await page.getByLabel('Who received it', { exact: true }).fill('Ana');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await cameraPhoto(page, 'image/png') });
  await page.getByAltText('The photo that will be sent').waitFor();
  await sign(page);
  await screenshot(page, '12-proof-dark');
  await page.keyboard.press('Escape');
  await press(page, 'I could not deliver');
  await press(page, 'Nobody there');
  await screenshot(page, '13-failed-dark');
  await page.keyboard.press('Escape');
  await page.goto('/entregador#/menu');
  await page.getByText('Ask the central for help').waitFor();
  await screenshot(page, '14-menu-dark');
  await page.goto('/entregador#/ganhos');
  await page.getByText('This week').waitFor();
  await screenshot(page, '15-earnings-dark');
});

test('a proof that the central refuses is shown until the driver has dealt with it', async () => {
  await offered(5, 1);
  await using screen = await openPhone({ expected: [NO_NETWORK, /status of 4\d\d/] });
  const { page } = screen;
  await withWork(page, (work) => {
    for (const run of work.corridas) run.comprovante.foto = 'obrigatorio';
    work.central.telefone_ajuda = '(51) 3000-0000';
  });
  const sent: Buffer[] = [];
  await page.context().route('**/comprovantes/foto*', (route) => {
    sent.push(route.request().postDataBuffer()!);
    return route.fulfill({
      status: 413,
      headers: { 'x-error-kind': 'body-too-large' },
      json: { success: false, errors: [{ code: 1, message: 'A foto é grande demais.' }] },
    });
  });
  await signedIn(page, 5);
  await press(page, 'Aceitar');
  for (const name of ['Já estou lá', 'Cheguei na coleta', 'Peguei os pedidos', 'Já estou lá', 'Cheguei'])
    await press(page, name);
  await press(page, 'Entregar');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await cameraPhoto(page, 'image/png') });
  await page.getByAltText('A foto que será enviada').waitFor();
  await press(page, 'Confirmar entrega');
  await page.getByText('A central recusou uma ação.').click();
  await page.getByText('A foto é grande demais.').waitFor();
  await screenshot(page, '16-refused');
  assert.ok(sent[0]!.length <= PHOTO_BYTES_MAX, `${sent[0]!.length} bytes`);
  assert.equal(sent[0]!.subarray(0, 3).toString('hex'), 'ffd8ff', 'a JPEG');
  assert.ok(!sent[0]!.includes('Exif'));

  await page.reload();
  await page.getByText('A foto é grande demais.').waitFor();
  await press(page, 'Descartar');
  await page.getByText(/a central nunca saberá disto/).waitFor();
  await screenshot(page, '17-discard');
  await press(page, 'Descartar só esta');
  await page.getByText('Tudo enviado à central.').waitFor();
});

/** Two taps of a finger on the middle of a button that disappears after the first. */
async function tapTwice(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  const { x, y, width, height } = (await button.boundingBox())!;
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await button.waitFor({ state: 'detached' });
  await page.touchscreen.tap(x + width / 2, y + height / 2);
}

test('a double tap on "Já estou lá" opens no sheet, neither at the pickup nor at a stop', async () => {
  const { id } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 6 }));
  // So low that the page scrolls: the control that must not be tapped lies behind the button that disappears.
  await using screen = await openPhone({ viewport: { width: 390, height: 520 } });
  const { page } = screen;
  const { body } = assertOk(await operator.post('/condutores/6/convites', {}));
  await page.goto(`/entregador${new URL(body.data.link).hash}`);
  await page.getByRole('button', { name: 'Já estou lá' }).waitFor();
  const place = async (name: string) => (await page.getByRole('button', { name }).boundingBox())!.y;
  const below = (await place('Não posso fazer esta entrega')) - (await place('Já estou lá'));
  await page.evaluate(`scrollBy(0, ${below})`);
  await tapTwice(page, 'Já estou lá');
  await page.getByRole('button', { name: 'Cheguei na coleta' }).and(page.locator(':enabled')).waitFor();
  await assertNone(page.getByRole('dialog'));
  // A separate tap opens it.
  await page.getByRole('button', { name: 'Não posso fazer esta entrega' }).tap();
  await press(page, 'Ficar com ela');
  await press(page, 'Cheguei na coleta');
  await press(page, 'Peguei os pedidos');
  await tapTwice(page, 'Já estou lá');
  await page.getByRole('button', { name: 'Cheguei', exact: true }).and(page.locator(':enabled')).waitFor();
  await assertNone(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Não consegui entregar' }).tap();
  await page.getByRole('dialog', { name: 'Não consegui entregar' }).waitFor();
});

test('a later start comes from the phone, and stands before the central is asked', async () => {
  await using screen = await openPhone();
  const { page } = screen;
  await signedIn(page, 4);
  await page.getByRole('main').waitFor();
  await keptOnPhone(page);
  const phone = await page.context().newCDPSession(page);
  // The time that the page's own thread computes, without other load on this machine.
  await phone.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto('/entregador');
  await waitUntil('it is shown', () =>
    page.evaluate(`performance.getEntriesByName('malote-shown').length > 0`),
  );
  const { metrics } = await phone.send('Performance.getMetrics');
  const computed = metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
  console.log(
    `a later start on a phone that is ${SLOW_PHONE} times slower computes for ${Math.round(computed * SLOW_PHONE)} ms ` +
      `(aim ${LATER_START_MS_AIM} ms)`,
  );
  const fetched = await page.evaluate(
    `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/entregador/assets/')).map(({ transferSize }) => transferSize)`,
  );
  assert.deepEqual(fetched, [0, 0], 'the app’s files come from the phone');
  // A request is listed once its answer has arrived.
  const asked = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/trabalho'))`;
  await waitUntil('the central has answered', () => page.evaluate(`${asked}.length > 0`));
  const early = await page.evaluate(`(() => {
    const [{ startTime: shown }] = performance.getEntriesByName('malote-shown');
    return ${asked}.filter(({ startTime }) => startTime < shown).length;
  })()`);
  assert.equal(early, 0, 'the central is asked after the screen stands');
});

async function sign(page: Page): Promise<void> {
  const pad = page.locator('.signature');
  await pad.scrollIntoViewIfNeeded();
  const { x, y } = (await pad.boundingBox())!;
  await page.mouse.move(x + 40, y + 120);
  await page.mouse.down();
  for (let step = 0; step < 40; step += 1)
    await page.mouse.move(x + 40 + step * 6, y + 90 + Math.sin(step / 2) * 40);
  await page.mouse.up();
}
