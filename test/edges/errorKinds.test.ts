import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();

const keysOf = ({ body }: Answer): string[][] => body.errors.map((entry: object) => Object.keys(entry));
const kindsOf = ({ body }: Answer): string[] => body.errors.map(({ kind }: { kind: string }) => kind);
const headerOf = ({ headers }: Answer): string | null => headers.get('x-error-kind');

test('on the operator’s interface each error names its kind, and so does the header', async () => {
  const missing = await malote.operator.get('/entregas/999999');
  assert.equal(missing.status, 404);
  assert.deepEqual(missing.body, {
    success: false,
    errors: [{ code: 0, message: 'entrega não encontrada', kind: 'delivery-not-found' }],
  });
  assert.equal(headerOf(missing), 'delivery-not-found');

  const invalid = await malote.operator.post('/empresas', {});
  assert.equal(invalid.status, 400);
  assert.ok(invalid.body.errors.length > 1);
  assert.deepEqual(new Set(kindsOf(invalid)), new Set(['invalid-input']));
  assert.equal(headerOf(invalid), 'invalid-input');

  const stranger = await malote.operator.send('/resumo', { headers: { authorization: undefined } });
  assert.deepEqual(kindsOf(stranger), ['bad-credentials']);
  assert.deepEqual(kindsOf(await malote.operator.get('/nada')), ['route-not-found']);
});

test('the kind is the same in every language', async () => {
  const english = await malote.operator.get('/entregas/999999', { 'accept-language': 'en' });
  assert.equal(english.body.errors[0].message, 'delivery not found');
  assert.deepEqual(kindsOf(english), ['delivery-not-found']);
});

test('on the integration interface errors are code and message alone, and the header names the kind', async () => {
  const answers: [Answer, kind: string][] = [
    [await malote.central.get('/entregas/999999'), 'delivery-not-found'],
    [await malote.central.post('/entregas', {}), 'invalid-input'],
    [await malote.central.send('/webhooks', { headers: { 'api-key': undefined } }), 'central-not-identified'],
    [await malote.central.get('/nada'), 'route-not-found'],
    [await malote.central.send('/entregas', { method: 'PUT' }), 'method-not-allowed'],
  ];
  for (const [answer, kind] of answers) {
    assert.equal(headerOf(answer), kind, answer.text);
    for (const keys of keysOf(answer)) assert.deepEqual(keys, ['code', 'message'], answer.text);
  }
});

test('an answer that succeeds names no kind', async () => {
  assert.equal(headerOf(await malote.operator.get('/resumo')), null);
});
