import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConflictError,
  ConnectionError,
  type ErrorKind,
  ForbiddenError,
  InvalidInputError,
  isRefusalOf,
  Malote,
  type MaloteOptions,
  NotFoundError,
  type RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnprocessableError,
  WrongStateError,
} from '../../client/src/index.ts';
import { integrationEndpoints } from '../../server/src/api/integration/endpoints.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, scheduledOrder } from '../support/orders.ts';

const malote = await startMalote();
const login = (changes: Partial<MaloteOptions> = {}): Malote =>
  new Malote({ url: malote.url, apiKey: 'demo-chave', user: 'gerente', password: 'demo', ...changes });
const manager = login();
const central = login({ user: 'central' });

const created = order() as Parameters<Malote['criarEntrega']>[0];
const scheduled = scheduledOrder() as Parameters<Malote['criarProgramada']>[0];
const countDeliveries = async (): Promise<number> => {
  const [row] = await malote.db<{ count: number }>`select count(*) from deliveries where central_id = 1`;
  return row!.count;
};

/** Records the requests, and lets a test corrupt the answers. */
function spoiled(spoil: (attempt: number, answer: Response) => Response | Promise<Response>) {
  const keys: (string | null)[] = [];
  const spoiling: typeof fetch = async (input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    return spoil(keys.length, await fetch(input, init));
  };
  return { keys, fetch: spoiling };
}
const busy = (status: number, retryAfter: string) =>
  new Response('{"success":false,"errors":[]}', { status, headers: { 'retry-after': retryAfter } });

test('a delivery from its estimate to its cancellation', async () => {
  const { estimativa_valor: price } = await manager.estimarEntrega(1, estimate());
  const { id_mch: id } = await manager.criarEntrega(created);
  assert.deepEqual(await manager.obterStatus(id), { status: 'D' });
  const delivery = await manager.obterEntrega(id);
  assert.equal(delivery.id, id);
  assert.equal(Number(delivery.valor_corrida), price);
  const [link] = await manager.obterLinksRastreio(id);
  assert.match(link!.link_rastreio, /\/rastreio\//);
  assert.deepEqual(await manager.obterPosicaoCondutor(id), { lat_condutor: null, lng_condutor: null });
  const found = await manager.consultarEntregas({ status_solicitacao: 'D', limite: 1 });
  assert.deepEqual(
    found.map((found) => found.id),
    [id],
  );
  assert.ok((await manager.consultarEntregas()).length > 0);
  const { message } = await manager.cancelarEntrega(id, { motivo_id: 2 });
  assert.ok(message.length > 0);
  assert.equal((await manager.obterStatus(Number(id))).status, 'C');
});

test('scheduled deliveries are grouped, and a stop is removed', async () => {
  const { id_mch: grouper } = await manager.criarProgramada(scheduled);
  const { id_mch: other } = await manager.criarProgramada(scheduled);
  await manager.agruparProgramadas(grouper, { programadas_agrupadas: [Number(other)] });
  const { situacao, paradas } = await manager.obterProgramada(grouper);
  assert.equal(situacao, 'A');
  assert.equal(paradas.length, 2);
  const removed = await manager.removerParadaProgramada(grouper, paradas[1]!.id);
  assert.equal(removed.data.status, 'OK');
  assert.ok(removed.message);
  const listed = await manager.listarProgramadas({ limite: 2, pagina: 1 });
  assert.equal(listed.length, 2);
  const edited = await manager.editarProgramada(grouper, scheduled);
  assert.equal(edited.id_mch, Number(grouper));
});

test('credits are topped up and read, areas are listed', async () => {
  const company = { tipo_identificacao: 'I', identificacao: 'demo-1' } as const;
  const [known] = await malote.db<{ identifier: string }>`
    select identifier from companies where central_id = 1 and id = 1`;
  const identified = { ...company, identificacao: known!.identifier };
  const { saldo: before } = await central.obterSaldo(identified);
  await central.recarregarCreditos({ valor: 12.5, observacao: 'teste', empresa: identified });
  assert.equal((await central.obterSaldo(identified)).saldo, before + 12.5);
  assert.ok((await central.listarAreasAtuacao()).some(({ padrao }) => padrao));
});

test('there is a method for each operation of the interface that answers at once', () => {
  for (const { operation, method, path, isLive } of integrationEndpoints) {
    assert.ok(operation, `${method} ${path} has no name`);
    assert.equal(typeof manager[operation as keyof Malote], isLive ? 'undefined' : 'function', operation);
  }
});

test('a write whose answer was lost is repeated with its key, and done once', async () => {
  const before = await countDeliveries();
  const { keys, fetch } = spoiled((attempt, answer) => {
    if (attempt === 1) throw new TypeError('fetch failed');
    // A truncated answer counts as lost.
    if (attempt === 2)
      return new Response(
        new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) }),
      );
    return answer;
  });
  const { id_mch: id } = await login({ fetch }).criarEntrega(created);
  assert.equal(await countDeliveries(), before + 1);
  assert.equal((await manager.obterStatus(id)).status, 'D');
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.match(keys[0]!, /^[0-9a-f]{32}$/);
});

test('two calls are two writes, unless they carry the same key', async () => {
  const before = await countDeliveries();
  const options = { idempotencyKey: `pedido-${Math.random()}` };
  const first = await manager.criarEntrega(created, options);
  const again = await manager.criarEntrega(created, options);
  assert.deepEqual(again, first);
  assert.notDeepEqual(await manager.criarEntrega(created), first);
  assert.equal(await countDeliveries(), before + 2);
  await assert.rejects(manager.criarEntrega({ ...created, observacao: 'outra' }, options), ConflictError);
});

test('a page that came over plain http, where browsers have no randomUUID, writes with a key too', async (t) => {
  const { randomUUID } = crypto;
  t.after(() => Object.assign(crypto, { randomUUID }));
  Object.assign(crypto, { randomUUID: undefined });
  const { keys, fetch } = spoiled((_, answer) => answer);
  const writer = login({ fetch });
  await writer.criarEntrega(created);
  await writer.criarEntrega(created);
  assert.equal(new Set(keys).size, 2);
});

test('a question carries no key', async () => {
  const { keys, fetch } = spoiled((_, answer) => answer);
  await login({ fetch }).consultarEntregas({ limite: 1 });
  await login({ fetch }).listarProgramadas();
  assert.deepEqual(keys, [null, null]);
});

for (const status of [429, 502, 503, 504])
  test(`${status} is waited for as long as the server asks`, async () => {
    const { keys, fetch } = spoiled((attempt, answer) => (attempt <= 2 ? busy(status, '0') : answer));
    await login({ fetch }).listarAreasAtuacao();
    assert.equal(keys.length, 3);
  });

test('a pause longer than one’s patience is left to the caller', async () => {
  await malote.configure({ limitEstimates: 1 });
  try {
    malote.clock.advance({ minutes: 2 });
    const impatient = login({ patienceMs: 1_000 });
    await impatient.listarAreasAtuacao();
    await assert.rejects(impatient.listarAreasAtuacao(), (error) => {
      assert.ok(error instanceof UnavailableError);
      assert.equal(error.status, 429);
      assert.ok(error.retryAfterSeconds! > 1);
      return true;
    });
  } finally {
    await malote.configure({ limitEstimates: 1_000_000 });
  }
});

test('Retry-After may be a date', async () => {
  const { keys, fetch } = spoiled((attempt, answer) =>
    attempt === 1 ? busy(503, new Date(Date.now() - 1_000).toUTCString()) : answer,
  );
  await login({ fetch }).listarAreasAtuacao();
  assert.equal(keys.length, 2);
});

test('after the last attempt the error says with which key to go on', async () => {
  const { keys, fetch } = spoiled(() => {
    throw new TypeError('fetch failed', { cause: new Error('connection reset') });
  });
  await assert.rejects(login({ fetch, attempts: 2 }).cancelarEntrega(1, { motivo_id: 2 }), (error) => {
    assert.ok(error instanceof ConnectionError);
    assert.match(error.message, /connection reset/);
    assert.equal(error.idempotencyKey, keys[0]);
    assert.equal(error.operation, 'POST /entregas/1/cancelar');
    return true;
  });
  assert.equal(keys.length, 2);
});

test('an aborted call ends at once', async () => {
  const { keys, fetch } = spoiled(() => busy(503, '30'));
  const giveUp = new AbortController();
  const waiting = login({ fetch }).listarAreasAtuacao({ signal: giveUp.signal });
  setTimeout(() => giveUp.abort(new Error('enough')), 50);
  await assert.rejects(waiting, /enough/);
  assert.equal(keys.length, 1);
});

test('a server that does not answer in time is tried again', async () => {
  let attempts = 0;
  const slow: typeof fetch = (input, init) => {
    attempts++;
    if (attempts > 1) return fetch(input, init);
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  };
  await login({ fetch: slow, timeoutMs: 100 }).listarAreasAtuacao();
  assert.equal(attempts, 2);
});

test('every refusal is an error of its own kind, with the server’s words and the id of the request', async () => {
  const { id_mch: id } = await manager.criarEntrega(created);
  await manager.cancelarEntrega(id, { motivo_id: 2 });
  const { id_mch: waiting } = await manager.criarProgramada(scheduled);
  const refusals: [call: () => Promise<unknown>, typeof RefusedError, number, ErrorKind][] = [
    [() => login({ password: 'errada' }).obterStatus(id), UnauthorizedError, 401, 'bad-credentials'],
    [() => central.editarProgramada(waiting, scheduled), ForbiddenError, 403, 'company-manager-only'],
    [() => manager.obterStatus(999_999_999), NotFoundError, 404, 'delivery-not-found'],
    [() => manager.obterRecibo(id), WrongStateError, 406, 'not-finished'],
    [
      () => manager.agruparProgramadas(waiting, { programadas_agrupadas: [Number(waiting)] }),
      ConflictError,
      409,
      'too-few-orders',
    ],
    [
      () => manager.estimarEntrega(1, estimate({ lat_partida: 10 })),
      UnprocessableError,
      422,
      'outside-operating-areas',
    ],
  ];
  for (const [call, Kind, status, kind] of refusals)
    await assert.rejects(call(), (error) => {
      assert.ok(error instanceof Kind, `${status}: ${error}`);
      assert.equal(error.status, status);
      assert.equal(error.kind, kind);
      assert.equal(error.problems[0]?.code, 0);
      assert.equal(error.message, error.problems[0]?.message);
      assert.match(error.requestId ?? '', /\S{16,}/);
      return true;
    });
});

test('the kind of a refusal is typed by the operation that was refused', async () => {
  const error = await manager.obterRecibo(999_999_999).catch((reason: unknown) => reason);
  assert.ok(!isRefusalOf(error, 'obterStatus'));
  assert.ok(isRefusalOf(error, 'obterRecibo'));
  const words = { 'delivery-not-found': 'absent', 'not-finished': 'early', 'receipt-of-grouper': 'grouped' };
  assert.equal(words[error.kind as keyof typeof words], 'absent');
  // @ts-expect-error: a receipt cannot be refused for want of credit, so the comparison is a mistake.
  assert.ok(error.kind !== 'insufficient-balance');
  assert.equal(error.operation, 'GET /entregas/999999999/recibo');
});

test('an answer that is not the service’s has no kind', async () => {
  const { fetch } = spoiled(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await assert.rejects(login({ fetch, attempts: 1 }).listarAreasAtuacao(), { status: 502, kind: null });
});

test('invalid contents are reported by field, in the requested language', async () => {
  const broken = { ...created, paradas: [{ ...created.paradas[0]!, lat_parada: 'norte' }] };
  await assert.rejects(login({ language: 'en' }).criarEntrega(broken), (error) => {
    assert.ok(error instanceof InvalidInputError);
    assert.deepEqual(Object.keys(error.fields), ['paradas[0].lat_parada']);
    assert.doesNotMatch(error.fields['paradas[0].lat_parada']!, /deve/);
    return true;
  });
});

test('an id from elsewhere cannot lead to another address', async () => {
  await assert.rejects(manager.obterStatus('1/../../webhooks'), InvalidInputError);
});

test('the address may name the interface or only the service', async () => {
  for (const url of [`${malote.url}/`, `${malote.url}/api/v2/integracao`, `${malote.url}/api/v2/integracao/`])
    assert.ok((await login({ url }).listarAreasAtuacao()).length > 0);
});

test('names and passwords may hold any letters', async () => {
  await assert.rejects(login({ user: 'João', password: 'çã€' }).listarAreasAtuacao(), UnauthorizedError);
});
