import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPublicAddress, type UrlFault, urlFault } from './publicAddress.ts';

const faults: [url: string, fault: UrlFault | null][] = [
  ['https://erp.example.com/malote', null],
  ['https://erp.example.com:8443/malote?chave=1', null],
  ['https://200.160.2.3/malote', null],
  ['https://[2804:14d:1::1]/malote', null],
  ['https://münchen.example.de/', null],
  ['', 'malformed'],
  ['erp.example.com/malote', 'malformed'],
  ['//erp.example.com', 'malformed'],
  ['ftp://erp.example.com', 'malformed'],
  ['file:///etc/passwd', 'malformed'],
  ['javascript:alert(1)', 'malformed'],
  ['https://', 'malformed'],
  ['https://erp.example.com:99999', 'malformed'],
  ['https://user:secret@erp.example.com', 'credentials'],
  ['https://user@erp.example.com', 'credentials'],
  ['https://8.8.8.8@127.0.0.1/', 'credentials'],
  ['http://erp.example.com', 'not-https'],
  ['https://localhost/', 'private'],
  ['https://LOCALHOST./', 'private'],
  ['https://app.localhost/', 'private'],
  ['https://postgres/', 'private'],
  ['https://metadata.google.internal/', 'private'],
  ['https://printer.local/', 'private'],
  ['https://127.0.0.1/', 'private'],
  ['https://127.1/', 'private'],
  ['https://2130706433/', 'private'],
  ['https://0x7f000001/', 'private'],
  ['https://0177.0.0.1/', 'private'],
  ['https://169.254.169.254/latest/meta-data', 'private'],
  ['https://10.1.2.3/', 'private'],
  ['https://[::1]/', 'private'],
  ['https://[::ffff:127.0.0.1]/', 'private'],
  ['https://[::ffff:0:127.0.0.1]/', 'private'],
  ['https://[fd00::1]/', 'private'],
];

for (const [url, fault] of faults)
  test(`${url || 'nothing at all'} is ${fault ?? 'fine'}`, () => assert.equal(urlFault(url, false), fault));

test('the demonstration may call this machine, but not with credentials or other protocols', () => {
  assert.equal(urlFault('http://localhost:4000/eventos', true), null);
  assert.equal(urlFault('http://192.168.0.10/', true), null);
  assert.equal(urlFault('http://user:secret@localhost/', true), 'credentials');
  assert.equal(urlFault('ftp://localhost/', true), 'malformed');
});

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
