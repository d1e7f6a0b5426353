import assert from 'node:assert/strict';
import { loadAddresses } from '../../support/addresses.ts';
import { mapIsReady, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { order } from '../../support/orders.ts';
import { assertAddress } from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';

const malote = await startMalote();
await loadAddresses(malote.app.deps);
const browser = await openBrowser(malote.url);

test('an address that was found too roughly waits for the operator, who drags its pin and confirms', async (t) => {
  await malote.configureFor(t, { acceptUnsureAddresses: true });
  const unsure = {
    endereco_parada: 'Avenida Ipiranga, 9000',
    bairro_parada: 'Azenha',
    cidade_parada: 'Porto Alegre',
    estado_parada: 'RS',
  };
  const { id_mch: id } = assertOk(await malote.manager.post('/entregas', order({ paradas: [unsure] }))).body
    .data;
  const stopOf = async () => assertOk(await malote.operator.get(`/entregas/${id}`)).body.data.paradas[0];
  const before = await stopOf();
  await using screen = await browser.desk({ maps: true, viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const group = page.getByRole('region', { name: 'Endereço a conferir' });
  await group.getByRole('link', { name: '1', exact: true }).click();
  await assertAddress(page, /conferir=1/);
  await group.getByRole('button', { name: 'Conferir endereço' }).click();
  const dialog = page.getByRole('dialog', { name: `Conferir endereço da entrega ${id}` });
  await dialog.getByText('Avenida Ipiranga, 9000, Azenha').waitFor();
  const map = dialog.getByRole('region', { name: 'Mapa: arraste o ponto até a porta' });
  await mapIsReady(map);
  await screen.assertAccessible();
  await screen.screenshot('console-check-address');
  const pin = (await dialog.locator('.map-point').boundingBox())!;
  await page.mouse.move(pin.x + pin.width / 2, pin.y + pin.height / 2);
  await page.mouse.down();
  await page.mouse.move(pin.x + 70, pin.y + 30, { steps: 5 });
  await page.mouse.up();
  await dialog.getByRole('button', { name: 'Confirmar este ponto' }).click();
  await page.getByText('Endereço conferido.').waitFor();
  await group.waitFor({ state: 'detached' });
  const after = await stopOf();
  assert.equal(after.localizacao.conferir, false);
  assert.notEqual(after.lat, before.lat);
});

test('a position that a driver proposes waits for the operator, who accepts it, and later undoes it', async () => {
  const { id_mch: id } = assertOk(await malote.manager.post('/entregas', order())).body.data;
  assertOk(await malote.operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  const driver = malote.driver(1);
  assertOk(await driver.post(`/entregas/${id}/aceitar`, {}));
  const [stop] = assertOk(await malote.operator.get(`/entregas/${id}`)).body.data.paradas;
  const place = { lat: stop.lat + 0.01, lng: stop.lng };
  assertOk(await driver.post(`/entregas/${id}/paradas/${stop.id}/corrigir-posicao`, place));
  await using screen = await browser.desk({ maps: true, viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const group = page.getByRole('region', { name: 'Endereço proposto por entregador' });
  await group.getByRole('button', { name: 'Ver proposta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Endereço proposto por entregador' });
  await mapIsReady(dialog.getByRole('region', { name: 'Mapa: o ponto proposto' }));
  await screen.assertAccessible();
  await screen.screenshot('console-proposed-address');
  await dialog.getByRole('button', { name: 'Aceitar este ponto' }).click();
  await page.getByText('Endereço corrigido.').waitFor();
  await group.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Endereços corrigidos' }).click();
  await page.getByRole('cell', { name: 'condutor1' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-corrections');
  const row = page.getByRole('row').filter({ hasText: 'condutor1' });
  await row.getByRole('button', { name: 'Desfazer' }).click();
  await page.getByRole('button', { name: 'Desfazer correção' }).click();
  await page.getByText('Correção desfeita.').waitFor();
  await row.waitFor({ state: 'detached' });
});
