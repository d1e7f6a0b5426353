import type { ErrorKind } from '../server/src/api/http/envelope.ts';
import { families, familyOf } from '../server/src/api/http/errorHelp/families.ts';
import type { OpenApiDocument, Operation } from '../server/src/api/http/openapi.ts';
import { NOTICE, operationsOf } from './clientSource.ts';

interface Answer {
  $ref?: string;
  content?: Record<string, { examples?: Record<string, unknown> }>;
}

/** Refusals that no operation names, because no operation was reached. */
const OF_NO_OPERATION = ['route-not-found', 'method-not-allowed'];

/** The kinds of refusal of an operation: the names of the examples of its failures. */
function kindsOf(document: OpenApiDocument, { responses }: Operation): string[] {
  const shared = document.components as { responses: Record<string, Answer> };
  const named = Object.values(responses as Record<string, Answer>)
    .map((answer) => (answer.$ref ? shared.responses[answer.$ref.split('/').at(-1)!]! : answer))
    .flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {}));
  return [...new Set(named)];
}

/** All kinds that the client may receive. */
const allKinds = (document: OpenApiDocument): string[] => [
  ...new Set([
    ...operationsOf(document).flatMap(({ operation }) => kindsOf(document, operation)),
    ...OF_NO_OPERATION,
  ]),
];

/** The kinds of each operation. */
export function refusalsSource(document: OpenApiDocument): string {
  const refusals = operationsOf(document).map(({ operation }) => ({
    id: operation.operationId,
    isWrite: operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
    kinds: kindsOf(document, operation),
  }));
  const ofAll = sharedBy(refusals.map(({ kinds }) => kinds));
  const ofWrites = sharedBy(refusals.filter(({ isWrite }) => isWrite).map(({ kinds }) => kinds)).filter(
    (kind) => !ofAll.includes(kind),
  );
  const own = refusals.map(({ id, isWrite, kinds }) => {
    const named = [...ofAll, ...(isWrite ? ofWrites : [])];
    const groups = isWrite ? ['CommonRefusal', 'WriteRefusal'] : ['CommonRefusal'];
    return `  ${id}: ${[...groups, ...quoted(kinds.filter((kind) => !named.includes(kind)))].join(' | ')};`;
  });
  return `${NOTICE}

/** The refusals that every operation can give. */
export type CommonRefusal = ${quoted(ofAll).join(' | ')};

/** The refusals that every write can give as well. */
export type WriteRefusal = ${quoted(ofWrites).join(' | ')};

/** The refusals of each operation, by the name of the client's method. */
export interface Refusals {
${own.join('\n')}
}

/** The stable names of all refusals, as the header \`X-Error-Kind\` has them. */
export type ErrorKind = Refusals[keyof Refusals] | ${quoted(OF_NO_OPERATION).join(' | ')};
`;
}

/** The kinds of each family, from the service's table. */
export function familiesSource(document: OpenApiDocument): string {
  const kinds = allKinds(document) as ErrorKind[];
  const types = families.map(
    (family) => `  '${family}': ${quoted(kinds.filter((kind) => familyOf(kind) === family)).join(' | ')};`,
  );
  const rows = kinds.map((kind) => `  '${kind}': '${familyOf(kind)}',`);
  return `${NOTICE}

import type { ErrorKind } from './refusals.ts';

/** The kinds of refusal of each family. */
export interface FamilyKinds {
${types.join('\n')}
}

/** What a program can do about a refusal. */
export type Family = keyof FamilyKinds;

export const familyOfKind: Readonly<Record<ErrorKind, Family>> = {
${rows.join('\n')}
};
`;
}

const quoted = (kinds: readonly string[]): string[] => kinds.map((kind) => `'${kind}'`);

const sharedBy = ([first = [], ...others]: readonly string[][]): string[] =>
  first.filter((kind) => others.every((kinds) => kinds.includes(kind)));
