import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** A session at the console, without its login page. */
export async function signIn(page: Page, user = 'central'): Promise<void> {
  const answer = await page.request.post('/console/sessao', {
    headers: { 'x-malote-console': '1' },
    data: { central: 'Central Demonstração', usuario: user, senha: 'demo' },
  });
  assert.equal(answer.status(), 200, await answer.text());
}
