import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { setBalance } from '../support/rows.ts';
import { assertOk } from '../support/steps.ts';

// A creation is one statement where nothing else has to be checked, and otherwise a transaction of several. Both must
// write the same rows.
const malote = await startMalote();
const { central, manager, db } = malote;

const ways: [name: string, create: (key: Record<string, string>) => ReturnType<typeof manager.post>][] = [
  ['a company', (key) => manager.post('/entregas', order({}, 2), key)],
  [
    'a person',
    (key) => central.post('/entregas', order({ cliente: { nome: 'Ana', cpf: '52998224725' } }, 2), key),
  ],
  ['a coupon', (key) => manager.post('/entregas', order({ codigo_cupom: 'DEMO10' }, 2), key)],
  ['credits', (key) => manager.post('/entregas', order({ forma_pagamento: 'R' }, 2), key)],
];

for (const [name, create] of ways)
  for (const [repeatable, key] of [
    ['', {}],
    [', with an Idempotency-Key', { 'idempotency-key': `key of ${name}` }],
  ] as const)
    test(`a delivery for ${name}${repeatable}: the row, its stops and its first event`, async () => {
      await setBalance(malote, 1_000_000);
      const answer = assertOk(await create(key));
      const id = Number(answer.body.data.id_mch);
      const [delivery] = await db<Record<string, number | null>>`
        select net_cents, event_sequence, version, reserved_cents, customer.company_id as customer_of, d.company_id
        from deliveries d join customers customer on customer.central_id = 1 and customer.id = d.customer_id
        where d.central_id = 1 and d.id = ${id}`;
      assert.equal(delivery!.event_sequence, 1);
      assert.equal(delivery!.version, 1);
      assert.equal(delivery!.customer_of, delivery!.company_id, 'the customer is that of the company');
      assert.equal(delivery!.reserved_cents, name === 'credits' ? delivery!.net_cents : 0);

      const stops = await db<{ id: number; position: number; order_number: string; external_id: string }>`
        select id, position, order_number, external_id from stops
        where central_id = 1 and delivery_id = ${id} and ordered_with = ${id} order by position`;
      assert.equal(stops.length, 2);
      const events = await db<{
        type: string;
        sequence: number;
        payload: unknown;
        company_id: number | null;
      }>`
        select type, sequence, payload, company_id from events where central_id = 1 and delivery_id = ${id}`;
      assert.deepEqual(events, [
        {
          type: 'delivery.status',
          sequence: 1,
          company_id: delivery!.company_id,
          payload: {
            status: 'distributing',
            driverId: null,
            driverName: null,
            netCents: delivery!.net_cents,
            scheduledId: null,
            groupedInto: null,
            stops: stops.map((stop) => ({
              id: stop.id,
              order: stop.position,
              orderNumber: stop.order_number,
              externalId: stop.external_id,
              concluded: false,
              notDelivered: false,
            })),
          },
        },
      ]);
      if (repeatable) assert.equal((await create(key)).text, answer.text, 'a repetition creates nothing');
    });
