import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsDefaults } from './central.ts';
import { grantOf, may, permissions, WITHOUT_SCOPE } from './permissions.ts';
import { newSecret, possibleScopes, readSecret, roleWith } from './program.ts';

test('a secret says its central, and two are never the same', () => {
  for (const centralId of [1, 35, 36, 10_000_001]) {
    const secret = newSecret(centralId);
    assert.match(secret, /^malote_[0-9a-z]+_[\w-]{49}$/);
    assert.equal(readSecret(secret)?.centralId, centralId);
    assert.equal(readSecret(secret)?.digest.length, 32);
    assert.notEqual(newSecret(centralId), secret);
  }
});

test('a secret with one wrong, missing or further character is recognised without a look-up', () => {
  const secret = newSecret(7);
  for (let place = 0; place < secret.length; place += 1) {
    const other = secret[place] === 'b' ? 'c' : 'b';
    assert.equal(readSecret(secret.slice(0, place) + other + secret.slice(place + 1)), undefined);
    assert.equal(readSecret(secret.slice(0, place) + secret.slice(place + 1)), undefined);
  }
  for (const text of ['', `${secret}a`, ` ${secret}`, 'demo-chave', 'malote_1_', secret.toUpperCase()])
    assert.equal(readSecret(text), undefined, text);
});

test('no program may administrate access, and one of a company has at most the rights of a manager', () => {
  for (const scope of ['users', 'keys', 'settings'] as const) {
    assert.ok(!possibleScopes(null).includes(scope));
    assert.ok(!possibleScopes(1).includes(scope));
  }
  for (const scope of possibleScopes(1)) assert.notEqual(grantOf('manager', scope), 'never');
  assert.ok(!possibleScopes(1).includes('dispatch'));
});

test('a program acts as the least role that has its scopes, and may do exactly what they say', () => {
  assert.equal(roleWith(['watch'], null), 'viewer');
  assert.equal(roleWith(['watch', 'order'], null), 'integrator');
  assert.equal(roleWith(['dispatch'], null), 'operator');
  assert.equal(roleWith(['tariffs'], null), 'supervisor');
  assert.equal(roleWith(['watch', 'order'], 1), 'manager');
  const central = { settings: { ...settingsDefaults, operatorsRunDayOnly: true, managerTopUp: true } };
  for (const companyId of [null, 1])
    for (const scope of possibleScopes(companyId)) {
      const role = roleWith([scope], companyId);
      const allowed = permissions.filter((each) => may({ role, central, scopes: new Set([scope]) }, each));
      assert.deepEqual(
        allowed.filter((each) => !WITHOUT_SCOPE.includes(each)),
        [scope],
      );
      assert.ok(WITHOUT_SCOPE.every((each) => allowed.includes(each)));
    }
});
