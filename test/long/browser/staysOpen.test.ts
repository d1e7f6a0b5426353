import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { order } from '../../support/orders.ts';
import { assertOk, newDriver, openDelivery } from '../../support/steps.ts';

// Pages of the console that stay open while data changes, and answers that are lost.

const malote = await startMalote();
const { operator, manager, clock } = malote;
const browser = await openBrowser(malote.url);

async function deliver(body: Record<string, unknown>): Promise<{ id: string; driverId: number }> {
  const { id_mch: id } = assertOk(await manager.post('/entregas', order(body))).body.data;
  const driverId = await newDriver(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  return { id, driverId };
}

async function finish(id: string): Promise<void> {
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const { paradas } = assertOk(await manager.get(`/entregas/${id}`)).body.data;
  for (const stop of paradas) assertOk(await operator.post(`/entregas/${id}/paradas/${stop.id}/concluir`));
  assertOk(await operator.post(`/entregas/${id}/finalizar`));
}

test('the accounts of drivers and companies show what a delivery brings as soon as it ends', async (t) => {
  await malote.configureFor(t, { shareKind: 'percent', sharePercent: 70 });
  const { id, driverId } = await deliver({ forma_pagamento: 'F' });
  await using ofDriver = await browser.desk();
  await using ofCompany = await browser.desk();
  await signIn(ofDriver.page);
  await signIn(ofCompany.page);
  await ofDriver.page.goto(`/console/condutores/${driverId}/conta`);
  await ofCompany.page.goto('/console/empresas/1/conta');
  await ofDriver.page.getByRole('region', { name: 'Conta' }).getByText('0 entregas').first().waitFor();
  await ofCompany.page.getByRole('heading', { name: /^Conta de/ }).waitFor();
  await finish(id);
  await ofDriver.page.getByRole('region', { name: 'Conta' }).getByText('1 entrega').first().waitFor();
  await ofDriver.page.getByRole('row').getByRole('link', { name: id, exact: true }).waitFor();
  await ofCompany.page.getByRole('row').getByRole('link', { name: id, exact: true }).waitFor();
});

test('a webhook’s secret and a key whose answer is lost are reported as lost, with what to do', async () => {
  const url = 'https://example.com/eventos';
  const webhook = assertOk(await malote.central.post('/webhooks', { url, tipos: ['entrega.status'] })).body;
  await using screen = await browser.desk({ expected: [/net::ERR_/] });
  const { page } = screen;
  await signIn(page);
  for (const [path, press, title, remedy] of [
    [
      `/console/webhooks/${webhook.data.id}`,
      async () => {
        await page.getByRole('button', { name: 'Trocar segredo' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Trocar segredo' }).click();
      },
      'Novo segredo',
      /Troque o segredo outra vez/,
    ],
    [
      '/console/acessos',
      async () => {
        await page.getByRole('button', { name: 'Nova chave' }).click();
        await page.getByLabel('Para quem é').fill('Loja virtual');
        await page.getByRole('button', { name: 'Salvar' }).click();
      },
      'Nova chave de acesso',
      /Revogue esta chave/,
    ],
  ] as const) {
    await page.goto(path);
    // The request is carried out, but the first answer never arrives.
    await page.route(
      /\/(segredo|chaves)$/,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await press();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByText(/a rede caiu/).waitFor();
    await dialog.getByText(remedy).waitFor();
    await screen.assertAccessible();
    await dialog.getByRole('button', { name: 'Fechar' }).click();
  }
});

test('a list of today is that of the next day after midnight', async () => {
  clock.set('2026-11-17T02:59:40Z');
  const late = await openDelivery(malote);
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.clock.install();
  await page.goto('/console/entregas?periodo=hoje');
  const row = (id: number) =>
    page.getByRole('table', { name: 'Entregas' }).getByRole('link', { name: String(id), exact: true });
  await row(late.id).waitFor();
  clock.set('2026-11-17T03:00:10Z');
  // Less than the sleep after which everything is read again anyway.
  await page.clock.fastForward(30_000);
  const early = await openDelivery(malote);
  await row(early.id).waitFor();
  await row(late.id).waitFor({ state: 'detached' });
});
