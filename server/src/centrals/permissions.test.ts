import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from './caller.ts';
import { settingsDefaults } from './central.ts';
import { may, outranks, permissions, permissionsOf, roles } from './permissions.ts';

const usual = { settings: settingsDefaults };
const dayOnly = { settings: { ...settingsDefaults, operatorsRunDayOnly: true } };
const missing = (role: Role, central: typeof usual) =>
  permissions.filter((permission) => !may({ role, central }, permission));

test('an operator and a supervisor may do everything by default', () => {
  assert.deepEqual(missing('operator', usual), []);
  assert.deepEqual(missing('supervisor', usual), []);
});

test('operatorsRunDayOnly takes tariffs, users, keys, settings, webhooks, closings and balances from operators', () => {
  assert.deepEqual(missing('operator', dayOnly), [
    'tariffs',
    'settings',
    'users',
    'audit',
    'keys',
    'webhooks',
    'top-up',
    'withdraw',
    'driver-entries',
    'closings',
  ]);
  assert.deepEqual(missing('supervisor', dayOnly), []);
});

test('a read-only login may only read', () => {
  assert.deepEqual(permissionsOf({ role: 'viewer', central: usual }), [
    'watch',
    'proof-read',
    'internals',
    'registers-read',
    'requests',
    'webhooks-read',
    'balance',
    'wallet-read',
    'earnings-read',
    'reports',
    'closings-read',
  ]);
});

test('a role that may change users has every right that it can grant', () => {
  for (const central of [usual, dayOnly])
    for (const keeper of roles.filter((role) => may({ role, central }, 'users')))
      for (const role of roles) assert.ok(outranks({ role: keeper, central }, role), `${keeper} ${role}`);
});

test('a role that may invite drivers to sign in has every right of a driver', () => {
  for (const central of [usual, dayOnly])
    for (const inviter of roles.filter((role) => may({ role, central }, 'drivers')))
      assert.ok(outranks({ role: inviter, central }, 'driver'), inviter);
});

test('a role outranks itself, and no role with an additional right', () => {
  for (const role of roles) assert.ok(outranks({ role, central: usual }, role));
  assert.ok(!outranks({ role: 'finance', central: usual }, 'supervisor'));
  assert.ok(!outranks({ role: 'finance', central: usual }, 'attendant'));
  assert.ok(!outranks({ role: 'attendant', central: usual }, 'finance'));
  assert.ok(!outranks({ role: 'operator', central: dayOnly }, 'finance'));
  assert.ok(outranks({ role: 'operator', central: usual }, 'supervisor'));
});
