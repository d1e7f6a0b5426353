import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { dispatched } from '../../support/scheduled.ts';
import { assertAttribute, assertCount, assertNone, assertTexts, assertValue } from '../../support/shown.ts';
import { assertOk, deliveryIn, openDelivery } from '../../support/steps.ts';
import { eventually } from '../../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const REFUSED = /Failed to load resource.*4\d\d/;

const status = async (id: number): Promise<string> =>
  assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data.status;

test('a manager cancels with a reason, and sees the consequences beforehand', async () => {
  const { id } = await deliveryIn(malote, 'accepted');
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('button', { name: 'Cancelar' }).waitFor();
  await assertNone(page.getByRole('button', { name: 'Iniciar' }));
  await page.getByRole('button', { name: 'Cancelar' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancelar a entrega ${id}?` });
  await dialog.getByText('Condutor de teste fica livre.', { exact: false }).waitFor();
  await dialog.getByLabel('Motivo').selectOption('2');
  await screen.assertAccessible();
  await screen.screenshot('console-cancel');
  assert.equal(await status(id), 'A', 'nothing happens before the answer');
  await dialog.getByRole('button', { name: 'Cancelar a entrega' }).click();
  await page.getByText(`Entrega ${id} cancelada.`).waitFor();
  assert.equal(await status(id), 'C');
  await page.getByText(/^Cancelada: /).waitFor();
});

test('an act that the server refuses says why and changes nothing', async () => {
  const { id } = await deliveryIn(malote, 'accepted');
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  // The page learns of changes too late.
  await page.route('**/api/v2/operacao/eventos', (route) => route.fulfill({ status: 204 }));
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('button', { name: 'Desistir' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/volta a ser distribuída/).waitFor();
  // The driver acts first.
  assertOk(await malote.operator.post(`/entregas/${id}/iniciar`, {}));
  await dialog.getByRole('button', { name: 'Desistir pelo entregador' }).click();
  await dialog.getByRole('alert').waitFor();
  assert.equal(await status(id), 'E');
});

test('a delivery that is not there says so', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/entregas/999999');
  await page
    .getByRole('alert')
    .getByText(/não encontrada/)
    .waitFor();
});

test('a grouped delivery leads to the one that carries it', async () => {
  const [grouper, grouped] = [
    await deliveryIn(malote, 'in_progress'),
    await deliveryIn(malote, 'in_progress'),
  ];
  const group = { solicitacoes_agrupadas: [grouped.id] };
  assertOk(await malote.central.post(`/entregas/${grouper.id}/agrupar`, group));
  await using screen = await browser.phone({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${grouped.id}`);
  await page.getByText('Agrupada: as paradas são levadas pela entrega').waitFor();
  await eventually(async () =>
    assert.equal(await page.title(), `Entrega ${grouped.id} · Central Demonstração`),
  );
  // Its steps are the other one's; but it can be cancelled alone.
  await assertNone(page.getByRole('button', { name: 'Concluir parada' }));
  await assertCount(page.getByRole('button', { name: 'Cancelar' }), 1);
  await screen.assertAccessible();
  await page.getByRole('link', { name: String(grouper.id), exact: true }).click();
  await page.getByRole('heading', { name: `Entrega ${grouper.id}` }).waitFor();
  await page.locator('.map-point.stop').nth(1).waitFor();
  await screen.screenshot('console-delivery-phone');
});

test('drivers are registered, made available and edited', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/condutores');
  const open = page.getByRole('button', { name: 'Cadastrar entregador' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Novo entregador' });
  await dialog.getByLabel('Nome').fill('Marina Dias');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await open.click();
  await assertValue(dialog.getByLabel('Nome'), 'Marina Dias');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.getByText('deve ser um telefone com DDD').waitFor();
  await dialog.getByLabel('Telefone com DDD').fill('(51) 98888-7777');
  await dialog.getByLabel('Moto').check();
  await screen.assertAccessible();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Marina Dias salvo.').waitFor();

  const available = page.getByRole('switch', { name: 'Marina Dias disponível' });
  await assertAttribute(available, 'aria-checked', 'false');
  await available.click();
  await page.getByText('Marina Dias recebe ofertas.').waitFor();
  await assertAttribute(available, 'aria-checked', 'true');

  await page.getByRole('button', { name: 'Marina Dias', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Marina Dias' });
  await edit.getByLabel('Veículo').fill('Honda Pop');
  await edit.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('cell', { name: 'Honda Pop' }).waitFor();
  await page.getByRole('button', { name: 'Marina Dias', exact: true }).click();
  await assertValue(edit.getByLabel('Veículo'), 'Honda Pop');
  await edit.getByRole('button', { name: 'Voltar' }).click();
  await page.goto('/console/condutores?situacao=disponiveis&texto=marina');
  await page.getByRole('button', { name: 'Marina Dias', exact: true }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-drivers');
});

test('the console speaks English too, and remembers it', async () => {
  const { id } = await deliveryIn(malote, 'in_progress');
  await using screen = await browser.desk({ locale: 'en-GB' });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('heading', { name: `Delivery ${id}` }).waitFor();
  await page.getByText('In progress', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Português' }).click();
  await page.reload();
  await page.getByRole('heading', { name: `Entrega ${id}` }).waitFor();
});

test('a wrong password is reported, and nothing that was typed is lost', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await page.goto('/console');
  await page.getByLabel('Central').fill('1');
  await page.getByLabel('Usuário').fill('central');
  await page.getByLabel('Senha').fill('errada');
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('alert').filter({ hasText: 'usuário e/ou senha inválidos' }).waitFor();
  await assertValue(page.getByLabel('Usuário'), 'central');
  await page.getByLabel('Senha').fill('demo');
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('heading', { name: 'O dia' }).waitFor();
});

test('a session that has ended asks for the login, and keeps what was typed', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('group', { name: 'Coleta', exact: true }).getByLabel('Endereço').fill('Rua A, 1');
  await malote.db`delete from sessions`;
  // Live updates may show the end first. The form then closes before it can be sent.
  const send = page.getByRole('button', { name: 'Abrir entrega' });
  await send.click({ timeout: 10_000 }).catch(() => undefined);
  await page.getByText('Sua sessão terminou.', { exact: false }).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-login');
  await page.getByLabel('Central').fill('Central Demonstração');
  await page.getByLabel('Usuário').fill('central');
  await page.getByLabel('Senha').fill('demo');
  await page.getByRole('button', { name: 'Entrar' }).click();
  const pickup = page.getByRole('group', { name: 'Coleta', exact: true });
  await assertValue(pickup.getByLabel('Endereço'), 'Rua A, 1');
});

const { id: scheduledId, deliveryId } = await dispatched(malote);
assertOk(await malote.operator.post(`/entregas/${deliveryId}/atribuir`, { condutor_id: 1 }));
assertOk(await malote.driver(1).post(`/entregas/${deliveryId}/aceitar`));

/** The recorded steps with their authors, in the order shown. */
const recorded = (page: Page, list: '.past' | '.story') => page.locator(`${list} .author`);

test('an operator reads in a delivery’s story who did what', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${deliveryId}`);
  await page.getByText('Aceita por João Silva').waitFor();
  await assertTexts(recorded(page, '.past'), [
    'gerente gerente',
    'serviço',
    'serviço',
    'operador central',
    'entregador João Silva',
  ]);
  await screen.assertAccessible();
  await screen.screenshot('console-story');
  await page.goto(`/console/programadas/${scheduledId}`);
  await page.getByText('Saiu').last().waitFor();
  await assertTexts(recorded(page, '.story'), ['serviço', 'gerente gerente']);
  await screen.screenshot('console-story-scheduled');
});

test('a delivery’s story tells why a driver refused it, and who gave it back', async () => {
  const { id } = await openDelivery(malote);
  const step = async (name: string, body: object) =>
    assertOk(await malote.operator.post(`/entregas/${id}/${name}`, body));
  await step('atribuir', { condutor_id: 1 });
  await step('recusar', { condutor_id: 1, motivo: 'valor', observacao: 'pneu furado' });
  await step('atribuir', { condutor_id: 2 });
  await step('aceitar', { condutor_id: 2 });
  await step('desistir', {});
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  const story = page.getByRole('region', { name: 'Histórico' });
  await story.getByText('João Silva recusou: valor baixo “pneu furado”').waitFor();
  await story.getByText('Ana Souza desistiu; a busca recomeçou').waitFor();
  await assertCount(story.getByText('recusou'), 1);
});

test('a manager reads by whom, as far as a manager may, in English on a phone', async () => {
  await using screen = await browser.phone({ locale: 'en-GB' });
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto(`/console/entregas/${deliveryId}`);
  await page.getByText('Accepted by João Silva').waitFor();
  await assertTexts(recorded(page, '.past'), ['manager gerente', 'service', 'service', 'operator', 'driver']);
  await screen.assertAccessible();
  await screen.screenshot('console-story-phone');
});
