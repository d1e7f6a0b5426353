import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failures } from '../http/failures/failures.ts';
import { describeDispatchFailure } from './scheduledJson.ts';

test('a failure is described by the text of the refusal', () => {
  assert.equal(describeDispatchFailure('no-tariff', 'pt'), failures['no-tariff'].pt);
  assert.equal(describeDispatchFailure('no-tariff', 'en'), failures['no-tariff'].en);
});

test('every recorded failure has a text without placeholders', () => {
  for (const kind of [...Object.keys(failures), 'internal-error', 'a kind of long ago'])
    for (const language of ['pt', 'en'] as const) {
      const words = describeDispatchFailure(kind, language);
      assert.notEqual(words, '', kind);
      assert.doesNotMatch(words, /[{}]/, kind);
    }
  assert.match(describeDispatchFailure('outside-operating-areas', 'en'), /^a point is outside/);
  assert.match(describeDispatchFailure('a kind of long ago', 'pt'), /^erro interno/);
});
