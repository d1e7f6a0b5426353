import { INTEGRATION_BASE } from '../server/src/contract/routes.ts';
import type { OpenApiDocument, Operation } from '../server/src/http/openapi.ts';
import { type Schema, typeOf } from './schemaTypes.ts';

const NOTICE = '// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.';

/** They ask and change nothing, so a repeated one needs no key. */
const READS_BY_POST = ['consultarEntregas', 'estimarEntrega'];

/** What webhooks carry, as TypeScript. */
export function eventsSource(document: OpenApiDocument): string {
  const events = Object.values(document.webhooks).map(({ post }) => {
    const schema = post.requestBody.content['application/json'].schema as Schema;
    const name = pascal(String(schema.properties?.type?.const));
    return { name, source: `/** ${post.summary}. */\nexport type ${name} = ${typeOf(schema)};` };
  });
  return [
    NOTICE,
    ...events.map(({ source }) => source),
    `/** Whatever a webhook may bring; \`type\` tells which. */
export type WebhookEvent = ${events.map(({ name }) => name).join(' | ')};`,
    '',
  ].join('\n\n');
}

/** entrega.parada_concluida: EntregaParadaConcluida */
const pascal = (name: string): string =>
  name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The typed client's methods and types, as TypeScript. */
export function clientSource(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => told(path, method.toUpperCase(), operation)),
  );
  return [
    NOTICE,
    "import type { CallOptions, Id, Request } from './request.ts';",
    ...operations.map(({ types }) => types),
    '/** One method for each operation of the integration interface; how it is sent is decided elsewhere. */',
    'export abstract class Operations {',
    'protected abstract send(request: Request, options?: CallOptions): Promise<unknown>;',
    ...operations.map(({ method }) => method),
    '}',
    '',
  ].join('\n\n');
}

function told(path: string, method: string, operation: Operation): { types: string; method: string } {
  const name = operation.operationId;
  const Name = name[0]!.toUpperCase() + name.slice(1);
  const body = operation.requestBody?.content['application/json']?.schema as Schema | undefined;
  const query = operation.parameters.filter((one) => one.in === 'query');
  const answer = Object.values(operation.responses['200']!.content!)[0]!.schema as Schema;
  const { schema: result, isData } = withoutEnvelope(answer);

  const types = [
    body && `export type ${Name}Corpo = ${typeOf(body)};`,
    query.length > 0 && `export type ${Name}Consulta = ${typeOf(querySchema(query))};`,
    `export type ${Name}Resposta = ${typeOf(result)};`,
  ].filter(Boolean);

  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => camel(id!));
  const needsBody = operation.requestBody?.required;
  const needsQuery = query.some(({ required }) => required);
  const parameters = [
    ...ids.map((id) => `${id}: Id`),
    ...(body ? [`corpo: ${Name}Corpo${needsBody ? '' : ' = {}'}`] : []),
    ...(query.length > 0 ? [`consulta: ${Name}Consulta${needsQuery ? '' : ' = {}'}`] : []),
    'opcoes?: CallOptions',
  ];
  const request = [
    `method: '${method}'`,
    `path: \`${path.slice(INTEGRATION_BASE.length).replace(/\{(\w+)\}/g, (_, id: string) => `\${encodeURIComponent(${camel(id)})}`)}\``,
    ...(body ? ['body: corpo'] : []),
    ...(query.length > 0 ? ['query: consulta'] : []),
    ...(isData ? ['isData: true'] : []),
    ...(method === 'GET' || READS_BY_POST.includes(name) ? ['isRead: true'] : []),
  ];
  const section = operation.description?.toString().match(/Seção (\d+\.\d+) do contrato/)?.[1];
  return {
    types: types.join('\n\n'),
    method: `/** ${operation.summary}${section ? ` (contrato ${section})` : ''}. */
async ${name}(${parameters.join(', ')}): Promise<${Name}Resposta> {
  return (await this.send({ ${request.join(', ')} }, opcoes)) as ${Name}Resposta;
}`,
  };
}

/** Where an answer is nothing but its data, that is what a caller gets. */
function withoutEnvelope(answer: Schema): { schema: Schema; isData: boolean } {
  const { success: _, ...properties } = answer.properties ?? {};
  if (Object.keys(properties).join() === 'data') return { schema: properties.data!, isData: true };
  const required = (answer.required ?? []).filter((name) => name !== 'success');
  return { schema: { ...answer, properties, required }, isData: false };
}

const querySchema = (query: Operation['parameters']): Schema => ({
  type: 'object',
  properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema as Schema])),
  required: query.filter(({ required }) => required).map(({ name }) => name),
});

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
