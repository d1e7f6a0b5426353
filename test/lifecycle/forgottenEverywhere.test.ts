import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { runText } from '../support/runText.ts';
import { dispatchNow, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, newDriver } from '../support/steps.ts';

// A person is named in every text that people write about a delivery. After an erasure, or after the central's
// retention time, no table may still contain it. This includes tables that are added later.

const malote = await startMalote();
const { operator, central, db, clock } = malote;
const deps = { db, clock, objectStore: null };

const PHONE = '51988887777';
/** Each text holds the phone, by which an erasure finds it, and the name, by which this test does. */
const text = (place: string): string => `${place} da Filomena, ${PHONE}`;

/** Every row of every table that contains the name or the phone. */
async function traces(): Promise<string[]> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await runText<{ row: string }>(
      db,
      `select t::text as row from "${name}" t where t::text ~* 'filomena|${PHONE}'`,
      [],
    );
    found.push(...rows.map(({ row }) => `${name}: ${/[^,("]*(filomena|${PHONE}).{0,20}/i.exec(row)?.[0]}`));
  }
  return found;
}

/** Writes the person wherever the interfaces accept a text, and ends all these deliveries. */
async function nameEverywhere(
  payer: object = {
    observacao: text('observação'),
    categoria_id: 1,
    cliente: { nome: 'Filomena', cpf: '52998224725', telefone: PHONE },
  },
): Promise<void> {
  await malote.configure({ confirmationCode: true, pixKey: 'demo@example.com' });
  const ordered = order({
    ...payer,
    paradas: [0, 1].map((place) => ({
      ...stop(place),
      nome_cliente_parada: 'Filomena',
      telefone_cliente_parada: PHONE,
      observacao_parada: text('observação da parada'),
      complemento_parada: text('complemento'),
      referencia_parada: text('referência'),
    })),
  });
  const id = Number(assertOk(await central.post('/entregas', ordered)).body.data.id_mch);
  const [first, second] = await db<{ id: number }>`
    select id from stops where central_id = 1 and delivery_id = ${id} order by position`;
  const [driver, other] = [await newDriver(malote), await newDriver(malote)];
  const path = `/entregas/${id}`;
  assertOk(await operator.post(`${path}/segurar`, { motivo: text('espera') }));
  assertOk(await operator.post(`${path}/retomar`));
  assertOk(await operator.post(`${path}/atribuir`, { condutor_id: driver }));
  const refusal = { condutor_id: driver, motivo: 'outro', observacao: text('recusa') };
  assertOk(await operator.post(`${path}/recusar`, refusal));
  assertOk(await operator.post(`${path}/aceitar`, { condutor_id: driver }));
  assertOk(
    await operator.post(`${path}/reatribuir`, { condutor_id: other, motivo: text('troca de entregador') }),
  );
  assertOk(await operator.post(`/condutores/${other}/ajuda`, { id_mch: id, texto: text('ajuda') }));
  assertOk(await operator.post(`${path}/iniciar`));
  const failure = { motivo: 'recusado', observacao: text('falha') };
  assertOk(await operator.post(`${path}/paradas/${first!.id}/falhar`, failure));
  assertOk(await operator.post(`${path}/paradas/${first!.id}/resolver`, { motivo: text('solução') }));
  const done = {
    sem_codigo_motivo: text('sem código'),
    recebido_por: 'Filomena',
    valor_recebido: '900.00',
    valor_recebido_motivo: text('valor'),
  };
  assertOk(await operator.post(`${path}/paradas/${second!.id}/concluir`, done));
  assertOk(await operator.post(`${path}/finalizar`));

  const entry = { tipo: 'ajuste', valor: '1.00', motivo: text('ajuste') };
  assertOk(await operator.post(`/condutores/${driver}/lancamentos`, entry));
  const company = { tipo_identificacao: 'C', identificacao: 'C-1001' };
  for (const what of ['recargas', 'saques'])
    assertOk(
      await central.post(`/entregas/empresas/creditos/${what}`, {
        empresa: company,
        valor: 1,
        observacao: text(what),
      }),
    );
  const code = assertOk(await operator.post('/empresas/1/pix', { valor: '1.00' })).body.data.identificador;
  const credit = { identificador: code, observacao: text('pix') };
  assertOk(await operator.post('/empresas/1/pix/creditar', credit));
  for (const filtros of [`texto=${encodeURIComponent(text('busca'))}`, 'texto=%2851%29+98888-7777&status=F'])
    assertOk(await operator.post('/visoes', { lista: 'entregas', nome: `Visão ${filtros.length}`, filtros }));
}

/** A saved view without a name stays. */
const otherView = { lista: 'entregas', nome: 'Finalizadas', filtros: 'status=F&periodo=hoje' };
const viewNames = async (): Promise<string[]> =>
  assertOk(await operator.get('/visoes?lista=entregas')).body.data.map(({ nome }: { nome: string }) => nome);

test('an erasure leaves nothing of a person in any table, but for answers that are dropped within 48 hours', async () => {
  assertOk(await operator.post('/visoes', otherView));
  await nameEverywhere();
  const before = new Set((await traces()).map((trace) => trace.split(':')[0]));
  for (const table of [
    'deliveries',
    'stops',
    'offers',
    'handovers',
    'help_requests',
    'events',
    'saved_views',
  ])
    assert.ok(before.has(table), `${table} should have named the person`);
  await erasePerson(deps, 1, { cpf: null, phone: PHONE }, 'Tester');
  await erasePerson(deps, 1, { cpf: '52998224725', phone: null }, 'Tester');
  clock.advance({ hours: 49 });
  await tidyUp(deps);
  assert.deepEqual(await traces(), []);
  assert.deepEqual(await viewNames(), ['Finalizadas']);
});

test('when the time of a central is over, nothing of a person is left in any table', async (t) => {
  await nameEverywhere();
  assert.ok((await traces()).length > 10);
  await malote.configureFor(t, { personalDataMonths: 2 });
  clock.advance({ hours: 24 * 95 });
  await removeExpiredPersonalData(deps);
  await tidyUp(deps);
  assert.deepEqual(await traces(), []);
  assert.deepEqual(await viewNames(), ['Finalizadas']);
});

test('an erasure of a recipient leaves nothing of it in what a company ordered', async () => {
  const payer = { empresa_id: 1, observacao: text('observação') };
  await nameEverywhere(payer);
  const ids: number[] = [];
  for (const place of [0, 1]) {
    const paradas = [{ ...stop(place), telefone_cliente_parada: place === 0 ? PHONE : null }];
    ids.push(await schedule(malote.manager, { data: '16/11/2046', observacao: text('programada'), paradas }));
  }
  assertOk(
    await malote.manager.post(`/entregas/programadas/${ids[1]}/agrupar`, { programadas_agrupadas: [ids[0]] }),
  );
  await dispatchNow(malote, ids[1]!);
  const { id_mch } = await readScheduled(malote.manager, ids[1]!);
  assertOk(await malote.manager.post(`/entregas/${id_mch}/cancelar`, { motivo_id: 2 }));
  await erasePerson(deps, 1, { cpf: null, phone: PHONE }, 'Tester');
  clock.advance({ hours: 49 });
  await tidyUp(deps);
  assert.deepEqual(await traces(), []);
});
