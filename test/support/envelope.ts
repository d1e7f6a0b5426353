import assert from 'node:assert/strict';
import type { Json } from './client.ts';

interface AnyAnswer {
  status: number;
  body: Json;
  text: string;
}

/** The codes for a stop that cannot be removed from a delivery: the last stop, a wrong status, not found. */
const statusOfCode: Readonly<Record<number, number>> = { 33: 409, 135: 406, 136: 404 };

/** Asserts that the answer is a failure in the envelope of contract 7.1 and holds nothing else. */
export function assertFailure(answer: AnyAnswer, status: number, code?: number): void {
  assert.equal(answer.status, status, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['success', 'errors'], answer.text);
  assert.equal(answer.body.success, false);
  assert.ok(answer.body.errors.length > 0);
  for (const entry of answer.body.errors) {
    // The operator's interface adds the kind.
    assert.deepEqual(
      Object.keys(entry).filter((key) => key !== 'kind'),
      ['code', 'message'],
    );
    assert.ok([0, 2].includes(entry.code) || statusOfCode[entry.code] === status, answer.text);
    if (code !== undefined) assert.equal(entry.code, code, answer.text);
    assert.equal(typeof entry.message, 'string');
    assert.notEqual(entry.message, '');
  }
}

/** The fields that an answer rejects, sorted, without duplicates. */
export function complainedFields(answer: AnyAnswer): string[] {
  assertFailure(answer, 400, 2);
  const fields = answer.body.errors.map(({ message }: { message: string }) => {
    const [, field] = /^'([^']+)': .+$/s.exec(message) ?? [];
    assert.ok(field, `"${message}" does not have the form 'campo': …`);
    return field;
  });
  assert.equal(new Set(fields).size, fields.length, `one entry per field: ${answer.text}`);
  return fields.sort();
}
