import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { assertAttribute, assertValue } from '../../support/shown.ts';

const malote = await startMalote();
const { operator } = malote;
const browser = await openBrowser(malote.url);

test('a list is written line by line, and a wrong line is named beside it', async () => {
  await using screen = await browser.desk({ expected: [/status of 400/] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/configuracoes');
  const sites = page.getByLabel('Sites de outros endereços que podem usar o serviço pelo navegador');
  await sites.fill('https://painel.example\n\nhttps://loja.example/');
  const save = page.getByRole('button', { name: 'Salvar configurações' });
  await save.click();
  await page.getByText('https://loja.example/: deve ser a origem exata de uma página').waitFor();
  await sites.fill('https://painel.example\n\nhttps://loja.example');
  await save.click();
  await page.getByText('Configurações salvas.').waitFor();
  const { origens_navegador: saved } = (await operator.get('/configuracoes')).body.data;
  assert.deepEqual(saved, ['https://painel.example', 'https://loja.example']);
  await assertValue(sites, saved.join('\n'));
  await assertAttribute(save, 'disabled', '');
});
