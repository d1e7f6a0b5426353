import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDemoDay } from '../../server/simulation/demo/makeDemoDay.ts';
import { REFUSED_AT_FIRST } from '../../server/src/api/http/postmanPreparations.ts';
import type { Json } from '../support/client.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';
import { postmanRun } from '../support/postman.ts';

const malote = await startMalote({ demonstration: true });
await makeDemoDay(malote);
const served = await fetch(`${malote.url}/postman.json`);
const collection: Json = await served.json();

const { requests, send, variables } = postmanRun(collection);

test('the collection speaks to the address that it was read from', () => {
  assert.equal(variables.url, malote.url);
});

test('in a real central no request aims at something before its id is known', async () => {
  const real = await startMalote();
  const { variable, ...rest }: Json = await (await fetch(`${real.url}/postman.json`)).json();
  const ids = variable.filter(({ key }: Record<'key', string>) => key.endsWith('_id'));
  assert.ok(ids.length > 15);
  assert.deepEqual(new Set(ids.map(({ value }: Record<'value', string>) => value)), new Set(['0']));
  assert.doesNotMatch(JSON.stringify(rest), /prerequest/);
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

test('run from top to bottom on a fresh demonstration, every request is answered as it says', async () => {
  const faults: string[] = [];
  const refused: string[] = [];
  for (const item of requests) {
    const { status, text, headers } = await send(item);
    const [, path = ''] = item.request.url.raw.split(/\{\{url\}\}\/api\/v2|\?/);
    const name = `${item.request.method} ${path.replace(/:(\w+)/g, '{$1}')}`;
    const expected = REFUSED_AT_FIRST[name];
    if (expected) refused.push(name);
    if (expected) assert.match(item.request.description, new RegExp(`responde ${expected.status}`));
    if (status !== (expected?.status ?? 200)) faults.push(`${item.name}: ${status} ${text}`);
    const ignored = headers.get('x-ignored-fields');
    if (ignored) faults.push(`${item.name}: ${ignored} is ignored`);
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(refused.toSorted(), Object.keys(REFUSED_AT_FIRST).toSorted());
});

test('a step is sent as taken now, and not at the time of its example', () => {
  const sent = requests.map(({ request }) => ({
    body: request.body?.raw ?? '',
    query: (request.url.query ?? []).filter(({ disabled }: Json) => !disabled),
  }));
  assert.deepEqual(
    sent.filter((each) => JSON.stringify(each).includes('ocorrido_em')),
    [],
  );
});

test('within a folder, records are made first and cancelled last: a real central prepares nothing', () => {
  const placeOf = ({ request: { method, url } }: (typeof requests)[number]): number =>
    url.raw.endsWith('/cancelar') ? 2 : method === 'DELETE' ? 1 : 0;
  const folderOf = ({ name }: (typeof requests)[number]): string => name.slice(0, name.lastIndexOf(' › '));
  for (const [folder, items] of Map.groupBy(requests, folderOf)) {
    const places = items.map(placeOf);
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      folder,
    );
  }
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
