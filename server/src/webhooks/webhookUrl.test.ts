import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type UrlFault, urlFault } from './webhookUrl.ts';

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
