import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { NO_NETWORK, openBrowser } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { client, type Json } from '../../support/client.ts';
import { DRIVER_PHONE, keptOnPhone, press, screenshot } from '../../support/driverPhone.ts';
import { START_MS, startService } from '../../support/maloteProcess.ts';
import { order } from '../../support/orders.ts';
import { assertText } from '../../support/shown.ts';
import { startedFolder } from '../../support/startedFolder.ts';
import { assertOk } from '../../support/steps.ts';
import { waitUntil } from '../../support/waitUntil.ts';

/*
 * A driver's bad day from start to end, with the real service as a separate process: a cheap phone on a slow network,
 * two stops of which one is refused and returned, no network from the first stop on, the app killed, the service killed
 * with SIGKILL while the phone has no network and again while the phone catches up.
 */

const LATER_START_MS_AIM = 1_000;
const SLOW_3G = { latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 };
const SLOW_CPU = 4;

/** The phone keeps its address, so the service must restart at the same port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Simulates a cheap phone on a slow network. The returned function cuts the network and restores it. */
async function slowDown(page: Page): Promise<(offline: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
  await session.send('Network.enable');
  const cut = async (offline: boolean): Promise<void> => {
    // The last session that sets network conditions wins, and Playwright's own session only knows offline and online.
    await page.context().setOffline(offline);
    await session.send('Network.emulateNetworkConditions', { offline, ...SLOW_3G });
  };
  return cut;
}

test('two stops, one refused and returned, no network, the app and the service killed: nothing lost, nothing twice', async () => {
  const folder = await startedFolder();
  const env = {
    MALOTE_DATA: folder,
    MALOTE_COURIERS: 'off',
    MALOTE_DEMO: 'empty',
    PORT: String(await freePort()),
  };
  let service = await startService(env);
  const { url } = service;
  const login = (user: string, base: string) =>
    client(`${url}/api/v2/${base}`, { key: 'demo-chave', user, password: 'demo' });
  const [operator, manager] = [login('central', 'operacao'), login('gerente', 'integracao')];
  const opened = assertOk(await manager.post('/entregas', order({}, 2)));
  const id: string = opened.body.data.id_mch;
  const ordered = assertOk(await manager.get(`/entregas/${id}`)).body.data;
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  const history = async (): Promise<Json[]> =>
    assertOk(await operator.get(`/entregas/${id}/historico`)).body.data.eventos;
  const knows = async (type: string): Promise<boolean> =>
    (await history()).some((event) => event.type === `entrega.${type}`);
  const kill = async () => {
    service.signal('SIGKILL');
    await service.ended;
  };

  const browser = await openBrowser(url);
  await using screen = await browser.phone({
    expected: [NO_NETWORK, /status of 50[234]/],
    ...DRIVER_PHONE,
  });
  let { page } = screen;
  const context = page.context();
  let cut = await slowDown(page);
  await cut(false);
  const { body } = assertOk(await operator.post('/condutores/1/convites', {}));
  await page.goto(`/entregador${new URL(body.data.link).hash}`);
  await press(page, 'Aceitar');

  /** The buttons pressed, with the phone's times before and after. */
  const pressed: { what: string; from: number; until: number }[] = [];
  const act = async (what: string, button: string) => {
    await page.getByRole('button', { name: button, exact: true }).and(page.locator(':enabled')).waitFor();
    const from = Date.now();
    await press(page, button);
    pressed.push({ what, from, until: Date.now() });
  };
  await press(page, 'Já estou lá');
  await act('status A', 'Cheguei na coleta');
  await act('status E', 'Peguei os pedidos');
  await waitUntil('the server knows of the start', async () =>
    (await history()).some(({ data }) => data.status === 'E'),
  );
  await keptOnPhone(page);

  await cut(true);
  await press(page, 'Já estou lá');
  await act('parada_chegada', 'Cheguei');
  await press(page, 'Não consegui entregar');
  await press(page, 'Recusou receber');
  await page.getByText('O pedido volta com você para a coleta, depois das outras paradas.').waitFor();
  await page.getByLabel('O que aconteceu (se quiser)').fill('Disse que não pediu');
  await screenshot(page, '20-not-delivered');
  await act('parada_nao_entregue', 'Registrar');
  await page.locator('.stop.nao_entregue').waitFor();
  await page.getByText('2 a enviar').waitFor();

  // The phone ends the app, and the service is killed while nothing is connected.
  await page.close();
  await kill();
  page = await context.newPage();
  cut = await slowDown(page);
  await cut(true);
  const began = Date.now();
  await page.goto('/entregador');
  await waitUntil('it is shown', () =>
    page.evaluate(`performance.getEntriesByName('malote-shown').length > 0`),
  );
  const shown = await page.evaluate(`performance.getEntriesByName('malote-shown')[0].startTime`);
  console.log(
    `a later start from the service worker, 4x slower processor: ${Math.round(Number(shown))} ms ` +
      `(${Date.now() - began} ms by the test's clock; aim ${LATER_START_MS_AIM} ms)`,
  );
  await page.getByText('2 a enviar').waitFor();
  await assertText(page.locator('.stop.nao_entregue'), /não entregue/);
  await press(page, 'Já estou lá');
  await act('parada_chegada', 'Cheguei');
  await press(page, 'Entregar');
  await act('parada_concluida', 'Confirmar entrega');
  await page.getByRole('heading', { name: 'Retorno à coleta' }).waitFor();
  await page.getByText('Devolva o que não foi entregue:').waitFor();
  await screenshot(page, '21-return');
  await press(page, 'Já estou lá');
  await act('status F', 'Finalizar');
  await page.getByText('5 a enviar').waitFor();

  // The network returns before the service, which fails again while the phone catches up.
  await cut(false);
  service = await startService(env);
  await waitUntil('it hears of the failure', () => knows('parada_nao_entregue'), START_MS);
  await kill();
  const heardAgain = Date.now();
  service = await startService(env);
  await page.goto('/entregador#/pendentes');
  await page.getByText('Tudo enviado à central.').waitFor({ timeout: START_MS });

  const events = await history();
  const recorded = events.map(({ type, data }) =>
    type === 'entrega.status' ? `status ${data.status}` : type.replace('entrega.', ''),
  );
  const accepted = recorded.indexOf('status A');
  assert.deepEqual(
    recorded.slice(accepted + 1),
    pressed.map(({ what }) => what),
    recorded.join(),
  );
  for (const [index, { what, from, until }] of pressed.entries()) {
    const at = Date.parse(events[accepted + 1 + index]!.timestamp);
    // The phone's clock is corrected by the server's. Both run on this machine.
    assert.ok(at >= from - 1_500 && at <= until + 1_500, `${what}: ${at} is not within ${from} and ${until}`);
  }
  assert.ok(Date.parse(events.at(-1)!.registrado_em) >= heardAgain, 'the service learned of the end later');
  const read = assertOk(await operator.get(`/entregas/${id}`)).body.data;
  assert.deepEqual([read.status, read.com_retorno, read.retorno_por_falha], ['F', true, true]);
  assert.ok(Number(read.valor) > Number(ordered.valor_corrida), 'the way back is paid for');
  const [failed] = read.paradas.filter(({ nao_entregue_em }: Json) => nao_entregue_em !== null);
  assert.deepEqual(
    failed.tentativas.map(({ motivo, observacao, decisao }: Json) => [motivo, observacao, decisao]),
    [['recusado', 'Disse que não pediu', 'retornar']],
  );
  assert.equal(assertOk(await operator.get('/falhas')).body.data.length, 1);
});
