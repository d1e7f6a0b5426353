import { openBrowser } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { newDriverLogin } from '../support/device.ts';
import { DRIVER_PHONE, inBothSchemes, press } from '../support/driverPhone.ts';
import { startMalote } from '../support/malote.ts';
import { places } from '../support/orders.ts';
import { planned } from '../support/plans.ts';
import { assertOk, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, db } = malote;
const browser = await openBrowser(malote.url);
/** A phone that was never signed in also asks for its session. */
const NOBODY_YET = /status of 401 .*\/entregador\/sessao$/;

/** A driver to whom two deliveries are offered as one run, and the deliveries. */
async function withRun(): Promise<{ driverId: number; deliveries: number[] }> {
  const { driverId } = await newDriverLogin(malote);
  await db`insert into driver_categories (central_id, driver_id, category_id)
    select 1, ${driverId}, id from categories where central_id = 1`;
  const at = { lat: Number(places[1].lat), lng: Number(places[1].lng) };
  assertOk(await operator.post(`/condutores/${driverId}/posicao`, at));
  const deliveries = [(await openDelivery(malote)).id, (await openDelivery(malote, {}, 2)).id];
  const plan = await planned(operator, { entregas: deliveries, entregadores: [driverId] });
  assertOk(await operator.post(`/planos/${plan.id}/aplicar`, { modo: 'oferta' }));
  return { driverId, deliveries };
}

const until = (deliveries: readonly number[], letters: readonly string[]): Promise<void> =>
  waitUntil(`the statuses are ${letters.join()}`, async () => {
    const read = await Promise.all(deliveries.map((id) => operator.get(`/entregas/${id}`)));
    const statuses: string[] = read.map((answer) => assertOk(answer).body.data.status);
    return (
      statuses.every((status) => letters.includes(status)) && letters.every((each) => statuses.includes(each))
    );
  });

test('a run is one offer: accepting takes all of it, refusing refuses all of it', async () => {
  await malote.configure({ offerSeconds: 600, shareKind: 'percent', sharePercent: 50 });
  for (const [answers, letters] of [
    [['Aceitar'], ['A', 'S']],
    [
      ['Recusar', 'Longe demais'],
      ['D', 'D'],
    ],
  ] as const) {
    const { driverId, deliveries } = await withRun();
    await using screen = await browser.phone({ expected: [NOBODY_YET], ...DRIVER_PHONE });
    const { page } = screen;
    const { body } = assertOk(await operator.post(`/condutores/${driverId}/convites`, {}));
    await page.goto(`/entregador${new URL(body.data.link).hash}`);
    await page.getByRole('heading', { name: 'Nova corrida com 2 pedidos' }).waitFor();
    await page.getByText('Coleta 2').waitFor();
    await inBothSchemes(page, 'run-offer');
    for (const answer of answers) await press(page, answer);
    await until(deliveries, letters);
  }
});
