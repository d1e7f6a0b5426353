import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Draft, visitOfDraft } from '../../web/driver/src/core/draft.ts';
import { localView } from '../../web/driver/src/core/localView.ts';
import type { Run } from '../../web/driver/src/core/work.ts';
import { sampleEntry, sampleRun, sampleStop, sampleWork } from './samples.ts';

const draft: Draft = { sheet: 'conclude', driverId: '1', stopId: '1', visit: 1, filled: { name: 'Ana' } };
const viewOf = (changes: Partial<Run>) =>
  localView(sampleWork({ corridas: [sampleRun('7', { status: 'E', ...changes })] }), []);

test('a draft is about the stop of the run under way', () => {
  const found = visitOfDraft(draft, viewOf({}));
  assert.equal(found?.stop.id, '1');
  assert.equal(found.run.id_mch, '7');
});

test('a draft of a stop that was concluded, failed, taken away or put on hold is about nothing', () => {
  const changes: Partial<Run>[] = [
    { paradas: [sampleStop('1', { situacao: 'concluida' }), sampleStop('2')] },
    { paradas: [sampleStop('1', { tentativas: 1 }), sampleStop('2')] },
    { paradas: [sampleStop('2')] },
    { status: 'S' },
  ];
  for (const each of changes) assert.equal(visitOfDraft(draft, viewOf(each)), null);
  assert.equal(visitOfDraft(draft, null), null);
  assert.equal(visitOfDraft(null, viewOf({})), null);
});

test('a draft of a stop whose conclusion waits to be sent is about nothing', () => {
  const work = sampleWork({ corridas: [sampleRun('7', { status: 'E' })] });
  const conclude = { kind: 'conclude' as const, deliveryId: '7', stopId: '1', body: {} };
  assert.equal(visitOfDraft(draft, localView(work, [sampleEntry(conclude)])), null);
});
