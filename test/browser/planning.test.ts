import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { at } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';
import { assertDisabled, assertText, assertValue } from '../support/shown.ts';
import { eventually } from '../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { manager, manager2 } = malote;

const REFUSED = /Failed to load resource.*422/;

test('an operator chooses scheduled deliveries by keyboard, sees what grouping brings, and groups them', async () => {
  const first = await schedule(manager, { ...at(0), hora: '13:00:00' });
  const second = await schedule(manager, { ...at(3), hora: '13:20:00' });
  const theirs = await schedule(manager2, { ...at(5), hora: '13:40:00' });
  await using screen = await browser.desk({ maps: true, expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/programadas');
  await page.getByRole('link', { name: `#${first}` }).waitFor();
  const panel = page.getByRole('complementary', { name: 'Agrupamento' });

  // The third row is of another company.
  for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key);
  await panel.getByText('Não podem ser agrupadas').waitFor();
  await panel.getByText(/empresas diferentes/).waitFor();
  await assertDisabled(panel.getByRole('button', { name: /^Agrupar/ }));
  await screen.screenshot('console-grouping-refused');

  for (const key of ['x', 'k', 'x']) await page.keyboard.press(key);
  await panel.getByText('Podem ser agrupadas', { exact: true }).waitFor();
  const figures = panel.getByRole('table', { name: 'Antes e depois do agrupamento' });
  await assertText(figures.getByRole('row', { name: /^Viagens/ }), /Viagens21−1/);
  await panel.locator('.map-point').first().waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-grouping', panel);
  assert.equal((await readScheduled(manager, second)).situacao, 'A', 'nothing is done before the button');

  await panel.getByRole('button', { name: 'Agrupar 2 programadas' }).press('Enter');
  await page.getByText(`Agrupadas: a #${first} leva agora todas as paradas.`).waitFor();
  // The button is gone, and the focus moves to the content.
  await page.locator('#content:focus').waitFor();
  assert.equal((await readScheduled(manager, second)).situacao, 'agrupado');
  assert.equal((await readScheduled(manager, first)).paradas.length, 2);
  assert.equal((await readScheduled(manager2, theirs)).situacao, 'A');

  await page.goto(`/console/programadas/${second}`);
  await page.getByText('Agrupada na').first().waitFor();
  await screen.assertAccessible();
});

test('dragging one onto another shows the same, with the one below as the grouper', async () => {
  const onto = await schedule(manager, { ...at(1), data: '17/11/2026', hora: '09:00:00' });
  const dragged = await schedule(manager, { ...at(2), data: '17/11/2026', hora: '10:30:00' });
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/programadas?dia=2026-11-17');
  const timeline = page.getByRole('region', { name: 'Linha do tempo das saídas' });
  await timeline
    .getByRole('button', { name: `#${dragged}` })
    .dragTo(timeline.getByRole('button', { name: `#${onto}` }));
  const panel = page.getByRole('complementary', { name: 'Agrupamento' });
  await panel.getByText('Podem ser agrupadas', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Agrupar 2 programadas' }).click();
  await page.getByText(`Agrupadas: a #${onto} leva agora todas as paradas.`).waitFor();
  assert.equal((await readScheduled(manager, dragged)).situacao, 'agrupado');
});

test('a manager replaces a scheduled delivery, and removes a stop of another after being asked', async () => {
  const edited = await schedule(manager, { ...at(0), data: '18/11/2026' });
  const shortened = await schedule(manager, { ...at(0, 1), data: '18/11/2026' });
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto(`/console/programadas/${edited}`);
  await page.getByRole('link', { name: 'Editar' }).click();
  await page.getByLabel('Hora').fill('15:45');
  await page.getByLabel('Destinatário').fill('Ana Lima');
  await page.reload();
  await assertValue(page.getByLabel('Destinatário'), 'Ana Lima', 'what was typed is kept');
  await screen.assertAccessible();
  await page.getByRole('button', { name: 'Substituir a programada' }).click();
  await page.getByText(`#${edited} alterada`).waitFor();
  const shown = await readScheduled(manager, edited);
  assert.equal(shown.hora_previsao_disparo, '15:45:00');
  assert.equal(shown.paradas[0].nome_cliente, 'Ana Lima');
  assert.equal(shown.paradas[0].numero_pedido, 'P-1', 'what the form does not show stays');

  await page.goto(`/console/programadas/${shortened}`);
  await page.getByRole('button', { name: 'Remover' }).first().click();
  await page.getByRole('button', { name: 'Remover parada' }).click();
  await page.getByText('Parada removida; a estimativa foi refeita.').waitFor();
  assert.equal((await readScheduled(manager, shortened)).paradas.length, 1);
});

test('an edited address does not keep the pin of the old one, and neither does an edited town', async () => {
  const id = await schedule(manager, { ...at(0), data: '20/11/2026' });
  const before = await readScheduled(manager, id);
  await using screen = await browser.desk({ expected: [/Failed to load resource.*(400|422)/] });
  const { page } = screen;
  await signIn(page, 'gerente');
  for (const [field, typed] of [
    ['Endereço', 'Rua que ninguém conhece'],
    ['Cidade', 'Canoas'],
  ] as const) {
    await page.goto(`/console/programadas/${id}/editar`);
    await page.getByLabel(field).last().fill(typed);
    await page.getByRole('button', { name: 'Substituir a programada' }).click();
    await page.getByText('Marque o lugar no mapa.').first().waitFor();
    assert.deepEqual((await readScheduled(manager, id)).paradas, before.paradas, `${field} changed alone`);
    await page.getByRole('button', { name: 'Desfazer o que mudei' }).click();
  }
});

test('an operator is told why editing is not for them, and cancels one that awaits', async () => {
  const id = await schedule(manager, { data: '19/11/2026' });
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/programadas/${id}`);
  await page.getByText('A edição é somente do gerente da empresa').waitFor();
  await page.getByRole('button', { name: 'Cancelar programada' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar programada' }).click();
  await page.getByText(`#${id} cancelada.`).waitFor();
  assert.equal((await readScheduled(manager, id)).situacao, 'C');
});

test('an operator edits the scheduled delivery of a person, which has no manager', async () => {
  const cliente = { nome: 'Ana Souza', cpf: '52998224725' };
  const id = await schedule(malote.central, { ...at(0), data: '21/11/2026', cliente });
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/programadas/${id}`);
  await page.getByRole('link', { name: 'Editar' }).click();
  await page.getByLabel('Hora').fill('15:45');
  await page.getByRole('button', { name: 'Substituir a programada' }).click();
  await page.getByText(`#${id} alterada`).waitFor();
  assert.equal((await readScheduled(malote.central, id)).hora_previsao_disparo, '15:45:00');
});

test('on a phone the chips of the timeline have room for a thumb', async () => {
  await schedule(manager, { ...at(0), hora: '13:00:00' });
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/programadas');
  const chip = page.locator('button.chip').first();
  await eventually(async () => assert.ok((await chip.boundingBox())!.height >= 48));
  await screen.screenshot('console-planning-phone');
});
