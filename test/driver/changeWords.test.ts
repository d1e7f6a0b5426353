import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeWords } from '../../web/driver/src/changeWords.ts';

test('a run that is gone may also have been finished by the central, in both languages', () => {
  const change = { kind: 'run-gone', deliveryId: '10' } as const;
  const portuguese = changeWords(change, (pt) => pt);
  const english = changeWords(change, (_pt, en) => en);
  for (const words of ['entrega 10', 'concluída pela central', 'cancelada', 'outro entregador'])
    assert.ok(portuguese.includes(words), `${words}: ${portuguese}`);
  for (const words of ['Delivery 10', 'completed by the central', 'cancelled', 'another driver'])
    assert.ok(english.includes(words), `${words}: ${english}`);
});
