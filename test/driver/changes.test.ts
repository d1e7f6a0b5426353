import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from '../../web/driver/src/core/changes.ts';
import { localView } from '../../web/driver/src/core/localView.ts';
import type { Work } from '../../web/driver/src/core/work.ts';
import { sampleEntry, sampleOffer, sampleRun, sampleStop, sampleWork } from './samples.ts';

const changesOf = (before: Work, after: Work, entries = [] as ReturnType<typeof sampleEntry>[]) =>
  changesBetween(localView(before, entries), after, before).map((change) =>
    [change.kind, change.deliveryId, 'stop' in change && change.stop.id].filter(Boolean).join(' '),
  );
const started = (stops = [sampleStop('1'), sampleStop('2')]) =>
  sampleWork({ corridas: [sampleRun('10', { status: 'E', paradas: stops })] });

test('nothing is announced when nothing changed, nor for the driver’s own actions', () => {
  assert.deepEqual(changesOf(started(), started()), []);
  const concluded = started([sampleStop('1', { situacao: 'concluida', concluida_em: 'x' }), sampleStop('2')]);
  assert.deepEqual(changesOf(started(), concluded), []);
  const finish = sampleEntry({ kind: 'finish', deliveryId: '10' });
  assert.deepEqual(changesOf(started(), sampleWork({ corridas: [] }), [finish]), []);
});

test('a stop that was grouped in, removed or changed is announced', () => {
  assert.deepEqual(changesOf(started(), started([sampleStop('1'), sampleStop('3'), sampleStop('2')])), [
    'stop-added 10 3',
  ]);
  assert.deepEqual(changesOf(started(), started([sampleStop('2')])), ['stop-gone 10 1']);
  const moved = started([sampleStop('1', { endereco: 'Rua Nova, 5' }), sampleStop('2')]);
  assert.deepEqual(changesOf(started(), moved), ['stop-changed 10 1']);
});

test('another order of the stops that are left is announced once', () => {
  const before = started([sampleStop('1'), sampleStop('2'), sampleStop('3')]);
  const after = started([sampleStop('1'), sampleStop('3'), sampleStop('2')]);
  assert.deepEqual(changesOf(before, after), ['run-changed 10']);
  assert.deepEqual(changesOf(before, started([sampleStop('1'), sampleStop('3')])), ['stop-gone 10 2']);
});

test('a run that is taken away or given by the central is announced, one accepted on this phone is not', () => {
  assert.deepEqual(changesOf(started(), sampleWork({ corridas: [] })), ['run-gone 10']);
  assert.deepEqual(changesOf(sampleWork({ corridas: [] }), started()), ['run-added 10']);
  assert.deepEqual(changesOf(sampleWork({ corridas: [], ofertas: [sampleOffer('10')] }), started()), []);
});

test('a new offer and another note are announced', () => {
  assert.deepEqual(changesOf(started(), { ...started(), ofertas: [sampleOffer('12')] }), ['offer 12']);
  const note = sampleWork({ corridas: [sampleRun('10', { status: 'E', observacao: 'Frágil' })] });
  assert.deepEqual(changesOf(started(), note), ['run-changed 10']);
});

test('a failed stop that the central puts back into the run is reported, once the server knew of the failure', () => {
  const failed = started([sampleStop('1', { situacao: 'nao_entregue', tentativas: 1 }), sampleStop('2')]);
  assert.deepEqual(changesOf(failed, started([sampleStop('2'), sampleStop('1')])), ['stop-reopened 10 1']);
  const fail = sampleEntry({
    kind: 'fail',
    deliveryId: '10',
    stopId: '1',
    visit: 1,
    body: { motivo: 'recusado' },
  });
  assert.deepEqual(changesOf(started(), started(), [fail]), []);
});
