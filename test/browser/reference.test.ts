import assert from 'node:assert/strict';
import { openBrowser } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { eventually } from '../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

test('the reference is read in a browser, in the contract’s groups, without asking anybody else', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await page.goto('/docs');
  await page.getByRole('heading', { name: 'Malote: integração de entregas' }).waitFor();
  const order = ['Entregas', 'Programadas', 'Agrupamento', 'Empresas', 'Áreas de atuação', 'Webhooks'];
  await eventually(async () => {
    const text = (await page.getByRole('complementary').first().textContent()) ?? '';
    const places = order.map((name) => text.indexOf(name));
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? -1)),
      text,
    );
  });
  // The sample of an operation, as the document has it.
  await page.goto('/docs/#tag/entregas/POST/api/v2/integracao/entregas');
  await eventually(async () => {
    const samples = await page.locator('pre, code').allTextContents();
    assert.ok(
      samples.some((text) => text.includes('$MALOTE_USER:$MALOTE_PASSWORD')),
      samples.join('\n'),
    );
  });
  await screen.screenshot('reference');
});
