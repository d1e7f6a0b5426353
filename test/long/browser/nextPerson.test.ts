import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { failing } from '../../support/failures.ts';
import { startMalote } from '../../support/malote.ts';
import { schedule } from '../../support/scheduled.ts';
import { assertAddress, assertNone, assertValue } from '../../support/shown.ts';
import { assertOk, deliveryIn, openDelivery } from '../../support/steps.ts';

// People who leave before the answer arrives, and people who log in after them.

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const REFUSED = /Failed to load resource.*(40\d|503)/;

test('a refusal is shown although the window was closed before it came, and so is a failed logout', async () => {
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
  // The session was ended by another tab, where another person has logged in since.
  await page.context().clearCookies();
  await signIn(page, 'gerente2');
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await assertValue(name, '');
  // No answer arrives any more: what is shown now was shown before.
  await page.route('**/api/v2/operacao/entregas/consultar', () => undefined);
  await page.getByRole('link', { name: 'Entregas', exact: true }).click();
  await page.getByRole('heading', { name: 'Entregas', level: 1 }).waitFor();
  await page.getByText('Carregando…').waitFor();
  await assertNone(rows);
});

/** Holds back the answer to the one write that `press` causes. */
async function holdAnswer(page: Page, press: () => Promise<void>): Promise<() => void> {
  const [sent, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/api/v2/**', async (route) => {
    if (
      !/^(POST|PUT|DELETE)$/.test(route.request().method()) ||
      /consultar|estim/.test(route.request().url())
    )
      return route.fallback();
    const response = await route.fetch();
    sent.resolve();
    await left.promise;
    await route.fulfill({ response });
  });
  await press();
  await sent.promise;
  return left.resolve;
}

interface LateSave {
  what: string;
  user: string;
  /** Creates the record that the save is about, and returns the address of its page. */
  prepare: () => Promise<string>;
  /** The buttons to press, the last of which saves. */
  press: readonly string[];
  dialogs: 0 | 1;
  said: RegExp;
}

const lateSaves: readonly LateSave[] = [
  {
    what: 'an order',
    user: 'gerente',
    prepare: async () => `/entregas/${(await openDelivery(malote)).id}`,
    press: ['Usar como modelo', 'Abrir entrega'],
    dialogs: 0,
    said: /Entrega \d+ aberta\./,
  },
  {
    what: 'a changed scheduled delivery',
    user: 'gerente',
    prepare: async () => `/programadas/${await schedule(malote.manager)}/editar`,
    press: ['Substituir a programada'],
    dialogs: 0,
    said: /a estimativa foi refeita/,
  },
  {
    what: 'an area',
    user: 'central',
    prepare: async () => '/areas?area=1',
    press: ['Salvar área'],
    dialogs: 0,
    said: /Área salva\./,
  },
  {
    what: 'a deleted webhook',
    user: 'gerente',
    prepare: async () => {
      const body = { url: 'https://example.com/avisos', tipos: ['entrega.status'] };
      return `/webhooks/${assertOk(await malote.manager.post('/webhooks', body)).body.data.id}`;
    },
    press: ['Excluir', 'Excluir webhook'],
    dialogs: 1,
    said: /Webhook excluído\./,
  },
  {
    what: 'a deleted company',
    user: 'central',
    prepare: async () => {
      const body = { nome: 'Loja do Cais', cpf_cnpj: '11444777000161' };
      return `/empresas/${assertOk(await malote.operator.post('/empresas', body)).body.data.id}`;
    },
    press: ['Excluir', 'Excluir empresa'],
    dialogs: 1,
    said: /Empresa excluída\./,
  },
  {
    what: 'a new delivery of a stop that failed',
    user: 'central',
    prepare: async () => {
      const delivery = await deliveryIn(malote, 'in_progress', 2);
      assertOk(await failing(malote).fail(delivery, 0, { motivo: 'recusado' }));
      return `/entregas/${delivery.id}`;
    },
    press: ['Nova entrega', 'Abrir nova entrega'],
    dialogs: 1,
    said: /Nova entrega \d+ aberta\./,
  },
];

for (const { what, user, prepare, press, dialogs, said } of lateSaves)
  test(`an answer that comes after a change of page leaves the person there: ${what}`, async () => {
    const path = await prepare();
    // The page may read the record again when it hears of the deletion, before the answer to its own request.
    await using screen = await browser.desk({ expected: what.includes('deleted') ? [/404 .*\/\d+$/] : [] });
    const { page } = screen;
    await signIn(page, user);
    await page.goto(`/console${path}`);
    const answer = await holdAnswer(page, async () => {
      for (const name of press) await page.getByRole('button', { name, exact: true }).click();
    });
    if (dialogs) await page.keyboard.press('Escape');
    await assertNone(page.getByRole('dialog'));
    await page.getByRole('link', { name: 'Programadas', exact: true }).click();
    await page.getByRole('heading', { name: 'Programadas', level: 1 }).waitFor();
    answer();
    await page.locator('.toasts').getByText(said).waitFor();
    await assertAddress(page, /\/console\/programadas$/);
  });

test('a form that is opened anew before the answer to the first stays open, without what was sent', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/empresas');
  const open = page.getByRole('button', { name: 'Nova empresa' });
  const dialog = page.getByRole('dialog', { name: 'Nova empresa' });
  await open.click();
  const name = dialog.getByRole('textbox', { name: 'Nome' });
  await name.fill('Livraria da Praia');
  await dialog.getByLabel('CPF ou CNPJ').fill('11.444.777/0001-61');
  const answer = await holdAnswer(page, () => dialog.getByRole('button', { name: 'Salvar' }).click());
  await page.keyboard.press('Escape');
  await assertNone(dialog);
  await open.click();
  await assertValue(name, 'Livraria da Praia');
  answer();
  await assertValue(name, '');
  await page.locator('.toasts').getByText('Salvo.').waitFor();
  await assertAddress(page, /\/console\/empresas$/);
  await dialog.waitFor();
});
