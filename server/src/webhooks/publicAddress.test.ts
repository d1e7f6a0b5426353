import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress } from './publicAddress.ts';

const notPublic = [
  ...[
    '0.0.0.0',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
  ],
  ...[
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
  ],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1'],
  ...['2002:7f00:1::', '2002:c0a8:101::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1'],
  ...['localhost', '127.1', '1.1.1.1.1', ''],
];
const known = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '200.160.2.3',
  '223.255.255.255',
];
const known6 = ['2001:4860:4860::8888', '2606:4700::1111', '2804:14d:1::1', '2a00:1450:4001::1'];

for (const address of notPublic)
  test(`"${address}" is no address of the public internet`, () =>
    assert.equal(isPublicAddress(address), false));

for (const address of [...known, ...known6])
  test(`${address} is an address of the public internet`, () => assert.equal(isPublicAddress(address), true));
