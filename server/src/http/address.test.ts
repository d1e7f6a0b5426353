import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './readRequest.ts';

const same: [string, string][] = [
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::99', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'unknown'],
  ['', 'unknown'],
  ['9'.repeat(10_000), 'unknown'],
];

for (const [ip, network] of same)
  test(`${ip.slice(0, 40) || 'nothing'} counts as ${network}`, () => assert.equal(networkOf(ip), network));
