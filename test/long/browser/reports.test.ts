import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertAccessible, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { keepTotals } from '../../support/rounds.ts';
import {
  assertAddress,
  assertAttribute,
  assertCount,
  assertDisabled,
  assertFits,
  assertHidden,
  assertNone,
} from '../../support/shown.ts';
import { assertOk, newDriver, openDelivery } from '../../support/steps.ts';
import { eventually } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { operator, clock } = malote;
const browser = await openBrowser(malote.url);

/** A week with one to four deliveries a day, of two drivers, one of them late, and a cancelled one. */
const drivers = [await newDriver(malote), await newDriver(malote)];
for (let day = 10; day <= 16; day += 1)
  for (let number = 0; number <= day % 4; number += 1) {
    clock.set(`2026-11-${day}T${14 + number}:10:00Z`);
    const delivery = await openDelivery(malote);
    clock.advance({ minutes: 1 + number });
    const condutor_id = drivers[number % 2];
    assertOk(await operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id }));
    clock.advance({ minutes: 6 });
    assertOk(await operator.post(`/entregas/${delivery.id}/iniciar`));
    clock.advance({ minutes: day === 13 ? 200 : 8 });
    assertOk(await operator.post(`/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`, {}));
  }
clock.set('2026-11-16T20:00:00Z');
const cancelled = await openDelivery(malote);
assertOk(await malote.manager.post(`/entregas/${cancelled.id}/cancelar`, { motivo_id: 2 }));
await keepTotals(malote.app.deps);

const figure = (page: Page, name: string) => page.locator('.figure-cards .panel', { hasText: name });

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1440, 1280, 390])
    test(`the reports at ${width} pixels, ${colorScheme}: readable and within the screen`, async () => {
      await using screen = await browser.desk({ viewport: { width, height: 900 }, colorScheme });
      const { page } = screen;
      await signIn(page);
      await page.goto('/console/relatorios');
      await page.getByRole('table', { name: 'Por entregador' }).waitFor();
      await page.getByRole('slider', { name: 'Entregas por dia', exact: true }).waitFor();
      await assertFits(page.locator('html'));
      await assertAccessible(page);
      await screen.screenshot(`reports-${width}-${colorScheme}`);
    });

test('period, measure and filters stand in the address; figures, plots and lists follow', async () => {
  await using screen = await browser.desk({ viewport: { width: 1280, height: 900 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/relatorios');
  const count = figure(page, 'Entregas').first();
  await count.getByText('19', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Hoje' }).click();
  await count.getByText('2', { exact: true }).waitFor();
  await assertAddress(page, /periodo=hoje/);
  await page.getByRole('button', { name: '30 dias' }).click();
  await count.getByText('19', { exact: true }).waitFor();
  await page.getByLabel('Gráficos de').selectOption('no_prazo');
  const plot = page.getByRole('slider', { name: 'No prazo por dia', exact: true });
  await plot.focus();
  await page.keyboard.press('End');
  await assertAttribute(plot, 'aria-valuetext', '16/11/2026: 100,0\u00a0%');
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowLeft');
  await assertAttribute(plot, 'aria-valuetext', '13/11/2026: 0,0\u00a0%');
  await page.reload();
  await plot.waitFor();
  await page.getByRole('button', { name: 'Outro período' }).click();
  await page.getByLabel('De', { exact: true }).fill('2026-11-16');
  await count.getByText('2', { exact: true }).waitFor();
  await page.getByRole('link', { name: /entregas de Padaria Moinhos/ }).click();
  await page.waitForURL(/entregas\?de=2026-11-16/);
  const rows = page.getByRole('table', { name: 'Entregas' }).locator('tbody tr');
  await rows.first().waitFor();
  await assertCount(rows, 2);
});

test('figures of the period before are shown as old, and not printed or saved, until the new ones come', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await using screen = await browser.desk({ colorScheme, viewport: { width: 1280, height: 900 } });
    const { page } = screen;
    await signIn(page);
    await page.goto('/console/relatorios');
    await figure(page, 'Entregas').first().getByText('19', { exact: true }).waitFor();
    const printing = page.getByRole('button', { name: 'Imprimir' });
    await printing.and(page.locator(':enabled')).waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v2/operacao/relatorios/**', async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole('button', { name: '30 dias' }).click();
    await assertAttribute(page.locator('.figure-cards'), 'aria-busy', 'true');
    await assertAttribute(page.getByRole('table', { name: 'Por empresa' }), 'aria-busy', 'true');
    await assertAttribute(page.locator('.plot-frame').first(), 'aria-busy', 'true');
    await page.getByRole('progressbar', { name: 'Carregando…' }).waitFor();
    await assertDisabled(printing);
    await assertDisabled(page.getByRole('button', { name: 'Baixar planilha: Por empresa' }));
    await screen.assertAccessible();
    await screen.screenshot(`reports-loading-${colorScheme}`);
    release();
    await printing.and(page.locator(':enabled')).waitFor();
    await assertNone(page.locator('[aria-busy=true]'));
    await assertNone(page.getByRole('progressbar'));
  }
});

test('a manager sees the own company and nothing by driver; another company has nothing yet', async () => {
  await using own = await browser.desk({ viewport: { width: 1280, height: 900 } });
  await signIn(own.page, 'gerente');
  await own.page.goto('/console/relatorios');
  await figure(own.page, 'Entregas').first().getByText('19', { exact: true }).waitFor();
  await assertNone(own.page.getByRole('table', { name: 'Por entregador' }));
  await using other = await browser.desk({ viewport: { width: 390, height: 844 } });
  await signIn(other.page, 'gerente2');
  await other.page.goto('/console/relatorios');
  await other.page.getByText('Nada foi encerrado neste período.').waitFor();
});

test('on paper there is no menu and nothing to press, and the text is dark although the screen is', async () => {
  await using screen = await browser.desk({ colorScheme: 'dark' });
  const { page } = screen;
  await signIn(page);
  for (const [path, shown] of [
    ['/relatorios', page.getByRole('heading', { name: 'Entregas por dia', exact: true })],
    [`/entregas/${cancelled.id}`, page.getByRole('heading', { name: 'Histórico' })],
    ['/fechamentos', page.getByText('Nenhum fechamento ainda')],
  ] as const) {
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await page.goto(`/console${path}`);
    await shown.waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await shown.waitFor();
    await assertHidden(page.getByRole('link', { name: 'O dia' }));
    await assertHidden(page.getByRole('combobox', { name: 'Buscar em tudo' }));
    await assertHidden(
      page.getByRole('button', { name: /^(Imprimir|Usar como modelo|Ver o que está em aberto)$/ }),
    );
    // What a sheet of paper has beside narrow margins, on which nothing can be scrolled.
    await page.setViewportSize({ width: 740, height: 1000 });
    for (const table of await page.locator('.table-frame').all()) await assertFits(table);
    // #16191d
    const color = `getComputedStyle(document.querySelector('h1')).color`;
    await eventually(async () => assert.equal(await page.evaluate(color), 'rgb(22, 25, 29)'));
  }
});
