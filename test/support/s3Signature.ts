import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface S3Request {
  method: string;
  /** As in the first line of the request: path and query. */
  target: string;
  /** With names in lower case. */
  headers: IncomingHttpHeaders;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** As a store checks it: the access key of a request, and whether its signature of version 4 was made with the secret. */
export function checkS3Signature(
  request: S3Request,
  secretKey: string,
): { accessKey: string; isGenuine: boolean } {
  const [, accessKey, scope, signedHeaders, signature] =
    AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
  if (!accessKey || !scope || !signedHeaders?.split(';').includes('host'))
    return { accessKey: '', isGenuine: false };
  const toSign = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonicalRequest(request, signedHeaders)).digest('hex'),
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`);
  return { accessKey, isGenuine: hmac(key, toSign).toString('hex') === signature };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

function canonicalRequest({ method, target, headers }: S3Request, signedHeaders: string): string {
  const [path = '', query = ''] = target.split('?');
  return [
    method,
    path.split('/').map(encoded).join('/'),
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return `${encoded(name)}=${encoded(value)}`;
      })
      .sort()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signedHeaders,
    headers['x-amz-content-sha256'],
  ].join('\n');
}

/** Everything but letters, digits and - . _ ~ is encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(decodeURIComponent(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
