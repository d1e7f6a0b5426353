import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { type Answer, type Client, client, type Json } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

const malote = await startMalote({ limits: true });
const { central, manager, operator, clock, url } = malote;

const many = (count: number, body: unknown = order()) => ({
  entregas: Array.from({ length: count }, () => body),
});
const standing = ({ headers }: Answer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
});
const aMinuteLater = () => clock.advance({ seconds: 61 });
const limited = (answer: Answer, seconds: number): void => {
  assertFailure(answer, 429, 0);
  assert.equal(answer.headers.get('retry-after'), String(seconds));
};

test('the limit counts the items of a bulk, and takes all of them or none', async () => {
  aMinuteLater();
  assert.deepEqual(standing(assertOk(await manager.post('/entregas/lote', many(30)))), {
    limit: 800,
    remaining: 770,
  });
  assert.deepEqual(standing(assertOk(await manager.post('/entregas/consultar'))), {
    limit: 800,
    remaining: 769,
  });
  const ids = Array.from({ length: 500 }, (_, index) => index + 1);
  assert.equal(standing(assertOk(await manager.post('/entregas/status', { ids }))).remaining, 269);
  clock.advance({ seconds: 20 });
  const refused = await manager.post('/entregas/status', { ids: ids.slice(0, 270) });
  limited(refused, 40);
  assert.equal(standing(refused).remaining, 269);
  limited(await manager.post('/entregas/cancelar', { ids: ids.slice(0, 270), motivo_id: 2 }), 40);
  limited(await manager.post('/entregas/lote', many(270)), 40);
  const rest = { ids: ids.slice(0, 269).map((id) => 900_000 + id), motivo_id: 2 };
  assert.equal(standing(assertOk(await manager.post('/entregas/cancelar', rest))).remaining, 0);
  limited(await manager.post('/entregas/consultar'), 40);
});

test('a bulk larger than the limit is taken when nothing else was counted, and fills the minutes that it needs', async () => {
  aMinuteLater();
  const scheduled = many(450, scheduledOrder({ data: '20/11/2026' }));
  assertOk(await manager.get('/entregas/programadas'));
  clock.advance({ seconds: 10 });
  limited(await manager.post('/entregas/programadas/lote', scheduled), 50);
  // What was refused was not counted.
  clock.advance({ seconds: 50 });
  assert.equal(assertOk(await manager.post('/entregas/programadas/lote', scheduled)).body.recusados, 0);
  limited(await manager.get('/entregas/programadas'), 120);
  clock.advance({ seconds: 119 });
  limited(await manager.get('/entregas/programadas'), 1);
  clock.advance({ seconds: 1 });
  assert.deepEqual(standing(await manager.get('/entregas/programadas')), { limit: 200, remaining: 149 });
});

test('a bulk does not use a key up for its other logins', async (t) => {
  aMinuteLater();
  await malote.configureFor(t, { limitDeliveries: 100 });
  const idsOf = (count: number) => ({ ids: Array.from({ length: count }, (_, index) => index + 1) });
  assertOk(await manager.post('/entregas/status', idsOf(500)));
  assert.equal((await manager.post('/entregas/consultar')).status, 429);
  assertOk(await central.post('/entregas/status', idsOf(20)));
  assert.equal((await central.post('/entregas/consultar')).status, 429);
  clock.advance({ seconds: 61 });
  assert.equal((await manager.post('/entregas/consultar')).status, 429);
  assertOk(await central.post('/entregas/status', idsOf(20)));
});

test('each bulk needs the permission of the single request', async () => {
  const viewer = 'so-leitura';
  assertOk(
    await operator.post('/usuarios', {
      usuario: viewer,
      senha: 'uma senha bem longa 1',
      perfil: 'consulta',
    }),
  );
  const reader = client(`${url}/api/v2/integracao`, {
    key: 'demo-chave',
    user: viewer,
    password: 'uma senha bem longa 1',
  });
  const driver = client(`${url}/api/v2/integracao`, {
    key: 'demo-chave',
    user: 'condutor1',
    password: 'demo',
  });
  const asked = (login: Client): Promise<Answer>[] => [
    login.post('/entregas/status', { ids: [1] }),
    login.post('/entregas/lote', many(1)),
    login.post('/entregas/programadas/lote', many(1, scheduledOrder())),
    login.post('/entregas/cancelar', { ids: [1], motivo_id: 2 }),
  ];
  const statuses = async (login: Client) => (await Promise.all(asked(login))).map(({ status }) => status);
  aMinuteLater();
  assert.deepEqual(await statuses(reader), [200, 403, 403, 403]);
  assert.deepEqual(await statuses(driver), [403, 403, 403, 403]);
  const token = async (permissoes: string[]): Promise<Client> => {
    const { body } = assertOk(
      await operator.post('/programas', { descricao: permissoes.join(' '), permissoes }),
    );
    return client(`${url}/api/v2/integracao`, { token: body.data.token });
  };
  const watching = await Promise.all(asked(await token(['watch'])));
  assert.deepEqual(
    watching.map(({ status, headers }) => [status, headers.get('x-error-kind')]),
    [[200, null], ...Array.from({ length: 3 }, () => [403, 'scope-missing'])],
  );
  const ordering = await token(['watch', 'order']);
  assert.deepEqual((await statuses(ordering)).slice(0, 1), [200]);
  assertOk(await ordering.post('/entregas/lote', many(1, order({ empresa_id: 1 }))));
});

/** An order whose fields are all filled as usual. */
const filled = () => ({
  ...order({ observacao: 'Entregar na portaria; tocar o interfone e aguardar', com_retorno: false }),
  paradas: Array.from({ length: 10 }, (_, index) => ({
    ...stop(index),
    endereco_parada: 'Avenida Governador Leonel de Moura Brizola, 12345',
    complemento_parada: 'Bloco B, apartamento 1203',
    cidade_parada: 'Porto Alegre',
    estado_parada: 'RS',
    referencia_parada: 'Ao lado da farmácia, portão azul',
    observacao_parada: 'Cuidado com o cão; deixar com o porteiro se não houver ninguém',
    nome_cliente_parada: 'Maria Aparecida dos Santos Oliveira',
    numero_pedido: `PEDIDO-2026-${index}-0123456789`,
    id_externo: '0b9f7f5e-5a4d-4f0e-9a38-1c2d3e4f5a6b',
    valor_cobrar: 123.45,
    codigo_confirmacao: '1234',
  })),
});

test('500 orders of 10 stops fit, and other requests are answered while several such bulks run', async (t) => {
  await malote.configureFor(t, { limitDeliveries: 1_000_000 });
  aMinuteLater();
  const body = JSON.stringify(many(500, filled()));
  assert.ok(body.length > 3 * 1024 * 1024 && body.length < 4 * 1024 * 1024, String(body.length));
  const send = (login: Client) =>
    login.send('/entregas/lote', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let isRunning = true;
  const waits: number[] = [];
  const others = (async () => {
    while (isRunning) {
      const since = performance.now();
      assertOk(await central.post('/entregas/consultar', { limite: 1 }));
      waits.push(performance.now() - since);
    }
  })();
  const answers = await Promise.all([send(manager), send(central), send(malote.manager2)]);
  isRunning = false;
  await others;
  delay.disable();
  t.diagnostic(
    `${waits.length} requests meanwhile, longest ${Math.max(...waits).toFixed(0)} ms, loop ${delay.max / 1e6}`,
  );
  // The central's login names no company.
  assert.deepEqual(
    answers.map(({ body }) => body.recusados),
    [0, 500, 0],
  );
  assert.ok(waits.length > 10, String(waits.length));
  const [first] = answers[0]!.body.data as Json[];
  const read = await manager.get(`/entregas/${first.data.id_mch}`);
  assert.equal(read.body.data.paradas.length, 10);
});
