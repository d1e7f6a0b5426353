import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { describeError, safeRedaction, safeSerializers } from './safeLog.ts';

const SECRET = 'Fulana de Tal, CPF 529.982.247-25';

test('an error is logged with its kind, its code and its place, never with its message', () => {
  const error = Object.assign(new RangeError(`cannot read "${SECRET}"\n    at ${SECRET} (file.ts:1:1)`), {
    code: '22P02',
    table: 'deliveries',
    detail: `Key (cpf)=(${SECRET}) already exists.`,
    where: SECRET,
  });
  const description = describeError(error);
  assert.equal(description.type, 'RangeError');
  assert.equal(description.code, '22P02');
  assert.equal(description.table, 'deliveries');
  assert.match(description.stack, /safeLog\.test\.ts:\d+:\d+/);
  assert.doesNotMatch(JSON.stringify(description), /Fulana|529/);
});

test('causes are followed, but not for ever', () => {
  const error = new Error(SECRET);
  error.cause = error;
  const text = JSON.stringify(describeError(new Error('outer', { cause: error })));
  assert.doesNotMatch(text, /Fulana/);
  assert.equal(text.match(/"type"/g)?.length, 4);
});

test('a thrown value that is not an error is logged by its type only', () => {
  assert.deepEqual(describeError(SECRET), { type: 'string', stack: '' });
});

test('secrets in a log line are redacted', () => {
  const lines: string[] = [];
  const log = pino(
    { serializers: safeSerializers, redact: safeRedaction, base: null },
    { write: (line: string) => void lines.push(line) },
  );
  log.info({ password: SECRET, headers: { authorization: SECRET, 'api-key': SECRET } }, 'careless');
  log.info({ a: { b: { cpf: SECRET } } }, 'careless');
  assert.equal(lines.length, 2);
  assert.doesNotMatch(lines.join(''), /Fulana/);
});
