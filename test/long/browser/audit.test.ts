import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { assertOk } from '../../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { operator } = malote;

test('the audit log tells in words who changed what, filters by the address bar and exports', async () => {
  const topUp = { valor: 150, empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' } };
  assertOk(await malote.central.post('/entregas/empresas/creditos/recargas', topUp));
  assertOk(await operator.put('/configuracoes', { permite_gerente_recarregar: true }));
  const { data } = assertOk(await operator.get('/tarifas/1')).body;
  assertOk(await operator.put('/tarifas/1', { ...data, por_km: '9.75' }));
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/auditoria');
  await page.getByRole('row', { name: /Tarifa: .*9,75/ }).waitFor();
  await page
    .getByRole('row', { name: /O gerente adiciona créditos à carteira da própria empresa: não › sim/ })
    .waitFor();
  await screen.assertAccessible();
  await screen.screenshot('audit');
  await page.getByLabel('O quê').selectOption('tarifa');
  await page.waitForURL(/tipo=tarifa/);
  await page.getByRole('row', { name: /Carteira/ }).waitFor({ state: 'detached' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar CSV' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  assert.match(text, /"central";"Tarifa";"[^"]+";"alteração";"Valor por km";"[\d,]+";"9,75"/);
  assert.doesNotMatch(text, /Carteira/);
});

test('the audit log fits a phone in the dark', async () => {
  await using screen = await browser.phone({ colorScheme: 'dark' });
  await signIn(screen.page);
  await screen.page.goto('/console/auditoria');
  await screen.page.getByText('9,75').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('audit-phone-dark');
});
