import { openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { startMalote } from '../../support/malote.ts';
import { order, scheduledOrder, stop } from '../../support/orders.ts';
import { assertCount, assertFits } from '../../support/shown.ts';
import { assertOk, deliveryIn } from '../../support/steps.ts';

const malote = await startMalote();
const browser = await openBrowser(malote.url);

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const places = {
  partida: { endereco: `${WORD}, 1`, bairro: WORD.slice(0, 50), lat: '-30.0305', lng: '-51.2303' },
  paradas: [
    {
      ...stop(1),
      endereco_parada: `${WORD}, 12`,
      bairro_parada: WORD.slice(0, 50),
      nome_cliente_parada: WORD,
      observacao_parada: WORD,
    },
  ],
};

test('on a phone no word is too long for the page of a delivery, its dialogs or a scheduled one', async () => {
  const { id_mch } = assertOk(await malote.manager.post('/entregas', order(places))).body.data;
  const later = assertOk(await malote.manager.post('/entregas/programadas', scheduledOrder(places))).body
    .data;
  await using screen = await browser.phone();
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/programadas/${later.id_mch}`);
  await page.getByRole('heading', { name: 'Paradas' }).waitFor();
  await assertFits(page.locator('.scheduled-detail'));
  await page.goto(`/console/entregas/${id_mch}`);
  await page.getByRole('heading', { name: 'Coleta e paradas' }).waitFor();
  await assertFits(page.locator('.delivery-main'));
  await page.getByRole('button', { name: 'Editar paradas' }).click();
  await page.getByRole('dialog').getByText(WORD).first().waitFor();
  await assertFits(page.getByRole('dialog'));
});

test('on a small phone the facts of a delivery that ended days ago fit', async () => {
  const { id } = await deliveryIn(malote, 'finished');
  malote.clock.advance({ hours: 50 });
  await using screen = await browser.phone({ viewport: { width: 320, height: 700 } });
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/entregas/${id}`);
  const receipt = page.getByRole('region', { name: 'Recibo' });
  await receipt.getByText(/^16\/11/).waitFor();
  await receipt.getByText('Cobrado dos destinatários').waitFor();
  await assertFits(receipt);
});

test('the board finds a driver’s or customer’s name by letters that every keyboard has', async () => {
  const driver = { nome: 'Łukasz Søndergård', telefone: '51988887777', categorias: [1] };
  const { id } = assertOk(await malote.operator.post('/condutores', driver)).body.data;
  const { id_mch } = assertOk(await malote.manager.post('/entregas', order())).body.data;
  assertOk(await malote.operator.post(`/condutores/${id}/disponibilidade`, { disponivel: true }));
  assertOk(await malote.operator.post(`/entregas/${id_mch}/aceitar`, { condutor_id: id }));
  await using screen = await browser.desk();
  await signIn(screen.page);
  await screen.page.goto('/console?q=lukasz%20sonder');
  await assertCount(screen.page.getByRole('table', { name: 'Entregas em curso' }).locator('tbody tr'), 1);
});
