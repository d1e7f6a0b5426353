import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const { central, manager, operator, db } = await startMalote({ allowPrivateWebhooks: true });

test('fields of a webhook that are not the caller’s to set change nothing', async () => {
  const given = { url: 'https://example.com/eventos', tipos: ['entrega.status'] };
  const foreign = {
    id: '999',
    empresa_id: '2',
    company_id: 2,
    central_id: 2,
    falhas: 7,
    segredo: 'whsec_AAAA',
  };
  const honest = assertOk(await manager.post('/webhooks', given)).body.data;
  const answer = await manager.post('/webhooks', { ...given, ...foreign });
  const made = assertOk(answer).body.data;
  assert.equal(made.empresa_id, honest.empresa_id);
  assert.equal(made.falhas, 0);
  assert.notEqual(made.segredo, foreign.segredo);
  assert.notEqual(made.id, foreign.id);
  const [elsewhere] = await db<{ count: number }>`select count(*) from webhooks where central_id <> 1`;
  assert.equal(elsewhere!.count, 0);
});

test('fields of a delivery that the service decides cannot be given', async () => {
  const foreign = { id_mch: 999_999, status: 'F', central_id: 2, valor_corrida: '0.01', condutor_id: 1 };
  const honest = assertOk(await manager.post('/entregas', order())).body.data;
  const made = assertOk(await manager.post('/entregas', { ...order(), ...foreign })).body.data;
  assert.equal(Number(made.id_mch), Number(honest.id_mch) + 1);
  const rows = await db<{ status: string; price: number; driver: number | null }>`
    select status, net_cents as price, driver_id as driver from deliveries
    where central_id = 1 and id in (${honest.id_mch}::bigint, ${made.id_mch}::bigint)`;
  assert.deepEqual(rows[0], rows[1]);
});

test('no answer about users, keys or webhooks holds a hash, a digest or a secret', async () => {
  for (const login of [central, manager]) {
    const text = JSON.stringify(assertOk(await login.get('/webhooks')).body);
    assert.doesNotMatch(text, /whsec_|"segredo"/);
  }
  for (const path of ['/usuarios', '/chaves']) {
    const text = JSON.stringify(assertOk(await operator.get(path)).body);
    assert.doesNotMatch(text, /argon2|hash|sha256|"senha"|demo-chave/i);
  }
});
