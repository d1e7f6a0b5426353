import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Answer, Json } from '../support/client.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

/*
 * Drivers record any amount at their stops, operators correct deliveries, record for drivers and reverse entries, some
 * of it at once. Whatever is accepted is in the accounts of the driver and of the company with the same amount, and
 * neither account moves by more than what was to be collected or an operator gave a reason for.
 */
const malote = await startMalote();
const { operator, manager, db } = malote;
const REASON = 'Pagou o frete junto';
/** Drivers of the demonstration, each with a login. */
const DRIVERS = [1, 2, 3, 4];
const COLLECTED_MAX = 9_000;

const decimal = (cents: number): string => (cents / 100).toFixed(2);

interface Plan {
  payment: 'D' | 'F' | 'R' | 'X';
  /** The amount to collect at each stop. */
  asks: (number | null)[];
  steps: Step[];
}
type Step =
  | { kind: 'conclude'; amount: number | null | 'asked'; form: 'D' | 'X' | null; as: 'driver' | 'operator' }
  | { kind: 'ask'; cents: number }
  | { kind: 'fail' | 'resume' | 'cancel' | 'group' }
  | { kind: 'reverse'; index: number };

const amount = fc.oneof(
  fc.integer({ min: 1, max: COLLECTED_MAX }),
  fc.constantFrom(0, 1, 5_000_000, 99_999_999_999),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('conclude' as const),
      amount: fc.oneof(fc.constantFrom(null, 'asked' as const), amount),
      form: fc.constantFrom('D', 'X', null),
      as: fc.constantFrom('driver', 'operator'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      cents: fc.integer({ min: 1, max: COLLECTED_MAX }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('fail', 'resume', 'cancel') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('group' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), index: fc.nat({ max: 5 }) }) },
);
const plan: fc.Arbitrary<Plan> = fc.record({
  payment: fc.constantFrom('D', 'F', 'R', 'X'),
  asks: fc.array(fc.option(fc.integer({ min: 1, max: COLLECTED_MAX })), { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 3, maxLength: 8, size: 'max' }),
});

const detailOf = async (id: number): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data;

async function open({ payment, asks }: Pick<Plan, 'payment' | 'asks'>, driverId: number): Promise<number> {
  const paradas = asks.map((cents, place) => ({
    ...stop(place),
    ...(cents !== null && { valor_cobrar: decimal(cents) }),
  }));
  const answer = assertOk(await manager.post('/entregas', order({ forma_pagamento: payment, paradas })));
  const id = Number(answer.body.data.id_mch);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  return id;
}

let lastInTurn: Promise<unknown> = Promise.resolve();

/** One at a time, since a driver starts a delivery only when the one before has ended. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = lastInTurn.then(work);
  lastInTurn = done.catch(() => undefined);
  return done;
}

/** Groups a delivery of driver 5 into this one. */
async function groupWithAnother(id: number): Promise<Answer> {
  const other = await manager.post('/entregas', order({ forma_pagamento: 'D', paradas: [stop(5)] }));
  const otherId = Number(assertOk(other).body.data.id_mch);
  assertOk(await operator.post(`/entregas/${otherId}/aceitar`, { condutor_id: 5 }));
  assertOk(await operator.post(`/entregas/${otherId}/iniciar`));
  const answer = await groupDeliveries(malote, id, [otherId]);
  if (answer.status !== 200) assertOk(await manager.post(`/entregas/${otherId}/cancelar`, { motivo_id: 2 }));
  return answer;
}

/** Undefined: the delivery has nothing to do this with. */
async function carryOut(id: number, driverId: number, step: Step): Promise<Answer | undefined> {
  const { paradas, versao } = await detailOf(id);
  const isOpen = (each: Json) => !each.concluida_em && !each.nao_entregue_em;
  const next = paradas.find(isOpen);
  const path = `/entregas/${id}`;
  switch (step.kind) {
    case 'conclude': {
      if (!next) return operator.post(`${path}/finalizar`);
      const { form, as } = step;
      const cents = step.amount === 'asked' ? next.valor_cobrar : step.amount && decimal(step.amount);
      const body = {
        ...(cents !== null && { valor_recebido: String(cents || '0.00') }),
        ...(form && { forma_recebimento: form }),
        ...(as === 'operator' && { valor_recebido_motivo: REASON }),
      };
      const by = as === 'operator' ? operator : malote.driver(driverId);
      return by.post(`${path}/paradas/${next.id}/concluir`, body);
    }
    case 'ask': {
      const kept = paradas.filter(isOpen).map((each: Json) => ({ id: Number(each.id) }));
      const { endereco_parada, bairro_parada, lat_parada, lng_parada } = stop(4) as Json;
      const place = { endereco: endereco_parada, bairro: bairro_parada };
      const at = { lat: Number(lat_parada), lng: Number(lng_parada) };
      const added = { ...place, ...at, valor_cobrar: decimal(step.cents) };
      return operator.put(`${path}/paradas`, { versao, paradas: [...kept, added] });
    }
    case 'fail':
      return next && operator.post(`${path}/paradas/${next.id}/falhar`, { motivo: 'recusado' });
    case 'resume': {
      const failed = paradas.find((each: Json) => each.nao_entregue_em);
      return failed && operator.post(`${path}/paradas/${failed.id}/retomar`);
    }
    case 'cancel':
      return manager.post(`${path}/cancelar`, { motivo_id: 2 });
    case 'group':
      return inTurn(() => groupWithAnother(id));
    case 'reverse': {
      const { lancamentos } = assertOk(await operator.get(`/condutores/${driverId}/extrato?limite=100`)).body
        .data;
      const entry = lancamentos.filter(({ tipo }: Json) => tipo === 'dinheiro_recebido')[step.index];
      const reversal = { tipo: 'estorno', lancamento_id: Number(entry?.id), motivo: 'Engano' };
      // Twice at once: one of them is too late.
      return (
        entry &&
        (
          await Promise.all([1, 2].map(() => operator.post(`/condutores/${driverId}/lancamentos`, reversal)))
        )[0]
      );
    }
  }
}

/** The cash of each stop, or of a delivery as a whole, in both ledgers. */
async function assertCashOnBothSides(): Promise<void> {
  const faults = await db`
    with drivers as (
      select coalesce(reversed.delivery_id, e.delivery_id) as delivery_id,
        coalesce(reversed.stop_id, e.stop_id) as stop_id, sum(e.amount_cents)::bigint as cents
      from driver_entries e
      left join driver_entries reversed on reversed.central_id = 1 and reversed.id = e.reverses_id
      where e.central_id = 1 and e.kind = 'collected' group by 1, 2),
    companies as (
      select delivery_id, stop_id, sum(amount_cents)::bigint as cents from company_entries
      where central_id = 1 and kind = 'cash' group by 1, 2)
    select delivery_id, stop_id, drivers.cents as driver, companies.cents as company
    from drivers full join companies using (delivery_id, stop_id)
    where drivers.stop_id is not null and drivers.cents is distinct from companies.cents
    union all
    select delivery_id, null, sum(driver)::bigint, sum(company)::bigint
    from (
      select delivery_id, cents as driver, 0 as company from drivers
      union all select delivery_id, 0, cents from companies) both_sides
    group by delivery_id having sum(driver) <> sum(company)`;
  assert.deepEqual(faults, [], 'the same cash is in both accounts');
}

/**
 * The cash of a delivery, with those grouped into it, is at most what its stops collect and the price of orders in cash.
 * What an operator recorded with a reason counts as to be collected.
 */
async function assertNothingInvented(): Promise<void> {
  const faults = await db`
    with carried as (
      select id, coalesce(grouped_into, id) as carrier from deliveries where central_id = 1),
    due as (
      select carried.carrier, sum(case
        when s.received_cents > coalesce(s.collect_cents, 0) and e.note = ${REASON} then s.received_cents
        else coalesce(s.collect_cents, 0) end)::bigint as cents
      from stops s
      join carried on carried.id = s.delivery_id
      left join driver_entries e on e.central_id = 1 and e.kind = 'collected' and e.stop_id = s.id
        and e.reverses_id is null
      where s.central_id = 1 group by carried.carrier),
    entered as (
      select carried.carrier, -sum(e.amount_cents)::bigint as cents from driver_entries e
      join carried on carried.id = e.delivery_id
      where e.central_id = 1 and e.kind = 'collected' group by carried.carrier)
    select d.id, d.payment, entered.cents as entered, due.cents as due, d.net_cents as price
    from entered join deliveries d on d.central_id = 1 and d.id = entered.carrier
    left join due on due.carrier = d.id
    where entered.cents > coalesce(due.cents, 0) + case when d.payment = 'cash' then d.net_cents else 0 end
      or entered.cents < 0`;
  assert.deepEqual(faults, [], 'no account has more than was to be collected');
}

test('recorded, corrected and reversed cash is in both accounts, and none of it is invented', async () => {
  const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
  assertOk(await malote.central.post('/entregas/empresas/creditos/recargas', { valor: 100_000, empresa }));
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 2, maxLength: 4, size: 'max' }), async (plans) => {
      await Promise.all(
        plans.map(async (each, index) => {
          const driverId = DRIVERS[index]!;
          const id = await open(each, driverId);
          for (const step of each.steps) {
            const answer = await carryOut(id, driverId, step);
            if (!answer) continue;
            assert.ok(
              [200, 400, 403, 404, 406, 409, 422].includes(answer.status),
              `${step.kind}: ${answer.text}`,
            );
            const name = `${step.kind} ${answer.status}`;
            seen[name] = (seen[name] ?? 0) + 1;
          }
          await carryOut(id, driverId, { kind: 'cancel' });
        }),
      );
      await assertCashOnBothSides();
      await assertNothingInvented();
    }),
    { numRuns: 12, endOnFailure: true },
  );
  for (const name of ['conclude 200', 'conclude 422', 'ask 200', 'group 200', 'reverse 200'])
    assert.ok(seen[name], `${name} happened: ${JSON.stringify(seen)}`);
});
