import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { mapIsReady, NO_NETWORK, openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { watchRequests } from '../support/openRequests.ts';
import { assertAttribute, assertCount, assertNone, assertValue } from '../support/shown.ts';
import { assertOk } from '../support/steps.ts';
import { eventually } from '../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const REFUSED = /Failed to load resource.*4(00|22)/;

async function fillPlace(page: Page, name: string, endereco: string, coordinates: string): Promise<void> {
  const place = page.getByRole('group', { name, exact: true });
  await place.getByLabel('Endereço').fill(endereco);
  await place.getByLabel('Bairro').fill('Centro');
  if (!(await place.getByLabel('Latitude').isVisible())) await place.getByText('Mostrar coordenadas').click();
  // In the form in which maps copy coordinates: one paste fills both fields.
  await place.getByLabel('Latitude').fill(coordinates);
}

const countOpened = async (): Promise<number> => {
  const [row] = await malote.db<{ count: number }>`select count(*) from deliveries where central_id = 1`;
  return row!.count;
};

test('a delivery is opened with a live estimate, given to a driver, and watched to its end', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('combobox', { name: 'Empresa' }).selectOption('1');
  await fillPlace(page, 'Coleta', 'Rua dos Andradas, 1001', '-30.0305, -51.2303');
  await fillPlace(page, 'Parada 1', 'Avenida Ipiranga, 1', '-30.0489, -51.2158');
  const estimate = page.getByRole('region', { name: 'Estimativa' });
  await estimate.getByText('Bandeirada').waitFor();
  const before = (await estimate.locator('strong').first().textContent()) ?? '';
  await page.getByRole('button', { name: 'Adicionar parada' }).click();
  await fillPlace(page, 'Parada 2', 'Rua da República, 320', '-30.0390, -51.2050');
  await estimate.getByText('Paradas extras').waitFor();
  await eventually(async () =>
    assert.notEqual(await estimate.locator('strong').first().textContent(), before),
  );
  const networkIdle = watchRequests(page);
  const estimatedAgain = page.waitForResponse('**/estimativas');
  await page.getByRole('button', { name: 'Subir a parada 2' }).click();
  const second = page.getByRole('group', { name: 'Parada 2', exact: true });
  await assertValue(second.getByLabel('Endereço'), 'Avenida Ipiranga, 1');
  await page.locator('.map-point.stop').nth(1).waitFor();
  await screen.assertAccessible();
  await estimatedAgain;
  await networkIdle();
  await screen.screenshot('console-new', page.getByRole('region', { name: 'Mapa: clique para dar lugar' }));
  const said = await estimate.locator('strong').first().textContent();

  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await page.getByRole('heading', { name: /^Entrega \d+$/ }).waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  await page.getByRole('region', { name: 'Pedido' }).getByText(said!).waitFor();
  await page.getByText('Aberta; a busca por um entregador começou').waitFor();

  assertOk(await malote.operator.post('/condutores/1/disponibilidade', { disponivel: true }));
  assertOk(await malote.operator.post('/condutores/1/posicao', { lat: -30.031, lng: -51.23 }));
  await page.getByRole('button', { name: 'Oferecer a um entregador' }).click();
  const dialog = page.getByRole('dialog', { name: 'Oferecer a…' });
  await dialog.getByRole('radio', { name: /João Silva/ }).check();
  await screen.assertAccessible();
  await screen.screenshot('console-offer');
  await dialog.getByRole('button', { name: 'Oferecer', exact: true }).click();
  await page.getByText('Oferecida; aguarda o aceite.').waitFor();

  // The driver acts on the phone; the operator only watches.
  const driver = malote.driver(1);
  assertOk(await driver.post(`/entregas/${id}/aceitar`, {}));
  await page.getByText('Aceita por João Silva').waitFor();
  await page.locator('.map-point.driver').waitFor();
  assertOk(await driver.post(`/entregas/${id}/iniciar`, {}));
  await page.getByText('João Silva iniciou a entrega').waitFor();
  await screen.screenshot('console-delivery');

  // Then the operator acts in the driver's place.
  for (const number of [1, 2]) {
    await assertNone(page.getByRole('button', { name: 'Finalizar' }));
    // The buttons of the earlier stops are gone.
    await assertCount(page.getByRole('button', { name: 'Concluir parada' }), 3 - number);
    await page.getByRole('button', { name: 'Concluir parada' }).first().click();
    const asked = page.getByRole('dialog', { name: `Concluir a parada ${number}?` });
    await asked.getByRole('button', { name: 'Concluir parada' }).click();
    await page.getByText(`Parada ${number} concluída.`).waitFor();
    await asked.waitFor({ state: 'detached' });
  }
  // The conclusion of the last stop ends the delivery.
  await page.getByRole('region', { name: 'Recibo' }).waitFor();
  assert.equal((await malote.central.get(`/entregas/${id}/status`)).body.data.status, 'F');
  await screen.assertAccessible();
  await screen.screenshot('console-delivery-finished');
});

test('a click on the map gives the place that is being filled its coordinates, and goes on to the next', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  const map = page.getByRole('region', { name: 'Mapa: clique para dar lugar' });
  await page.getByText('Clique no mapa para marcar a coleta.').waitFor();
  await mapIsReady(map);
  await map.click({ position: { x: 250, y: 180 } });
  await page.getByText('Clique no mapa para marcar a parada 1.').waitFor();
  await map.click({ position: { x: 260, y: 200 } });
  for (const name of ['Coleta', 'Parada 1']) {
    const place = page.getByRole('group', { name, exact: true });
    await assertValue(place.getByLabel('Latitude'), /^-3\d\.\d{6}$/);
    await assertValue(place.getByLabel('Longitude'), /^-5\d\.\d{6}$/);
  }
});

test('a refusal is shown beside its field, and typed text survives a reload', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await fillPlace(page, 'Coleta', 'Rua dos Andradas, 1001', '-30.0305, -51.2303');
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  const stop = page.getByRole('group', { name: 'Parada 1', exact: true });
  await stop.getByText('não pode ser vazio').first().waitFor();
  await assertAttribute(stop.getByLabel('Endereço'), 'aria-invalid', 'true');
  const pickup = page.getByRole('group', { name: 'Coleta', exact: true });
  await assertAttribute(pickup.getByLabel('Endereço'), 'aria-invalid', null);
  await screen.assertAccessible();
  await screen.screenshot('console-new-refused');
  await page.reload();
  await assertValue(pickup.getByLabel('Endereço'), 'Rua dos Andradas, 1001');
  await assertValue(pickup.getByLabel('Longitude'), '-51.2303');

  // Far from every operating area: the estimate says so during typing.
  await fillPlace(page, 'Parada 1', 'Praça da Sé', '-23.55, -46.63');
  await page.getByRole('combobox', { name: 'Empresa' }).selectOption('1');
  await page.getByRole('region', { name: 'Estimativa' }).getByText(/área/).waitFor();
});

test('a connection that is lost after the server has acted opens one delivery, not two', async () => {
  await using screen = await browser.desk({ expected: [NO_NETWORK] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('combobox', { name: 'Empresa' }).selectOption('1');
  await fillPlace(page, 'Coleta', 'Rua dos Andradas, 1001', '-30.0305, -51.2303');
  await fillPlace(page, 'Parada 1', 'Avenida Ipiranga, 1', '-30.0489, -51.2158');
  const before = await countOpened();
  let asked = 0;
  let isDown = true;
  await page.route('**/api/v2/integracao/entregas', async (route) => {
    asked += 1;
    if (asked === 1) await route.fetch();
    return isDown ? route.abort('connectionreset') : route.continue();
  });
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await page.getByText('Sem conexão com o servidor. Nada foi perdido: tente novamente.').waitFor();
  isDown = false;
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await page.getByRole('heading', { name: /^Entrega \d+$/ }).waitFor();
  assert.ok(asked > 3, 'it was tried again by itself, and then by hand');
  assert.equal(await countOpened(), before + 1);
});

test('a company’s manager schedules for the own company, without being asked which', async () => {
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/nova');
  await fillPlace(page, 'Coleta', 'Rua dos Andradas, 1001', '-30.0305, -51.2303');
  await fillPlace(page, 'Parada 1', 'Avenida Ipiranga, 1', '-30.0489, -51.2158');
  await assertNone(page.getByRole('combobox', { name: 'Empresa' }));
  await page.getByRole('radio', { name: 'Programar' }).check();
  // Key by key: the estimate is requested while the day and the hour are still incomplete.
  const [day, hour] = [page.getByLabel('Data'), page.getByLabel('Hora')];
  await day.pressSequentially('16/11');
  await hour.pressSequentially('14h30');
  await assertValue(day, '16/11/2026');
  await day.press('Backspace');
  await day.press('6');
  await day.blur();
  await assertValue(hour, '14:30');
  await page.getByRole('region', { name: 'Estimativa' }).getByText('R$').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-new-phone');
  await page.getByRole('button', { name: 'Programar entrega' }).click();
  await page.waitForURL(/\/programadas\/\d+$/);
  const id = page.url().split('/').at(-1);
  const { body } = assertOk(await malote.manager.get(`/entregas/programadas/${id}`));
  assert.equal(body.data.hora_previsao_disparo, '14:30:00');
  assert.equal(body.data.empresa.id, '1');
});

test('a delivery of a person is opened for that person', async () => {
  await using screen = await browser.desk({ colorScheme: 'dark' });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('radio', { name: 'Pessoa' }).check();
  await page.getByLabel('Nome', { exact: true }).fill('Vera Nunes');
  await page.getByLabel('CPF').fill('529.982.247-25');
  await page.getByRole('combobox', { name: 'Categoria' }).selectOption({ label: 'Moto' });
  await fillPlace(page, 'Coleta', 'Rua dos Andradas, 1001', '-30.0305, -51.2303');
  await fillPlace(page, 'Parada 1', 'Avenida Ipiranga, 1', '-30.0489, -51.2158');
  await page.getByLabel('Cupom').fill('DEMO10');
  await page.getByRole('region', { name: 'Estimativa' }).getByText('Cupom').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-new-dark');
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await page.getByRole('region', { name: 'Pedido' }).getByText('Vera Nunes').waitFor();
});

test('an unknown address of the console says so, and leads back to the menu', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nao-existe');
  await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
  await screen.assertAccessible();
  await page.getByRole('link', { name: 'Entregas' }).click();
  await page.getByRole('heading', { name: 'Entregas', exact: true }).waitFor();
});

test('the stops of an order are moved with Alt and the arrows, read out, and keep the keyboard', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  const stop = (number: number) => page.getByRole('group', { name: `Parada ${number}`, exact: true });
  const noteOf = (number: number) => stop(number).getByLabel('Observação');
  for (const [index, note] of ['a', 'b', 'c'].entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Adicionar parada' }).click();
    await noteOf(index + 1).fill(note);
  }
  const said = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const focused = (place: Locator) => place.and(page.locator(':focus')).waitFor({ timeout: 5_000 });
  const button = (name: string) => page.getByRole('button', { name });
  await noteOf(3).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await said('Parada 3 passou para a posição 2 de 3.');
  await focused(noteOf(2));
  await assertValue(noteOf(2), 'c');
  await button('Subir a parada 2').focus();
  await page.keyboard.press('Enter');
  await said('Parada 2 passou para a posição 1 de 3.');
  await focused(button('Descer a parada 1'));
  await page.keyboard.press('Alt+ArrowUp');
  await assertValue(noteOf(1), 'c', 'the first stop stays');
  await button('Remover a parada 1').focus();
  await page.keyboard.press('Enter');
  await said('Parada 1 removida.');
  await focused(stop(1));
  await assertValue(noteOf(1), 'a');
  await button('Remover a parada 2').focus();
  await page.keyboard.press('Enter');
  await focused(button('Adicionar parada'));
  await screen.assertAccessible();
  await page.getByRole('button', { name: 'English' }).click();
  await button('Add a stop').click();
  await button('Move stop 2 up').focus();
  await page.keyboard.press('Enter');
  await said('Stop 2 moved to position 1 of 2.');
  await focused(button('Move stop 1 down'));
});
