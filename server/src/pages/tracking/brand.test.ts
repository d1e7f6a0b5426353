import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandOf, contrast, DARK_GROUND, LIGHT_GROUND } from './brand.ts';

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#777777', '#777777'), 1);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
});

test('for every chosen colour, everything painted with it is readable', () =>
  fc.assert(
    fc.property(colors, (color) => {
      const { ground, onGround, onLight, onDark } = brandOf(color);
      assert.equal(ground, color);
      assert.ok(contrast(onGround, ground) >= 4.5);
      assert.ok(contrast(onLight, LIGHT_GROUND) >= 4.5);
      assert.ok(contrast(onDark, DARK_GROUND) >= 4.5);
    }),
  ));

test('a readable colour stays unchanged', () => {
  assert.equal(brandOf('#0b6e4f').onLight, '#0b6e4f');
});
