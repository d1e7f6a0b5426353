import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStorageTrouble, type Trouble, troubleOf } from './databaseErrors.ts';

const withCode = (code: string, file?: string) => Object.assign(new Error('told to fail'), { code, file });

const MEANINGS: [code: string, trouble: Trouble | undefined, isStorage: boolean][] = [
  ['08006', 'outage', false],
  ['25006', 'outage', true],
  ['28P01', 'outage', false],
  ['3D000', 'outage', false],
  ['53000', 'outage', true],
  ['53100', 'outage', true],
  ['53200', 'outage', true],
  ['53300', 'outage', false],
  ['53400', 'outage', true],
  ['57P01', 'outage', false],
  ['57P03', 'outage', false],
  ['58030', 'outage', true],
  ['58P01', 'outage', true],
  ['ECONNREFUSED', 'outage', false],
  ['ETIMEDOUT', 'outage', false],
  ['40001', 'contention', false],
  ['40P01', 'contention', false],
  ['55P03', 'contention', false],
  ['57014', 'contention', false],
  ['XX000', undefined, false],
  ['XX001', undefined, false],
  ['42501', undefined, false],
  ['23505', undefined, false],
  ['22001', undefined, false],
];

for (const [code, trouble, isStorage] of MEANINGS)
  test(`an error ${code} means: ${trouble ?? 'a fault of the statement or its rows'}`, () => {
    assert.equal(troubleOf(withCode(code)), trouble);
    assert.equal(isStorageTrouble(withCode(code)), isStorage);
  });

test('a missing socket is an outage, and a missing file is not', () => {
  const missing = (syscall: string) => Object.assign(withCode('ENOENT'), { syscall });
  assert.equal(troubleOf(missing('connect')), 'outage');
  assert.equal(troubleOf(missing('open')), undefined);
});

test('errors of the file system without a code are recognised by their source file', () => {
  for (const code of ['XX000', '42501']) {
    assert.equal(troubleOf(withCode(code, 'md.c')), 'outage');
    assert.equal(isStorageTrouble(withCode(code, 'md.c')), true);
    assert.equal(troubleOf(withCode(code, 'aclchk.c')), undefined);
  }
});

test('an AggregateError is an outage only if each of its errors is trouble of the database', () => {
  const outage = withCode('53100');
  assert.equal(troubleOf(new AggregateError([outage, withCode('40P01')])), 'outage');
  assert.equal(troubleOf(new AggregateError([outage, new Error('a bug')])), undefined);
});
