import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { parseSecretKey, secretBox } from './secretBox.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

test('a sealed secret opens for its owner, does not contain the secret, and differs each time it is sealed', () => {
  const box = secretBox([oldKey]);
  const sealed = box.seal(SECRET, 'webhook 1/2');
  assert.match(sealed, /^v1:[0-9a-f]{16}:[\w-]{16}:[\w-]+$/);
  assert.ok(sealed.startsWith(box.currentPrefix));
  assert.notEqual(box.seal(SECRET, 'webhook 1/2'), sealed);
  assert.equal(box.open(sealed, 'webhook 1/2'), SECRET);
});

test('a sealed secret does not open for another owner', () => {
  const box = secretBox([oldKey]);
  assert.equal(box.open(box.seal(SECRET, 'webhook 1/2'), 'webhook 1/3'), undefined);
});

test('a sealed secret does not open with another key, and an older key of the list still opens it', () => {
  const sealed = secretBox([oldKey]).seal(SECRET, 'o');
  assert.equal(secretBox([newKey]).open(sealed, 'o'), undefined);
  assert.equal(secretBox([]).open(sealed, 'o'), undefined);
  const both = secretBox([newKey, oldKey]);
  assert.equal(both.open(sealed, 'o'), SECRET);
  assert.ok(!sealed.startsWith(both.currentPrefix));
  assert.equal(secretBox([newKey]).open(both.seal(SECRET, 'o'), 'o'), SECRET);
});

test('a sealed secret that was changed anywhere does not open', () => {
  const box = secretBox([oldKey]);
  const sealed = box.seal(SECRET, 'o');
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    assert.notEqual(box.open(changed, 'o'), SECRET, changed);
  }
  for (const broken of ['v1:', 'v1::::', sealed.slice(0, -4), sealed.slice(0, 60), `${sealed}AAAA`])
    assert.equal(box.open(broken, 'o'), undefined, broken);
});

test('a plain secret is returned unchanged, and without a key secrets stay plain', () => {
  assert.equal(secretBox([oldKey]).open(SECRET, 'o'), SECRET);
  assert.equal(secretBox([]).seal(SECRET, 'o'), SECRET);
  assert.equal(secretBox([]).open(SECRET, 'o'), SECRET);
});

test('a key is 32 bytes in hexadecimal or base64', () => {
  for (const text of [oldKey.toString('hex'), oldKey.toString('base64'), oldKey.toString('base64url')])
    assert.deepEqual(parseSecretKey(text), oldKey);
  for (const text of ['', 'secret', 'a'.repeat(42), 'a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(42)}!=`])
    assert.equal(parseSecretKey(text), undefined, text);
});
