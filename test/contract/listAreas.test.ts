import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const path = '/entregas/bandeiras/areas-atuacao';

test('the areas of the central are listed with exactly their three fields', async () => {
  const expected = {
    success: true,
    data: [
      { id: 1, nome: 'Porto Alegre', padrao: true },
      { id: 2, nome: 'Centro Histórico', padrao: false },
    ],
  };
  for (const who of [malote.central, malote.manager]) {
    const answer = await who.get(path);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, expected);
  }
});

test('another central has its own', async () => {
  const { body } = await malote.neighbour.get(path);
  assert.deepEqual(body.data, [{ id: 10_000_001, nome: 'Manaus', padrao: true }]);
});
