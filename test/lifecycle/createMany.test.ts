import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Client, Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager, manager2, neighbour, operator, db } = malote;
const person = { nome: 'Ana Luz', cpf: '529.982.247-25', telefone: '51999990000' };

/** Both endpoints keep the same rules. */
const KINDS = [
  { name: 'immediate', path: '/entregas', body: order, table: 'deliveries' },
  {
    name: 'scheduled',
    path: '/entregas/programadas',
    body: (changes: Record<string, unknown> = {}, stops = 1) =>
      scheduledOrder({ data: '20/11/2026', ...changes }, stops),
    table: 'scheduled',
  },
] as const;

const far = { lat: '-33.0', lng: '-51.0' };

/** What refuses one item, and nothing else. */
const REFUSED: [kind: string, status: number, changes: Record<string, unknown>][] = [
  ['invalid-input', 400, { forma_pagamento: 'Z' }],
  ['company-not-found', 404, { empresa_id: 999_999 }],
  ['category-not-found', 404, { categoria_id: 999_999 }],
  ['outside-operating-areas', 422, { partida: { ...order().partida, ...far } }],
  ['coupon-invalid', 422, { codigo_cupom: 'NAO-HA' }],
  ['quote-not-found', 404, { cotacao_id: 'cot_AAAAAAAAAAAAAAAAAAAAAA' }],
];

const counted = async (): Promise<unknown> => {
  const [row] = await db`
    select (select count(*) from deliveries) as deliveries, (select count(*) from scheduled) as scheduled,
      (select count(*) from stops) as stops, (select count(*) from scheduled_stops) as scheduled_stops,
      (select count(*) from events) as events, (select count(*) from wallet_entries) as entries,
      (select count(*) from customers) as customers, (select count(*) from quotes where used_at is not null) as used`;
  return row;
};
const topUp = async (identificacao: string, valor: number): Promise<void> => {
  assertOk(
    await central.post('/entregas/empresas/creditos/recargas', {
      valor,
      empresa: { tipo_identificacao: 'I', identificacao },
    }),
  );
};
const balance = async (id: string): Promise<number> => {
  const path = `/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=${id}`;
  return assertOk(await central.get(path)).body.data.saldo;
};
const PADARIA = 'padaria-moinhos';

for (const { name, path, body, table } of KINDS) {
  const send = (
    entregas: unknown[],
    more: Record<string, unknown> = {},
    login: Client = manager,
    headers: Record<string, string> = {},
  ): Promise<Answer> => login.post(`${path}/lote`, { entregas, ...more }, headers);
  const idsOf = (answer: Answer): number[] =>
    assertOk(answer).body.data.map((item: Json) => Number(item.data.id_mch));
  const priceOf = async (): Promise<number> => {
    const { body: read } = await manager.post('/entregas/cotacoes', body());
    return read.data.estimativa_valor;
  };

  test(`${name}: each item has its result, in the order of the request`, async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => `N-${name}-${index}`);
    const sent = numbers.map((number) => {
      const one = body();
      return { ...one, paradas: [{ ...one.paradas[0], numero_pedido: number }] };
    });
    const answer = await send(sent);
    const ids = idsOf(answer);
    assert.equal(answer.body.recusados, 0);
    assert.deepEqual(
      answer.body.data.map((item: Json) => [item.indice, item.success, Object.keys(item.data)]),
      numbers.map((_, index) => [index, true, ['id_mch']]),
    );
    assert.equal(new Set(ids).size, ids.length);
    const stops = await db<{ id: number; order_number: string }>`
      select delivery_id as id, order_number from stops where delivery_id = any(${ids}::bigint[])
        and ${table} = 'deliveries'
      union all select scheduled_id, order_number from scheduled_stops where scheduled_id = any(${ids}::bigint[])
        and ${table} = 'scheduled'`;
    assert.deepEqual(
      new Map(stops.map((stop) => [stop.id, stop.order_number])),
      new Map(ids.map((id, index) => [id, numbers[index]!])),
    );
  });

  test(`${name}: an item leaves the rows and the event that a single creation leaves`, async () => {
    await topUp(PADARIA, 1_000);
    const variants = [
      body({ observacao: 'Frágil "vidro" \\ {x}', com_retorno: true }, 3),
      body({ forma_pagamento: 'R' }),
      body({}, 10),
    ];
    const single: number[] = [];
    for (const variant of variants)
      single.push(Number(assertOk(await manager.post(path, variant)).body.data.id_mch));
    const bulk = idsOf(await send(variants));
    const written = async (id: number): Promise<unknown> => {
      const isDelivery = table === 'deliveries';
      const [row] = isDelivery
        ? await db<{
            row: Json;
          }>`select to_jsonb(r) - 'id' - 'changed_at' - 'changed_in' as row from deliveries r where central_id = 1 and id = ${id}`
        : await db<{
            row: Json;
          }>`select to_jsonb(r) - 'id' - 'changed_at' - 'changed_in' as row from scheduled r where central_id = 1 and id = ${id}`;
      const stops = isDelivery
        ? await db<{ row: Json }>`
            select to_jsonb(s) - 'id' - 'delivery_id' - 'ordered_with' - 'tracking_token' as row
            from stops s where central_id = 1 and delivery_id = ${id} order by position`
        : await db<{ row: Json }>`
            select to_jsonb(s) - 'id' - 'scheduled_id' - 'ordered_with' as row
            from scheduled_stops s where central_id = 1 and scheduled_id = ${id} order by position`;
      const events = await db<{ row: Json }>`
        select to_jsonb(e) - 'id' - 'uid' - 'delivery_id' - 'scheduled_id' as row from events e
        where central_id = 1 and (${isDelivery} and delivery_id = ${id} or not ${isDelivery} and scheduled_id = ${id})
        order by sequence`;
      for (const { row: event } of events) for (const stop of event.payload.stops) delete stop.id;
      return { row: row!.row, stops: stops.map((each) => each.row), events: events.map((each) => each.row) };
    };
    for (const [index, id] of bulk.entries())
      assert.deepEqual(await written(id), await written(single[index]!));
  });

  for (const place of [0, 1, 2])
    test(`${name}: item ${place} refused for any reason refuses only itself`, async () => {
      malote.clock.advance({ minutes: 16 });
      for (const [kind, status, changes] of REFUSED) {
        const items = [body(), body(), body()];
        items[place] = body(changes);
        const login = kind === 'company-not-found' ? manager : manager;
        const single = await login.post(path, items[place]);
        const answer = assertOk(await send(items, {}, login));
        assert.equal(answer.body.recusados, 1, kind);
        const { indice, success, errors, ...rest } = answer.body.data[place];
        assert.deepEqual([indice, success, rest], [place, false, { status, kind }], kind);
        assert.equal(single.status, status, kind);
        assert.equal(single.headers.get('x-error-kind'), kind);
        assert.deepEqual(errors, single.body.errors, kind);
        for (const [index, item] of answer.body.data.entries())
          if (index !== place) assert.match(item.data.id_mch, /^\d+$/);
      }
    });

  test(`${name}: with tudo_ou_nada every failing item is named, and nothing is stored`, async () => {
    malote.clock.advance({ minutes: 16 });
    const { body: made } = assertOk(await manager.post('/entregas/cotacoes', body()));
    const before = await counted();
    const good = [body({ cotacao_id: made.data.cotacao_id }), body({ forma_pagamento: 'R' })];
    const answer = await send([...good, ...REFUSED.map(([, , changes]) => body(changes))], {
      tudo_ou_nada: true,
    });
    assert.equal(answer.status, 422);
    assert.equal(answer.headers.get('x-error-kind'), 'items-refused');
    const [first, ...others]: Json[] = answer.body.errors;
    assert.match(first.message, /^nada foi gravado, .*: 6; os erros de cada um vêm a seguir$/);
    assert.equal(first.code, 0);
    const named = others.map(({ message }) => Number(/^'entregas\[(\d+)\]/.exec(message)![1]));
    assert.deepEqual([...new Set(named)], [2, 3, 4, 5, 6, 7]);
    assert.deepEqual(others[0], {
      code: 2,
      message: "'entregas[2].forma_pagamento': deve ser um de: D, B, C, X, P, H, F, R",
    });
    assert.ok(others.slice(1).every(({ code }) => code === 0));
    assert.deepEqual(await counted(), before);
    assert.equal(assertOk(await send(good, { tudo_ou_nada: true })).body.recusados, 0);
  });

  test(`${name}: the credit of a wallet goes to the first items that it covers`, async () => {
    const price = await priceOf();
    const paid = body({ forma_pagamento: 'R', empresa_id: 2 });
    const had = await balance('farmacia-guaiba');
    await topUp('farmacia-guaiba', Number((2.5 * price).toFixed(2)));
    const room = await creditLeft('farmacia-guaiba');
    const fit = Math.floor(room / price + 1e-9);
    const items = Array.from({ length: fit + 3 }, () => paid);
    items.splice(1, 0, body({ empresa_id: 2 }));
    const before = await counted();
    const refused = await send(items, { tudo_ou_nada: true }, central);
    assert.equal(refused.status, 422);
    assert.deepEqual(await counted(), before);
    const { body: answer } = assertOk(await send(items, {}, central));
    assert.deepEqual(
      answer.data.map((item: Json) => item.kind ?? 'created'),
      [
        ...Array.from({ length: fit + 1 }, () => 'created'),
        ...Array.from({ length: 3 }, () => 'insufficient-balance'),
      ],
    );
    assert.ok((await balance('farmacia-guaiba')) >= 0);
    assert.ok(had >= 0);
  });

  test(`${name}: parallel bulks and single creations never use a wallet’s credit twice`, async () => {
    await topUp(PADARIA, 500);
    const price = await priceOf();
    const room = await creditLeft(PADARIA);
    const fit = Math.floor(room / price + 1e-9);
    const paid = body({ forma_pagamento: 'R' });
    const bulks = Array.from({ length: 6 }, () =>
      send(Array.from({ length: Math.ceil(fit / 4) }, () => paid)),
    );
    const singles = Array.from({ length: 10 }, () => manager.post(path, paid));
    const answers = await Promise.all(bulks);
    const created = answers
      .flatMap((answer) => assertOk(answer).body.data)
      .filter(({ success }: Json) => success);
    const alone = (await Promise.all(singles)).filter(({ status }) => status === 200);
    assert.equal(created.length + alone.length, fit);
    assert.ok((await creditLeft(PADARIA)) < price);
    assert.ok((await creditLeft(PADARIA)) >= 0);
  });

  test(`${name}: a coupon and a quote are used up by the first items, also across parallel bulks`, async () => {
    malote.clock.advance({ minutes: 16 });
    const codigo = `LOTE-${name}`.toUpperCase();
    const { body: coupon } = assertOk(
      await operator.post('/cupons', { codigo, percentual: '10.00', limite_usos: 3 }),
    );
    const withCoupon = body({ codigo_cupom: codigo });
    const answers = await Promise.all([send(Array(4).fill(withCoupon)), send(Array(4).fill(withCoupon))]);
    const kinds = answers.flatMap((answer) =>
      assertOk(answer).body.data.map((item: Json) => item.kind ?? 'created'),
    );
    assert.equal(kinds.filter((kind: string) => kind === 'created').length, 3);
    assert.equal(kinds.filter((kind: string) => kind === 'coupon-invalid').length, 5);
    assert.equal((await operator.get(`/cupons/${coupon.data.id}`)).body.data.usos, 3);

    malote.clock.advance({ minutes: 16 });
    const { cotacao_id } = assertOk(await manager.post('/entregas/cotacoes', body())).body.data;
    const quoted = body({ cotacao_id });
    const both = await Promise.all([send([body(), quoted, quoted]), send([quoted, body()])]);
    const used = both.flatMap((answer) =>
      assertOk(answer).body.data.map((item: Json) => item.kind ?? 'created'),
    );
    assert.equal(used.filter((kind: string) => kind === 'created').length, 3);
    assert.equal(used.filter((kind: string) => kind === 'quote-used').length, 2);
  });

  test(`${name}: a limit per company or person counts the items before, and a refused person is not stored`, async () => {
    malote.clock.advance({ minutes: 16 });
    const codigo = `CADA-${name}`.toUpperCase();
    assertOk(await operator.post('/cupons', { codigo, percentual: '10.00', limite_usos_por_empresa: 1 }));
    const of = (cpf: string, nome = 'Ana Luz') =>
      body({ cliente: { ...person, cpf, nome }, categoria_id: 1, codigo_cupom: codigo });
    const cpfs =
      name === 'immediate' ? ['111.444.777-35', '390.533.447-05'] : ['862.883.667-57', '153.509.460-56'];
    const { body: answer } = assertOk(
      await send(
        [
          of(cpfs[0]!),
          of(cpfs[0]!, 'Outro Nome'),
          of(cpfs[1]!),
          body({ empresa_id: 1, codigo_cupom: codigo }),
        ],
        {},
        central,
      ),
    );
    assert.deepEqual(
      answer.data.map((item: Json) => item.kind ?? 'created'),
      ['created', 'coupon-invalid', 'created', 'created'],
    );
    const digits = cpfs.map((cpf) => cpf.replace(/\D/g, ''));
    const stored = await db<{ name: string }>`select name from customers where cpf = any(${digits}::text[])`;
    assert.deepEqual(
      stored.map((row) => row.name),
      ['Ana Luz', 'Ana Luz'],
    );
  });

  test(`${name}: an Idempotency-Key replays the whole answer, whatever the order of fields`, async () => {
    const key = { 'idempotency-key': `lote-${name}` };
    const items = [body(), body({ forma_pagamento: 'Z' }), body()];
    const first = assertOk(await send(items, {}, manager, key));
    const before = await counted();
    const turned = items.map((item) => Object.fromEntries(Object.entries(item).toReversed()));
    const again = await send(turned, {}, manager, key);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    assert.deepEqual(await counted(), before);
    assertRefused(await send(items.slice(1), {}, manager, key), 409, /Idempotency-Key/);
    assertRefused(await send(items, { tudo_ou_nada: true }, manager, key), 409, /Idempotency-Key/);
    const parallel = await Promise.all(
      Array.from({ length: 4 }, () => send(items, {}, manager, { 'idempotency-key': `par-${name}` })),
    );
    assert.deepEqual(countStatuses(parallel), { 200: 4 });
    assert.equal(new Set(parallel.map(({ text }) => text)).size, 1);
    const refusedKey = { 'idempotency-key': `todos-${name}` };
    assert.equal((await send(items, { tudo_ou_nada: true }, manager, refusedKey)).status, 422);
    assertOk(await send([body()], { tudo_ou_nada: true }, manager, refusedKey));
  });

  test(`${name}: companies and centrals are kept apart`, async () => {
    const { body: answer } = assertOk(await send([body(), body({ empresa_id: 1 }), body({ empresa_id: 2 })]));
    assert.deepEqual(
      answer.data.map((item: Json) => item.kind ?? 'created'),
      ['created', 'created', 'company-not-found'],
    );
    const own = Number(answer.data[0].data.id_mch);
    assert.equal((await manager.get(`${path}/${own}`)).status, 200);
    for (const stranger of [manager2, neighbour])
      assert.equal((await stranger.get(`${path}/${own}`)).status, 404);
    const { cotacao_id } = assertOk(await manager2.post('/entregas/cotacoes', body())).body.data;
    const stolen = assertOk(await send([body({ cotacao_id })])).body.data[0];
    assert.deepEqual([stolen.status, stolen.kind], [404, 'quote-not-found']);
  });

  test(`${name}: an own key makes a repetition safe: nothing is created twice, and nothing is edited`, async () => {
    const keyed = (id: string, changes: Record<string, unknown> = {}) =>
      body({ id_externo: `${name}-${id}`, ...changes });
    const results = ({ body: { data } }: Answer): unknown[] =>
      data.map((item: Json) => item.data?.resultado ?? item.kind ?? 'no key');
    const single = assertOk(await manager.post(path, keyed('single'))).body.data.id_mch;
    const items = [
      keyed('a'),
      body(),
      keyed('b'),
      keyed('a'),
      keyed('single'),
      keyed('b', { observacao: 'outra' }),
    ];
    const first = assertOk(await send(items));
    assert.deepEqual(results(first), ['criada', 'no key', 'criada', 'repetida', 'repetida', 'invalid-input']);
    const [a, , b, again, known, wrong] = first.body.data;
    assert.equal(again.data.id_mch, a.data.id_mch);
    assert.equal(known.data.id_mch, single);
    assert.deepEqual(wrong.errors, [
      { code: 2, message: "'id_externo': é o de outro item do lote, com outro conteúdo" },
    ]);
    const second = assertOk(await send([keyed('b'), keyed('a', { observacao: 'outra' }), keyed('c')]));
    assert.deepEqual(results(second), ['repetida', 'external-id-taken', 'criada']);
    assert.equal(second.body.data[0].data.id_mch, b.data.id_mch);
    const none = await send([keyed('b'), keyed('a', { observacao: 'outra' }), keyed('d')], {
      tudo_ou_nada: true,
    });
    assert.equal(none.status, 422);
    assert.match(none.body.errors[1].message, /^'entregas\[1\]': /);
    assert.equal(none.body.errors.length, 2);
    assert.deepEqual(results(assertOk(await send([keyed('d')]))), ['criada']);
    // Another company has keys of its own.
    assert.deepEqual(results(assertOk(await send([keyed('a')], {}, manager2))), ['criada']);
    const parallel = await Promise.all([
      send([keyed('e'), keyed('f'), body()]),
      send([keyed('f'), keyed('e')]),
      manager.post(path, keyed('e')),
    ]);
    const made = parallel.flatMap((answer) => [assertOk(answer).body.data].flat());
    const idsByKey = new Set(
      made
        .filter((item: Json) => (item.data ?? item).resultado)
        .map((item: Json) => (item.data ?? item).id_mch),
    );
    assert.equal(idsByKey.size, 2);
  });

  /** What scheduled deliveries that wait leave of a balance, for the scheduled ones. */
  async function creditLeft(id: string): Promise<number> {
    const saldo = await balance(id);
    if (table === 'deliveries') return saldo;
    const [row] = await db<{ cents: number }>`
      select coalesce(sum(s.net_cents), 0)::bigint as cents from scheduled s
      join companies c on c.central_id = 1 and c.id = s.company_id
      where s.central_id = 1 and c.identifier = ${id} and situation = 'awaiting' and payment = 'credit_wallet'`;
    return saldo - row!.cents / 100;
  }
}
