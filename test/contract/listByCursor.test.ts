import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client, Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { DELAY_MS_MAX } from '../support/followers.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { dispatchNow, schedule } from '../support/scheduled.ts';
import { addStops } from '../support/states.ts';
import { assertOk, deliveryIn, openDelivery } from '../support/steps.ts';
import { eventually } from '../support/waitUntil.ts';

// Contract 4.4 and 4.9, the lists by cursor: walks, filters and changes.
const malote = await startMalote();
const { central, manager, manager2, neighbour, clock } = malote;

type Query = Record<string, unknown>;
interface List {
  name: string;
  id: string;
  ask(query: Query, by?: Client): ReturnType<Client['get']>;
}

const deliveries: List = {
  name: 'POST /entregas/consultar',
  id: 'id',
  ask: (query, by = central) => by.post('/entregas/consultar', query),
};
const scheduled: List = {
  name: 'GET /entregas/programadas',
  id: 'id_mch_programada',
  ask: (query, by = central) =>
    by.get(`/entregas/programadas?${new URLSearchParams(query as Record<string, string>)}`),
};
const LISTS = [deliveries, scheduled];

const idsIn = ({ id }: List, body: Json): number[] => body.data.map((row: Json) => Number(row[id]));

/** All pages of a walk. */
async function walkAll(list: List, query: Query, by = central): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: unknown = 'inicio'; cursor !== null; ) {
    const { body } = assertOk(await list.ask({ ...query, cursor }, by));
    ids.push(...idsIn(list, body));
    cursor = body.proximo_cursor;
  }
  return ids;
}

/** Reads changes until there are no more for now. */
async function follow(list: List, query: Query, cursor: unknown = 'inicio', by = central) {
  const ids: number[] = [];
  for (;;) {
    const { body } = assertOk(await list.ask({ ...query, cursor }, by));
    assert.equal(typeof body.proximo_cursor, 'string');
    ids.push(...idsIn(list, body));
    cursor = body.proximo_cursor;
    if (!body.ha_mais) return { ids, cursor };
  }
}

const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);

/** A long transaction elsewhere on the server delays what is told. */
async function assertChanged(list: List, query: Query, ids: readonly number[], by = central) {
  let state: Awaited<ReturnType<typeof follow>>;
  await eventually(async () => {
    state = await follow(list, query, 'inicio', by);
    assert.deepEqual(sorted(state.ids), sorted(ids), JSON.stringify(query));
  }, DELAY_MS_MAX);
  return state!;
}

for (let count = 0; count < 7; count += 1) {
  await openDelivery(malote, { forma_pagamento: count % 2 ? 'X' : 'D' });
  await schedule(count % 2 ? manager : manager2);
  clock.advance({ seconds: 61 });
}
await deliveryIn(malote, 'in_progress');
await deliveryIn(malote, 'finished', 2);

for (const list of LISTS)
  describe(list.name, () => {
    test('without a cursor the answer has success and data alone', async () => {
      for (const query of [{}, { limite: 2, pagina: 2 }])
        assert.deepEqual(Object.keys(assertOk(await list.ask(query)).body), ['success', 'data']);
    });

    test('a walk meets every row once, in the order of the pages, and ends with null', async () => {
      const { body } = assertOk(await list.ask({ limite: 100 }));
      for (const limite of [1, 3, 100]) assert.deepEqual(await walkAll(list, { limite }), idsIn(list, body));
      const whole = assertOk(await list.ask({ cursor: 'inicio', limite: 100 })).body;
      assert.deepEqual(whole, { ...body, proximo_cursor: null });
    });

    test('a page that is exactly full is the last one', async () => {
      const { length } = await walkAll(list, { limite: 100 });
      const { body } = assertOk(await list.ask({ cursor: 'inicio', limite: length }));
      assert.deepEqual([body.data.length, body.proximo_cursor], [length, null]);
    });

    test('rows that arrive meanwhile shift no page', async () => {
      const before = await walkAll(list, { limite: 100 });
      const first = assertOk(await list.ask({ cursor: 'inicio', limite: 2 })).body;
      if (list === deliveries) await openDelivery(malote);
      else await schedule(manager);
      const second = assertOk(await list.ask({ cursor: first.proximo_cursor, limite: 100 })).body;
      assert.deepEqual([...idsIn(list, first), ...idsIn(list, second)], before);
    });

    test('the page size may change during a walk', async () => {
      const before = await walkAll(list, { limite: 100 });
      const first = assertOk(await list.ask({ cursor: 'inicio', limite: 1 })).body;
      const second = assertOk(await list.ask({ cursor: first.proximo_cursor, limite: 2 })).body;
      assert.deepEqual(idsIn(list, second), before.slice(1, 3));
    });

    test('managers walk over what is of their company, and see nothing with the id of another', async () => {
      for (const by of [manager, manager2, neighbour]) {
        const { body } = assertOk(await list.ask({ limite: 100 }, by));
        assert.deepEqual(await walkAll(list, { limite: 2 }, by), idsIn(list, body));
        const since = { alteradas_desde: '2020-01-01 00:00:00', limite: 2 };
        await assertChanged(list, since, idsIn(list, body), by);
      }
      assert.deepEqual(await walkAll(list, { empresa_id: 2 }, manager), []);
      assert.deepEqual(await walkAll(list, { empresa_id: 1 }, neighbour), []);
    });

    test('a cursor that was changed, or is of another walk, is 400 with code 2', async () => {
      const query = { limite: 1, empresa_id: 1 };
      const cursor: string = assertOk(await list.ask({ ...query, cursor: 'inicio' })).body.proximo_cursor;
      assert.match(cursor, /^[\w.-]{30,1000}$/);
      const refused: [Query, Client][] = [
        [{ ...query, cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }, central],
        [{ ...query, cursor: cursor.slice(1) }, central],
        [{ ...query, cursor: 'INICIO' }, central],
        [{ ...query, cursor: 'v1:0123456789abcdef:0123456789abcdef:0123456789012345678901' }, central],
        [{ limite: 1, cursor }, central],
        [{ ...query, empresa_id: 2, cursor }, central],
        [{ ...query, numero_pedido: 'P-1', cursor }, central],
        [{ ...query, alteradas_desde: '2026-01-01 00:00:00', cursor }, central],
        [{ ...query, cursor }, manager],
        [{ ...query, cursor }, neighbour],
      ];
      for (const [changed, by] of refused)
        assert.deepEqual(complainedFields(await list.ask(changed, by)), ['cursor'], JSON.stringify(changed));
      const other = LISTS.find((each) => each !== list)!;
      assert.deepEqual(complainedFields(await other.ask({ ...query, cursor })), ['cursor']);
      const english = await central.send(
        list === deliveries ? '/entregas/consultar' : '/entregas/programadas?cursor=x',
        {
          method: list === deliveries ? 'POST' : 'GET',
          headers: { 'accept-language': 'en', 'content-type': 'application/json' },
          ...(list === deliveries && { body: '{"cursor":"x"}' }),
        },
      );
      assert.match(english.body.errors[0].message, /^'cursor': is not one of this query: .*inicio$/);
    });

    test('every problem has an entry of its own', async () => {
      const date = '2026-11-16 12:00:00';
      const wrong: [Query, string[]][] = [
        [{ cursor: '' }, ['cursor']],
        [{ cursor: 'x'.repeat(1_001) }, ['cursor']],
        [{ cursor: 'inicio', pagina: 1 }, ['pagina']],
        [{ numero_pedido: 'P-1', pagina: 2 }, ['pagina']],
        [{ empresa_id: 0 }, ['empresa_id']],
        [{ numero_pedido: '' }, ['numero_pedido']],
        [{ numero_pedido: 'x'.repeat(101) }, ['numero_pedido']],
        [{ solicitada_de: '2026-11-16' }, ['solicitada_de']],
        [{ solicitada_de: '2026-02-30 12:00:00' }, ['solicitada_de']],
        [{ solicitada_ate: '2026-11-16T12:00:00' }, ['solicitada_ate']],
        [{ solicitada_ate: '16/11/2026' }, ['solicitada_ate']],
        [{ alteradas_desde: 'ontem' }, ['alteradas_desde']],
        [{ alteradas_desde: '2026-11-16 24:00:00' }, ['alteradas_desde']],
        [{ solicitada_de: date, solicitada_ate: '2026-11-16T14:59:59Z' }, ['solicitada_ate']],
        [
          {
            cursor: '',
            pagina: 0,
            limite: 101,
            solicitada_de: 'a',
            solicitada_ate: 'b',
            alteradas_desde: 'c',
          },
          ['alteradas_desde', 'cursor', 'limite', 'pagina', 'solicitada_ate', 'solicitada_de'],
        ],
      ];
      for (const [query, fields] of wrong)
        assert.deepEqual(complainedFields(await list.ask(query)), fields, JSON.stringify(query));
      const [de, ate] =
        list === deliveries ? ['finalizada_de', 'finalizada_ate'] : ['disparo_de', 'disparo_ate'];
      assert.deepEqual(
        complainedFields(await list.ask({ [de!]: date, [ate!]: '2026-11-16 11:59:59', pagina: 1 })),
        [ate!, 'pagina'].sort(),
      );
    });

    test('what changed since a time comes once, then again only when it changes', async () => {
      const all = assertOk(await list.ask({ limite: 100 })).body;
      const query = { alteradas_desde: '2020-01-01T00:00:00Z', limite: 3 };
      let { ids, cursor } = await assertChanged(list, query, idsIn(list, all));
      await eventually(async () => {
        ({ ids, cursor } = await follow(list, query, cursor));
        assert.deepEqual(ids, []);
      }, DELAY_MS_MAX);
      const id = list === deliveries ? (await openDelivery(malote)).id : await schedule(manager);
      const seen: number[] = [];
      const hear = async (expected: number[]) => {
        await eventually(async () => {
          ({ ids, cursor } = await follow(list, query, cursor));
          seen.push(...ids);
          assert.deepEqual(seen, expected);
        }, DELAY_MS_MAX);
      };
      await hear([id]);
      if (list === deliveries) assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
      else await dispatchNow(malote, id);
      await hear([id, id]);
      // The same cursor gives the same rows again.
      assert.deepEqual((await follow(list, query, cursor)).ids, []);
    });

    test('a time in the future has no changes yet', async () => {
      const soon = Temporal.Now.instant().add({ hours: 24 }).toString({ smallestUnit: 'second' });
      assert.deepEqual((await follow(list, { alteradas_desde: soon })).ids, []);
    });
  });

describe('the filters', () => {
  const rows = async (list: List) => assertOk(await list.ask({ limite: 100 })).body.data as Json[];
  /** Newest first, or by the finish, the last one first, where a period of it is asked for. */
  const assertFound = async (list: List, query: Query, holds: (row: Json) => boolean) => {
    const found = (await rows(list)).filter(holds);
    const [newest] = found;
    if (Object.keys(query).some((name) => name.startsWith('finalizada')) && newest)
      assert.ok(found.every((row) => row.data_hora_finalizacao === newest.data_hora_finalizacao));
    const expected = found.map((row) => Number(row[list.id]));
    assert.deepEqual(await walkAll(list, { ...query, limite: 2 }), expected, JSON.stringify(query));
    const { body } = assertOk(await list.ask({ ...query, limite: 100 }));
    assert.deepEqual(idsIn(list, body), expected);
    assert.ok('proximo_cursor' in body);
    const since = { ...query, alteradas_desde: '2020-01-01 00:00:00' };
    await assertChanged(list, since, expected);
  };

  test('of deliveries hold alone and together', async () => {
    const [newest, , third] = await rows(deliveries);
    const from = third.data_hora_solicitacao;
    const until = newest.data_hora_solicitacao;
    const isWithin = (row: Json) => row.data_hora_solicitacao >= from && row.data_hora_solicitacao <= until;
    const dates = { solicitada_de: from, solicitada_ate: until };
    await assertFound(deliveries, dates, isWithin);
    await assertFound(
      deliveries,
      { solicitada_de: third.data_hora_solicitacao_utc, solicitada_ate: newest.data_hora_solicitacao_utc },
      isWithin,
    );
    await assertFound(deliveries, { empresa_id: 1 }, (row) => row.empresa_id === '1');
    await assertFound(deliveries, { empresa_id: 999_999 }, () => false);
    for (const status of ['D', 'E', 'F'] as const) {
      const isOf = (row: Json) => row.status_solicitacao === status;
      await assertFound(deliveries, { cursor: 'inicio', status_solicitacao: status }, isOf);
      await assertFound(
        deliveries,
        { ...dates, status_solicitacao: status, empresa_id: 1 },
        (row) => isOf(row) && isWithin(row),
      );
    }
    await assertFound(
      deliveries,
      { tipo_pagamento: 'X', empresa_id: 1 },
      (row) => row.tipo_pagamento === 'X',
    );
    const { condutor_id } = (await rows(deliveries)).find((row) => row.condutor_id !== '');
    await assertFound(
      deliveries,
      { ...{ cursor: 'inicio' }, condutor_id: Number(condutor_id) },
      (row) => row.condutor_id === condutor_id,
    );
  });

  test('by the finish: the second itself is within, and what is not finished is not', async () => {
    clock.advance({ minutes: 5 });
    const { id } = await deliveryIn(malote, 'finished');
    clock.advance({ seconds: 30 });
    const row = assertOk(await central.get(`/entregas/${id}`)).body.data;
    const at: string = row.data_hora_finalizacao;
    const isAt = (other: Json) => other.data_hora_finalizacao === at;
    await assertFound(deliveries, { finalizada_de: at, finalizada_ate: at }, isAt);
    await assertFound(deliveries, { finalizada_de: at, empresa_id: 1, status_solicitacao: 'F' }, isAt);
    await assertFound(deliveries, { finalizada_de: at, status_solicitacao: 'E' }, () => false);
    await assertFound(deliveries, { finalizada_ate: '2020-01-01 00:00:00' }, () => false);
    const [last, first] = await walkAll(deliveries, { finalizada_de: '2026-01-01 00:00:00' });
    assert.ok(last === id && first !== undefined);
  });

  test('by the number of an order: its delivery, also when it is grouped', async () => {
    const paradas = [{ ...stop(0), numero_pedido: 'Z 1%' }, stop(1)];
    const { id } = await openDelivery(malote, { paradas });
    await assertFound(deliveries, { numero_pedido: 'Z 1%' }, (row) => Number(row.id) === id);
    await assertFound(
      deliveries,
      { numero_pedido: 'Z 1%', empresa_id: 1, status_solicitacao: 'D' },
      (row) => Number(row.id) === id,
    );
    await assertFound(deliveries, { numero_pedido: 'Z 1%', status_solicitacao: 'F' }, () => false);
    await assertFound(deliveries, { numero_pedido: 'Z 1' }, () => false);
    assert.deepEqual(await walkAll(deliveries, { numero_pedido: 'Z 1%' }, manager2), []);
    const programada = await schedule(manager, { paradas });
    await assertFound(
      scheduled,
      { numero_pedido: 'Z 1%' },
      (row) => Number(row.id_mch_programada) === programada,
    );
  });

  test('more deliveries with one number than are looked up are found too', async (t) => {
    const { id } = await openDelivery(malote, { paradas: [{ ...stop(0), numero_pedido: 'MANY' }] });
    const other = await openDelivery(malote);
    await addStops(t, malote, other.id, 'MANY', 1_001);
    assert.deepEqual(await walkAll(deliveries, { numero_pedido: 'MANY' }), [other.id, id]);
  });

  test('of scheduled deliveries hold alone and together, and those of the dispatch give its order', async () => {
    const hour = (row: Json) => row.hora_previsao_disparo;
    await schedule(manager, { hora: '15:30:00' });
    await schedule(manager, { hora: '14:30:00' });
    const found = await walkAll(scheduled, {
      disparo_de: '2026-11-16 14:30:00',
      disparo_ate: '2026-11-16T18:30:00Z',
    });
    const shown = new Map((await rows(scheduled)).map((row) => [Number(row.id_mch_programada), row]));
    assert.deepEqual(
      found.map((id) => hour(shown.get(id))),
      ['15:30:00', '14:30:00'],
    );
    await assertFound(
      scheduled,
      { disparo_de: '2026-11-16 14:30:01', empresa_id: 1 },
      (row) => row.empresa.id === '1' && hour(row) > '14:30:00',
    );
    await assertFound(scheduled, { empresa_id: 2 }, (row) => row.empresa.id === '2');
    await assertFound(
      scheduled,
      { solicitada_de: '2026-11-16 12:00:00', solicitada_ate: '2026-11-16 12:00:00' },
      (row) => Number(row.id_mch_programada) === [...shown.keys()].at(-1),
    );
  });

  test('by the key of the order, together with a cursor', async () => {
    const key = { id_externo: 'PED-77' };
    const { id } = await openDelivery(malote, key);
    const programada = await schedule(manager, key);
    for (const [list, own] of [
      [deliveries, id],
      [scheduled, programada],
    ] as const) {
      await assertFound(list, { ...key, cursor: 'inicio' }, (row) => Number(row[list.id]) === own);
      await assertFound(list, { ...key, empresa_id: 1 }, (row) => Number(row[list.id]) === own);
      await assertFound(list, { ...key, empresa_id: 2 }, () => false);
      await assertFound(list, { ...key, numero_pedido: 'P-1' }, (row) => Number(row[list.id]) === own);
      assert.deepEqual(await walkAll(list, key, manager2), []);
      assert.ok(!('proximo_cursor' in assertOk(await list.ask(key)).body));
    }
  });

  test('fields of the other list are not known here', async () => {
    const ignored = async (list: List, query: Query) =>
      assertOk(await list.ask(query)).headers.get('x-ignored-fields');
    assert.equal(await ignored(deliveries, { disparo_de: 'x' }), 'disparo_de');
    assert.equal(await ignored(scheduled, { finalizada_de: 'x' }), 'finalizada_de');
  });

  test('an order of a person has no company', async () => {
    const person = {
      cliente: { nome: 'Ana Souza', cpf: '52998224725', telefone: '51999998888' },
      categoria_id: 1,
    };
    const id = Number(assertOk(await central.post('/entregas', order(person))).body.data.id_mch);
    assert.ok((await walkAll(deliveries, { cursor: 'inicio' })).includes(id));
    assert.ok(!(await walkAll(deliveries, { empresa_id: 1 })).includes(id));
  });
});
