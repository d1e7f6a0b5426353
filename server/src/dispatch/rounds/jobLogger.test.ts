import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { safeSerializers } from '../../api/http/safeLog.ts';
import { jobLogger } from './jobs.ts';

test('the message of a job’s error is not logged, but its kind, its place and its task are', () => {
  const lines: string[] = [];
  const log = pino(
    { serializers: safeSerializers, level: 'debug' },
    { write: (line) => void lines.push(line) },
  );
  const logger = jobLogger(log);
  const error = Object.assign(new Error('cannot store Filomena Quaresma'), { code: 'P0001' });
  const message = `Failed task 7 (removePersonalData, 1.00ms, attempt 1 of 25) with error 'cannot store Filomena Quaresma'\n  at Filomena`;
  logger.error(message, { failure: true, job: { task_identifier: 'removePersonalData' }, error });
  logger.error(message);
  logger.warn(message);
  logger.debug(message);
  assert.equal(lines.length, 4);
  for (const line of lines) assert.doesNotMatch(line, /Filomena|Quaresma/);
  const [first, second] = lines.map((line) => JSON.parse(line));
  assert.equal(first.task, 'removePersonalData');
  assert.equal(first.err.code, 'P0001');
  assert.match(first.err.stack, /jobLogger\.test\.ts/);
  assert.match(second.msg, /^Failed task 7 \(removePersonalData/);
});
