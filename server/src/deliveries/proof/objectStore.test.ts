import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { checkS3Signature, type S3Request } from '../../../../test/support/s3Signature.ts';
import { openObjectStore } from './objectStore.ts';

const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** AWS, "Signature calculations for the Authorization header: transferring a payload in a single chunk". */
const published: [name: string, target: string, headers: Record<string, string>, signature: string][] = [
  [
    'GET Object',
    '/test.txt',
    { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object',
    '/test$file.text',
    {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET Bucket Lifecycle',
    '/?lifecycle',
    { 'x-amz-content-sha256': EMPTY },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET Bucket (List Objects)',
    '/?max-keys=2&prefix=J',
    { 'x-amz-content-sha256': EMPTY },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];
const EXAMPLE_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';

function publishedRequest(method: string, target: string, own: Record<string, string>, signature: string) {
  const headers = { host: 'examplebucket.s3.amazonaws.com', 'x-amz-date': '20130524T000000Z', ...own };
  const authorization = [
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    `SignedHeaders=${Object.keys(headers).sort().join(';')}`,
    `Signature=${signature}`,
  ].join(', ');
  return { method, target, headers: { ...headers, authorization } };
}

for (const [name, target, headers, signature] of published)
  test(`the check of signatures agrees with the published example: ${name}`, () => {
    const request = publishedRequest(name.slice(0, 3), target, headers, signature);
    const accessKey = 'AKIAIOSFODNN7EXAMPLE';
    assert.deepEqual(checkS3Signature(request, EXAMPLE_SECRET), { accessKey, isGenuine: true });
    const changed: [string, S3Request, string][] = [
      ['another secret', request, 'another'],
      ['another path', { ...request, target: `/other${target}` }, EXAMPLE_SECRET],
      ['another method', { ...request, method: 'DELETE' }, EXAMPLE_SECRET],
      ['another day', withHeader(request, 'x-amz-date', '20130525T000000Z'), EXAMPLE_SECRET],
      ['another content', withHeader(request, 'x-amz-content-sha256', '0'), EXAMPLE_SECRET],
    ];
    for (const [what, each, secret] of changed)
      assert.equal(checkS3Signature(each, secret).isGenuine, false, what);
  });

const withHeader = (request: S3Request, name: string, value: string): S3Request => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});

test('a store that checks signatures finds those of every request genuine', async () => {
  const received: S3Request[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    received.push({ method: method!, target: url!, headers });
    response.end();
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const store = openObjectStore({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'provas',
    region: 'sa-east-1',
    accessKey: 'AKIDEXAMPLE',
    secretKey: EXAMPLE_SECRET,
  });
  await store.put('1/foto', Buffer.from('image'), 'image/png');
  await store.get("1/a b$(1)!*'ã.png");
  await store.remove('1/foto');
  assert.deepEqual(
    received.map((request) => [request.method, checkS3Signature(request, EXAMPLE_SECRET)]),
    ['PUT', 'GET', 'DELETE'].map((method) => [method, { accessKey: 'AKIDEXAMPLE', isGenuine: true }]),
  );
  for (const { headers } of received)
    assert.match(headers.authorization!, /\/\d{8}\/sa-east-1\/s3\/aws4_request,/);
});
