import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { watchRequests } from '../../support/openRequests.ts';
import { runText } from '../../support/runText.ts';
import { assertCount, assertNone, assertText, assertValue } from '../../support/shown.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../../support/steps.ts';
import { eventually, waitUntil } from '../../support/waitUntil.ts';

// What a page keeps while others change its subject.

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { operator } = malote;
const REFUSED = /Failed to load resource.*4\d\d/;
const CHANGED = 'Isto mudou enquanto a janela estava aberta. Confira antes de continuar.';

async function openPage(page: Page, path: string): Promise<void> {
  await signIn(page);
  await page.goto(`/console${path}`);
}

const statusOf = async (id: number): Promise<string> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data.status;

test('the choice of a driver stays open when the delivery is offered to somebody meanwhile', async () => {
  const { id } = await openDelivery(malote);
  const driverId = await newDriver(malote);
  assertOk(await operator.post('/condutores/1/disponibilidade', { disponivel: true }));
  assertOk(await operator.post('/condutores/1/posicao', { lat: -30.031, lng: -51.23 }));
  await using screen = await browser.desk();
  const { page } = screen;
  await openPage(page, `/entregas/${id}`);
  await page.getByRole('button', { name: 'Oferecer a um entregador' }).click();
  const dialog = page.getByRole('dialog', { name: 'Oferecer a…' });
  await dialog.getByRole('radio', { name: /João Silva/ }).check();
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: driverId }));
  await page.getByText('Recusar pelo entregador').waitFor();
  await dialog.getByRole('button', { name: 'Oferecer', exact: true }).click();
  await page.getByText('Oferecida; aguarda o aceite.').waitFor();
});

test('a reason that is being typed stays when the button that asked for it is gone, and the server answers', async () => {
  const { id } = await deliveryIn(malote, 'accepted');
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await openPage(page, `/entregas/${id}`);
  await page.getByRole('button', { name: 'Segurar' }).click();
  const dialog = page.getByRole('dialog', { name: `Segurar a entrega ${id}?` });
  await dialog.getByLabel('Motivo').fill('O cliente pediu');
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  await dialog.getByText(CHANGED).waitFor();
  await dialog.getByLabel('Motivo').fill('O cliente pediu para esperar');
  await screen.assertAccessible();
  await dialog.getByRole('button', { name: 'Segurar' }).click();
  await dialog.getByRole('alert').waitFor();
  await assertValue(dialog.getByLabel('Motivo'), 'O cliente pediu para esperar');
  await dialog.getByRole('button', { name: 'Voltar' }).click();
  await assertNone(page.getByRole('dialog'));
  // The focus moves to the page, because the button is gone.
  await page.locator('main:focus').waitFor();
});

test('a dialog whose row left the board stays; it goes with the page', async () => {
  const { id } = await deliveryIn(malote, 'not_attended');
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await openPage(page, '/entregas');
  await page.getByRole('link', { name: 'O dia' }).click();
  await page.getByRole('button', { name: `Dispensar ${id}` }).click();
  const dialog = page.getByRole('dialog', { name: `Dispensar a entrega ${id}?` });
  await dialog.getByLabel('Motivo').fill('Já foi de táxi');
  assertOk(await operator.post(`/entregas/${id}/dispensar`, { motivo: 'Colega' }));
  await dialog.getByText(CHANGED).waitFor();
  await assertValue(dialog.getByLabel('Motivo'), 'Já foi de táxi');
  await page.goBack();
  await page.getByRole('heading', { name: 'Entregas', exact: true }).waitFor();
  await assertNone(page.getByRole('dialog'));
});

test('the second click of a double click does not press the next step of a delivery', async () => {
  const { id } = await deliveryIn(malote, 'accepted');
  await using screen = await browser.desk({ viewport: { width: 390, height: 844 } });
  const { page } = screen;
  await openPage(page, `/entregas/${id}`);
  const networkIdle = watchRequests(page);
  const arrived = page.getByRole('button', { name: 'Chegou na coleta' });
  const { x, y, height } = (await arrived.boundingBox())!;
  const at = [x + 12, y + height / 2] as const;
  await page.mouse.click(...at);
  await arrived.waitFor({ state: 'detached' });
  // The button that starts the delivery is now there.
  await page.locator('button:hover', { hasText: 'Iniciar' }).waitFor();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await networkIdle();
  assert.equal(await statusOf(id), 'A');
  // A separate click does.
  await page.mouse.click(...at);
  await page.getByText('Entrega iniciada.').waitFor();
});

test('a row that another one replaces stays under the pointer that aims at it', async () => {
  await malote.configure({ releaseRequired: true });
  const first = await openDelivery(malote);
  const second = await openDelivery(malote);
  await malote.configure({ releaseRequired: false });
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  const networkIdle = watchRequests(page);
  await openPage(page, '/');
  await page.getByRole('table', { name: 'Entregas em curso' }).waitFor();
  await networkIdle();
  const group = page.getByRole('region', { name: 'Aguardam liberação' });
  const release = group.getByRole('button', { name: `Liberar ${first.id}` });
  await release.hover();
  await page.mouse.down();
  const read = page.waitForResponse('**/entregas/abertas');
  assertOk(await operator.post(`/entregas/${first.id}/liberar`));
  await read;
  await networkIdle();
  await page.mouse.up();
  // The intended button is pressed, and the server answers that it was done already. The delivery below is not released
  // instead.
  await page.locator('.toasts .failed').waitFor();
  await release.waitFor({ state: 'detached' });
  await group.getByRole('button', { name: `Liberar ${second.id}` }).waitFor();
  assert.equal(await statusOf(second.id), 'L');
});

test('saving an entry that a colleague saved meanwhile shows a warning first', async () => {
  const { body } = assertOk(
    await operator.post('/condutores', { nome: 'Rita Souza', telefone: '51988887777', categorias: [1] }),
  );
  const { id } = body.data;
  await using screen = await browser.desk();
  const { page } = screen;
  await openPage(page, '/condutores?texto=Rita');
  await page.getByRole('button', { name: 'Rita Souza', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Rita Souza' });
  await dialog.getByLabel('Veículo').fill('Yamaha Factor');
  assertOk(
    await operator.put(`/condutores/${id}`, {
      nome: 'Rita Souza',
      telefone: '51988887777',
      categorias: [1],
      ativo: false,
    }),
  );
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.getByText('Outra pessoa salvou isto enquanto você editava.').waitFor();
  await assertValue(dialog.getByLabel('Veículo'), 'Yamaha Factor');
  await screen.assertAccessible();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Rita Souza salvo.').waitFor();
});

test('an entry of a register is guarded the same way, and saved at once where nobody else was', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await openPage(page, '/configuracoes');
  const reasons = page.getByRole('table', { name: 'Motivos de cancelamento' });
  await reasons
    .getByRole('button', { name: /^Editar/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Editar motivo' });
  const name = dialog.getByLabel('Em português');
  const before = await name.inputValue();
  await name.fill(`${before} (balcão)`);
  const read = assertOk(await operator.get('/motivos-cancelamento')).body.data;
  const { id } = read.find(({ nome }: { nome: string }) => nome === before);
  assertOk(await operator.put(`/motivos-cancelamento/${id}`, { nome: `${before} (colega)`, ativo: true }));
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.getByText('Outra pessoa salvou isto enquanto você editava.').waitFor();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Salvo.').waitFor();
  await page.getByRole('cell', { name: `${before} (balcão)`, exact: true }).waitFor();
});

test('settings that are being changed survive what a colleague saves, who is named beside the same one', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await openPage(page, '/configuracoes');
  const settings = assertOk(await operator.get('/configuracoes')).body.data;
  const seconds = page.getByLabel('Segundos para responder a uma oferta');
  const help = page.getByLabel('Como o destinatário pede ajuda');
  await seconds.fill('77');
  await help.fill('Ligue para a central');
  const read = page.waitForResponse('**/configuracoes');
  assertOk(await operator.put('/configuracoes', { texto_ajuda: 'Escreva para a central' }));
  assert.notEqual(settings.texto_ajuda, 'Escreva para a central');
  // A change of language reads everything again.
  await page.getByRole('button', { name: 'English' }).click();
  await read;
  await page.getByRole('button', { name: 'Português' }).click();
  await page.getByText('Outra pessoa mudou isto enquanto você editava.').waitFor();
  await assertValue(seconds, '77');
  await assertValue(help, 'Ligue para a central');
  await page.getByRole('button', { name: 'Salvar configurações' }).click();
  await page.getByText('Configurações salvas.').waitFor();
  await eventually(async () =>
    assert.equal(
      assertOk(await operator.get('/configuracoes')).body.data.texto_ajuda,
      'Ligue para a central',
    ),
  );
});

test('one company’s open entries are neither shown nor closed under another that the address names', async () => {
  await deliveryIn(malote, 'finished');
  const today = malote.clock.now().toZonedDateTimeISO('America/Sao_Paulo').toPlainDate();
  await using screen = await browser.desk();
  const { page } = screen;
  await openPage(page, '/fechamentos?de_quem=2');
  const form = page.getByRole('region', { name: 'Novo fechamento' });
  await assertValue(form.getByRole('combobox'), '2');
  // A link to the closings of another company does this.
  await page.evaluate(
    `history.pushState(null, '', '/console/fechamentos?de_quem=1'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await assertValue(form.getByRole('combobox'), '1');
  await form.getByLabel('Até o dia').fill(today.toLocaleString('pt-BR'));
  await form.getByRole('button', { name: 'Ver o que está em aberto' }).click();
  await form.getByRole('button', { name: 'Fechar a conta' }).waitFor();
  await page.goBack();
  await assertValue(form.getByRole('combobox'), '2');
  await assertNone(form.getByRole('button', { name: 'Fechar a conta' }));
});

test('a pin that was dragged belongs to its address, not to the next one after a colleague confirmed it', async () => {
  const { id, stopIds } = await openDelivery(malote, {}, 2);
  await runText(
    malote.db,
    `update stops set to_check = true where central_id = 1 and id = any($1::bigint[])`,
    [stopIds],
  );
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await openPage(page, '/');
  await page.getByRole('button', { name: `Conferir endereço ${id}` }).click();
  const dialog = page.getByRole('dialog', { name: `Conferir endereço da entrega ${id}` });
  await dialog.locator('.maplibregl-canvas').click({ position: { x: 90, y: 60 } });
  await dialog.getByRole('button', { name: 'Confirmar este ponto' }).waitFor();
  assertOk(
    await operator.post(`/entregas/${id}/conferir-endereco`, { parada_id: stopIds[0], posicao: null }),
  );
  // Any event makes the board read its deliveries again.
  await openDelivery(malote);
  await dialog.getByRole('button', { name: 'O ponto está certo' }).waitFor();
  assertOk(
    await operator.post(`/entregas/${id}/conferir-endereco`, { parada_id: stopIds[1], posicao: null }),
  );
  await openDelivery(malote);
  await assertText(dialog.locator('p').first(), /Isto mudou|já foram conferidos/);
});

test('stops that are being edited survive an ended session, a new load of the page and Escape', async () => {
  const { id } = await openDelivery(malote, {}, 2);
  await using screen = await browser.desk({ expected: [/Failed to load resource.*401/] });
  const { page } = screen;
  await openPage(page, `/entregas/${id}`);
  const edit = page.getByRole('button', { name: 'Editar paradas' });
  const dialog = page.getByRole('dialog', { name: `Paradas da entrega ${id}` });
  await edit.click();
  await dialog.getByRole('button', { name: 'Adicionar parada' }).click();
  await dialog.getByLabel('Endereço').fill('Rua da República, 320');
  await page.request.delete('/console/sessao', { headers: { 'x-malote-console': '1' } });
  const login = page.getByRole('button', { name: 'Entrar' });
  // The end of the live updates may reach the page before the click does.
  await waitUntil('the login is asked for', async () => {
    const look = dialog.getByRole('button', { name: 'Ver o que muda' });
    await look.click({ timeout: 1_000 }).catch(() => undefined);
    return login.isVisible();
  });
  await openPage(page, `/entregas/${id}`);
  await edit.click();
  await assertCount(dialog.locator('.edit-stops > li'), 3);
  await dialog.getByText('Rua da República, 320').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await edit.click();
  await assertCount(dialog.locator('.edit-stops > li'), 3);
  // Going back discards the change.
  await dialog.getByRole('button', { name: 'Voltar' }).click();
  await edit.click();
  await assertCount(dialog.locator('.edit-stops > li'), 2);
});

test('without https the console orders, once however often the button is pressed, and copies', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  // Features that browsers lack on http, except for addresses of this machine.
  await page.addInitScript(() => {
    Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
    Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
  });
  const { id } = await openDelivery(malote);
  await openPage(page, `/entregas/${id}`);
  await page.getByRole('button', { name: 'Copiar link' }).first().click();
  await page.getByText('Copiado.').waitFor();
  await page.getByRole('button', { name: 'Usar como modelo' }).click();
  const count = async () =>
    (await malote.db<{ count: number }>`select count(*) from deliveries where central_id = 1`)[0]!.count;
  const before = await count();
  const send = page.getByRole('button', { name: 'Abrir entrega' });
  await eventually(async () => assert.equal(await send.isEnabled(), true));
  await send.dblclick();
  await page.getByRole('heading', { name: /^Entrega \d+$/ }).waitFor();
  await eventually(async () => assert.equal(await count(), before + 1));
});
