import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unknownNamesFinder } from '../../server/src/api/http/unknownNames.ts';
import type { Answer, Client } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { clientFor, everyEndpoint, pathWith, queryOf } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, scheduledOrder } from '../support/orders.ts';
import { assertOk } from '../support/steps.ts';

// Contract 7.1: names that an endpoint does not know.
const malote = await startMalote();
const { central, manager, operator } = malote;

const STRICT = { prefer: 'handling=strict' };
const ignoredIn = ({ headers }: Answer): string | null => headers.get('x-ignored-fields');

/** Sends JSON as written, since an object literal cannot hold every name. */
const postText = (by: Client, path: string, body: string, headers = {}): Promise<Answer> =>
  by.send(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('a name that the endpoint does not know is named, and ignored', () => {
  const all = { limite: 100 };

  test('a filter, with the name that was meant', async () => {
    const filtered = assertOk(await central.post('/entregas/consultar', { ...all, status: 'F' }));
    assert.equal(ignoredIn(filtered), 'status (status_solicitacao?)');
    assert.equal(filtered.text, (await central.post('/entregas/consultar', all)).text);
  });

  const meant: [sent: string, header: string][] = [
    ['staus_solicitacao', 'staus_solicitacao (status_solicitacao?)'],
    ['statusSolicitacao', 'statusSolicitacao (status_solicitacao?)'],
    ['Tipo-Pagamento', 'Tipo-Pagamento (tipo_pagamento?)'],
    ['condutor', 'condutor (condutor_id?)'],
    ['paginas', 'paginas (pagina?)'],
    ['loja', 'loja'],
  ];
  for (const [sent, header] of meant)
    test(`${sent} is named as ${header}`, async () => {
      assert.equal(ignoredIn(await central.post('/entregas/consultar', { [sent]: 'F' })), header);
    });

  test('in the stops of an order too, each by its place', async () => {
    const body = order({}, 2);
    Object.assign(body.paradas[0]!, { foo: 1, endereco: 'Rua A' });
    Object.assign(body.paradas[1]!, { foo: null });
    Object.assign(body, { partida: { ...body.partida, ponto: {} }, cupom: 'X' });
    const answer = assertOk(await manager.post('/entregas', body));
    assert.equal(
      ignoredIn(answer),
      'partida.ponto, paradas[0].foo, paradas[0].endereco (endereco_parada?), paradas[1].foo, cupom (codigo_cupom?)',
    );
  });

  test('in a query, once however often it is given', async () => {
    const answer = assertOk(await manager.get('/entregas/programadas?pagina=1&limit=5&foo=1&foo=2'));
    assert.equal(ignoredIn(answer), 'limit (limite?), foo');
  });

  test('in the operation’s interface, in bodies and in queries', async () => {
    const posted = assertOk(await operator.post('/condutores/1/posicao', { lat: -30, lng: -51, speed: 3 }));
    assert.equal(ignoredIn(posted), 'speed');
    assert.equal(ignoredIn(assertOk(await operator.get('/entregas/abertas?status=A'))), 'status');
  });

  test('where the endpoint takes no fields at all', async () => {
    const opened = assertOk(await manager.post('/entregas', order()));
    const answer = await operator.post(`/entregas/${opened.body.data.id_mch}/liberar?foo=1`, { bar: 2 });
    assert.equal(ignoredIn(answer), 'foo, bar');
  });

  test('beside the problems of a body that is refused', async () => {
    const refused = await manager.post('/entregas', { ...order(), forma_pagamento: undefined, forma: 'D' });
    assert.deepEqual(complainedFields(refused), ['forma_pagamento']);
    assert.equal(ignoredIn(refused), 'forma (forma_pagamento?)');
  });
});

test('without such a name nothing is added to an answer', async () => {
  const answers = [
    await central.post('/entregas/consultar', { status_solicitacao: 'D', pagina: 1, limite: 5 }),
    await central.post('/entregas/consultar'),
    await manager.get('/entregas/programadas?pagina=1&limite=2'),
    await manager.post('/entregas/programadas', scheduledOrder({}, 3)),
    await manager.post('/entregas/empresas/1/estimativas', estimate()),
  ];
  for (const answer of answers) {
    assertOk(answer);
    assert.equal(ignoredIn(answer), null);
    assert.equal(answer.headers.get('preference-applied'), null);
  }
});

describe('Prefer: handling=strict', () => {
  test('refuses every unknown name, with all other problems', async () => {
    const body = order({ cupom: 'X', forma_pagamento: 'Z' });
    Object.assign(body.paradas[0]!, { foo: 1 });
    const before = await central.post('/entregas/consultar', { limite: 1 });
    const answer = await manager.post('/entregas', body, STRICT);
    assert.deepEqual(complainedFields(answer), ['cupom', 'forma_pagamento', 'paradas[0].foo']);
    assert.match(
      answer.text,
      /'cupom': não é um campo conhecido nesta rota; você quis dizer 'codigo_cupom'\?/,
    );
    assert.match(answer.text, /'paradas\[0\]\.foo': não é um campo conhecido nesta rota"/);
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
    assert.equal(ignoredIn(answer), null);
    const after = await central.post('/entregas/consultar', { limite: 1 });
    assert.equal(after.text, before.text);
  });

  test('speaks English, and calls a parameter by that name', async () => {
    const answer = await manager.get('/entregas/programadas?page=2', { ...STRICT, 'accept-language': 'en' });
    assert.deepEqual(complainedFields(answer), ['page']);
    assert.match(answer.text, /'page': is not a known query parameter of this endpoint/);
  });

  test('changes nothing where every name is known, and says that it was applied', async () => {
    const path = '/entregas/programadas?limite=1';
    const strict = assertOk(await manager.get(path, STRICT));
    assert.equal(strict.headers.get('preference-applied'), 'handling=strict');
    assert.equal(strict.text, (await manager.get(path)).text);
  });

  const understood: [prefer: string, isStrict: boolean][] = [
    ['handling=strict', true],
    ['Handling = "strict"; foo=bar', true],
    ['respond-async, wait=10, handling=strict', true],
    ['handling=lenient', false],
    ['handling=lenient, handling=strict', false],
    ['handling', false],
    ['note="a, handling=strict"', false],
    ['xhandling=strict', false],
    [`${'"'.repeat(5_000)}`, false],
  ];
  for (const [prefer, isStrict] of understood)
    test(`${prefer.slice(0, 60)} ${isStrict ? 'is' : 'is not'} strict`, async () => {
      const answer = await central.post('/entregas/consultar', { status: 'F' }, { prefer });
      assert.equal(answer.status, isStrict ? 400 : 200);
      assert.equal(answer.headers.get('preference-applied'), isStrict ? 'handling=strict' : null);
    });

  // The endpoints share one reader; these differ in what it reads: a query, a body, no body's schema, a file.
  for (const name of [
    'GET /entregas/programadas (integracao)',
    'POST /entregas (integracao)',
    'POST /entregas/:id/liberar (operacao)',
    'PUT /entregas/:id/paradas/:parada_id/comprovantes/foto (operacao)',
  ])
    test(`${name} refuses a name that it does not know`, async () => {
      const placed = everyEndpoint.find((each) => each.name === name)!;
      const { endpoint } = placed;
      const path = `${pathWith(endpoint.path, () => 999_999)}${queryOf(endpoint) || '?'}&campo_estranho=1`;
      const takesBody = endpoint.method !== 'GET' && !endpoint.rawBody;
      const answer = await clientFor(malote, placed).send(path, {
        method: endpoint.method,
        headers: { 'content-type': endpoint.rawBody?.mediaTypes[0] ?? 'application/json', ...STRICT },
        ...(takesBody && { body: JSON.stringify({ ...Object(endpoint.bodyExample), outro_estranho: 1 }) }),
        ...(endpoint.rawBody && { body: 'x' }),
      });
      const expected = takesBody ? ['campo_estranho', 'outro_estranho'] : ['campo_estranho'];
      assert.deepEqual(complainedFields(answer), expected);
    });
});

test('every endpoint knows the names of its own examples, and no others', () => {
  for (const { endpoint, name } of everyEndpoint) {
    const namesIn = (query: object, body: unknown) =>
      unknownNamesFinder(endpoint)(query, body).first.map((unknown) => unknown.name);
    const { queryExample = {}, bodyExample = {}, body } = endpoint;
    assert.deepEqual(namesIn(queryExample, bodyExample), [], name);
    assert.deepEqual(namesIn({ ...queryExample, campo_estranho: 1 }, bodyExample), ['campo_estranho'], name);
    // Such a schema refuses other names itself.
    if (body && 'additionalProperties' in body) continue;
    assert.deepEqual(namesIn(queryExample, { ...Object(bodyExample), estranho: 1 }), ['estranho'], name);
  }
});

describe('hostile names', () => {
  test('names of JavaScript’s own are unknown like others', async () => {
    const body = '{"__proto__":{"status_solicitacao":"F"},"constructor":1,"toString":2,"limite":100}';
    const answer = assertOk(await postText(central, '/entregas/consultar', body));
    assert.equal(ignoredIn(answer), '__proto__, constructor, toString');
    assert.equal(answer.text, (await central.post('/entregas/consultar', { limite: 100 })).text);
    const strict = await postText(central, '/entregas/consultar', body, STRICT);
    assert.deepEqual(complainedFields(strict), ['__proto__', 'constructor', 'toString']);
    const queried = assertOk(await manager.get('/entregas/programadas?__proto__=1&constructor=2'));
    assert.equal(ignoredIn(queried), '__proto__, constructor');
  });

  test('what a header cannot hold is encoded, and so is what would read as a part of it', async () => {
    const body = { 'a\r\nSet-Cookie: x': 1, 'ação 🚚': 2, 'a.b[0], c (d?)': 3, '': 4 };
    const answer = assertOk(await central.post('/entregas/consultar', body));
    assert.equal(
      ignoredIn(answer),
      'a%0D%0ASet-Cookie%3A%20x, a%C3%A7%C3%A3o%20%F0%9F%9A%9A, a%2Eb%5B0%5D%2C%20c%20%28d%3F%29, ""',
    );
    assert.equal(answer.headers.get('set-cookie'), null);
    const strict = await central.post('/entregas/consultar', body, STRICT);
    assert.equal(complainedFields(strict).length, 4);
  });

  test('half a character is refused as before, once', async () => {
    const answer = await postText(central, '/entregas/consultar', '{"\\ud83d":1}');
    assert.equal(complainedFields(answer).length, 1);
    const strict = await postText(central, '/entregas/consultar', '{"\\ud83d":1}', STRICT);
    assert.equal(complainedFields(strict).length, 1);
  });

  test('5,000 of them make a short header, which counts the rest, and 100 errors', async () => {
    const names = Array.from({ length: 4_800 }, (_, index) => `pag${index}`);
    const body = Object.fromEntries(names.map((name) => [name, 1]));
    const answer = assertOk(await central.post('/entregas/consultar', body));
    assert.match(ignoredIn(answer)!, /^(pag\d+, ){20}\+4780$/);
    const strict = await central.post('/entregas/consultar', body, STRICT);
    assert.equal(complainedFields(strict).length, 100);
    const long = Object.fromEntries(names.slice(0, 50).map((name) => [`${name}${'ç'.repeat(400)}`, 1]));
    const cut = ignoredIn(assertOk(await central.post('/entregas/consultar', long)))!;
    assert.ok(cut.length < 2_000, cut);
    assert.match(cut, /^pag0(%C3%A7)+\.\.\., .*\+\d+$/);
  });
});
