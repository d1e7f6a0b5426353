import type { OpenApiDocument, Operation } from '../server/src/api/http/openapi.ts';
import { INTEGRATION_BASE } from '../server/src/api/integration/endpoints.ts';
import {
  comment,
  commonFields,
  declareShared,
  pascal,
  type Schema,
  sharedTypes,
  typeOf,
} from './schemaTypes.ts';

export const NOTICE = '// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.';

/** The base type of `data` for all events of a kind, by the prefix of their type. */
const EVENT_BASES = { 'entrega.': 'DadosDeEntrega', 'programada.': 'DadosDeProgramada' };

/** The types of webhook bodies. */
export function eventsSource(document: OpenApiDocument): string {
  const bodies = Object.values(document.webhooks).map(({ post }) => {
    const schema = post.requestBody.content['application/json'].schema as Schema;
    return { summary: post.summary, schema, type: String(schema.properties?.type?.const) };
  });
  const bases = Object.entries(EVENT_BASES).map(([prefix, name]) => {
    const data = bodies
      .filter(({ type }) => type.startsWith(prefix))
      .map(({ schema }) => schema.properties!.data!)
      // Positions carry no number and few fields.
      .filter(({ properties = {} }) => properties.sequencia?.type === 'integer');
    return { name, schema: commonFields(data) };
  });
  const inner = bodies.flatMap(({ schema, type }) =>
    Object.entries(schema.properties!.data!.properties!).map(([field, each]) => ({
      name: innerName(type, field),
      schema: each,
    })),
  );
  const { named, declarations } = declareShared(sharedTypes(inner), namesOf(bases));
  const events = bodies.map(({ summary, schema, type }) => {
    const name = pascal(type);
    const data = typeOf(schema.properties!.data!, named);
    return { name, source: `/** ${summary}. */\nexport type ${name} = Evento<'${type}', ${data}>;` };
  });
  return [
    NOTICE,
    `/** What every webhook has. */
export interface Evento<Tipo extends string, Dados> {
  type: Tipo;
  ${comment(bodies[0]!.schema.properties!.timestamp!)}timestamp: string;
  data: Dados;
  ${comment(bodies[0]!.schema.properties!.test!)}test?: true;
}`,
    ...declarations,
    ...bases.map(({ name, schema }) => declare(name, schema, named)),
    ...events.map(({ source }) => source),
    `/** The body of any webhook; \`type\` says which. */
export type WebhookEvent = ${events.map(({ name }) => name).join(' | ')};`,
    '',
  ]
    .map(onOneLine)
    .join('\n\n');
}

/** The stop of an event has different fields in different events, so its type is named after the event. */
function innerName(type: string, field: string): string {
  if (field === 'paradas') return pascal(`parada ${type.split('.')[0]}`);
  if (field === 'parada' && type.endsWith('removida')) return 'ParadaRemovida';
  return pascal(field.replace(/s$/, ''));
}

/** Objects of up to three fields without descriptions take one line. */
const onOneLine = (source: string): string =>
  source.replace(
    /\{\n((?:\w+\??: [^\n{}]{1,40};\n){1,3})\}/g,
    (_, fields: string) => `{ ${fields.replaceAll('\n', ' ')}}`,
  );

/** Answers that several operations share are named by one of these operations. */
const NOUNS = { obterEntrega: 'Entrega', obterProgramada: 'Programada', obterWebhook: 'Webhook' };

/** The common fields of several operations' answers. */
const ANSWER_BASES = { DadosDaEntrega: ['obterEntrega', 'obterDetalhesEntrega'] };

interface Named {
  name: string;
  schema: Schema;
}

const namesOf = (types: readonly Named[]): Map<string, string> =>
  new Map(types.map(({ name, schema }) => [JSON.stringify(schema), name]));

/** A declaration of a named type, which does not refer to itself by name. */
function declare(name: string, schema: Schema, named: ReadonlyMap<string, string>): string {
  const others = new Map([...named].filter(([, other]) => other !== name));
  return `export type ${name} = ${typeOf(schema, others)};`;
}

/** The types of bodies and queries. */
export const requestsSource = (document: OpenApiDocument): string =>
  [NOTICE, ...clientOperationsOf(document).flatMap(({ operation }) => requestTypes(operation)), ''].join(
    '\n\n',
  );

function requestTypes(operation: Operation): string[] {
  const Name = typeName(operation);
  const body = bodyOf(operation);
  const query = queryOf(operation);
  return [
    ...(body ? [`export type ${Name}Corpo = ${typeOf(body)};`] : []),
    ...(query.length > 0 ? [`export type ${Name}Consulta = ${typeOf(querySchema(query))};`] : []),
  ];
}

/** The types of answers and, separately, those of their named parts. */
export function answersSource(document: OpenApiDocument): { parts: string; answers: string } {
  const operations = clientOperationsOf(document);
  const answerOf = (id: string): Schema =>
    resultOf(operations.find(({ operation }) => operation.operationId === id)!.operation).schema;
  const nouns = Object.entries(NOUNS).map(([id, name]) => ({ name, schema: answerOf(id) }));
  const bases = Object.entries(ANSWER_BASES).map(([name, ids]) => ({
    name,
    schema: commonFields(ids.map(answerOf)),
  }));
  const inner = [
    { name: 'ParadaDaEntrega', schema: answerOf('obterEntrega').properties!.paradas!.items! },
    { name: 'LugarDoRecibo', schema: answerOf('obterRecibo').properties!.partida! },
    { name: 'TipoDeEvento', schema: answerOf('listarEnvios').items!.properties!.tipo! },
    { name: 'TipoAssinado', schema: answerOf('obterWebhook').properties!.tipos!.items! },
  ];
  const known = namesOf([...nouns, ...bases, ...inner]);
  const namedAnswers = operations.map(({ operation }) => ({
    name: `${typeName(operation).replace(/^Obter|^Listar/, '')}Dados`,
    schema: resultOf(operation).schema,
  }));
  const shared = [...sharedTypes(namedAnswers)].filter(([, schema]) => !known.has(JSON.stringify(schema)));
  const { named, declarations } = declareShared(new Map(shared), known);
  const answers = operations.map(
    ({ operation }) =>
      `export type ${typeName(operation)}Resposta = ${typeOf(resultOf(operation).schema, named)};`,
  );
  const used = [...named.values()].filter((name) => new RegExp(`\\b${name}\\b`).test(answers.join()));
  return {
    parts: typesSource([
      ...declarations,
      ...[...inner, ...bases, ...nouns].map(({ name, schema }) => declare(name, schema, named)),
    ]),
    answers: typesSource([`import type { ${used.sort().join(', ')} } from './answerParts.ts';`, ...answers]),
  };
}

const typesSource = (declarations: readonly string[]): string =>
  [NOTICE, ...declarations, '']
    .map(onOneLine)
    .join('\n\n')
    .replace(/(?<=\nexport type [^\n]+;)\n\n(?=export type [^\n]+;\n)/g, '\n');

/** The methods of the typed client. */
export function operationsSource(document: OpenApiDocument): string {
  return [
    NOTICE,
    `import type * as Answers from './answers.ts';
import type { CallOptions, Id, Request } from './request.ts';
import type * as Requests from './requests.ts';`,
    '/** One method for each operation of the integration interface; `send` carries the request. */',
    'export abstract class Operations {',
    'protected abstract send<Answer>(request: Request, options?: CallOptions): Promise<Answer>;',
    ...clientOperationsOf(document).map(methodOf),
    '}',
    '',
  ].join('\n\n');
}

export interface ListedOperation {
  path: string;
  method: string;
  operation: Operation;
}

export const operationsOf = ({ paths }: OpenApiDocument): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

const isTextIn = ({ parameters }: Operation, id: string): boolean =>
  parameters.some(({ name, schema }) => name === id && (schema as { type?: string }).type === 'string');

/** Those with a method of the client: a live stream is followed otherwise. */
const clientOperationsOf = (document: OpenApiDocument): ListedOperation[] =>
  operationsOf(document).filter(
    ({ operation }) => !('text/event-stream' in operation.responses['200']!.content!),
  );

function methodOf({ path, method, operation }: ListedOperation): string {
  const name = operation.operationId;
  const taken = `Requests.${typeName(operation)}`;
  const answer = `Answers.${typeName(operation)}Resposta`;
  const body = bodyOf(operation);
  const query = queryOf(operation);
  const { isData } = resultOf(operation);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!);
  const needsBody = operation.requestBody?.required;
  const needsQuery = query.some(({ required }) => required);
  const parameters = [
    ...ids.map((id) => `${camel(id)}: ${isTextIn(operation, id) ? 'string' : 'Id'}`),
    ...(body ? [`corpo: ${taken}Corpo${needsBody ? '' : ' = {}'}`] : []),
    ...(query.length > 0 ? [`consulta: ${taken}Consulta${needsQuery ? '' : ' = {}'}`] : []),
    'opcoes?: CallOptions',
  ];
  const request = [
    `operationId: '${name}'`,
    `method: '${method}'`,
    `path: \`${path.slice(INTEGRATION_BASE.length).replace(/\{(\w+)\}/g, (_, id: string) => `\${encodeURIComponent(${camel(id)})}`)}\``,
    ...(body ? ['body: corpo'] : []),
    ...(query.length > 0 ? ['query: consulta'] : []),
    ...(isData ? [] : ['isWhole: true']),
    ...(operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key')
      ? []
      : ['isRead: true']),
  ];
  const section = operation.description?.toString().match(/Seção (\d+\.\d+) do contrato/)?.[1];
  const title = `${operation.summary}${section ? ` (contrato ${section})` : ''}.`;
  return `${documented(title, operation['x-deprecation'])}
async ${name}(${parameters.join(', ')}): Promise<${answer}> {
  return this.send({ ${request.join(', ')} }, opcoes);
}`;
}

const documented = (title: string, deprecation: Operation['x-deprecation']): string =>
  deprecation
    ? `/**\n * ${title}\n * @deprecated since ${deprecation.since}, may end on ${deprecation.sunset}; use ${deprecation.instead}\n */`
    : `/** ${title} */`;

const typeName = ({ operationId }: Operation): string => operationId[0]!.toUpperCase() + operationId.slice(1);

export const bodyOf = ({ requestBody }: Operation): Schema | undefined =>
  requestBody?.content['application/json']?.schema as Schema | undefined;

export const queryOf = ({ parameters }: Operation): Operation['parameters'] =>
  parameters.filter((parameter) => parameter.in === 'query');

export const resultOf = ({ responses }: Operation): { schema: Schema; isData: boolean } =>
  withoutEnvelope(Object.values(responses['200']!.content!)[0]!.schema as Schema);

/** An answer that always has only `data` beside `success` is returned to the caller as that data. */
function withoutEnvelope(answer: Schema): { schema: Schema; isData: boolean } {
  const { success: _, ...properties } = answer.properties ?? {};
  const required = (answer.required ?? []).filter((name) => name !== 'success');
  if (required.join() === 'data') return { schema: properties.data!, isData: true };
  return { schema: { ...answer, properties, required }, isData: false };
}

export const querySchema = (query: Operation['parameters']): Schema => ({
  type: 'object',
  properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema as Schema])),
  required: query.filter(({ required }) => required).map(({ name }) => name),
});

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
