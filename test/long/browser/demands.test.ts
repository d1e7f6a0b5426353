import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { NO_NETWORK, openBrowser, signIn } from '../../support/browser.ts';
import { browserTest as test } from '../../support/browserTest.ts';
import { DRIVER_PHONE, screenshot } from '../../support/driverPhone.ts';
import { startMalote } from '../../support/malote.ts';
import { order, scheduledOrder, stop } from '../../support/orders.ts';
import { assertValue } from '../../support/shown.ts';
import { assertOk } from '../../support/steps.ts';

const malote = await startMalote();
const { operator, manager, clock } = malote;
const browser = await openBrowser(malote.url);
const NOBODY_YET = /status of 401 .*\/entregador\/sessao$/;
const REFUSED = /Failed to load resource.*4(00|22)/;
const ZONE = 'America/Sao_Paulo';
const WIDTHS = [1440, 390] as const;

const localIn = (minutes: number): string =>
  clock.now().add({ minutes }).toZonedDateTimeISO(ZONE).toPlainTime().toString({ smallestUnit: 'minute' });

async function fillPlace(place: Locator, endereco: string, coordinates: string): Promise<void> {
  await place.getByLabel('Endereço').fill(endereco);
  await place.getByLabel('Bairro').fill('Centro');
  await place.getByText('Mostrar coordenadas').click();
  await place.getByLabel('Latitude').fill(coordinates);
}

const readDelivery = async (id: string) => assertOk(await operator.get(`/entregas/${id}`)).body.data;

async function pictures(page: Page, take: (name: string) => Promise<unknown>, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await take(`${name}-${width}-${colorScheme}`);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

test('an order is opened with what it demands, which the operator sees', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/nova');
  await page.getByRole('combobox', { name: 'Empresa' }).selectOption('1');
  await fillPlace(
    page.getByRole('group', { name: 'Coleta', exact: true }),
    'Rua dos Andradas, 1001',
    '-30.0305, -51.2303',
  );
  const first = page.getByRole('group', { name: 'Parada 1', exact: true });
  await fillPlace(first, 'Avenida Ipiranga, 1', '-30.0489, -51.2158');
  await first.getByText('Prazo, carga e tempo na parada').click();
  await first.getByLabel('Entregar até').fill(localIn(90));
  await first.getByLabel('Peso (kg)').fill('3,5');
  await first.getByLabel('Pacotes').fill('-2');
  await page.getByText('Exigências da coleta e do entregador').click();
  await page.getByLabel('Pronto às').fill(localIn(20));
  await page.getByLabel('Precisa de baú térmico').check();
  await page.getByRole('combobox', { name: 'Prioridade' }).selectOption('1');
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await first.getByText(/maior ou igual|no mínimo|mínimo/).waitFor();
  await first.getByLabel('Pacotes').fill('2');
  await screen.assertAccessible();
  await pictures(page, (name) => screen.screenshot(name), 'demands-new');
  await page.getByRole('button', { name: 'Abrir entrega' }).click();
  await page.getByRole('heading', { name: /^Entrega \d+$/ }).waitFor();
  await page.getByText('baú térmico').waitFor();
  await page.getByText(`entregar até ${localIn(90)} · 2 pacotes · 3,5 kg`).waitFor();
  await pictures(page, (name) => screen.screenshot(name), 'demands-delivery');
  const shown = await readDelivery(new URL(page.url()).pathname.split('/').at(-1)!);
  assert.equal(shown.exigencias.prioridade, 1);
  const promised = Temporal.Instant.from(shown.prometida_para).toZonedDateTimeISO(ZONE).toPlainTime();
  assert.equal(promised.toString({ smallestUnit: 'minute' }), localIn(90));
});

test('the edit of a scheduled delivery keeps what it demands', async () => {
  const exigencias = { entregar_ate: '2026-11-18T15:00:00Z', pacotes: 4 };
  const { id_mch: id } = assertOk(
    await malote.central.post(
      '/entregas/programadas',
      scheduledOrder({
        cliente: { nome: 'Ana', cpf: '529.982.247-25' },
        exigencias: { equipamentos: ['bau'] },
        paradas: [{ ...stop(0), exigencias }],
      }),
    ),
  ).body.data;
  await using screen = await browser.desk({});
  const { page } = screen;
  await signIn(page);
  await page.goto(`/console/programadas/${id}`);
  await page.getByText('4 pacotes').first().waitFor();
  await page.goto(`/console/programadas/${id}/editar`);
  await assertValue(page.getByLabel('Pacotes'), '4');
  await page.getByLabel('Pacotes').fill('5');
  await page.getByRole('button', { name: 'Substituir a programada' }).click();
  await page.getByText('5 pacotes').first().waitFor();
  const shown = assertOk(await operator.get(`/programadas/${id}`)).body.data;
  assert.deepEqual(shown.exigencias.equipamentos, ['bau']);
  assert.equal(shown.paradas[0].exigencias.entregar_ate, exigencias.entregar_ate, 'also of another day');
});

test('the shifts of a driver and what the vehicle carries are kept', async () => {
  await using screen = await browser.desk({ expected: [REFUSED] });
  const { page } = screen;
  await signIn(page);
  await page.goto('/console/condutores');
  await page.getByRole('button', { name: 'Turnos de João Silva' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turnos de João Silva' });
  const friday = dialog.getByRole('group', { name: 'Sexta' });
  await friday.getByRole('button', { name: /Novo turno/ }).click();
  await friday.getByLabel('De', { exact: true }).fill('18:00');
  await friday.getByLabel('Até', { exact: true }).fill('02:00');
  await friday.getByRole('button', { name: 'Nova pausa' }).click();
  await friday.getByLabel('Pausa de').fill('17:00');
  await friday.getByLabel('Pausa até').fill('17:30');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await friday.getByText('as pausas ficam dentro do turno').waitFor();
  await friday.getByLabel('Pausa de').fill('21:00');
  await friday.getByLabel('Pausa até').fill('21:30');
  await dialog.getByRole('button', { name: 'Nova data' }).click();
  await dialog.getByLabel('Data', { exact: true }).fill('24/12/2027');
  await screen.assertAccessible();
  await pictures(page, (name) => screen.screenshot(name), 'demands-shifts');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('Turnos de João Silva salvos.').waitFor();
  const kept = assertOk(await operator.get('/condutores/1/turnos')).body.data;
  const night = { inicio: '18:00', fim: '02:00', pausas: [{ inicio: '21:00', fim: '21:30' }] };
  assert.deepEqual(kept, {
    mantidos: true,
    semana: [{ dia: 5, ...night }],
    dias: [{ data: '2027-12-24', turnos: [] }],
  });

  await page.getByRole('button', { name: 'João Silva', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'João Silva' });
  await form.getByLabel('Até (kg)').fill('12,5');
  await form.getByRole('combobox', { name: 'Equipamento' }).selectOption('bau_termico');
  await screen.assertAccessible();
  await pictures(page, (name) => screen.screenshot(name), 'demands-driver');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await page.getByText('João Silva salvo.').waitFor();
  const { capacidade } = assertOk(await operator.get('/condutores/1')).body.data;
  assert.deepEqual(capacidade, {
    peso_kg: 12.5,
    volume_litros: null,
    pacotes: null,
    equipamentos: ['bau_termico'],
  });
});

test('the driver reads what is needed, when it is ready and by when it is expected', async () => {
  const body = order({
    exigencias: { pronto_em: clock.now().add({ minutes: 20 }).toString(), equipamentos: ['bag_termica'] },
    paradas: [
      { ...stop(0), exigencias: { entregar_ate: clock.now().add({ minutes: 50 }).toString(), pacotes: 2 } },
    ],
  });
  const { id_mch: id } = assertOk(await manager.post('/entregas', body)).body.data;
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  await using screen = await browser.phone({ expected: [NO_NETWORK, NOBODY_YET], ...DRIVER_PHONE });
  const { page } = screen;
  const { body: invited } = assertOk(await operator.post('/condutores/1/convites', {}));
  await page.goto(`/entregador${new URL(invited.data.link).hash}`);
  await page.getByText(`pronto às ${localIn(20)} · 2 pacotes · precisa de bag térmica`).waitFor();
  await screenshot(page, 'demands-offer');
  await page.getByRole('button', { name: 'Aceitar' }).click();
  await page.getByText('Pronto às').waitFor();
  await screen.assertAccessible();
  await screenshot(page, 'demands-run');
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  await page
    .getByText(`até ${localIn(50)}`)
    .first()
    .waitFor();
  await screenshot(page, 'demands-stop');
});
