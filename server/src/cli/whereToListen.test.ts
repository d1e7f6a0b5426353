import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whereToListen } from './whereToListen.ts';

const settings = { host: undefined, demoExposed: false, trustProxy: undefined };

test('without logins of the demonstration it listens everywhere, or on the configured host', () => {
  assert.deepEqual(whereToListen(settings, false), {
    host: '0.0.0.0',
    isPrivate: false,
    warning: undefined,
  });
  assert.equal(whereToListen({ ...settings, host: '10.0.0.7' }, false).host, '10.0.0.7');
});

test('a loopback address alone does not open private addresses to webhooks: a proxy may stand in front', () => {
  assert.equal(whereToListen({ ...settings, host: '127.0.0.1' }, false).isPrivate, false);
  assert.equal(whereToListen({ ...settings, trustProxy: ['loopback'] }, true).isPrivate, false);
});

for (const host of [undefined, 'localhost', '127.0.0.1', '127.8.8.8', '::1'])
  test(`with logins of the demonstration and HOST ${host} it serves this machine, and says so`, () => {
    const { warning, ...where } = whereToListen({ ...settings, host }, true);
    assert.deepEqual(where, { host: host ?? 'localhost', isPrivate: true });
    assert.match(warning ?? '', /public keys or passwords .* "malote demo remove"/);
  });

for (const host of [
  '0.0.0.0',
  '::',
  '192.168.0.10',
  'malote.example.com',
  '::ffff:10.0.0.1',
  'localhost.example.com',
]) {
  test(`with logins of the demonstration, HOST=${host} alone is not followed`, () => {
    const { warning, ...where } = whereToListen({ ...settings, host }, true);
    assert.deepEqual(where, { host: 'localhost', isPrivate: true });
    assert.match(warning ?? '', /is not followed.* MALOTE_DEMO_EXPOSED=yes/);
  });

  test(`with logins of the demonstration, HOST=${host} is followed with the second setting`, () => {
    const { warning, ...where } = whereToListen({ ...settings, host, demoExposed: true }, true);
    assert.deepEqual(where, { host, isPrivate: false });
    assert.match(warning ?? '', /everybody who reaches/);
  });
}

test('the permission to expose the demonstration alone opens nothing', () => {
  assert.equal(whereToListen({ ...settings, demoExposed: true }, true).host, 'localhost');
});
