import assert from 'node:assert/strict';
import { openBrowser } from '../support/browser.ts';
import { browserTest as test } from '../support/browserTest.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

const places = { index: '/docs/erros', kind: '/docs/erros/insufficient-balance', shared: '/docs/erros/bug' };

for (const colorScheme of ['light', 'dark'] as const)
  for (const [width, open] of [
    [1440, browser.desk],
    [390, browser.phone],
  ] as const)
    test(`the pages of errors are read at ${width} pixels, ${colorScheme}`, async () => {
      await using screen = await open({ colorScheme });
      const { page } = screen;
      for (const [name, path] of Object.entries(places)) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await screen.assertAccessible();
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(overflow) <= 0, `${path} is wider than the screen`);
        await screen.screenshot(`errors-${name}-${width}-${colorScheme}`);
      }
    });

test('a visitor changes the language and keeps it from page to page', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await page.goto('/docs/erros');
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('link', { name: 'insufficient-balance' }).click();
  await page.getByRole('heading', { name: 'What to do' }).waitFor();
  await page.getByRole('link', { name: 'All errors' }).click();
  await page.getByRole('heading', { name: 'Errors of the interface' }).waitFor();
});
