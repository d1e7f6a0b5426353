import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { DRIVER_PHONE, press } from '../../support/driverPhone.ts';
import { startMalote } from '../../support/malote.ts';
import { assertNone } from '../../support/shown.ts';
import { assertOk, openDelivery } from '../../support/steps.ts';
import { eventually } from '../../support/waitUntil.ts';

const malote = await startMalote();
const { operator } = malote;
const browser = await openBrowser(malote.url);

/** Asserts what a screen reader reads next, and where the next Tab starts. */
const assertFocus = (page: Page, tag: 'H1' | 'H2' | 'BUTTON', words: string) =>
  eventually(async () => {
    const focused = await page.evaluate(
      `[document.activeElement.tagName, document.activeElement.textContent]`,
    );
    assert.deepEqual(focused, [tag, words]);
  });
/** Presses Enter on the focused element. */
async function enter(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).and(page.locator(':enabled'));
  await button.focus();
  await page.keyboard.press('Enter');
}

test('the focus follows each step of a run, and comes back from sheets and other screens', async () => {
  const delivery = await openDelivery(malote, {}, 2);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: 1 }));
  const { body } = assertOk(await operator.post('/condutores/1/convites', {}));
  await using screen = await browser.phone({ expected: [/status of 4\d\d/], ...DRIVER_PHONE });
  const { page } = screen;
  await page.goto(`/entregador${new URL(body.data.link).hash}`);
  await assertFocus(page, 'H2', 'Nova oferta');
  await enter(page, 'Recusar');
  await assertFocus(page, 'H2', 'Nova oferta');
  await press(page, 'Voltar à oferta');
  await enter(page, 'Aceitar');
  await enter(page, 'Navegar');
  await assertFocus(page, 'H2', 'Abrir o caminho em');
  await page.keyboard.press('Escape');
  await assertFocus(page, 'BUTTON', 'Navegar');

  await enter(page, 'Já estou lá');
  await assertFocus(page, 'H2', 'Coleta');
  await enter(page, 'Cheguei na coleta');
  await assertFocus(page, 'H2', 'Coleta');
  await enter(page, 'Peguei os pedidos');
  await assertFocus(page, 'H2', 'Entregar para Cliente 1');
  await enter(page, 'Já estou lá');
  await assertFocus(page, 'H2', 'Entregar para Cliente 1');
  await enter(page, 'Cheguei');
  await enter(page, 'Não consegui entregar');
  await assertFocus(page, 'H2', 'Não consegui entregar');
  await enter(page, 'Fechar');
  await assertFocus(page, 'BUTTON', 'Não consegui entregar');
  await enter(page, 'Entregar');
  await assertFocus(page, 'H2', 'Entregar');
  await enter(page, 'Confirmar entrega');
  await page.getByRole('heading', { name: 'Entregar para Cliente 2' }).waitFor();
  await assertNone(page.getByRole('dialog'));

  await page.getByRole('link', { name: 'Menu' }).press('Enter');
  await assertFocus(page, 'H1', 'Menu');
  await page.getByRole('link', { name: 'Ganhos' }).press('Enter');
  await assertFocus(page, 'H1', 'Ganhos');
  await page.getByRole('link', { name: 'Voltar' }).press('Enter');
  await assertFocus(page, 'H2', 'Entregar para Cliente 2');
});
