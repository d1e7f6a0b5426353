import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { deleteWipedSandboxes } from '../../server/src/insight/sandbox/deleteWiped.ts';
import { type Client, client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { distributeOnce, keepTotals } from '../support/rounds.ts';
import { assertOk } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhookReceiver.ts';

const malote = await startMalote({ allowPrivateWebhooks: true });
const { db, clock, url } = malote;
const deps = {
  ...malote.app.deps,
  log: { error: (details: object) => assert.fail(JSON.stringify(details)) },
};
const TEST_KEY = 'teste_demo-chave';
const at = (base: 'integracao' | 'operacao', user = 'central', key = TEST_KEY): Client =>
  client(`${url}/api/v2/${base}`, { key, user, password: 'demo' });
const box = at('integracao');
const boxManager = at('integracao', 'gerente');
const boxOperator = at('operacao');

const sandboxId = async (): Promise<number> =>
  (await db<{ id: number }>`select id from centrals where sandbox_of = 1 and active`)[0]!.id;
const advance = (minutes: number, by = box) => by.post('/sandbox/relogio', { avancar_minutos: minutes });
const placed = async (by: Client, fields: Record<string, unknown> = {}): Promise<number> =>
  Number(assertOk(await by.post('/entregas', order(fields))).body.data.id_mch);

describe('wiping', () => {
  test('waits while a hundred wiped sandboxes are still to be deleted', async () => {
    await db`
      insert into centrals (name, time_zone, active, sandbox_of)
      select 'wiped ' || number, 'America/Sao_Paulo', false, 1 from generate_series(1, 100) as number`;
    const refused = await box.delete('/sandbox');
    assertFailure(refused, 429, 0);
    assert.equal(refused.headers.get('retry-after'), '60');
    await db`delete from centrals where name like 'wiped %'`;
    assertOk(await box.delete('/sandbox'));
  });
});

describe('the clock', () => {
  test('a search for drivers ends when its time is over', async (t) => {
    assertOk(await box.delete('/sandbox'));
    t.after(async () => assertOk(await box.delete('/sandbox')));
    const id = await placed(box, { empresa_id: 1 });
    await db`update drivers set available = false where central_id = ${await sandboxId()}`;
    assertOk(await advance(60));
    await distributeOnce(deps);
    assert.equal(assertOk(await box.get(`/entregas/${id}/status`)).body.data.status, 'N');
  });
});

describe('wiping', () => {
  test('leaves nothing behind, and takes the registers over anew', async () => {
    await placed(boxManager);
    assertOk(await boxManager.post('/entregas/programadas', scheduledOrder({})));
    assertOk(
      await box.post('/entregas/empresas/creditos/recargas', {
        valor: 10,
        empresa: { tipo_identificacao: 'J', identificacao: '11222333000181' },
      }),
    );
    const old = await sandboxId();
    const company = assertOk(await malote.operator.get('/empresas/2')).body.data;
    assertOk(
      await malote.operator.put('/empresas/2', { ...company, categoria_padrao_id: 1, nome: 'Farmácia Nova' }),
    );
    assertOk(await box.delete('/sandbox'));
    const now = await sandboxId();
    assert.notEqual(now, old);
    assert.deepEqual(assertOk(await box.post('/entregas/consultar', {})).body.data, []);
    assert.equal(assertOk(await boxOperator.get('/empresas/2')).body.data.nome, 'Farmácia Nova');
    assertOk(await malote.operator.put('/empresas/2', { ...company, categoria_padrao_id: 1 }));
    const balance = '/entregas/empresas/creditos/saldo?tipo_identificacao=J&identificacao=11222333000181';
    assert.equal(assertOk(await box.get(balance)).body.data.saldo, 0);
    await deleteWipedSandboxes(db);
    const tables = await db<{ name: string }>`
      select c.relname::text as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'central_id' where c.relkind = 'r'`;
    for (const { name } of tables) {
      const { rows } = await db.pool.query(`select from ${name} where central_id = ${old}`);
      assert.equal(rows.length, 0, name);
    }
    const rows = await db`select from centrals where id = ${old}`;
    assert.equal(rows.length, 0);
  });

  test('while others order, each order is in the old sandbox or in the new one, and nothing breaks', async () => {
    const orders = Array.from({ length: 12 }, async (_, index) => {
      if (index % 4 === 3) return assertOk(await box.delete('/sandbox'));
      return assertOk(await box.post('/entregas', order({ empresa_id: 1 })));
    });
    await Promise.all(orders);
    await deleteWipedSandboxes(db);
    const left = await db`select from centrals where sandbox_of is not null`;
    assert.equal(left.length, 1);
    const real = await db<{ count: number }>`select count(*) from deliveries where central_id = 1`;
    assert.ok(real[0]!.count < 10);
  });

  test('twenty first uses at the same time make one sandbox', async () => {
    await db`update centrals set active = false where sandbox_of = 1`;
    await malote.app.deps.registersHeard();
    await Promise.all(Array.from({ length: 20 }, async () => assertOk(await box.get('/sandbox'))));
    const made = await db`select from centrals where sandbox_of = 1 and active`;
    assert.equal(made.length, 1);
  });
});

describe('isolation', () => {
  test('webhooks get the events of the side on which they were registered, by the time of the service', async (t) => {
    assertOk(await box.delete('/sandbox'));
    const [real, sandbox] = [await startReceiver(t), await startReceiver(t)];
    const tipos = ['entrega.status'];
    assertOk(await malote.central.post('/webhooks', { url: real.url, tipos }));
    assertOk(await box.post('/webhooks', { url: sandbox.url, tipos }));
    const running = startWebhooks(malote.app.deps, {
      formatEvent,
      allowPrivate: true,
      onError: (error) => assert.fail(String(error)),
    });
    t.after(() => running.stop());
    assertOk(await advance(3 * 24 * 60));
    const theirs = String(await placed(malote.central, { empresa_id: 1 }));
    const mine = String(await placed(box, { empresa_id: 1 }));
    await waitUntil('both have their message', () => real.arrivals.length > 0 && sandbox.arrivals.length > 0);
    const idsIn = ({ arrivals }: WebhookReceiver) => arrivals.map(({ body }) => body.data.id);
    assert.deepEqual(idsIn(real), [theirs]);
    assert.deepEqual(idsIn(sandbox), [mine]);
    // Receivers refuse messages that are minutes off; the event itself has the time of the sandbox.
    const sentAt = Number(sandbox.arrivals[0]!.headers['webhook-timestamp']) * 1000;
    assert.equal(sentAt, clock.now().epochMilliseconds);
    // Nothing is sent any more for a sandbox that was wiped.
    assertOk(await box.delete('/sandbox'));
    await placed(box, { empresa_id: 1 });
    assert.equal(sandbox.arrivals.length, 1);
  });

  test('reports, closings and lists of the real side are those of before', async () => {
    const seen = async () => {
      await keepTotals(deps);
      return Promise.all(
        [
          '/resumo',
          '/relatorios/resumo?de=2026-11-01&ate=2026-11-30',
          '/fechamentos',
          '/carteiras/lancamentos',
        ].map(async (path) => (await malote.operator.get(path)).text),
      );
    };
    const before = await seen();
    await placed(box, { empresa_id: 1 });
    await placed(boxManager);
    assert.deepEqual(await seen(), before);
  });
});
