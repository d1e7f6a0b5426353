import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { type ReadPdf, readPdf } from '../support/pdf.ts';
import { assertCount, assertFits, assertNone, assertValue } from '../support/shown.ts';
import { assertOk, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { operator, manager, clock } = malote;
await malote.configure({
  shareKind: 'percent',
  sharePercent: 70,
  pixKey: 'pix@central.com.br',
  pixCity: 'Porto Alegre',
});

/** A company's October with invoiced deliveries, and a driver's with about two hundred entries. */
const driverId = await newDriver(malote);
const prices: number[] = [];
for (const day of ['06', '14', '27']) {
  clock.set(`2026-10-${day}T15:00:00Z`);
  const { id, stopIds } = await openDelivery(malote, { forma_pagamento: 'F' });
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}));
  prices.push(Number(assertOk(await manager.get(`/entregas/${id}`)).body.data.valor_corrida));
}
const REASON = 'ESPERA DE QUARENTA MINUTOS NA COLETA, COMBINADA POR TELEFONE COM A GERÊNCIA DA LOJA';
clock.set('2026-10-28T15:00:00Z');
for (let number = 1; number <= 200; number += 1) {
  const motivo = number === 100 ? REASON : `Chuva, dia ${number}`;
  const body = { tipo: 'ajuste', valor: '12.34', motivo };
  assertOk(await operator.post(`/condutores/${driverId}/lancamentos`, body));
}
clock.set('2026-11-03T15:00:00Z');

const brl = (amount: number): string =>
  amount.toLocaleString('pt-BR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const charged = prices.reduce((sum, price) => sum + price, 0);
const shared = prices.reduce((sum, price) => sum + Math.round(price * 70) / 100, 0);
const owed = shared + 200 * 12.34;

const past = (page: Page) => page.getByRole('table', { name: 'Fechamentos feitos' });

/** Closes the open entries up to the day that the page suggests. */
async function close(page: Page, kind: string, name: string): Promise<void> {
  await page.goto('/console/fechamentos');
  await page.getByRole('button', { name: kind, exact: true }).click();
  const form = page.getByRole('region', { name: 'Novo fechamento' });
  await form.getByRole('combobox').selectOption({ label: name });
  await assertValue(form.getByLabel('Até o dia'), '31/10/2026');
  await form.getByRole('button', { name: 'Ver o que está em aberto' }).click();
  await form.getByText('06/10/2026 a').waitFor();
  await form.getByRole('button', { name: 'Fechar a conta' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar a conta' }).click();
  await past(page).getByRole('cell', { name }).waitFor();
}

/** Presses the button of the first file and opens the file that the browser saved. */
async function downloadPdf(page: Page): Promise<ReadPdf> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    past(page)
      .getByRole('button', { name: /em PDF$/ })
      .first()
      .click(),
  ]);
  assert.match(download.suggestedFilename(), /^fechamento-\d+\.pdf$/);
  // Kept next to the screenshots for people to look at.
  await download.saveAs(`test-output/${download.suggestedFilename()}`);
  return readPdf(await readFile(await download.path()));
}

test('an operator closes the month of a company, and its invoice opens and can be paid by Pix', async () => {
  await using screen = await browser.desk({ viewport: { width: 1280, height: 800 } });
  const { page } = screen;
  await signIn(page);
  await close(page, 'Empresas', 'Padaria Moinhos');
  await past(page)
    .getByText(`R$\u00a0${brl(charged)}`)
    .waitFor();
  await screen.assertAccessible();
  await screen.screenshot('closing-company');
  const { title, pages, boxes } = await downloadPdf(page);
  const [closing] = assertOk(await operator.get('/fechamentos?tipo=empresas')).body.data;
  assert.equal(title, `Fatura nº ${closing.id} - Padaria Moinhos`);
  assert.equal(pages.length, 1);
  const words = pages[0]!.join('\n');
  assert.match(
    words,
    /Padaria Moinhos - 11\.222\.333\/0001-81\nPeríodo: 06\/10\/2026 a 27\/10\/2026, fechado em/,
  );
  assert.ok(words.includes(`Entregas (3)\n${brl(charged)}\nTotal a pagar\nR$ ${brl(charged)}`), words);
  assert.ok(words.replaceAll('\n', '').includes(closing.pix));
  assert.ok(boxes[0]! > 300, 'the Pix code is drawn too');
});

test('an operator closes the month of a driver, and the pages of a long statement repeat their head', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await close(page, 'Entregadores', 'Condutor de teste');
  await past(page)
    .getByText(`R$\u00a0${brl(owed)}`)
    .waitFor();
  const { pages, boxes } = await downloadPdf(page);
  assert.ok(pages.length >= 4, `${pages.length} pages`);
  for (const [index, words] of pages.entries()) {
    assert.equal(words.at(-1), `${index + 1} / ${pages.length}`);
    if (index > 0)
      assert.match(words[0]!, /^Central Demonstração - Acerto de contas nº \d+ - Condutor de teste$/);
  }
  const all = pages.flat();
  assert.equal(all.filter((words) => words === '12,34').length, 200);
  const besideAmounts = all.filter((words) => words !== '12,34').join(' ');
  assert.ok(besideAmounts.includes(REASON), 'a long reason is printed whole');
  assert.ok(all.includes('A pagar ao entregador') && all.includes(`R$ ${brl(owed)}`));
  assert.deepEqual([...new Set(boxes)], [0]);
});

test('a manager reads and downloads the company’s own closings, and none of drivers or other companies', async () => {
  await using phone = await browser.phone();
  const { page } = phone;
  await signIn(page, 'gerente');
  await page.goto('/console');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Fechamento' }).click();
  await past(page).getByText('em aberto').waitFor();
  await assertCount(past(page).locator('tbody tr'), 1);
  for (const name of ['Entregadores', 'Ver o que está em aberto', 'Marcar como pago'])
    await assertNone(page.getByRole('button', { name }), name);
  await assertFits(page.locator('html'));
  await phone.assertAccessible();
  await phone.screenshot('closing-manager-phone');
  const { pages } = await downloadPdf(page);
  const drivers = assertOk(await operator.get('/condutores')).body.data.map(({ nome }: Json) => nome);
  for (const name of drivers) assert.ok(!pages.flat().some((words) => words.includes(name)), name);
  await page.goto('/console/fechamentos?tipo=condutores');
  await past(page).getByRole('cell', { name: 'Padaria Moinhos' }).waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /Condutor de teste|entregador/i);

  await using other = await browser.desk({ colorScheme: 'dark' });
  await signIn(other.page, 'gerente2');
  await other.page.goto('/console/fechamentos');
  await other.page.getByText('Nenhum fechamento ainda').waitFor();
  await other.page.getByText('Quando a central fechar a sua conta').waitFor();
  await other.assertAccessible();
});

test('a day with more entries than a closing has room for says that it is closed in parts', async () => {
  const company = { nome: 'Mercado Grande', cpf_cnpj: '12.345.678/0001-95', identificador: 'dia-cheio' };
  const { id } = assertOk(await operator.post('/empresas', company)).body.data;
  for (let part = 0; part < 21; part += 1)
    await malote.db`
      insert into company_entries (central_id, id, company_id, kind, amount_cents, day, created_at)
      select 1, 5000000 + ${part * 250}::integer + n, ${id}, 'cash', -1, '2026-10-30', ${clock.now()}
      from generate_series(1, 250) n`;
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/fechamentos?de_quem=${id}`);
  const form = page.getByRole('region', { name: 'Novo fechamento' });
  await form.getByRole('button', { name: 'Ver o que está em aberto' }).click();
  await form.getByText('Este leva os primeiros; 250 ficam para o próximo, até o mesmo dia.').waitFor();
  await screen.assertAccessible();
  await form.getByRole('button', { name: 'Fechar a conta' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Fechar a conta' }).click();
  await page.getByText('Fechado em parte: 250 lançamentos deste dia continuam em aberto.').waitFor();

  await page.getByRole('button', { name: 'English' }).click();
  const again = page.getByRole('region', { name: 'New closing' });
  await again.getByRole('button', { name: 'See what is open' }).click();
  await again.getByRole('button', { name: 'Close the account' }).click();
  await page.getByRole('dialog').getByText('250 entries go into this closing').waitFor();
  await assertNone(page.getByText('left for the next'), 'the rest fits');
});
