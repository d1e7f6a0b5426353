import assert from 'node:assert/strict';
import { mapIsReady, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { assertValue } from '../../support/shown.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);
const { operator } = malote;

test('an operator draws an area on the map, moves a point, and saves it', async () => {
  await using screen = await browser.desk({ maps: true });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/areas?area=nova');
  const map = page.getByRole('region', { name: 'Mapa das áreas de atuação' });
  await mapIsReady(map);
  const box = (await map.boundingBox())!;
  const click = (x: number, y: number) => page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  const corners = [
    [0.45, 0.45],
    [0.55, 0.45],
    [0.55, 0.55],
    [0.45, 0.55],
  ] as const;
  for (const [index, [x, y]] of corners.entries()) {
    await click(x, y);
    await map.getByRole('button', { name: `Ponto ${index + 1}` }).waitFor();
  }
  await map.getByRole('button', { name: 'Ponto 1' }).click();
  await page.getByText('Arraste os pontos').waitFor();

  const handle = (await map.getByRole('button', { name: 'Ponto 3' }).boundingBox())!;
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.6, { steps: 5 });
  await page.mouse.up();

  await page.getByLabel('Nome').fill('Zona Sul');
  await screen.assertAccessible();
  await screen.screenshot('console-area-drawn');
  await page.getByRole('button', { name: 'Salvar área' }).click();
  await page.getByRole('link', { name: 'Zona Sul' }).waitFor();
  const { data } = (await operator.get('/areas-atuacao')).body;
  const drawn = data.find(({ nome }: { nome: string }) => nome === 'Zona Sul');
  assert.equal(drawn.padrao, false);
  assert.equal(drawn.geometria.type, 'Polygon');
  assert.equal(drawn.geometria.coordinates[0].length, 5);
});

test('a self-crossing outline is refused with the server’s reason, and stays to be corrected', async () => {
  await using screen = await browser.desk({ expected: [/Failed to load resource.*4\d\d/] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/areas?area=nova');
  await page.getByText('0 pontos').click();
  const point = page.getByLabel('Novo ponto: latitude, longitude');
  for (const text of ['-30.1, -51.2', '-30.2, -51.1', '-30.1, -51.1', '-30.2, -51.2']) {
    await point.fill(text);
    await point.press('Enter');
  }
  await page.getByLabel('Nome').fill('Laço');
  await page.getByRole('button', { name: 'Salvar área' }).click();
  await page.getByRole('alert').getByText(/Laço/).waitFor();
  await page.getByText('4 pontos').waitFor();
});

test('coordinates of an area are typed with a sign first, and with decimal commas', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/areas?area=nova');
  await page.getByText('0 pontos').click();
  const added = page.getByLabel('Novo ponto: latitude, longitude');
  await added.fill('-30,03 -51,22');
  await added.press('Enter');
  const latitude = page.getByLabel('Latitude do ponto 1');
  const longitude = page.getByLabel('Longitude do ponto 1');
  await assertValue(latitude, '-30.03');
  await assertValue(longitude, '-51.22');

  await latitude.fill('');
  await latitude.pressSequentially('-31,5');
  await latitude.press('Tab');
  await assertValue(latitude, '-31.5');
  await longitude.fill('-512');
  await longitude.press('Tab');
  await assertValue(longitude, '-51.22');

  await added.fill('centro');
  await added.press('Enter');
  await page.getByRole('alert').getByText('Digite latitude e longitude').waitFor();
});

test('Back shows a long page where it was left', async () => {
  await using screen = await browser.desk();
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/configuracoes');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await waitUntil('the page is long', () =>
    page.evaluate<boolean>('document.documentElement.scrollHeight > innerHeight + 600'),
  );
  await page.evaluate('scrollTo(0, 500)');
  await page.getByRole('navigation', { name: 'Seções' }).getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL('**/console/webhooks');
  assert.equal(await page.evaluate('scrollY'), 0);
  await page.goBack();
  await waitUntil('the page is where it was', () => page.evaluate<boolean>('Math.abs(scrollY - 500) <= 1'));
});
