import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { groupDeliveries } from '../support/grouping.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { keepTotals } from '../support/rounds.ts';
import { assertOk, newDriver } from '../support/steps.ts';

/*
 * Deliveries with all forms of payment are grouped, taken out, handed over, edited, failed, resumed and cancelled, some
 * of it concurrently. Afterwards every ledger must show each of them with its final figures.
 */
const malote = await startMalote();
const { central, manager, operator, clock, db } = malote;

/** A random sequence that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

type Some = (below: number) => number;

const detail = async (id: number): Promise<Json> => (await operator.get(`/entregas/${id}`)).body.data;
const step = (id: number, path: string, body: unknown = {}) => operator.post(`/entregas/${id}/${path}`, body);

async function open(some: Some): Promise<number> {
  const asks = some(3) === 0;
  const paradas = Array.from({ length: 1 + some(3) }, () => ({
    ...stop(some(6)),
    ...(asks && { valor_cobrar: `${1 + some(90)}.${10 + some(89)}` }),
  }));
  const forma_pagamento = ['D', 'F', 'R', 'X'][some(4)]!;
  const coupon = some(4) === 0 ? { codigo_cupom: 'DEMO10' } : {};
  const com_retorno = some(4) === 0;
  const answer = await manager.post('/entregas', order({ forma_pagamento, paradas, com_retorno, ...coupon }));
  const id = Number(assertOk(answer).body.data.id_mch);
  assertOk(await step(id, 'aceitar', { condutor_id: await newDriver(malote) }));
  if (some(5) > 0) assertOk(await step(id, 'iniciar'));
  return id;
}

/** Applies one random step to a delivery; impossible steps are refused. */
async function happen(id: number, others: readonly number[], some: Some): Promise<number> {
  const { paradas, versao, tipo_pagamento } = await detail(id);
  const pending = paradas.filter((each: Json) => !each.concluida_em && !each.nao_entregue_em);
  const next = pending[0];
  const conclude = (each: Json) => {
    const isApart = each.valor_cobrar !== null;
    const paid = some(2) === 0 || ['F', 'R'].includes(tipo_pagamento);
    const body =
      isApart && paid ? { valor_recebido: each.valor_cobrar, forma_recebimento: some(2) ? 'D' : 'X' } : {};
    return step(id, `paradas/${each.id}/concluir`, body);
  };
  const acts = [
    () => groupDeliveries(malote, id, others.filter((other) => other !== id).slice(0, 1 + some(2))),
    async () => step(id, 'reatribuir', { condutor_id: await newDriver(malote), motivo: 'Pneu furado' }),
    () =>
      next
        ? step(id, `paradas/${next.id}/falhar`, { motivo: ['ausente', 'recusado'][some(2)] })
        : step(id, 'iniciar'),
    () => {
      const failed = paradas.find((each: Json) => each.nao_entregue_em);
      return failed ? step(id, `paradas/${failed.id}/retomar`) : step(id, 'finalizar');
    },
    () => {
      const kept = pending.map((each: Json) => ({ id: Number(each.id) })).slice(some(2));
      const added = some(2)
        ? [{ endereco: 'Rua da Praia, 30', bairro: 'Centro', lat: -30.0302, lng: -51.2311 }]
        : [];
      return operator.put(`/entregas/${id}/paradas`, { versao, paradas: [...kept, ...added] });
    },
    () => manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }),
    () => step(id, 'iniciar'),
    ...Array.from({ length: 6 }, () => () => (next ? conclude(next) : step(id, 'finalizar'))),
  ];
  const { status, text } = await acts[some(acts.length)]!();
  assert.ok(status < 500, text);
  return status;
}

async function assertLedgers(): Promise<void> {
  const faults = await db`
    with ended as (
      select d.* from deliveries d where central_id = 1 and status in ('finished', 'cancelled')),
    charge as (select * from company_entries where central_id = 1 and kind in ('delivery', 'cancellation_fee')),
    shares as (
      select delivery_id, sum(amount_cents)::bigint as cents from driver_entries
      where central_id = 1 and kind = 'share' group by delivery_id),
    collected as (
      select delivery_id, -sum(amount_cents)::bigint as cents from driver_entries
      where central_id = 1 and kind = 'collected' group by delivery_id),
    paid as (
      select delivery_id, kind, -sum(amount_cents)::bigint as cents from company_entries
      where central_id = 1 and kind in ('cash', 'wallet', 'direct') group by delivery_id, kind),
    wallet as (
      select delivery_id, sum(amount_cents) filter (where kind in ('reserve', 'release'))::bigint as held,
        -sum(amount_cents) filter (where kind in ('settlement', 'cancellation_fee'))::bigint as charged
      from wallet_entries where central_id = 1 and delivery_id is not null group by delivery_id)
    select 'price' as fault, d.id, d.status, d.payment, row(charge.amount_cents, charge.gross_cents)::text as is,
      row(d.net_cents, d.gross_cents)::text as should
    from ended d left join charge on charge.delivery_id = d.id
    where d.status = 'finished' and d.grouped_into is null
      and (charge.amount_cents, charge.gross_cents) is distinct from (d.net_cents, d.gross_cents)
    union all
    select 'fee', d.id, d.status, d.payment, charge.amount_cents::text, d.cancellation_fee_cents::text
    from ended d left join charge on charge.delivery_id = d.id
    where d.status = 'cancelled' and coalesce(charge.amount_cents, 0) <> coalesce(d.cancellation_fee_cents, 0)
    union all
    -- A carrier without stops of its own ends with the order that is cancelled, which alone is charged.
    select 'charged twice', d.id, d.status, d.payment, charge.amount_cents::text, null
    from ended d join charge on charge.delivery_id = d.id
    where d.grouped_into is not null and (d.status = 'finished' or exists (
      select from charge of_carrier where of_carrier.delivery_id = d.grouped_into))
    union all
    select 'share', d.id, d.status, d.payment, shares.cents::text, charge.driver_cents::text
    from ended d left join charge on charge.delivery_id = d.id left join shares on shares.delivery_id = d.id
    where coalesce(shares.cents, 0) <> coalesce(charge.driver_cents, 0)
    union all
    select 'cash', d.id, d.status, d.payment, collected.cents::text, paid.cents::text
    from deliveries d left join collected on collected.delivery_id = d.id
    left join paid on paid.delivery_id = d.id and paid.kind = 'cash'
    where d.central_id = 1 and coalesce(collected.cents, 0) <> coalesce(paid.cents, 0)
    union all
    select 'wallet', d.id, d.status, d.payment, wallet.charged::text, paid.cents::text
    from ended d left join wallet on wallet.delivery_id = d.id
    left join paid on paid.delivery_id = d.id and paid.kind = 'wallet'
    where coalesce(wallet.charged, 0) <> coalesce(paid.cents, 0)
    union all
    select 'held', d.id, d.status, d.payment, wallet.held::text, d.reserved_cents::text
    from ended d left join wallet on wallet.delivery_id = d.id
    where coalesce(wallet.held, 0) <> 0
    union all
    select 'discount', d.id, d.status, d.payment, d.net_cents::text, d.gross_cents::text
    from ended d where d.discount_percent = 0 and d.net_cents <> d.gross_cents
    union all
    select 'account', account.driver_id, null, null, row(balance_cents, cash_cents)::text, row(entry.balance, entry.cash)::text
    from driver_accounts account, lateral (
      select coalesce(sum(amount_cents), 0)::bigint as balance, count(*) as count, coalesce(sum(
        case when kind in ('collected', 'handed_in') then -amount_cents else 0 end - settled_cash_cents), 0)::bigint as cash
      from driver_entries e where e.central_id = 1 and e.driver_id = account.driver_id) entry
    where central_id = 1 and (balance_cents, cash_cents, entry_count) <> (entry.balance, entry.cash, entry.count)
    union all
    select 'day', d.driver_id, null, null, row(d.day, d.earned_cents, d.collected_cents)::text, null
    from driver_days d
    where central_id = 1 and (d.earned_cents, d.collected_cents) <> (
      select coalesce(sum(amount_cents) filter (where kind in ('share', 'adjustment')), 0)::bigint,
        coalesce(-sum(amount_cents) filter (where kind = 'collected'), 0)::bigint
      from driver_entries e where e.central_id = 1 and e.driver_id = d.driver_id and e.day = d.day)`;
  assert.deepEqual(faults, []);
}

/** Compares the reports of a period with the deliveries of these local days. */
async function assertReports(timeZone: string, de: string, ate: string): Promise<void> {
  await keepTotals(malote.app.deps);
  const report = async (path: string): Promise<Json> =>
    assertOk(await operator.get(`/relatorios/${path}${path.includes('?') ? '&' : '?'}de=${de}&ate=${ate}`))
      .body.data;
  const own = await db<Json>`
    select (requested_at at time zone ${timeZone})::date::text as day,
      extract(hour from requested_at at time zone ${timeZone})::integer as hour,
      extract(isodow from requested_at at time zone ${timeZone})::integer as weekday,
      driver_id as "driverId", company_id as "companyId", status, grouped_into as "groupedInto",
      separate_metres - planned_metres as saved, cancellation_reason_id as reason,
      extract(epoch from accepted_at - requested_at)::float8 as accept, (
        select count(*) from stops s
        where s.central_id = 1 and s.ordered_with = d.id and s.concluded_at is not null and not s.not_delivered) as delivered, (
        select count(*) from stops s where s.central_id = 1 and s.ordered_with = d.id and s.not_delivered) as failed
    from deliveries d
    where central_id = 1 and status in ('finished', 'cancelled', 'not_attended')
      and (requested_at at time zone ${timeZone})::date between ${de}::date and ${ate}::date`;
  const figures = (rows: readonly Json[]) => {
    const finished = rows.filter(({ status }) => status === 'finished');
    const sum = (of: readonly Json[], field: string): number =>
      of.reduce((total: number, row) => total + Number(row[field] ?? 0), 0);
    const carriers = finished.filter(({ groupedInto, saved }) => groupedInto === null && saved !== null);
    return {
      encerradas: rows.length,
      finalizadas: finished.length,
      com_prazo: finished.filter(({ delivered }) => delivered > 0).length,
      canceladas: rows.filter(({ status }) => status === 'cancelled').length,
      paradas_entregues: sum(rows, 'delivered'),
      paradas_nao_entregues: sum(rows, 'failed'),
      agrupamentos: carriers.length,
      metros_economizados: sum(carriers, 'saved'),
    };
  };
  const grouped = (field: string): Map<string, Json[]> => Map.groupBy(own, (row) => String(row[field]));
  const { periodo } = await report('resumo');
  assert.partialDeepStrictEqual(periodo, figures(own));
  for (const [por, field] of [
    ['dia', 'day'],
    ['dia_semana', 'weekday'],
  ] as const) {
    const series = await report(`serie?por=${por}`);
    assert.deepEqual(
      series.map(({ chave }: Json) => chave).toSorted(),
      [...grouped(field).keys()].toSorted(),
    );
    for (const point of series)
      assert.partialDeepStrictEqual(point, figures(grouped(field).get(point.chave)!));
  }
  for (const point of await report('serie?por=hora')) {
    const { encerradas, finalizadas, canceladas } = figures(grouped('hour').get(point.chave)!);
    assert.partialDeepStrictEqual(point, { encerradas, finalizadas, canceladas });
  }
  for (const [por, field] of [
    ['condutor', 'driverId'],
    ['empresa', 'companyId'],
  ] as const)
    for (const part of await report(`divisao?por=${por}`))
      assert.partialDeepStrictEqual(part, figures(grouped(field).get(String(part.id))!));
  const reasons = (await report('motivos')).filter(({ tipo }: Json) => tipo === 'cancelada');
  assert.equal(
    reasons.reduce((total: number, { quantidade }: Json) => total + quantidade, 0),
    figures(own).canceladas,
  );
  const csv = Buffer.from((await report('arquivo?por=dia')).conteudo, 'base64').toString();
  const cells = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(';'));
  assert.equal(
    cells.reduce((total, [, ended]) => total + Number(ended), 0),
    own.length,
  );
}

for (const [seed, timeZone, begin] of [
  [1, 'America/Noronha', '2026-11-30T23:00:00Z'],
  [2, 'America/Rio_Branco', '2026-12-31T20:00:00Z'],
  [3, 'America/Sao_Paulo', '2027-02-28T22:00:00Z'],
] as const)
  test(`each delivery of a mixed day (${timeZone}, ${seed}) is in every ledger as it ended`, async (t) => {
    await malote.configureFor(t, {
      shareKind: seed % 2 ? 'percent' : 'table',
      sharePercent: 67,
      cancellationFeeCents: 431,
    });
    assertOk(await operator.put('/configuracoes', { fuso_horario: timeZone }));
    const empresa = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
    assertOk(await central.post('/entregas/empresas/creditos/recargas', { valor: 500, empresa }));
    const some = numbers(seed);
    clock.set(begin);
    const seen: Record<number, number> = {};
    for (let round = 0; round < 6; round += 1) {
      const ids: number[] = [];
      for (let number = 0; number < 4; number += 1) ids.push(await open(some));
      if (some(3) > 0) await groupDeliveries(malote, ids[0]!, ids.slice(1, 2 + some(3)));
      for (let turn = 0; turn < 12; turn += 1) {
        clock.advance({ minutes: some(20) });
        const statuses = await Promise.all(
          Array.from({ length: 1 + some(3) }, () => happen(ids[some(ids.length)]!, ids, some)),
        );
        for (const status of statuses) seen[status] = (seen[status] ?? 0) + 1;
      }
      await assertLedgers();
    }
    const local = (at: string) =>
      Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDate().toString();
    await assertReports(timeZone, local(begin), local(clock.now().toString()));
    const [ended] = await db<{ count: number }>`
      select count(*) as count from deliveries where central_id = 1 and status = 'finished'`;
    assert.ok(ended!.count > 0, JSON.stringify({ ended, seen }));
  });
