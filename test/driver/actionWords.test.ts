import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeWords } from '../../web/driver/src/actionWords.ts';
import { sampleRun, sampleStop, sampleWork } from './samples.ts';

const stop = sampleStop('1', { destinatario: 'Ana', endereco: 'Rua da Praia, 7', complemento: 'ap 3' });
const work = sampleWork({ corridas: [sampleRun('10', { paradas: [stop] })] });

test('an action is named with its stop or pickup, where the phone knows it', () => {
  const at = { kind: 'arrive-stop', visit: 1, deliveryId: '10' } as const;
  assert.equal(placeWords({ ...at, stopId: '1' }, work), 'Ana · Rua da Praia, 7, ap 3');
  assert.equal(placeWords({ kind: 'start', deliveryId: '10' }, work), work.corridas[0]!.coleta.endereco);
  // A removed stop, a delivery that went to another driver, no work, no delivery.
  assert.equal(placeWords({ ...at, stopId: '2' }, work), '');
  assert.equal(placeWords({ ...at, deliveryId: '11', stopId: '1' }, work), '');
  assert.equal(placeWords({ ...at, stopId: '1' }, null), '');
  assert.equal(placeWords({ kind: 'duty', available: true }, work), '');
});
