import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { client } from '../../support/client.ts';
import { startMalote } from '../../support/malote.ts';
import { order } from '../../support/orders.ts';
import { assertCount, assertFits, assertNone } from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { operator, manager, app } = malote;
const { token } = assertOk(
  await operator.post('/programas', { descricao: 'Loja virtual', permissoes: ['watch', 'order'] }),
).body.data;
const program = client(`${malote.url}/api/v2/integracao`, { token });

async function makeRequests(): Promise<string> {
  await malote.configure({ requestsSampledOneIn: 1 });
  assertOk(await manager.post('/entregas/consultar', { limite: 5 }));
  await malote.configure({ requestsSampledOneIn: 100 });
  await manager.get('/entregas/999999/status');
  await program.post('/entregas', { ...order(), forma_pagamento: 'Z' });
  const refused = await program.post(
    '/entregas?origem=loja',
    order({ empresa_id: 1, codigo_cupom: 'NAO-EXISTE', observacao: 'Maria' }),
  );
  assert.equal(refused.headers.get('x-error-kind'), 'coupon-invalid');
  await client(`${malote.url}/api/v2/integracao`, { key: 'demo-chave', user: 'x', password: 'y' }).get(
    '/entregas/1/status',
  );
  await app.recorder.write();
  return refused.headers.get('x-request-id')!;
}

test('a refused request unfolds to its masked body, its errors and the page of its kind', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  // The browser of the tests allows no clipboard.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
  });
  await signIn(page);
  await page.goto('/console/requisicoes?status=2xx');
  await page.getByText('Nenhuma requisição encontrada').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('requests-empty');
  const requestId = await makeRequests();

  await page.goto('/console/requisicoes');
  const list = page.getByRole('list', { name: 'Requisições' });
  await list.getByText('coupon-invalid').waitFor();
  await list.getByText('usuário recusado').waitFor();
  await list.getByText('coupon-invalid').click();
  await list.getByText('"forma_pagamento": "D"').waitFor();
  await list.getByText('"observacao": "texto(5)"').waitFor();
  await assertNone(list.getByText('Maria'));
  await list.getByText(requestId).waitFor();
  await screen.assertAccessible();
  await screen.screenshot('requests');
  await list.getByRole('button', { name: 'Copiar' }).click();
  await page.getByText('Copiado.').waitFor();
  const opening = page.waitForEvent('popup');
  await list.getByRole('link', { name: /O que este erro significa/ }).click();
  const help = await opening;
  await help.getByRole('heading', { level: 1 }).waitFor();
  assert.match(help.url(), /\/docs\/erros\/coupon-invalid/);
  await help.close();
});

test('requests are filtered by the address bar, and a program leads to its own', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/acessos');
  await page.getByRole('link', { name: 'Requisições de Loja virtual' }).click();
  const rows = page.getByRole('list', { name: 'Requisições' }).locator('summary');
  await rows.first().waitFor();
  await assertNone(rows.filter({ hasNotText: 'Loja virtual' }));
  await page.getByLabel('De quem').selectOption('');
  await page.getByLabel('Tipo de erro').fill('delivery-not-found');
  await page.waitForURL(/tipo=delivery-not-found/);
  await rows.filter({ hasText: 'coupon-invalid' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: 'delivery-not-found' }).waitFor();
  await assertCount(rows, 1);
  await page.getByLabel('Resposta').selectOption('Aceitas');
  await page.getByText('Nenhuma requisição encontrada').waitFor();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the requests fit a phone, ${colorScheme}`, async () => {
    await using screen = await browser.phone({ colorScheme });
    const { page } = screen;
    await signIn(page);
    await page.goto('/console/requisicoes');
    await page.getByText('coupon-invalid').click();
    await page.getByText('"forma_pagamento": "D"').waitFor();
    await screen.assertAccessible();
    await assertFits(page.locator('html'));
    await screen.screenshot(`requests-phone-${colorScheme}`);
  });

test('the requests in the dark at the desk', async () => {
  await using screen = await browser.desk({ colorScheme: 'dark' });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/requisicoes');
  await page.getByText('coupon-invalid').click();
  await page.getByText('"forma_pagamento": "D"').waitFor();
  await screen.assertAccessible();
  await screen.screenshot('requests-dark');
});
