import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { loadDemoAddresses } from '../../../server/simulation/demo/demoAddresses.ts';
import { mapIsReady, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Json } from '../../support/client.ts';
import { newDriverLogin, signInDevice } from '../../support/device.ts';
import { at, start } from '../../support/grouping.ts';
import { startMalote } from '../../support/malote.ts';
import { places } from '../../support/orders.ts';
import { assertAttribute, assertDisabled, assertValue } from '../../support/shown.ts';
import { assertOk, deliveryIn, newDriver } from '../../support/steps.ts';

const malote = await startMalote();
const { operator, db } = malote;
await loadDemoAddresses(db, malote.clock);
await malote.app.deps.geocoders.refresh();
const browser = await openBrowser(malote.url);
const REFUSED = /Failed to load resource.*4(00|22)/;
const near = (index: number) => ({ lat: Number(places[index]!.lat), lng: Number(places[index]!.lng) });
const detail = async (id: number): Promise<Json> => assertOk(await operator.get(`/entregas/${id}`)).body.data;
await db`update drivers set available = false where central_id = 1`;

async function openStops(page: Page, id: number): Promise<Locator> {
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('button', { name: 'Editar paradas' }).click();
  return page.getByRole('dialog', { name: `Paradas da entrega ${id}` });
}

test('an operator gives a running delivery to another driver by keyboard alone', async () => {
  const id = await start(malote, at(0, 1, 8), { driverAt: near(6) });
  const [first] = (await detail(id)).paradas;
  assertOk(await operator.post(`/entregas/${id}/paradas/${first.id}/concluir`, {}));
  const second = await newDriver(malote, near(8));
  await db`update drivers set name = 'Ana Souza' where central_id = 1 and id = ${second}`;
  const busy = await deliveryIn(malote, 'in_progress', 2);
  await db`update drivers set name = 'Bruno Dias' where central_id = 1 and id = ${busy.driverId}`;

  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  await page.getByText('Chega às').first().waitFor();
  await screen.screenshot('console-delivery-arrivals');
  const open = page.getByRole('button', { name: 'Passar para outro' });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Passar a entrega ${id} para…` });
  const ana = dialog.getByRole('radio', { name: /Ana Souza/ });
  await ana.waitFor();
  await dialog.getByRole('radio', { name: /Bruno Dias/ }).focus();
  await page.keyboard.press('Space');
  await dialog.getByText(`está com a entrega ${busy.id} agora`, { exact: false }).waitFor();
  await assertDisabled(dialog.getByRole('button', { name: 'Passar a entrega' }));
  await ana.focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('columnheader', { name: 'Depois' }).waitFor();
  await screen.assertAccessible();
  await dialog.getByLabel('Motivo').focus();
  await page.keyboard.type('Pneu furado');
  await screen.screenshot('console-reassign');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('console-reassign-390');
  await page.setViewportSize({ width: 1280, height: 800 });
  await screen.screenshot('console-reassign-1280');
  await page.keyboard.press('Enter');
  await page.getByText('A entrega passou para Ana Souza.').waitFor();
  await page.getByText('por Condutor de teste', { exact: true }).waitFor();
  await page.getByText('Passou para Ana Souza', { exact: true }).waitFor();
  assert.equal((await detail(id)).condutor.id, String(second));
});

test('an operator edits the stops of a running delivery, sees before and after, and saves', async () => {
  const id = await start(malote, at(0, 1, 2), { driverAt: near(6) });
  const before = (await detail(id)).paradas.map((stop: Json) => stop.id);
  await using screen = await browser.desk();
  const { page } = screen;
  const dialog = await openStops(page, id);
  await dialog.getByRole('button', { name: 'Parada 1 Avenida Ipiranga, 1' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await dialog.getByRole('button', { name: 'Parada 2 Avenida Ipiranga, 1' }).waitFor();
  await dialog.getByRole('button', { name: 'Excluir a parada 3' }).click();
  await dialog.getByRole('button', { name: 'Parada 1 Avenida Ipiranga, 2' }).click();
  await dialog.getByLabel('Observação').fill('Deixar com o porteiro');
  await dialog.getByLabel('Cobrar (R$)').fill('15,50');
  await dialog.getByRole('button', { name: 'Ver o que muda' }).click();
  await dialog.getByRole('rowheader', { name: 'Valor' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-edit-stops');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('console-edit-stops-390');
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Paradas alteradas; o entregador foi avisado.').waitFor();
  const after = (await detail(id)).paradas;
  assert.deepEqual(
    after.map((stop: Json) => stop.id),
    [before[1], before[0]],
  );
  assert.deepEqual([after[0].observacao, after[0].valor_cobrar], ['Deixar com o porteiro', '15.50']);
});

test('stops moved and removed by keyboard are read out, and the keyboard stays with them', async () => {
  const id = await start(malote, at(0, 1, 2), { driverAt: near(6) });
  await using screen = await browser.desk();
  const { page } = screen;
  const dialog = await openStops(page, id);
  const said = (text: string) => dialog.getByRole('status').getByText(text, { exact: true }).waitFor();
  const focused = (name: string) =>
    dialog.getByRole('button', { name }).and(page.locator(':focus')).waitFor({ timeout: 5_000 });
  await dialog.getByRole('button', { name: 'Parada 3: para cima' }).focus();
  await page.keyboard.press('Enter');
  await said('Parada 3 passou para a posição 2 de 3.');
  await focused('Parada 2: para cima');
  await page.keyboard.press('Enter');
  await said('Parada 2 passou para a posição 1 de 3.');
  await focused('Parada 1: para baixo');
  await dialog.getByRole('button', { name: 'Parada 1 Avenida Ipiranga, 3' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await said('Parada 1 passou para a posição 2 de 3.');
  await focused('Parada 2 Avenida Ipiranga, 3');
  await dialog.getByRole('button', { name: 'Excluir a parada 1' }).focus();
  await page.keyboard.press('Enter');
  await said('Parada 1 removida.');
  await focused('Parada 1 Avenida Ipiranga, 3');
  await dialog.getByRole('button', { name: 'Excluir a parada 2' }).focus();
  await page.keyboard.press('Enter');
  await focused('Adicionar parada');
  await screen.assertAccessible();
});

test('a new stop has suggestions and a pin, and the order is changed by dragging', async () => {
  const id = await start(malote, at(0, 1, 2), { driverAt: near(6) });
  const before = (await detail(id)).paradas;
  await using screen = await browser.desk({
    maps: true,
    viewport: { width: 1280, height: 900 },
    expected: [REFUSED],
  });
  const { page } = screen;
  const dialog = await openStops(page, id);
  const rows = dialog.locator('.edit-stop');
  const texts = () => rows.locator('> span:last-child').allInnerTexts();
  const handleOf = async (index: number) => {
    const box = (await dialog.locator('.drag-handle').nth(index).boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await rows.nth(2).waitFor();
  const unmoved = await texts();
  const drag = async (from: number, to: number) => {
    const [start, end] = [await handleOf(from), await handleOf(to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y + (to > from ? 6 : -6), { steps: 5 });
  };
  await drag(0, 2);
  await dialog.locator('li.held').waitFor();
  await screen.screenshot('console-edit-stops-drag');
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await dialog.locator('li.held').waitFor({ state: 'detached' });
  assert.deepEqual(await texts(), unmoved, 'Escape leaves the order, and the dialog open');
  await drag(2, 0);
  await page.mouse.up();
  await dialog.getByRole('button', { name: 'Parada 1 Avenida Ipiranga, 3' }).waitFor();

  await dialog.getByRole('button', { name: 'Adicionar parada' }).click();
  // The refusal is shown beside its field before anything is typed.
  await dialog.getByRole('button', { name: 'Ver o que muda' }).click();
  await dialog.getByText('é obrigatório').first().waitFor();
  await dialog.getByLabel('Endereço').fill('osvaldo aranha 1022');
  await dialog.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Encontrado no número.').waitFor();
  await assertValue(dialog.getByLabel('Bairro'), 'Bom Fim');
  const map = dialog.getByRole('region', { name: 'Mapa: clique para dar lugar' });
  await mapIsReady(map);
  await screen.assertAccessible();
  await screen.screenshot('console-edit-stops-new');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('console-edit-stops-new-390');
  await page.setViewportSize({ width: 1280, height: 900 });
  await mapIsReady(map);
  const found = Number(await dialog.getByLabel('Latitude').inputValue());
  await map.click({ position: { x: 200, y: 60 } });
  await dialog.getByText('Ponto marcado no mapa.').waitFor();
  const marked = Number(await dialog.getByLabel('Latitude').inputValue());
  assert.notEqual(marked, found);
  await dialog.getByRole('button', { name: 'Ver o que muda' }).click();
  await dialog.getByRole('rowheader', { name: 'Valor' }).waitFor();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Paradas alteradas; o entregador foi avisado.').waitFor();
  const after = (await detail(id)).paradas;
  assert.deepEqual(
    after.slice(0, 3).map((stop: Json) => stop.id),
    [before[2].id, before[0].id, before[1].id],
  );
  assert.deepEqual([after[3].endereco, after[3].lat], ['Avenida Osvaldo Aranha, 1022', marked]);
});

test('an operator holds a delivery back and resumes it', async () => {
  const delivery = await deliveryIn(malote, 'accepted');
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${delivery.id}`);
  await page.getByRole('button', { name: 'Segurar' }).click();
  const dialog = page.getByRole('dialog', { name: `Segurar a entrega ${delivery.id}?` });
  await dialog.getByLabel('Motivo').fill('A loja atrasou');
  await dialog.getByRole('button', { name: 'Segurar' }).click();
  await page.getByText('A central segura esta entrega: A loja atrasou').waitFor();
  await page.getByRole('button', { name: 'Retomar' }).click();
  await page.getByText('Entrega retomada.').waitFor();
  assert.equal((await detail(delivery.id)).status, 'D');
});

test('an invitation’s QR code signs a phone in; the operator sees that phone and signs it out', async () => {
  const { driverId } = await newDriverLogin(malote);
  await db`update drivers set name = 'Carla Reis' where central_id = 1 and id = ${driverId}`;
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/condutores?q=carla');
  await page.getByRole('button', { name: 'celulares de Carla Reis' }).click();
  const dialog = page.getByRole('dialog', { name: 'Celulares de Carla Reis' });
  await dialog.getByText('Nenhum celular conectado').waitFor();
  await dialog.getByRole('button', { name: 'Convidar por QR ou link' }).click();
  await dialog.getByRole('img', { name: 'QR do convite' }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-invite');
  const codigo = await dialog.locator('code').textContent();
  const { status } = await signInDevice(malote, { codigo, aparelho: 'Android, Chrome' });
  assert.equal(status, 200);
  await dialog.getByRole('button', { name: 'Fechar' }).click();
  await page.reload();
  // The columns move when the positions arrive: a press that begins before ends beside the button.
  await page.getByRole('button', { name: /conectado.*celulares de Carla Reis/ }).click();
  await dialog.getByRole('button', { name: 'Desconectar' }).click();
  await page
    .getByRole('dialog', { name: 'Desconectar Android, Chrome?' })
    .getByRole('button', { name: 'Desconectar' })
    .click();
  await dialog.getByText('Nenhum celular conectado').waitFor();
});

test('a driver’s call for help stands on the day board until an operator took care of it', async () => {
  const delivery = await deliveryIn(malote, 'in_progress');
  await db`update drivers set name = 'Davi Lima' where central_id = 1 and id = ${delivery.driverId}`;
  const body = { id_mch: delivery.id, texto: 'A rua está interditada' };
  assertOk(await operator.post(`/condutores/${delivery.driverId}/ajuda`, body));
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console');
  const calls = page.getByRole('region', { name: 'Pedem ajuda' });
  await calls.getByText('A rua está interditada').waitFor();
  await assertAttribute(calls.getByRole('link', { name: 'Ligar Davi Lima' }), 'href', 'tel:51988880000');
  await screen.assertAccessible();
  await screen.screenshot('console-help');
  await calls.getByRole('button', { name: 'Atendido Davi Lima' }).click();
  await calls.waitFor({ state: 'detached' });
  await page.goto('/console/condutores');
  await page.getByText('Avenida Ipiranga, 1').first().waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-drivers');
  await page.setViewportSize({ width: 1280, height: 800 });
  await screen.screenshot('console-drivers-1280');
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.screenshot('console-drivers-390');
  await screen.assertAccessible();
});
