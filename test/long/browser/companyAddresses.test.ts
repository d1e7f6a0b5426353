import assert from 'node:assert/strict';
import { loadDemoAddresses } from '../../../server/simulation/demo/demoAddresses.ts';
import { mapIsReady, openBrowser, signIn, standsStill } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import type { Json } from '../../support/client.ts';
import { startMalote } from '../../support/malote.ts';
import { assertValue } from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';

const malote = await startMalote();
await loadDemoAddresses(malote.db, malote.clock);
await malote.app.deps.geocoders.refresh();
const browser = await openBrowser(malote.url);
const { operator } = malote;

const shop = {
  tipo: 'partida',
  nome: 'Loja',
  endereco: 'Rua Padre Chagas, 185',
  complemento: 'fundos',
  bairro: 'Moinhos de Vento',
  cidade: 'Porto Alegre',
  estado: 'RS',
  lat: -30.0263,
  lng: -51.2022,
  padrao: true,
};
const keptOf = async (companyId: number): Promise<Json[]> =>
  assertOk(await operator.get(`/empresas/${companyId}/enderecos`)).body.data;

test('an operator changes a kept address: another street is located, an unknown one asks for its pin', async () => {
  assertOk(await operator.post('/empresas/1/enderecos', shop));
  await using screen = await browser.desk({ maps: true, viewport: { width: 1280, height: 900 } });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/empresas/1');
  await page.getByRole('button', { name: 'Editar Loja' }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar Loja' });
  await assertValue(dialog.getByLabel('Endereço'), 'Rua Padre Chagas');
  await assertValue(dialog.getByLabel('Número'), '185');
  await dialog.getByLabel('Nome').fill('Loja nova');
  await dialog.getByLabel('Endereço').fill('rua da republica 320');
  await dialog.getByRole('listbox').getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('Encontrado no número.').waitFor();
  const map = dialog.getByRole('region', { name: 'Mapa: clique para dar lugar' });
  await mapIsReady(map);
  await screen.assertAccessible();
  await screen.screenshot('console-company-address');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Endereço alterado.').waitFor();
  const [located] = await keptOf(1);
  assert.deepEqual(
    [located!.nome, located!.endereco, located!.bairro, located!.complemento, located!.padrao],
    ['Loja nova', 'Rua da República, 320', 'Cidade Baixa', 'fundos', true],
  );
  assert.ok(Math.abs(located!.lat - -30.0393) < 0.001);

  // An unknown address must not keep the pin of the previous one.
  await page.getByRole('button', { name: 'Editar Loja nova' }).click();
  const again = page.getByRole('dialog', { name: 'Editar Loja nova' });
  await again.getByLabel('Endereço').fill('Beco Sem Nome');
  await again.getByLabel('Número').fill('7');
  await again.getByRole('button', { name: 'Salvar' }).click();
  await again.getByText('Marque o lugar no mapa.').waitFor();
  const field = again.getByRole('region', { name: 'Mapa: clique para dar lugar' });
  await mapIsReady(field);
  await field.click({ position: { x: 120, y: 90 } });
  await again.getByText('Ponto marcado no mapa.').waitFor();
  await again.getByRole('button', { name: 'Salvar' }).click();
  await again.waitFor({ state: 'detached' });
  await page.getByText('Beco Sem Nome, 7').waitFor();
  const [marked] = await keptOf(1);
  assert.notEqual(marked!.lat, located!.lat);
});

test('a manager adds a favourite and changes it, on a phone', async () => {
  await using screen = await browser.phone({ maps: true });
  const { page } = screen;
  await signIn(page, 'gerente');
  await page.goto('/console/empresas');
  await page.getByRole('button', { name: 'Adicionar endereço' }).click();
  const dialog = page.getByRole('dialog', { name: 'Novo endereço' });
  await dialog.getByLabel('Nome').fill('Dona Rita');
  await dialog.getByLabel('Para quê').selectOption('favorito');
  await dialog.getByLabel('Endereço').fill('osvaldo aranha 1022');
  await dialog.getByRole('listbox').getByRole('option').first().click();
  await dialog.getByText('Encontrado no número.').waitFor();
  await dialog.getByLabel('Quem recebe').fill('Rita Lima');
  await standsStill(dialog);
  await screen.assertAccessible();
  await screen.screenshot('console-company-address-390');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Endereço guardado.').waitFor();
  await page.getByRole('button', { name: 'Editar Dona Rita' }).click();
  const editing = page.getByRole('dialog', { name: 'Editar Dona Rita' });
  await assertValue(editing.getByLabel('Quem recebe'), 'Rita Lima');
  await editing.getByLabel('Complemento').fill('apto 5');
  await editing.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Endereço alterado.').waitFor();
  await screen.screenshot('console-company-addresses-390');
  const rita = (await keptOf(1)).find(({ nome }) => nome === 'Dona Rita');
  assert.deepEqual(
    [rita!.tipo, rita!.endereco, rita!.complemento, rita!.nome_destinatario],
    ['favorito', 'Avenida Osvaldo Aranha, 1022', 'apto 5', 'Rita Lima'],
  );
});
