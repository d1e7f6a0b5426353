import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { basic } from '../support/client.ts';
import { testClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { type RecordedRequest, recordedRequests } from './requests.ts';

/**
 * What the service answered to more than a thousand requests before its interface grew. A request without new
 * parameters gets the same answer, byte for byte. `MALOTE_RECORD=yes` writes the answers again, after a change that is
 * meant to be seen. The generated types of the client show changes of the OpenAPI document.
 */
const folder = import.meta.dirname;
const isRecording = process.env.MALOTE_RECORD === 'yes';
const SHOWN_MAX = 8;

const malote = await startMalote({ clock: testClock() });

/** Values that are random, or that the computer's clock determines. */
const VARYING: [RegExp, string][] = [
  [/"(id|registro_id)":"\d{10,}"/g, '"$1":"0"'],
  [/"codigo_confirmacao":\d{4}\b/g, '"codigo_confirmacao":0'],
  [/"segredo":"[^"]+"/g, '"segredo":"*"'],
  [/\b\d+\.[0-9A-Z]{16}\b/g, '*'],
  [/(?=[\w-]*[A-Z\d])[A-Za-z0-9_-]{20,}(?![\w-]|":)/g, '*'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://service'],
];
const masked = (text: string): string =>
  VARYING.reduce((result, [pattern, shown]) => result.replace(pattern, shown), text);

async function answerTo({ sender, method, path, body }: RecordedRequest): Promise<string> {
  const response = await fetch(`${malote.url}/api/v2${path}`, {
    method,
    headers: {
      'api-key': sender === 'vizinha' ? 'demo-vizinha' : 'demo-chave',
      authorization: basic(sender, 'demo'),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const isText = /json|csv|text/.test(type) && !type.includes('event-stream');
  const shown = isText ? masked(await response.text()) : '';
  if (!isText) await response.body?.cancel();
  const kind = response.headers.get('x-error-kind');
  return `${sender} ${method} ${path} -> ${response.status} ${type}${kind ? ` ${kind}` : ''} ${shown}`;
}

function compare(file: string, lines: readonly string[]): void {
  const path = join(folder, file);
  if (isRecording) writeFileSync(path, `${lines.join('\n')}\n`);
  const recorded = readFileSync(path, 'utf8').trimEnd().split('\n');
  const differences = recorded.flatMap((line, index) =>
    line === lines[index] ? [] : [`- ${line}\n+ ${lines[index]}`],
  );
  assert.equal(lines.length, recorded.length, 'the number of lines');
  assert.equal(differences.length, 0, `\n${differences.slice(0, SHOWN_MAX).join('\n')}\n`);
}

test('the answers to the recorded requests are the recorded ones', async () => {
  const lines: string[] = [];
  for (const request of recordedRequests) {
    lines.push((await answerTo(request)).replaceAll(/\r?\n/g, '\\n'));
    malote.clock.advance({ seconds: 1 });
  }
  compare('answers.txt', lines);
});
