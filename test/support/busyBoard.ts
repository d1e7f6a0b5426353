import type { Page } from 'playwright-core';
import { signIn } from './browser.ts';
import type { Client, Json } from './client.ts';
import type { TestMalote } from './malote.ts';
import { order, places, stop } from './orders.ts';
import { assertText } from './shown.ts';
import { assertOk, newDriver } from './steps.ts';

/** A small screen of a desk. */
export const SMALL = { viewport: { width: 1280, height: 720 } };
const DISTRICTS = ['Azenha', 'Bom Fim', 'Cidade Baixa', 'Floresta', 'Menino Deus', 'Moinhos de Vento'];
export const BUSY_OPEN = 250;

/** 250 open orders of two shops, ordered in 45 minutes. Drivers carry some of them, and no driver is available. */
export async function makeBusy(malote: TestMalote): Promise<void> {
  const { operator, manager, manager2, clock, db } = malote;
  await db`update drivers set available = false where central_id = 1`;
  const create = async (who: Client, from: number, count: number): Promise<number[]> => {
    const entregas = Array.from({ length: count }, (_, index) => {
      const number = from + index;
      const to = places[number % places.length]!;
      const near = (degrees: string, by: number) => String(Number(degrees) + ((number * by) % 97) / 9_000);
      const paradas = [
        {
          ...stop(number),
          numero_pedido: `P-${1000 + number}`,
          bairro_parada: DISTRICTS[number % DISTRICTS.length],
          nome_cliente_parada: `Ana ${number}`,
          lat_parada: near(to.lat, 31),
          lng_parada: near(to.lng, 17),
        },
      ];
      return order({ paradas });
    });
    const { body } = assertOk(await who.post('/entregas/lote', { entregas }));
    return body.data.map(({ data }: Json) => Number(data.id_mch));
  };
  for (let batch = 0; batch < 5; batch += 1) {
    const ids = [
      ...(await create(manager, batch * 50, 30)),
      ...(await create(manager2, batch * 50 + 30, BUSY_OPEN / 5 - 30)),
    ];
    for (const id of ids.filter((each) => each % 6 === 0)) {
      const driver = await newDriver(malote, { lat: -30.03 - (id % 40) / 1000, lng: -51.2 });
      await db`update drivers set name = ${`Condutor ${driver}`}, available = false where central_id = 1 and id = ${driver}`;
      assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
    }
    clock.advance({ minutes: 9 });
  }
}

export const openDeliveries = async ({ operator }: TestMalote): Promise<Json[]> =>
  assertOk(await operator.get('/entregas/abertas')).body.data;

/** How many of the deliveries are in each status, by its letter. */
export async function countByStatus({ central }: TestMalote, ids: readonly string[]) {
  const { body } = assertOk(await central.post('/entregas/status', { ids: ids.map(Number) }));
  const counts: Record<string, number> = {};
  for (const { data } of body.data) counts[data.status] = (counts[data.status] ?? 0) + 1;
  return counts;
}

export const boardGrid = (page: Page) => page.getByRole('grid', { name: 'Entregas em curso' });
export const boardRow = (page: Page, id: number | string) =>
  boardGrid(page).locator(`tr[data-delivery="${id}"]`);
export const boardBar = (page: Page) => page.locator('.board-bar');
export const lastToast = (page: Page) => page.getByRole('status').locator('p').last();

/** The rows that are whole on the screen, from top to bottom. */
export const visibleRows = async (page: Page): Promise<string[]> =>
  JSON.parse(
    await page.evaluate<string>(`(() => {
      const frame = document.querySelector('.board-frame').getBoundingClientRect();
      const head = document.querySelector('.board-grid th').getBoundingClientRect();
      const rows = [...document.querySelectorAll('.board-row')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= head.bottom - 1 && bottom <= Math.min(frame.bottom, innerHeight) + 1;
      });
      return JSON.stringify(rows.map((row) => row.dataset.delivery));
    })()`),
  );

export async function openBoard(page: Page, path = '/console'): Promise<void> {
  await signIn(page);
  await page.goto(path);
  await boardGrid(page).waitFor();
  await page.locator('.board-row').first().waitFor();
}

/** Marks so many rows from the first one on, by a click and a shift-click; returns their ids. */
export async function markRows(malote: TestMalote, page: Page, count: number): Promise<string[]> {
  const first = (await visibleRows(page))[0]!;
  await boardRow(page, first).locator('.board-check').click();
  for (let at = 1; at < count; at += 1) await page.keyboard.press('j');
  const last = await boardGrid(page).locator('tr[aria-current="true"]').getAttribute('data-delivery');
  await boardRow(page, last!).click({ modifiers: ['Shift'], position: { x: 300, y: 10 } });
  await assertText(boardBar(page), new RegExp(`${count} marcadas`));
  const all = await openDeliveries(malote);
  const slack = new Map(all.map(({ id, folga_segundos }) => [id, folga_segundos]));
  return all
    .map(({ id }) => String(id))
    .toSorted((a, b) => slack.get(a) - slack.get(b) || Number(a) - Number(b))
    .slice(0, count);
}

/** The requests of the page that change something. */
export function watchWrites(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/api/')) writes.push(pathname);
  });
  return writes;
}
