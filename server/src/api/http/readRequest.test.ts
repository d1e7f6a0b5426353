import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './networks.ts';
import { requestId } from './readRequest.ts';

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

const idFor = (given: string | undefined) => requestId({ headers: { 'x-request-id': given } });

for (const given of ['0123456789abcdef', '4bf92f3577b34da6a3ce929d0e0e4736', 'job-77.step_3-attempt_1'])
  test(`a caller's own id ${given} is taken over`, () => assert.equal(idFor(given), given));

const refused = [
  undefined,
  '',
  '52998224725',
  '11222333000181',
  'a'.repeat(65),
  'with spaces in its middle',
  'line\nbreak-0123456789',
  '"><script>alert(1)</script>',
  '-starts-with-a-dash',
];
for (const given of refused)
  test(`${JSON.stringify(given)} is replaced by an id of our own`, () =>
    assert.match(idFor(given), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/));

test('no two ids of our own are the same', () => assert.notEqual(idFor(undefined), idFor(undefined)));
