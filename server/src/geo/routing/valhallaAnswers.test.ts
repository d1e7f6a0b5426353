import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodePolyline } from './valhallaAnswers.ts';

const micro = (max: number) => fc.integer({ min: -max * 1e6, max: max * 1e6 }).map((value) => value / 1e6);

test('a line that was encoded is decoded to itself', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(micro(180), micro(90)), { maxLength: 20 }), (line) => {
      assert.deepEqual(decodePolyline(encode(line)), line);
    }),
  );
});

test('any text is either a line on earth or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = decodePolyline(text);
      assert.ok(line === null || line.every(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90));
    }),
  );
});

test('half a point and a number without an end are no line', () => {
  const whole = encode([[-51.2, -30.05]]);
  assert.equal(decodePolyline(whole.slice(0, -1)), null);
  assert.equal(decodePolyline('~'.repeat(100)), null);
  assert.deepEqual(decodePolyline(''), []);
});

function encode(line: [number, number][]): string {
  let last = [0, 0];
  return line
    .map(([lng, lat]) => {
      const point = [Math.round(lat * 1e6), Math.round(lng * 1e6)];
      const text = point.map((value, axis) => number(value - last[axis]!)).join('');
      last = point;
      return text;
    })
    .join('');
}

function number(value: number): string {
  let rest = value < 0 ? -value * 2 - 1 : value * 2;
  let text = '';
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 32 + 63);
  return text + String.fromCharCode(rest + 63);
}
