import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, deliveryIn, newDriver, openDelivery } from '../support/steps.ts';

// Contract 4.4. The fields of each delivery are tested in deliveryFields.test.ts.
const malote = await startMalote();
const { central, manager, manager2, neighbour, operator } = malote;
const path = '/entregas/consultar';

const query = async (body: unknown, by = central): Promise<Json[]> =>
  assertOk(await by.post(path, body)).body.data;
const idsOf = (deliveries: Json[]): number[] => deliveries.map((delivery) => Number(delivery.id));
const allOfThem = (by = central) => query({ limite: 100 }, by);

describe('the filters', () => {
  const letters = [undefined, 'D', 'G', 'A', 'E', 'F', 'N', 'C', 'P', 'L'];
  const payments = [undefined, 'D', 'V', 'T', 'W', 'C', 'B', 'A', 'X', 'P', 'H', 'R', 'F'];

  test('hold together: status, payment and driver', async () => {
    const driver = await newDriver(malote);
    for (const payment of ['D', 'X', 'F', 'D', 'X']) {
      const { id } = await openDelivery(malote, { forma_pagamento: payment });
      assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driver }));
    }
    for (const status of ['awaiting_release', 'in_progress', 'finished', 'cancelled', 'pending'] as const)
      await deliveryIn(malote, status);
    const all = await allOfThem();
    const waiting = new Set(idsOf(await query({ status_solicitacao: 'L', limite: 100 })));
    assert.equal(waiting.size, 1);
    const letterOf = (delivery: Json) =>
      waiting.has(Number(delivery.id)) ? 'L' : delivery.status_solicitacao;
    const filters = letters.flatMap((status_solicitacao) =>
      payments.flatMap((tipo_pagamento) =>
        [undefined, driver, 1].map((condutor_id) => ({ status_solicitacao, tipo_pagamento, condutor_id })),
      ),
    );
    const found = await Promise.all(filters.map((filter) => query({ ...filter, limite: 100 })));
    for (const [index, filter] of filters.entries()) {
      const { status_solicitacao, tipo_pagamento, condutor_id } = filter;
      const expected = all.filter(
        (delivery) =>
          (!status_solicitacao || letterOf(delivery) === status_solicitacao) &&
          (!tipo_pagamento || delivery.tipo_pagamento === tipo_pagamento) &&
          (!condutor_id || delivery.condutor_id === String(condutor_id)),
      );
      assert.deepEqual(idsOf(found[index]!), idsOf(expected), JSON.stringify(filter));
    }
    const own = await query({ status_solicitacao: 'A', tipo_pagamento: 'X', condutor_id: driver });
    assert.equal(own.length, 2);
  });

  const wrong: [Record<string, unknown>, string[]][] = [
    [{ status_solicitacao: 'S' }, ['status_solicitacao']],
    [{ status_solicitacao: 'd' }, ['status_solicitacao']],
    [{ status_solicitacao: '' }, ['status_solicitacao']],
    [{ status_solicitacao: ['D'] }, ['status_solicitacao']],
    [{ tipo_pagamento: 'Z' }, ['tipo_pagamento']],
    [{ tipo_pagamento: 'r' }, ['tipo_pagamento']],
    [{ condutor_id: '1' }, ['condutor_id']],
    [{ condutor_id: 1.5 }, ['condutor_id']],
    [{ pagina: 0 }, ['pagina']],
    [{ pagina: -1 }, ['pagina']],
    [{ pagina: '1' }, ['pagina']],
    [{ limite: 0 }, ['limite']],
    [{ limite: -5 }, ['limite']],
    [{ limite: 101 }, ['limite']],
    [{ limite: 1.5 }, ['limite']],
    [{ limite: '20' }, ['limite']],
    [{ limite: 0, pagina: 0, status_solicitacao: 'Q' }, ['limite', 'pagina', 'status_solicitacao']],
  ];
  for (const [body, fields] of wrong)
    test(`${JSON.stringify(body)} is 400 with code 2 for each field`, async () => {
      assert.deepEqual(complainedFields(await central.post(path, body)), fields);
    });
});

describe('the pages', () => {
  test('begin with the newest, and go on without a gap or a repetition', async () => {
    for (let made = 0; made < 22; made += 1) await openDelivery(malote);
    const whole = await allOfThem();
    assert.ok(whole.length > 20);
    const ages = whole.map(
      (delivery) => `${delivery.data_hora_solicitacao_utc} ${delivery.id.padStart(12, '0')}`,
    );
    assert.deepEqual(ages, ages.toSorted().reverse());
    const paged: Json[] = [];
    for (let pagina = 1; paged.length < whole.length; pagina += 1)
      paged.push(...(await query({ pagina, limite: 7 })));
    assert.deepEqual(paged, whole);
  });

  test('have twenty by default, and begin with the first: an empty body is the same as none', async () => {
    const first = (await allOfThem()).slice(0, 20);
    const none = await central.send(path, { method: 'POST' });
    const empty = await central.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '',
    });
    for (const answer of [none, empty, await central.post(path, {}), await central.post(path, { pagina: 1 })])
      assert.deepEqual(assertOk(answer).body, { success: true, data: first });
  });

  test('are empty past the end, however far', async () => {
    for (const pagina of [1000, 1_000_001, 2 ** 31, Number.MAX_SAFE_INTEGER])
      for (const limite of [1, 100]) {
        const answer = await central.post(path, { pagina, limite });
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(answer.body, { success: true, data: [] });
      }
    const filtered = await central.post(path, { pagina: 2, status_solicitacao: 'L', limite: 100 });
    assert.deepEqual(filtered.body, { success: true, data: [] });
  });
});

test('a manager sees its own company’s, and nobody sees another central’s', async () => {
  assertOk(await manager2.post('/entregas', order()));
  for (const [by, company] of [
    [manager, '1'],
    [manager2, '2'],
  ] as const) {
    const seen = await allOfThem(by);
    assert.ok(seen.length > 0);
    assert.ok(seen.every((delivery) => delivery.empresa_id === company));
  }
  assert.deepEqual(await query({}, neighbour), []);
});
