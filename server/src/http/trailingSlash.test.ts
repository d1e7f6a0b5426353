import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutTrailingSlash } from './trailingSlash.ts';

test('one slash at the end of the path goes, and no other', () => {
  assert.equal(withoutTrailingSlash('/a/'), '/a');
  assert.equal(withoutTrailingSlash('/a/?x=/'), '/a?x=/');
  for (const kept of ['/', '/a', '/a?x=/', '/a//', '/?x=/']) assert.equal(withoutTrailingSlash(kept), kept);
});
