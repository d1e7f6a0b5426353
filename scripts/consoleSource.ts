import type { OpenApiDocument } from '../server/src/api/http/openapi.ts';
import { INTEGRATION_BASE } from '../server/src/api/integration/endpoints.ts';
import { OPERATION_BASE } from '../server/src/api/operations/endpoints.ts';
import { permissions } from '../server/src/centrals/permissions.ts';
import {
  bodyOf,
  type ListedOperation,
  NOTICE,
  operationsOf,
  queryOf,
  querySchema,
  resultOf,
} from './clientSource.ts';
import { declareShared, type NamedTypes, pascal, type Schema, sharedTypes, typeOf } from './schemaTypes.ts';

/** Free JSON, such as the coordinates of GeoJSON, is checked where it is used. */
const NAMED = new Map([['{}', 'unknown']]);

const APIS = { integracao: INTEGRATION_BASE, operacao: OPERATION_BASE };

/** The types of both interfaces for the console: the request and the answer of each operation, by method and path. */
export function consoleSource(document: OpenApiDocument): string {
  const operations = operationsOf(document);
  const { named, declarations } = declareShared(sharedTypes(operations.flatMap(schemasOf)), NAMED);
  const schemas = (document.components as { schemas: Record<string, Schema> }).schemas;
  return [
    NOTICE,
    `/** The stable names of failures, as the header X-Error-Kind has them. */
export type ErrorKind = ${typeOf(schemas.TipoDeFalha!)} | 'offline';`,
    `/** What a login may do, as the session lists it. */
export type Permission = ${permissions.map((each) => `'${each}'`).join(' | ')};`,
    ...declarations.map((declaration) => declaration.replace('export ', '')),
    '/** By interface, then by method and path. */\nexport interface Apis {',
    ...Object.entries(APIS).map(
      ([name, base]) =>
        `${name}: {\n${operations
          .filter(({ path }) => path.startsWith(`${base}/`))
          .map((each) => typeOfOperation(each, base, named))
          .join('\n')}\n};`,
    ),
    '}',
    `/** Operations that are sent by POST and change nothing, so that they need no Idempotency-Key. */
export const questions: readonly string[] = ${JSON.stringify(operations.filter(isQuestion).map(({ method, path }) => `${method} ${path}`))};`,
    '',
  ].join('\n\n');
}

/** Named after the path's subject: /empresas/{id} is Empresas. */
function schemasOf({ path, operation }: ListedOperation): { name: string; schema: Schema }[] {
  const name = pascal(path.split('/').findLast((segment) => /^[a-z]/.test(segment))!);
  const body = bodyOf(operation);
  return [
    ...(body ? [{ name: `${name}Corpo`, schema: body }] : []),
    { name, schema: resultOf(operation).schema },
  ];
}

function typeOfOperation(
  { path, method, operation }: ListedOperation,
  base: string,
  named: NamedTypes,
): string {
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${id}: number | string;`);
  const query = queryOf(operation);
  const body = bodyOf(operation);
  const given = [
    ...ids,
    ...(query.length > 0
      ? [`query${query.some(({ required }) => required) ? '' : '?'}: ${typeOf(querySchema(query), named)};`]
      : []),
    ...(body ? [`body${operation.requestBody!.required ? '' : '?'}: ${typeOf(body, named)};`] : []),
  ];
  return `/** ${operation.summary}. */
'${method} ${path.slice(base.length)}': {
  given: ${given.length > 0 ? `{ ${given.join('\n')} }` : 'Record<never, never>'};
  answer: ${typeOf(resultOf(operation).schema, named)};
};`;
}

const isQuestion = ({ method, operation }: ListedOperation): boolean =>
  method === 'POST' && !operation.parameters.some(({ name }) => name === 'Idempotency-Key');
