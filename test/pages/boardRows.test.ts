import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BY_SLACK,
  idsBetween,
  type Listed,
  linesMoved,
  linesOf,
  readOrder,
  sortBoard,
  writeOrder,
} from '../../web/console/src/pages/day/board/boardRows.ts';
import { idsDone, resultLine } from '../../web/console/src/pages/day/board/manyResults.ts';

const delivery = (id: number, changes: Partial<Listed> = {}): Listed => ({
  id: String(id),
  status: 'D',
  nome_cliente: 'Padaria',
  condutor: null,
  folga_segundos: 600,
  prometida_para: '2026-11-16T15:34:00Z',
  desde: '2026-11-16T15:00:00Z',
  paradas: [
    { concluida: false, nao_entregue: false, bairro: 'Azenha', numero_pedido: null, nome_cliente: null },
  ],
  ...changes,
});
const idsOf = (all: readonly Listed[]) => all.map(({ id }) => Number(id));

test('the least slack comes first, what has none last, in both directions', () => {
  const all = [
    delivery(1, { folga_segundos: null }),
    delivery(2, { folga_segundos: 300 }),
    delivery(3, { folga_segundos: -120 }),
    delivery(4, { folga_segundos: 300 }),
  ];
  assert.deepEqual(idsOf(sortBoard(all, BY_SLACK)), [3, 2, 4, 1]);
  assert.deepEqual(idsOf(sortBoard(all, { by: 'folga', descending: true })), [2, 4, 3, 1]);
});

test('texts are sorted as people read them', () => {
  const all = ['Zé Pizza', 'Ótica', 'açaí 10', 'Açaí 2'].map((nome_cliente, index) =>
    delivery(index, { nome_cliente }),
  );
  assert.deepEqual(idsOf(sortBoard(all, { by: 'loja', descending: false })), [3, 2, 1, 0]);
});

test('an order is written to the address and read from it; what is unknown is the order by slack', () => {
  for (const order of [
    { by: 'loja', descending: true } as const,
    { by: 'numero', descending: false } as const,
  ])
    assert.deepEqual(readOrder(writeOrder(order)), order);
  assert.equal(writeOrder(BY_SLACK), null);
  for (const text of [null, '', 'x', '-x']) assert.deepEqual(readOrder(text), BY_SLACK);
});

test('groups come in the order of their most urgent row, and a closed one keeps its head', () => {
  const all = sortBoard(
    [
      delivery(1, { nome_cliente: 'B', folga_segundos: 50 }),
      delivery(2, { nome_cliente: 'A', folga_segundos: 100 }),
      delivery(3, { nome_cliente: 'B', folga_segundos: null }),
    ],
    BY_SLACK,
  );
  const shape = (closed: string[]) =>
    linesOf(all, 'loja', new Set(closed)).map((line) =>
      line.kind === 'group' ? [line.name, line.ids.length, line.slack] : line.delivery.id,
    );
  assert.deepEqual(shape([]), [['B', 2, 50], '1', '3', ['A', 1, 100], '2']);
  assert.deepEqual(shape(['loja B']), [['B', 2, 50], ['A', 1, 100], '2']);
});

test('a range is marked in both directions, and a vanished start marks one row', () => {
  const ids = ['a', 'b', 'c', 'd'];
  assert.deepEqual(idsBetween(ids, 'b', 'd'), ['b', 'c', 'd']);
  assert.deepEqual(idsBetween(ids, 'd', 'b'), ['b', 'c', 'd']);
  assert.deepEqual(idsBetween(ids, 'gone', 'c'), ['c']);
  assert.deepEqual(idsBetween(ids, 'a', 'gone'), []);
});

test('rows on the screen keep their place: the move of most of them counts, not of one', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f'];
  assert.equal(linesMoved(before, ['new', ...before], 2, 5), 1);
  assert.equal(linesMoved(before, ['a', 'b', 'd', 'e', 'c', 'f'], 0, 5), 0);
  assert.equal(linesMoved(before, ['b', 'd', 'e', 'f'], 3, 5), -2);
  assert.equal(linesMoved(before, [], 0, 5), 0);
});

test('a result is one line: how many, and for each reason how many could not', () => {
  const ok = (id: number) => ({ id, success: true });
  const no = (id: number, message: string) => ({ id, success: false, errors: [{ message }] });
  assert.equal(resultLine('hold', [ok(1), ok(2)], 'pt'), '2 seguradas.');
  assert.equal(resultLine('cancel', [ok(1)], 'pt'), '1 cancelada.');
  const items = [ok(1), no(2, 'já começou'), no(3, 'já terminou'), no(4, 'já terminou')];
  assert.equal(
    resultLine('hold', items, 'pt'),
    '1 de 4 segurada, 3 não puderam: já terminou (2); já começou (1).',
  );
  assert.deepEqual(idsDone(items), ['1']);
});
