import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { assertNone, assertValue } from '../support/shown.ts';
import { openDelivery } from '../support/steps.ts';

// Who leaves before the answer, and who comes after.

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const REFUSED = /Failed to load resource.*(40\d|503)/;

test('a refusal is told to whoever closed the window before it came, and so is a logout that failed', async () => {
  const { id } = await openDelivery(malote);
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  await page.getByRole('button', { name: 'Cancelar', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Motivo').selectOption({ index: 1 });
  const closed = Promise.withResolvers<void>();
  await page.route('**/cancelar', async (route) => {
    await closed.promise;
    await route.fulfill({ status: 503, body: '' });
  });
  await dialog.getByRole('button', { name: 'Cancelar a entrega' }).click();
  await dialog.getByRole('button', { name: 'Um momento…' }).waitFor();
  await page.keyboard.press('Escape');
  await assertNone(dialog);
  closed.resolve();
  const shownFailure = page.locator('.toasts .failed');
  await shownFailure.getByText('O serviço não deu uma resposta completa (HTTP 503).').waitFor();
  await shownFailure.getByRole('button', { name: 'Dispensar' }).click();
  await assertNone(shownFailure);

  await page.route('**/console/sessao', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Sair' }).click();
  await shownFailure.getByText('O serviço não deu uma resposta completa (HTTP 503).').waitFor();
});

test('somebody else who logs in at the same tab finds neither what was typed nor what was listed', async () => {
  await openDelivery(malote);
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  const stops = page.getByRole('group', { name: 'Parada 1', exact: true });
  const name = stops.getByLabel('Destinatário');
  const rows = page.getByRole('table', { name: 'Entregas' }).getByText('Padaria Moinhos');
  await signIn(page, 'gerente');
  await page.goto('/console/entregas');
  await rows.first().waitFor();
  await page.getByRole('link', { name: 'Nova entrega' }).first().click();
  await name.fill('Marta Reis');
  // Ended by another tab, in which somebody else has logged in since.
  await page.context().clearCookies();
  await signIn(page, 'gerente2');
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await assertValue(name, '');
  // Nothing arrives any more: what is shown now was there.
  await page.route('**/api/v2/operacao/entregas/consultar', () => undefined);
  await page.getByRole('link', { name: 'Entregas', exact: true }).click();
  await page.getByRole('heading', { name: 'Entregas', level: 1 }).waitFor();
  await page.getByText('Carregando…').waitFor();
  await assertNone(rows);
});
