import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowTexts } from './rowTexts.ts';

const text = Buffer.from('x'.repeat(10_000));

test('a text is found only for the row versions it was stored with', () => {
  const texts = rowTexts();
  texts.keep('delivery 1', '5 7', ['driver 3 9', 'company 1 2'], text);
  const shared = ['driver 3 9', 'company 1 2', 'company 4 4'];
  assert.equal(texts.find('delivery 1', '5 7', new Set(shared)), text);
  assert.equal(texts.find('delivery 1', '5 8', new Set(shared)), undefined);
  assert.equal(texts.find('delivery 1', '5 7', new Set(['driver 3 10', 'company 1 2'])), undefined);
  assert.equal(texts.find('delivery 2', '5 7', new Set(shared)), undefined);
});

test('a newer text replaces the older one in memory', () => {
  const texts = rowTexts();
  texts.keep('delivery 1', '5', [], text);
  texts.keep('delivery 1', '6', [], text);
  assert.equal(texts.figures().texts, 1);
  assert.equal(texts.find('delivery 1', '5', new Set()), undefined);
});

test('memory is bounded: the least recently used text is dropped first', () => {
  const texts = rowTexts(100_000);
  for (let id = 1; id <= 50; id += 1) {
    texts.keep(`delivery ${id}`, '1', [], text);
    texts.find('delivery 1', '1', new Set());
  }
  const { bytes, texts: count } = texts.figures();
  assert.ok(bytes <= 100_000 && count === 9, `${count} texts of ${bytes} bytes`);
  assert.equal(texts.find('delivery 1', '1', new Set()), text);
  assert.equal(texts.find('delivery 2', '1', new Set()), undefined);
});

test('after a lost connection the cache is empty', () => {
  const texts = rowTexts();
  texts.keep('delivery 1', '5', [], text);
  texts.clear();
  assert.equal(texts.find('delivery 1', '5', new Set()), undefined);
  assert.equal(texts.figures().bytes, 0);
});

test('a text that many callers need is made once, and only the caller that makes it sees a failure', async () => {
  const texts = rowTexts();
  const made: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const make = async (keys: readonly string[]) => {
    made.push([...keys]);
    await gate.promise;
    for (const key of keys) texts.keep(key, '1', [], text);
  };
  const asked = [
    texts.makeOnce(['a', 'b'], make),
    texts.makeOnce(['b', 'c'], make),
    texts.makeOnce(['a'], make),
  ];
  gate.resolve();
  await Promise.all(asked);
  assert.deepEqual(made, [['a', 'b'], ['c']]);
  assert.equal(texts.find('b', '1', new Set()), text);

  const failing = texts.makeOnce(['d'], async () => {
    throw new Error('no database');
  });
  const other = texts.makeOnce(['d'], make);
  await assert.rejects(failing, /no database/);
  await other;
  await texts.makeOnce(['d'], make);
  assert.equal(texts.find('d', '1', new Set()), text, 'and it is made again');
});
