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

test('operators who run the day only lose tariffs, users, keys, settings, webhooks, closings and balances', () => {
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

test('a read-only login may do nothing but read', () => {
  assert.deepEqual(permissionsOf({ role: 'viewer', central: usual }), [
    'watch',
    'proof-read',
    'internals',
    'registers-read',
    'webhooks-read',
    'balance',
    'wallet-read',
    'earnings-read',
    'reports',
    'closings-read',
  ]);
});

test('whoever may keep users has every right that could be given', () => {
  for (const central of [usual, dayOnly])
    for (const keeper of roles.filter((role) => may({ role, central }, 'users')))
      for (const role of roles) assert.ok(outranks({ role: keeper, central }, role), `${keeper} ${role}`);
});

test('whoever may invite drivers to sign in has every right of a driver', () => {
  for (const central of [usual, dayOnly])
    for (const inviter of roles.filter((role) => may({ role, central }, 'drivers')))
      assert.ok(outranks({ role: inviter, central }, 'driver'), inviter);
});

test('a role outranks itself and none that has a right more', () => {
  for (const role of roles) assert.ok(outranks({ role, central: usual }, role));
  assert.ok(!outranks({ role: 'finance', central: usual }, 'supervisor'));
  assert.ok(!outranks({ role: 'finance', central: usual }, 'attendant'));
  assert.ok(!outranks({ role: 'attendant', central: usual }, 'finance'));
  assert.ok(!outranks({ role: 'operator', central: dayOnly }, 'finance'));
  assert.ok(outranks({ role: 'operator', central: usual }, 'supervisor'));
});
