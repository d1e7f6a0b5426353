import assert from 'node:assert/strict';
import { after } from 'node:test';
import { formatEvent } from '../../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../../server/src/events/webhooks/webhookRounds.ts';
import { goWithin, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { schedule } from '../../support/scheduled.ts';
import { assertAttribute, assertFits, assertNone, assertValue } from '../../support/shown.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { startReceiver, withStatus } from '../../support/webhookReceiver.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const browser = await openBrowser(malote.url);
const { operator, manager } = malote;

const sending = startWebhooks(malote.app.deps, {
  formatEvent,
  allowPrivate: true,
  // Hooks run in the order of their registration, so the database is closed first.
  onError: (error) => assert.match(String(error), /after calling end on the pool/),
});
after(() => sending.stop());

test('an operator tops up a company’s wallet and sees it in the statement', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  const { saldo } = (await operator.get('/empresas/1/extrato')).body.data;
  await page.goto('/console/empresas');
  await page.getByRole('link', { name: 'Padaria Moinhos' }).click();
  await page.getByRole('button', { name: 'Adicionar créditos' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Valor em reais').fill('1.234,50');
  await dialog.getByLabel('Observação').fill('Pix de novembro');
  await screen.assertAccessible();
  await dialog.getByRole('button', { name: 'Adicionar créditos' }).click();
  await page.getByText('Créditos adicionados.').waitFor();
  await page.getByRole('cell', { name: 'Pix de novembro' }).waitFor();
  const after = (await operator.get('/empresas/1/extrato')).body.data;
  assert.equal(Number(after.saldo), Number(saldo) + 1234.5);
  assert.equal(after.lancamentos[0].observacao, 'Pix de novembro');
});

test('an operator withdraws, and the server refuses when the balance is too low', async () => {
  await using screen = await browser.desk({ expected: [/Failed to load resource.*422/] });
  const { page } = screen;
  await signIn(page);
  const { saldo } = (await operator.get('/empresas/2/extrato')).body.data;
  await page.goto('/console/empresas/2');
  const withdraw = async (amount: string) => {
    await page.getByRole('dialog').getByLabel('Valor em reais').fill(amount);
    await page.getByRole('dialog').getByRole('button', { name: 'Sacar' }).click();
  };
  await page.getByRole('button', { name: 'Sacar' }).click();
  await withdraw('999999,99');
  await page.getByText('saldo insuficiente na carteira').waitFor();
  // The button was disabled while it waited for the answer, and still keeps the focus.
  await page.getByRole('dialog').locator('button[type=submit]:focus').waitFor();
  await screen.assertAccessible();
  await withdraw('0,50');
  await page.getByText('Saque lançado.').waitFor();
  await page.getByRole('cell', { name: 'Saque' }).waitFor();
  const after = (await operator.get('/empresas/2/extrato')).body.data;
  assert.equal(Number(after.saldo), Number(saldo) - 0.5);
});

test('a manager sees the own wallet, and tops it up only where the central allows it', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/empresas');
  await page.getByRole('table', { name: 'Extrato' }).waitFor();
  await assertNone(page.getByRole('button', { name: 'Adicionar créditos' }));
  await assertNone(page.getByRole('button', { name: 'Sacar' }));
  await operator.put('/configuracoes', { permite_gerente_recarregar: true });
  await page.reload();
  await page.getByRole('button', { name: 'Adicionar créditos' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Valor em reais').fill('7,25');
  await dialog.getByRole('button', { name: 'Adicionar créditos' }).click();
  await page.getByText('Créditos adicionados.').waitFor();
  await assertNone(page.getByRole('button', { name: 'Sacar' }));
  await operator.put('/configuracoes', { permite_gerente_recarregar: false });
});

test('a manager cancels a scheduled delivery that awaits only where the central allows it', async () => {
  const id = await schedule(manager, { data: '21/11/2026' });
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto(`/console/programadas/${id}`);
  await page.getByText('Para cancelar antes da saída, fale com a central.').waitFor();
  const cancel = page.getByRole('button', { name: 'Cancelar programada' });
  await assertNone(cancel);
  await operator.put('/configuracoes', { permite_cancelar_programada_aguardando: true });
  await page.reload();
  await cancel.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar programada' }).click();
  await page.getByText(`#${id} cancelada.`).waitFor();
});

test('a manager pays for credit by Pix, and the central adds it once when it has arrived', async () => {
  await operator.put('/configuracoes', { pix_chave: 'pix@central.com.br', pix_cidade: 'Porto Alegre' });
  await using phone = await browser.phone();
  await signIn(phone.page, 'gerente');
  await phone.page.goto('/console/empresas');
  await phone.page.getByRole('button', { name: 'Pagar por Pix' }).click();
  const asked = phone.page.getByRole('dialog');
  await asked.getByLabel('Valor em reais').fill('1.234,56');
  await asked.getByLabel('Valor em reais').press('Enter');
  await asked.getByRole('img', { name: 'QR do Pix' }).waitFor();
  await asked.locator('section:focus', { has: phone.page.getByText('Identificador') }).waitFor();
  await asked.getByText('R$\u00a01.234,56').waitFor();
  await phone.assertAccessible();
  await phone.screenshot('pix-phone');
  await asked.getByRole('button', { name: 'Pronto' }).click();
  await phone.page.getByRole('table', { name: 'Pix que ainda não chegaram' }).waitFor();
  await assertNone(phone.page.getByRole('button', { name: /chegou: adicionar créditos/ }));

  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/empresas/1');
  await page.getByRole('button', { name: /chegou: adicionar créditos/ }).click();
  const dialog = page.getByRole('dialog');
  await assertValue(dialog.getByLabel('Valor em reais'), '1.234,56');
  const identifier = await dialog.getByLabel('Identificador do Pix').inputValue();
  await screen.assertAccessible();
  await screen.screenshot('pix-arrived');
  await dialog.getByRole('button', { name: 'Adicionar créditos' }).click();
  await page.getByText('Créditos adicionados.').first().waitFor();
  await page.getByRole('cell', { name: `Pix ${identifier}` }).waitFor();
  await assertNone(page.getByRole('table', { name: 'Pix que ainda não chegaram' }));
});

test('a refused amount is reported beside its field, in the server’s words', async () => {
  await using screen = await browser.desk({ expected: [/Failed to load resource.*400/] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/empresas/1');
  await page.getByRole('button', { name: 'Adicionar créditos' }).click();
  await page.getByLabel('Valor em reais').fill('10,999');
  await page.getByRole('dialog').getByRole('button', { name: 'Adicionar créditos' }).click();
  await page.locator('.field-error').waitFor();
  await assertAttribute(page.getByLabel('Valor em reais'), 'aria-invalid', 'true');
});

test('an entry of a register is refused beside its field, made, and changed where it is', async () => {
  await using screen = await browser.desk({ expected: [/Failed to load resource.*400/] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/configuracoes');
  await page.getByRole('button', { name: 'Novo cupom' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Código').fill('NATAL');
  await dialog.getByLabel('Desconto em %').fill('110');
  await dialog.getByLabel('Válido até').fill('25/12/2030');
  await dialog.getByLabel('Hora').fill('23:59');
  await dialog.getByLabel('Usos ao todo').fill('3');
  await dialog.getByLabel('Padaria Moinhos').check();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await dialog.locator('.field-error').waitFor();
  await assertAttribute(dialog.getByLabel('Desconto em %'), 'aria-invalid', 'true');
  await dialog.getByLabel('Desconto em %').fill('12,5');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('button', { name: 'Editar NATAL' }).click();
  await dialog.getByLabel('Ativo').uncheck();
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('row', { name: 'NATAL' }).getByText('Inativo').waitFor();
  const coupons = (await operator.get('/cupons?limite=100')).body.data;
  const [coupon, ...more] = coupons.filter(({ codigo }: { codigo: string }) => codigo === 'NATAL');
  assert.deepEqual(more, []);
  assert.equal(coupon.percentual, '12.50');
  assert.equal(coupon.valido_ate, '2030-12-26T02:59:00Z');
  assert.equal(coupon.limite_usos, 3);
  assert.equal(coupon.limite_usos_por_empresa, null);
  assert.deepEqual(coupon.empresas, ['1']);
  assert.equal(coupon.ativo, false);
});

test('a manager’s login is made for a company, and a category renamed', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/acessos');
  await page.getByRole('button', { name: 'Novo usuário' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Usuário').fill('gerente-novo');
  await dialog.getByLabel('Senha').fill('uma senha longa');
  await dialog.getByLabel('Perfil').selectOption('gerente');
  await dialog.getByLabel('Empresa').selectOption('Farmácia Guaíba');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('row', { name: /^gerente-novo Gerente Farmácia Guaíba/ }).waitFor();

  await page.goto('/console/tarifas');
  await page.getByRole('button', { name: 'Editar Bike', exact: true }).click();
  await dialog.getByLabel('Nome').fill('Bicicleta');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByRole('button', { name: 'Editar Bicicleta' }).waitFor();
});

test('someone registers a webhook, sees a sending fail, and replays it', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = withStatus(500, 'fora do ar');
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/webhooks');
  await page.getByText('Nenhum webhook ainda').waitFor();
  await page.getByRole('button', { name: 'Novo webhook' }).click();
  await page.getByLabel('Endereço https que recebe os eventos').fill(receiver.url);
  await page.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await screen.assertAccessible();
  await page.getByRole('button', { name: 'Já guardei' }).click();
  await assertNone(page.getByText(/^whsec_/));

  await page.getByRole('button', { name: 'Enviar teste' }).click();
  const test = page.getByRole('dialog');
  await test.getByLabel('Evento').selectOption('Parada concluída');
  await test.getByRole('button', { name: 'Enviar' }).click();
  await waitUntil('the test event has come', () => receiver.arrivals.length > 0);
  const row = page.getByRole('row', { name: /^Parada concluída / });
  await row.getByText('500').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('console-webhook-failing');

  receiver.answer = withStatus(204);
  await row.getByRole('button', { name: 'Reenviar' }).click();
  await row.getByText('Entregue').waitFor();
  assert.equal(new Set(receiver.arrivals.map(({ id }) => id)).size, 1, 'the same event again');
});

test('a new key is shown once, until someone says that it was kept', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/acessos');
  await page.getByRole('button', { name: 'Nova chave' }).click();
  await page.getByLabel('Para quem é').fill('Loja virtual');
  await page.getByRole('button', { name: 'Salvar' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nova chave de acesso' });
  const key = await dialog.locator('code').textContent();
  await assertNone(dialog.getByRole('button', { name: 'Fechar' }));
  // The browser closes a window at the fourth Escape in a row, whatever its page says.
  for (let times = 0; times < 6; times += 1) await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Já guardei' }).click();
  await page.getByRole('cell', { name: 'Loja virtual', exact: true }).waitFor();
  await assertNone(page.getByText(key!));
});

test('only changed settings are sent, and take effect', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/configuracoes');
  await page.getByLabel('Segundos para responder a uma oferta').fill('45');
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('button', { name: 'Salvar configurações' }).click();
  assert.deepEqual((await sent).postDataJSON(), { oferta_segundos: 45 });
  await page.getByText('Configurações salvas.').waitFor();
  assert.equal((await operator.get('/configuracoes')).body.data.oferta_segundos, 45);
});

test('every setting and every choice of one has words', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/configuracoes');
  await page.getByLabel('Quem encontra endereços no mapa').waitFor();
  await assertNone(page.getByRole('group', { name: 'Outras' }));
  const words = await page.locator('main').locator('label, legend, option, .hint').allTextContents();
  assert.ok(words.length > 100, 'this test reads the page');
  const codes = /[a-z]_[a-z]|#[0-9a-f]{6}|\b(auto|off|estimator|roads|addresses|percentual)$/;
  assert.deepEqual(
    words.filter((text) => codes.test(text)),
    [],
  );
});

test('a company is ativa, in its list, on its page and in the filter', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/empresas?ativa=sim');
  const row = page.getByRole('row', { name: /Padaria Moinhos/ });
  await row.getByText('Ativa', { exact: true }).waitFor();
  await row.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Padaria Moinhos' }).waitFor();
  await page.getByText('Ativa', { exact: true }).waitFor();
  await assertNone(page.getByText('Ativo', { exact: true }));
});

test('a company manager finds the own company’s pages only', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/empresas');
  await page.getByRole('heading', { name: 'Carteira da empresa' }).waitFor();
  await page.getByText('Saldo', { exact: false }).first().waitFor();
  const menu = page.getByRole('navigation', { name: 'Seções' });
  for (const name of ['Categorias e tarifas', 'Áreas de atuação', 'Usuários e chaves', 'Configurações'])
    await assertNone(menu.getByRole('link', { name }), name);
});

const PAGES = [
  ['programadas', 'Programadas'],
  ['empresas', 'Empresas'],
  ['empresas/1', 'Padaria Moinhos'],
  ['areas', 'Áreas de atuação'],
  ['enderecos-corrigidos', 'Endereços corrigidos'],
  ['tarifas', 'Categorias e tarifas'],
  ['acessos', 'Usuários e chaves'],
  ['webhooks', 'Webhooks'],
  ['configuracoes', 'Configurações'],
] as const;

for (const device of ['desk', 'phone'] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`every page of planning and management can be read on a ${device} in the ${colorScheme}`, async () => {
      await schedule(manager);
      await using screen = await browser[device]({ maps: true, colorScheme });
      const { page } = screen;
      await signIn(page);
      await page.goto('/console');
      for (const [path, heading] of PAGES) {
        await goWithin(page, `/console/${path}`);
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        await waitUntil(
          'everything has come',
          async () => (await page.getByText('Carregando…').count()) === 0,
        );
        for (const map of await page.locator('.map canvas').all()) await map.waitFor();
        for (const frame of await page.locator('.table-frame').all()) await assertFits(frame);
        await screen.assertAccessible();
        await screen.screenshot(`console-${path.replace('/', '-')}-${device}-${colorScheme}`);
      }
    });
