import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { failures } from '../../server/src/http/failures.ts';
import { type Answer, client, type Json } from '../support/client.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote({ demonstration: true });
const served = await fetch(`${malote.url}/postman.json`);
const collection: Json = await served.json();

const variables: Record<string, string> = Object.fromEntries(
  collection.variable.map(({ key, value }: Record<'key' | 'value', string>) => [key, value]),
);
variables.$guid = '';
const filled = (text: string): string =>
  text.replace(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
    assert.ok(name in variables, `no variable ${name}`);
    return name === '$guid' ? crypto.randomUUID() : variables[name]!;
  });

interface Sent {
  name: string;
  request: Json;
  auth: Json;
  script: string;
  example: Json;
}

/** The example answer of a request; undefined if it is not JSON. */
const exampleOf = ({ header, body }: Json): Json =>
  header[0].value === 'application/json' && body ? JSON.parse(body) : undefined;

const requestsIn = (item: Json, path: string[], auth: Json): Sent[] =>
  item.request
    ? [
        {
          name: [...path, item.name].join(' › '),
          request: item.request,
          auth: item.request.auth ?? auth,
          example: exampleOf(item.response[0]),
          script: (item.event?.[0].script.exec ?? []).join('\n'),
        },
      ]
    : item.item.flatMap((child: Json) =>
        requestsIn(child, item.info ? path : [...path, item.name], child.auth ?? auth),
      );
const requests = requestsIn(collection, [], collection.auth);

/** Sends a request as Postman does. */
async function send({ request, auth, script }: Sent): Promise<Answer> {
  const ids = Object.fromEntries(
    (request.url.variable ?? []).map(({ key, value }: Record<'key' | 'value', string>) => [key, value]),
  );
  const address = filled(request.url.raw).replace(/(?<=\/):(\w+)/g, (_, name: string) => filled(ids[name]!));
  const headers = Object.fromEntries(
    request.header.map(({ key, value }: Record<'key' | 'value', string>) => [key, filled(value)]),
  );
  const credential = (key: string) => filled(auth.basic.find((field: Json) => field.key === key).value);
  const login = { key: headers['api-key']!, user: credential('username'), password: credential('password') };
  const answer = await client('', login).send(address, {
    method: request.method,
    headers,
    ...(request.body && { body: filled(request.body.raw) }),
  });
  const set = (key: string, value: string) => {
    assert.ok(key in variables, `no variable ${key}`);
    assert.match(value, /^\d+$/, key);
    variables[key] = value;
  };
  const response = { code: answer.status, json: () => answer.body };
  runInNewContext(script, {
    pm: { response, collectionVariables: { set, get: (key: string) => variables[key] } },
  });
  return answer;
}

test('the collection speaks to the address that it was read from', () => {
  assert.equal(variables.url, malote.url);
});

test('in a real central no request aims at something before its id is known', async () => {
  const real = await startMalote();
  const { variable }: Json = await (await fetch(`${real.url}/postman.json`)).json();
  const ids = variable.filter(({ key }: Record<'key', string>) => key.endsWith('_id'));
  assert.ok(ids.length > 15);
  assert.deepEqual(new Set(ids.map(({ value }: Record<'value', string>) => value)), new Set(['0']));
});

test('the collection holds every operation once, in the groups of the reference', () => {
  assert.equal(served.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(served.headers.get('content-disposition') ?? '', /malote\.postman_collection\.json/);
  assert.equal(requests.length, everyEndpoint.length);
  assert.deepEqual(
    collection.item.map(({ name }: { name: string }) => name),
    ['Integração', 'Operação'],
  );
  assert.equal(collection.item[0].item[0].name, 'Entregas');
});

/**
 * Resources that the demonstration lacks and no other request creates: a phone, an image, a closed account, a payment.
 */
const NOT_THERE = [
  'Operação › Operação: aplicativo do entregador › Encerrar o acesso de um aparelho',
  'Operação › Operação: aplicativo do entregador › Pedir ajuda à central',
  'Operação › Operação: empresas › Adicionar os créditos de um Pix que chegou',
  'Operação › Operação: etapas da entrega › Ler a assinatura de quem recebeu',
  'Operação › Operação: etapas da entrega › Ler a foto da entrega',
  'Operação › Operação: fechamentos › Baixar o extrato de um fechamento',
  'Operação › Operação: fechamentos › Ler um fechamento e seus lançamentos',
  'Operação › Operação: fechamentos › Marcar um fechamento como pago',
];

test('every request of it is understood by the service, finds what it names, and is sent by somebody who may', async () => {
  const ready = requests.filter(
    ({ request }) => !request.url.raw.endsWith('/eventos') && request.body?.mode !== 'file',
  );
  const notFound: string[] = [];
  for (const item of ready) {
    const { status, text, body } = await send(item);
    if (status === 404) notFound.push(item.name);
    assert.ok(body, `${item.name}: ${text}`);
    assert.ok(![401, 403, 405, 413, 415, 500].includes(status), `${item.name}: ${status} ${text}`);
    assert.ok(!body.errors?.some(({ code }: { code: number }) => code === 2), `${item.name}: ${text}`);
    assert.ok(!text.includes(failures['route-not-found'].pt), `${item.name}: ${text}`);
  }
  assert.deepEqual(notFound.toSorted(), NOT_THERE);
});

test('a request whose example shows a total asks for the total', async () => {
  const counting = requests.filter(({ example }) => example?.total);
  assert.ok(counting.length > 5);
  for (const item of counting) assert.ok((await send(item)).body.total, item.name);
});

test('a report beside another one is asked for with both periods', async () => {
  const report = requests.find(({ example }) => example?.data?.comparacao)!;
  const { data } = (await send(report)).body;
  for (const part of ['periodo', 'comparacao'])
    assert.deepEqual(
      [data[part].de, data[part].ate],
      [report.example.data[part].de, report.example.data[part].ate],
    );
});
