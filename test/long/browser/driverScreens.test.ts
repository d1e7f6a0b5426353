import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { NO_NETWORK, openBrowser, type Screen } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Json } from '../../support/client.ts';
import {
  cameraPhoto,
  cutNetwork,
  DRIVER_PHONE,
  inBothSchemes,
  keptOnPhone,
  press,
} from '../../support/driverPhone.ts';
import { at, groupDeliveries, start } from '../../support/grouping.ts';
import { startMalote } from '../../support/malote.ts';
import { pickup, stop } from '../../support/orders.ts';
import { assertAttribute, assertNone } from '../../support/shown.ts';
import { assertOk, openDelivery, type TestDelivery } from '../../support/steps.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

/* Every screen and sheet of the driver's app that a normal run does not show, in light and dark colours. */

const malote = await startMalote();
const { operator } = malote;
const browser = await openBrowser(malote.url);

/** Records what the phone itself would do: vibrate, sound, open another app, stay awake. */
const NOTES = `
  globalThis.noted = { shakes: 0, tones: 0, opened: [], awake: 0 };
  navigator.vibrate = () => { noted.shakes += 1; return true; };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...given) { noted.tones += 1; return start.apply(this, given); };
  globalThis.open = (address) => { noted.opened.push(String(address)); return null; };
  Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
    noted.awake += 1;
    return { released: false, release: async () => { noted.awake -= 1; } };
  } } });
`;
interface Noted {
  shakes: number;
  tones: number;
  opened: string[];
  awake: number;
}
const noted = (page: Page): Promise<Noted> => page.evaluate('noted') as Promise<Noted>;

/** Method and path of every request of the app. */
const asked = new Set<string>();

async function openPhone(driverId: number, permissions = DRIVER_PHONE.permissions): Promise<Screen> {
  const screen = await browser.phone({
    expected: [NO_NETWORK, /status of 4\d\d/, /Push API in incognito mode/],
    ...DRIVER_PHONE,
    permissions,
  });
  screen.page.context().on('request', (request) => {
    const { protocol, pathname } = new URL(request.url());
    if (protocol === 'http:') asked.add(`${request.method()} ${pathname}`);
  });
  await screen.page.context().addInitScript(NOTES);
  const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
  await screen.page.goto(`/entregador${new URL(body.data.link).hash}`);
  return screen;
}

async function offered(driverId: number, changes: Record<string, unknown> = {}): Promise<TestDelivery> {
  const delivery = await openDelivery(malote, changes);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: driverId }));
  return delivery;
}

const detail = async ({ id }: TestDelivery): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data;
const offersOf = async ({ id }: TestDelivery): Promise<Json[]> =>
  assertOk(await operator.get(`/entregas/${id}/historico`)).body.data.ofertas;

test('of two offers at once one is refused with a reason, the other accepted, then given back', async () => {
  const deliveries = [await offered(1), await offered(1)];
  await using screen = await openPhone(1);
  const { page } = screen;
  await page.getByRole('heading', { name: 'Nova oferta (1 de 2)' }).waitFor();
  await inBothSchemes(page, '30-two-offers');
  await press(page, 'Recusar');
  await page.getByText('Por que recusar?').waitFor();
  await inBothSchemes(page, '31-why-refuse');
  await waitUntil('the phone vibrates and sounds', async () => {
    const { shakes, tones } = await noted(page);
    return shakes > 0 && tones > 0;
  });
  await press(page, 'Longe demais');
  await page.getByRole('heading', { name: 'Nova oferta', exact: true }).waitFor();
  await eventually(async () => {
    const reasons = (await Promise.all(deliveries.map(offersOf))).flat().map((offer) => offer.motivo_recusa);
    assert.deepEqual(reasons.filter(Boolean), ['longe']);
  });

  await press(page, 'Aceitar');
  await page.getByRole('heading', { name: 'Coleta' }).waitFor();
  await waitUntil('the screen stays on', async () => (await noted(page)).awake === 1);
  await page.getByRole('button', { name: 'Ir para a coleta' }).and(page.locator(':enabled')).click();
  await page.getByRole('dialog', { name: 'Abrir o caminho em' }).waitFor();
  await inBothSchemes(page, '32-which-maps');
  for (const [name, address] of [
    ['Waze', 'https://waze.com/ul?navigate=yes&ll='],
    ['Google Maps', 'https://www.google.com/maps/dir/?api=1&travelmode=driving&destination='],
    ['Apple Maps', 'https://maps.apple.com/?dirflg=d&daddr='],
  ] as const) {
    await press(page, name);
    await waitUntil(`${name} is opened`, async () => {
      const { opened } = await noted(page);
      return opened.at(-1) === `${address}${Number(pickup.lat)},${Number(pickup.lng)}`;
    });
    if (name !== 'Apple Maps') await press(page, 'Outro mapa');
  }

  await press(page, 'Não posso fazer esta entrega');
  await page.getByRole('dialog', { name: 'Devolver esta entrega?' }).waitFor();
  await inBothSchemes(page, '33-give-back');
  await press(page, 'Devolver');
  await page.getByRole('switch').waitFor();
  await waitUntil('nobody carries it', async () =>
    (await Promise.all(deliveries.map(detail))).every(({ condutor }) => condutor === null),
  );
  await waitUntil('the screen may go dark', async () => (await noted(page)).awake === 0);
});

test('on and off duty by one switch, with vehicle and category; the menu’s sheets', async () => {
  await using screen = await openPhone(2);
  const { page } = screen;
  const duty = page.getByRole('switch');
  await duty.waitFor();
  const { data: driver } = assertOk(await operator.get('/condutores/2')).body;
  await page.getByText(`${driver.veiculo} · ${driver.placa}`).waitFor();
  await page.getByText('Moto', { exact: false }).first().waitFor();
  const available = async () => assertOk(await operator.get('/condutores/2')).body.data.disponivel;
  const before = await duty.getAttribute('aria-checked');
  if (before === 'true') await duty.click();
  await page.getByText('Fora de serviço', { exact: true }).waitFor();
  await waitUntil('the central knows', async () => (await available()) === false);
  await inBothSchemes(page, '34-off-duty');
  await duty.click();
  await page.getByText('Em serviço', { exact: true }).waitFor();
  await waitUntil('the central knows again', async () => (await available()) === true);
  await inBothSchemes(page, '35-on-duty');

  await page.goto('/entregador#/menu');
  await press(page, 'Pedir ajuda à central');
  await press(page, 'Problema com o veículo');
  await inBothSchemes(page, '36-help');
  await press(page, 'Enviar à central');
  await waitUntil('the central is asked', async () => {
    const { pedidos_ajuda: asked } = assertOk(await operator.get('/resumo')).body.data;
    return asked.some(({ texto }: Json) => texto === 'Problema com o veículo');
  });
  await press(page, 'Aplicativo de mapas');
  await press(page, 'Google Maps');
  await press(page, 'Sair deste aparelho');
  await page.getByRole('dialog', { name: 'Sair deste aparelho?' }).waitFor();
  await inBothSchemes(page, '37-sign-out');
  await press(page, 'Sair');
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  await inBothSchemes(page, '38-signed-out');
});

test('what to know at the door; a failed attempt with its photo, a stop grouped in, and the second attempt', async (t) => {
  await malote.configureFor(t, { failureAbsent: 'retry', failureAttemptsMax: 3, confirmationCode: false });
  const { id: _id, ...company } = assertOk(await operator.get('/empresas/1')).body.data;
  t.after(async () => assertOk(await operator.put('/empresas/1', company)));
  assertOk(
    await operator.put('/empresas/1', { ...company, comprovante_foto: 'opcional', comprovante_valor: true }),
  );
  await malote.app.deps.registersHeard();
  const paradas = [
    {
      ...stop(0),
      complemento_parada: 'ap 302',
      referencia_parada: 'Em frente à praça',
      observacao_parada: 'Tocar duas vezes',
      valor_cobrar: '45.90',
    },
    stop(1),
  ];
  const delivery = await offered(3, { paradas });
  await using screen = await openPhone(3);
  const { page } = screen;
  await press(page, 'Aceitar');
  for (const name of ['Já estou lá', 'Cheguei na coleta', 'Peguei os pedidos']) await press(page, name);
  await waitUntil('it is under way', async () => (await detail(delivery)).status === 'E');
  /** Concludes the stops before the one that this test is about. */
  const cliente1 = page.getByRole('heading', { name: 'Entregar para Cliente 1' });
  const handOver = async () => {
    for (const name of ['Já estou lá', 'Cheguei', 'Entregar']) await press(page, name);
    await press(page, 'Confirmar entrega');
  };
  // The nearest stop is visited first.
  await cliente1.waitFor();
  for (const words of ['ap 302', 'Em frente à praça', 'Tocar duas vezes', 'R$ 45,90'])
    await page.getByText(words).first().waitFor();
  await assertAttribute(page.getByRole('link', { name: /^Ligar para/ }), 'href', 'tel:+5551999990000');
  await assertAttribute(page.getByRole('link', { name: 'WhatsApp' }), 'href', 'https://wa.me/5551999990000');
  await inBothSchemes(page, '40-at-the-door');

  await press(page, 'Já estou lá');
  await press(page, 'Cheguei');
  await press(page, 'Não consegui entregar');
  await press(page, 'Ninguém no local');
  await photograph(page);
  await inBothSchemes(page, '41-failed-with-photo');
  await press(page, 'Registrar');
  const failed = async (): Promise<Json> =>
    (await detail(delivery)).paradas.find(({ id }: Json) => Number(id) === delivery.stopIds[0]);
  await waitUntil('the attempt is known', async () => (await failed()).tentativas.length === 1);
  await page.getByText('tentar de novo').waitFor();
  await inBothSchemes(page, '42-tried-again-later');

  const { shakes } = await noted(page);
  assertOk(await groupDeliveries(malote, delivery.id, [await start(malote, at(3))]));
  await page.getByText('Nova parada na sua corrida: Avenida Ipiranga, 4.').waitFor();
  await waitUntil('what changed is felt and heard', async () => (await noted(page)).shakes > shakes);
  await inBothSchemes(page, '43-stop-grouped-in');
  await press(page, 'Entendi');
  const heading = page.getByRole('heading', { name: /Entregar para Cliente/ });
  await heading.waitFor();
  for (let left = 0; left < 3 && !(await cliente1.isVisible()); left += 1) {
    const before = await heading.textContent();
    await handOver();
    await waitUntil('the next stop', async () => (await heading.textContent()) !== before);
  }
  for (const name of ['Já estou lá', 'Cheguei', 'Entregar']) await press(page, name);
  await page.getByLabel('Valor recebido').fill('45,90');
  await photograph(page);
  await inBothSchemes(page, '44-money-and-photo');
  await press(page, 'Confirmar entrega');
  await waitUntil('it is over', async () => (await failed()).concluida_em !== null);
  const { tentativas, comprovantes, valor_recebido } = await failed();
  assert.equal(valor_recebido, '45.90');
  const urls = [...tentativas[0].comprovantes, ...comprovantes].map(({ url }: Json) => url);
  assert.equal(new Set(urls).size, 2, 'the photo of the attempt, and that of the handing over');
});

test('a stop that is done asks for no money any more', async () => {
  const paradas = [0, 1].map((number) => ({ ...stop(number), valor_cobrar: '45.90' }));
  const { id, stopIds } = await offered(6, { paradas });
  for (const step of ['aceitar', 'chegar', 'iniciar', `paradas/${stopIds[0]}/concluir`])
    assertOk(await operator.post(`/entregas/${id}/${step}`, { condutor_id: 6 }));
  await using screen = await openPhone(6);
  const stops = screen.page.getByRole('region', { name: 'Paradas na ordem' });
  await stops.getByText(/^Cliente 1 · entregue · \d\d:\d\d$/).waitFor();
  await stops.getByText(/^Cliente 2 · .*receber R\$\s45,90$/).waitFor();
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[1]}/concluir`, {}));
});

async function photograph(page: Page): Promise<void> {
  const buffer = await cameraPhoto(page);
  await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByAltText('A foto que será enviada').waitFor();
}

test('the driver’s money: today, this week, cash to hand in, and the statement, also without network', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70, confirmationCode: false });
  const { id, stopIds } = await openDelivery(malote, { paradas: [{ ...stop(0), valor_cobrar: '45.90' }] });
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 4 }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}));
  await using screen = await openPhone(4);
  const { page } = screen;
  await page.getByRole('switch').waitFor();
  await page.goto('/entregador#/ganhos');
  const statement = page.getByRole('region', { name: 'Extrato' });
  await statement.getByText(`${id}`).first().waitFor();
  await page.getByRole('region', { name: 'Conta com a central' }).getByText('R$ 45,90').waitFor();
  await inBothSchemes(page, '45-earnings');
  for (const period of ['Hoje', 'Mês']) {
    await statement.getByRole('button', { name: period }).click();
    await statement.getByText(`${id}`).first().waitFor();
  }
  await cutNetwork(page);
  await page.getByText('Sem rede', { exact: false }).first().waitFor();
  await statement.getByRole('button', { name: 'Hoje' }).click();
  await statement.getByText(`${id}`).first().waitFor();
  await inBothSchemes(page, '46-earnings-offline');
});

/** Moves the phone's clock and the service's, as if the app had been open for that long. */
const pass = async (page: Page, seconds: number): Promise<void> => {
  malote.clock.advance({ seconds });
  await page.evaluate(`{ const { now } = Date; Date.now = () => now() + ${seconds * 1_000}; }`);
};

test('at midnight today’s money begins anew, and without network it is shown with its day', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70, confirmationCode: false });
  const before = malote.clock.now().toString();
  t.after(() => malote.clock.set(before));
  malote.clock.set('2026-11-16T23:59:00-03:00');
  const { id, stopIds } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 5 }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}));
  await using screen = await openPhone(5);
  const { page } = screen;
  await page.getByText('Hoje: 1 entrega').click();
  const statement = page.getByRole('region', { name: 'Extrato' });
  await statement.getByRole('button', { name: 'Hoje' }).click();
  await statement.getByText(`${id}`).first().waitFor();

  await pass(page, 61);
  // Earlier than the next poll of the central, which comes every minute.
  await statement.getByText('Nada neste período.', { exact: false }).waitFor({ timeout: 40_000 });
  await page.getByRole('link', { name: 'Voltar' }).click();
  await page.getByText('Hoje: 0 entregas').waitFor({ timeout: 15_000 });

  await cutNetwork(page);
  await pass(page, 86_400);
  await page.getByText('17/11: 0 entregas').click();
  await page.getByRole('heading', { name: '17/11' }).waitFor();
  await page.getByRole('heading', { name: 'Esta semana' }).waitFor();
  await assertNone(page.getByRole('heading', { name: 'Hoje' }));
});

test('a second window takes the app over, and the first one says so', async () => {
  await using screen = await openPhone(5);
  const { page } = screen;
  await page.getByRole('switch').waitFor();
  const second = await page.context().newPage();
  await second.goto('/entregador');
  await second.getByRole('switch').waitFor();
  await page.getByRole('heading', { name: 'Aberto em outra janela' }).waitFor();
  await inBothSchemes(page, '47-another-window');
  await press(page, 'Usar aqui');
  await page.getByRole('switch').waitFor();
  await second.getByRole('heading', { name: 'Aberto em outra janela' }).waitFor();
});

test('a pushed message shows what it is about', async () => {
  await using screen = await openPhone(6, [...DRIVER_PHONE.permissions, 'notifications']);
  const { page } = screen;
  await page.getByRole('switch').waitFor();
  await keptOnPhone(page);
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const push = (data: string) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: malote.url, registrationId, data });
  // Not every browser lists notifications, so the service worker itself reports what it shows.
  const [worker] = page.context().serviceWorkers();
  await worker!.evaluate(`{
    self.shown = [];
    const show = self.registration.showNotification.bind(self.registration);
    self.registration.showNotification = (title, ...given) => {
      self.shown.push(title);
      return show(title, ...given).catch(() => undefined);
    };
  }`);
  const titles = () => worker!.evaluate('self.shown.toSorted()');
  await push(JSON.stringify({ tipo: 'oferta', id_mch: '7' }));
  await push(JSON.stringify({ tipo: 'cancelada', id_mch: '7' }));
  await push('not readable');
  const expected = ['Nova oferta de entrega', 'Novidade na sua central', 'Uma entrega sua foi cancelada'];
  await waitUntil('all are shown', async () => JSON.stringify(await titles()) === JSON.stringify(expected));
});

test('the app asks nothing but its own files, its session and documented endpoints', async () => {
  const { paths } = (await (await fetch(`${malote.url}/openapi.json`)).json()) as Json;
  const documented = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    ),
  );
  const ofInterface = [...asked].filter((request) => request.includes(' /api/'));
  assert.ok(ofInterface.length > 10);
  assert.deepEqual(
    ofInterface.filter((request) => !documented.some((pattern) => pattern.test(request))),
    [],
  );
  const others = [...asked].filter((request) => !request.includes(' /api/'));
  assert.deepEqual(
    others.filter(
      (request) => !/^GET \/(entregador|comprovantes|mapas?)\b|^\w+ \/entregador\/sessao$/.test(request),
    ),
    [],
  );
});
