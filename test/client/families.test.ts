import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusedError } from '../../client/src/errors.ts';
import { type Family, familyOfKind } from '../../client/src/families.ts';
import {
  AuthenticationError,
  type ErrorKind,
  InvalidRequestError,
  LimitError,
  NotFoundError,
  PermissionError,
  RefusedError,
  StateError,
  UnavailableError,
} from '../../client/src/index.ts';
import { statusOf } from '../../server/src/api/http/errorHelp/families.ts';
import { failures } from '../../server/src/api/http/failures/failures.ts';

const classes: Record<Family, typeof RefusedError> = {
  authentication: AuthenticationError,
  permission: PermissionError,
  'not-found': NotFoundError,
  state: StateError,
  'invalid-input': InvalidRequestError,
  limit: LimitError,
  unavailable: UnavailableError,
};
const kinds = Object.keys(familyOfKind) as ErrorKind[];

const refused = (kind: ErrorKind | null, status: number, code = 0): RefusedError =>
  refusedError({
    operation: 'GET /',
    operationId: 'obterStatus',
    status,
    kind,
    problems: [{ code, message: 'x' }],
    requestId: null,
    retryAfterSeconds: 3,
  });

test('every kind is an error of the class of its family, and of no other', () => {
  assert.ok(kinds.length > 50);
  for (const kind of kinds) {
    const error = refused(kind, statusOf(kind), kind === 'invalid-input' ? 2 : failures[kind].code);
    const found = Object.entries(classes).filter(([, Kind]) => error instanceof Kind);
    const expected = [familyOfKind[kind], ...(statusOf(kind) === 429 ? ['unavailable'] : [])];
    assert.deepEqual(
      found.map(([family]) => family),
      expected,
      kind,
    );
    assert.ok(error instanceof RefusedError);
    assert.equal(error.kind, kind);
  }
});

test('a kind that the client does not know is classed by its status', () => {
  const later = 'a-kind-of-later' as ErrorKind;
  assert.ok(refused(later, 404) instanceof NotFoundError);
  assert.ok(refused(null, 403) instanceof PermissionError);
  assert.ok(refused(null, 429) instanceof LimitError);
  assert.ok(refused(null, 503) instanceof UnavailableError);
  assert.equal(refused(null, 502).constructor, RefusedError);
});

test('a limit says how long to wait, and waiting is not offered where it does not help', () => {
  const error = refused('rate-limited', 429);
  assert.ok(error instanceof LimitError && error instanceof UnavailableError);
  assert.equal(error.retryAfterSeconds, 3);
  assert.ok(!(refused('too-many-stops', 400) instanceof UnavailableError));
});

test('the kind is typed by the class', () => {
  const error = refused('company-manager-only', 403);
  assert.ok(error instanceof PermissionError);
  // @ts-expect-error: a want of permission is never a want of credit, so the comparison is a mistake.
  assert.ok(error.kind !== 'insufficient-balance');
});
