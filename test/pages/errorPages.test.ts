import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorKind } from '../../server/src/api/http/envelope.ts';
import { errorHelp } from '../../server/src/api/http/errorHelp/errorHelp.ts';
import { statusOf } from '../../server/src/api/http/errorHelp/families.ts';
import { basic } from '../support/client.ts';
import { everyEndpoint } from '../support/everyEndpoint.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const kinds = Object.keys(errorHelp) as ErrorKind[];

async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(malote.url + path, { headers });
  return { status: answer.status, text: plain(await answer.text()), headers: answer.headers };
}

const plain = (page: string): string =>
  page.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

const exampleIn = (page: string): { head: string; body: unknown } => {
  const [head, body] = /<pre id="example">([\s\S]*?)<\/pre>/.exec(page)![1]!.split('\n\n');
  return { head: head!, body: JSON.parse(body!) };
};

test('every kind has a page in both languages, with its meaning, its cause and what to do', async () => {
  assert.ok(kinds.length > 150);
  for (const kind of kinds)
    for (const [language, tag] of [
      ['pt', 'pt-BR'],
      ['en', 'en'],
    ] as const) {
      const page = await read(`/docs/erros/${kind}`, { 'accept-language': tag });
      assert.equal(page.status, 200, kind);
      assert.ok(page.text.includes(`<html lang="${tag}">`), kind);
      assert.ok(page.text.includes(`<code>${kind}</code>`), kind);
      for (const text of Object.values(errorHelp[kind][language])) assert.ok(page.text.includes(text), text);
      assert.ok(exampleIn(page.text).head.startsWith(`HTTP/1.1 ${statusOf(kind)} `), kind);
      assert.ok(exampleIn(page.text).head.includes(`X-Error-Kind: ${kind}`), kind);
      assert.doesNotMatch(page.text, /\bundefined\b|\bNaN\b|\{\w+\}(?![\w/{}-]*<\/code>)/, kind);
    }
});

test('texts are sentences of a person, not notes', () => {
  for (const [kind, { pt, en }] of Object.entries(errorHelp))
    for (const text of [...Object.values(pt), ...Object.values(en)]) {
      assert.match(text, /^[A-ZÁÉÀ][^\n]*\.$/u, kind);
      assert.ok(text.length <= 220, `${kind}: ${text}`);
    }
});

/** Every operation can be refused so, whatever its definition names. */
const OF_ALL: readonly ErrorKind[] = ['not-allowed', 'rate-limited'];

test('the operations on a page are those whose definition names the kind, and no others', async () => {
  const namesOf = (page: string) =>
    [...page.matchAll(/<li><code>((?:GET|POST|PUT|DELETE) [^<]+)<\/code><\/li>/g)].map(([, name]) => name!);
  const listed = new Set(everyEndpoint.flatMap(({ endpoint }) => endpoint.refusals ?? []));
  for (const kind of listed) {
    const expected = everyEndpoint
      .filter(({ endpoint }) => endpoint.refusals?.includes(kind))
      .map(({ endpoint: { method, path }, base }) => `${method} ${base}${path.replace(/:(\w+)/g, '{$1}')}`);
    const found = namesOf((await read(`/docs/erros/${kind}`)).text);
    if (OF_ALL.includes(kind)) assert.equal(found.length, everyEndpoint.length, kind);
    else assert.deepEqual(found.toSorted(), expected.toSorted(), kind);
  }
  assert.match((await read('/docs/erros/route-not-found')).text, /Nenhuma operação em particular/);
});

test('the example of a page is the answer that the service gives', async () => {
  const path = '/api/v2/integracao/entregas/999999/status';
  const login = { 'api-key': 'demo-chave', authorization: basic('central', 'demo') };
  const cases: [ErrorKind, string, RequestInit][] = [
    ['delivery-not-found', path, { headers: login }],
    ['bad-credentials', path, { headers: { ...login, authorization: basic('central', 'outra') } }],
    ['central-not-identified', path, {}],
    ['method-not-allowed', path, { method: 'DELETE', headers: login }],
    ['invalid-input', '/api/v2/integracao/entregas/1/cancelar', { method: 'POST', headers: login }],
    ['closing-not-found', '/api/v2/operacao/fechamentos/999999', { headers: login }],
  ];
  for (const [kind, asked, init] of cases)
    for (const language of ['pt', 'en']) {
      const { head, body } = exampleIn((await read(`/docs/erros/${kind}?idioma=${language}`)).text);
      const given = await fetch(malote.url + asked, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), 'accept-language': language },
      });
      const [first, ...headers] = head.split('\n');
      assert.equal(first!.split(' ')[1], String(given.status), kind);
      assert.deepEqual(await given.json(), body, kind);
      for (const line of headers) {
        const [name, value] = line.split(': ') as [string, string];
        if (name !== 'X-Request-Id')
          assert.ok(given.headers.get(name)?.startsWith(value), `${kind}: ${name}`);
      }
    }
});

test('the index lists every kind and keeps the chosen language', async () => {
  const index = await read('/docs/erros?idioma=en', { 'accept-language': 'pt-BR' });
  assert.equal(index.status, 200);
  const links = [...index.text.matchAll(/href="\/docs\/erros\/([\w-]+)\?idioma=en"/g)].map(
    ([, kind]) => kind!,
  );
  assert.deepEqual(links.toSorted(), kinds.toSorted());
  assert.match(index.text, /Errors of the interface/);
  assert.match(index.text, /<a class="other" href="\?idioma=pt" hreflang="pt-BR"/);
  assert.match((await read('/docs/erros')).text, /href="\/docs\/erros\/bug"/);
});

test('an unknown kind is a page for people that leads to the list, and quotes nothing of the address', async () => {
  for (const name of ['nada', 'constructor', '__proto__', '%3Cscript%3Ealert(1)%3C%2Fscript%3E']) {
    const page = await read(`/docs/erros/${name}`, { 'accept-language': 'en' });
    assert.equal(page.status, 404);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.text, /There is no such error/);
    assert.match(page.text, /href="\/docs\/erros"/);
    assert.doesNotMatch(page.text, /<script|alert/);
  }
});

test('the pages hold no script and load nothing from elsewhere', async () => {
  const page = await read('/docs/erros/received-above-due');
  assert.doesNotMatch(page.text, /<script/);
  const policy = page.headers.get('content-security-policy')!;
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
  assert.match(page.headers.get('vary')!, /accept-language/);
  assert.equal(page.headers.get('content-language'), 'pt-BR');
});
