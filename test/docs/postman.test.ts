import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../../server/src/http/failures.ts';
import { type Answer, client, type Json } from '../support/client.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const served = await fetch(`${malote.url}/postman.json`);
const collection: Json = await served.json();

const variables: Record<string, string> = Object.fromEntries(
  collection.variable.map(({ key, value }: Record<'key' | 'value', string>) => [key, value]),
);
variables.url = malote.url;
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
}

const requestsIn = (item: Json, path: string[], auth: Json): Sent[] =>
  item.request
    ? [{ name: [...path, item.name].join(' › '), request: item.request, auth: item.request.auth ?? auth }]
    : item.item.flatMap((child: Json) =>
        requestsIn(child, item.info ? path : [...path, item.name], child.auth ?? auth),
      );
const requests = requestsIn(collection, [], collection.auth);

/** As Postman would. */
async function send({ request, auth }: Sent): Promise<Answer> {
  const ids = Object.fromEntries(
    (request.url.variable ?? []).map(({ key, value }: Record<'key' | 'value', string>) => [key, value]),
  );
  const address = filled(request.url.raw).replace(/(?<=\/):(\w+)/g, (_, name: string) => ids[name]);
  const headers = Object.fromEntries(
    request.header.map(({ key, value }: Record<'key' | 'value', string>) => [key, filled(value)]),
  );
  const credential = (key: string) => filled(auth.basic.find((field: Json) => field.key === key).value);
  const login = { key: headers['api-key']!, user: credential('username'), password: credential('password') };
  return client('', login).send(address, {
    method: request.method,
    headers,
    ...(request.body && { body: request.body.raw }),
  });
}

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

test('every request of it is understood by the service, and sent by somebody who may', async () => {
  const ready = requests.filter(
    ({ request }) => !request.url.raw.endsWith('/eventos') && request.body?.mode !== 'file',
  );
  for (const item of ready) {
    const { status, text, body } = await send(item);
    assert.ok(body, `${item.name}: ${text}`);
    assert.ok(![401, 403, 405, 413, 415, 500].includes(status), `${item.name}: ${status} ${text}`);
    assert.ok(!body.errors?.some(({ code }: { code: number }) => code === 2), `${item.name}: ${text}`);
    assert.ok(!text.includes(failures['route-not-found'].pt), `${item.name}: ${text}`);
  }
});
