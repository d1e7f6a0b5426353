import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';
import { dispatched } from '../support/scheduled.ts';
import { signIn } from '../support/signIn.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

const { id: scheduledId, deliveryId } = await dispatched(malote);
assertOk(await malote.operator.post(`/entregas/${deliveryId}/atribuir`, { condutor_id: 1 }));
assertOk(await malote.driver(1).post(`/entregas/${deliveryId}/aceitar`));

/** What was done and by whom, in the order shown. */
const told = (page: Page, list: '.past' | '.story') => page.locator(`${list} .author`).allTextContents();

test('an operator reads in a delivery’s story who did what', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${deliveryId}`);
  await page.getByText('Aceita por João Silva').waitFor();
  assert.deepEqual(await told(page, '.past'), [
    'gerente gerente',
    'serviço',
    'serviço',
    'operador central',
    'condutor João Silva',
  ]);
  await screen.assertAccessible();
  await screen.screenshot('console-story');
  await page.goto(`/console/programadas/${scheduledId}`);
  await page.getByText('Disparada').last().waitFor();
  assert.deepEqual(await told(page, '.story'), ['serviço', 'gerente gerente']);
  await screen.screenshot('console-story-scheduled');
});

test('a manager reads by whom, as far as a manager may, in English on a phone', async () => {
  await using screen = await browser.phone({ locale: 'en-GB' });
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto(`/console/entregas/${deliveryId}`);
  await page.getByText('Accepted by João Silva').waitFor();
  assert.deepEqual(await told(page, '.past'), [
    'manager gerente',
    'service',
    'service',
    'operator',
    'driver',
  ]);
  await screen.assertAccessible();
  await screen.screenshot('console-story-phone');
});
