import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { basic } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { rawHttp } from '../support/rawHttp.ts';
import { runText } from '../support/runText.ts';

const lines: string[] = [];
const malote = await startMalote({
  log: new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
});

const person = { nome: 'Filomena Quaresma', cpf: '529.982.247-25', telefone: '(51) 98765-4321' };
const secrets = [
  'Filomena',
  'Quaresma',
  '529.982.247-25',
  '52998224725',
  '98765-4321',
  '51987654321',
  'Travessa Secreta',
  'senha-muito-secreta',
  'chave-muito-secreta',
  'demo-chave',
  Buffer.from('central:demo').toString('base64'),
  Buffer.from('central:senha-muito-secreta').toString('base64'),
  'cupom-de-alguem',
];

const personal = order({ cliente: person, categoria_id: 1, observacao: 'entregar à Filomena' });
personal.paradas[0]!.endereco_parada = 'Travessa Secreta, 7';
personal.paradas[0]!.nome_cliente_parada = person.nome;
personal.paradas[0]!.telefone_cliente_parada = person.telefone;

test('a whole session leaves no name, document, phone, password or key in the log', async () => {
  const { central, manager, url, db } = malote;
  const created = await central.post('/entregas', personal, { 'idempotency-key': 'chave-muito-secreta' });
  assert.equal(created.status, 200, created.text);
  await central.get(`/entregas/${created.body.data.id_mch}`);
  await central.post('/entregas/consultar', {});
  await manager.get(`/entregas/${created.body.data.id_mch}`);

  // Refusals of every kind.
  await central.post('/entregas', { ...personal, codigo_cupom: 'cupom-de-alguem' });
  await central.post('/entregas', { cliente: { nome: 7, cpf: '529.982.247-26' }, Filomena: 'Quaresma' });
  await central.send('/entregas', { method: 'POST', body: '{"nome": "Filomena Quaresma' });
  await central.get('/entregas/empresas/creditos/saldo?tipo_identificacao=F&identificacao=529.982.247-25');
  await central.get('/entregas/Filomena/status?nome=Quaresma');
  await central.get('/pessoas/52998224725');
  await central.send('/entregas/529.982.247-25', { method: 'PATCH' });
  await central.get('/entregas/1', { authorization: basic('central', 'senha-muito-secreta') });
  await central.get('/entregas/1', { authorization: 'Bearer senha-muito-secreta' });
  await central.get('/entregas/1', { 'api-key': 'chave-muito-secreta' });
  await rawHttp(url, 'GET /Filomena\0 HTTP/1.1\r\nHost: Quaresma\r\n\r\n');
  await rawHttp(
    url,
    'GET /entregas/%zz?cpf=52998224725 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  );

  // A defect whose message, detail and context all quote the request.
  await runText(
    db,
    `create function complain() returns trigger language plpgsql as $$
     begin
       raise exception 'cannot store %', new.recipient_name using detail = new.recipient_phone;
     end $$`,
    [],
  );
  await runText(
    db,
    'create trigger stops_complain before insert on stops for each row execute function complain()',
    [],
  );
  const bug = await central.post('/entregas', personal);
  assertFailure(bug, 500, 0);
  assert.doesNotMatch(bug.text, /Filomena|cannot store|\bat\b.*\.ts|select|insert/i);

  const log = lines.join('');
  for (const secret of secrets) assert.ok(!log.includes(secret), `the log holds "${secret}"`);

  const requestId = bug.headers.get('x-request-id');
  assert.ok(bug.text.includes(requestId!), 'the answer names its request');
  const recorded = lines
    .map((line) => JSON.parse(line))
    .find((line) => line.requestId === requestId && line.err);
  assert.equal(recorded.err.code, 'P0001');
  assert.match(recorded.err.stack, /insertDeliveryStore\.ts|database\.ts/);
});

test('every request is one line: id, method, route pattern, status, milliseconds, central', async () => {
  lines.length = 0;
  const answer = await malote.central.get('/entregas/999999/status');
  const [line] = lines.map((line) => JSON.parse(line));
  assert.equal(lines.length, 1);
  const { method, route, status, ms, central, requestId } = line;
  assert.deepEqual(
    { method, route, status, central, requestId },
    {
      method: 'GET',
      route: '/api/v2/integracao/entregas/:id/status',
      status: 404,
      central: 1,
      requestId: answer.headers.get('x-request-id'),
    },
  );
  assert.equal(typeof ms, 'number');
});
