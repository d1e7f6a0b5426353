import type { TSchema } from 'typebox';
import { settingsDefaults } from '../../centrals/central.ts';
import { grantOf, type Permission, rolesWith } from '../../centrals/permissions.ts';
import { betweenPieces } from '../../platform/kernel/inSlices.ts';
import type { Api, WebhookText } from './api.ts';
import { sizeInWords } from './arrivingBodies.ts';
import { type Deprecation, deprecationHeaderTexts, describeDeprecation } from './deprecation.ts';
import { type Endpoint, keepsKeys } from './endpoint.ts';
import {
  failureResponses,
  failureSchemas,
  INTRODUCTION,
  replayableHeaders,
  responseHeaders,
  roleNames,
  sharedHeaders,
  sharedResponses,
  TAG_ORDER,
} from './openapiFailures.ts';
import { limitOf } from './rateLimits.ts';
import { type CodeSample, codeSamples } from './samples/codeSamples.ts';

export const INTERFACE_VERSION = '2.0.0';

/** The parts of an OpenAPI 3.1 document that this service uses. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: ReturnType<typeof describeWebhooks>;
  [part: string]: unknown;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  deprecated?: boolean;
  'x-deprecation'?: Deprecation;
  'x-codeSamples'?: CodeSample[];
  parameters: { name: string; in: string; required: boolean; schema: unknown; example?: unknown }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { $ref?: string; description?: string; headers?: unknown; content?: Content }>;
  [part: string]: unknown;
}

interface Content {
  [type: string]: { schema: unknown; example?: unknown; examples?: Record<string, { value: unknown }> };
}

/** Generated from the tables and schemas that check requests, so the document and the service agree. */
export async function describeApis(
  apis: readonly Api[],
  publicUrl: string | undefined,
): Promise<OpenApiDocument> {
  const tagsOf = (api: Api) => sortedTags(api.endpoints.map(({ tag }) => tag));
  const paths: OpenApiDocument['paths'] = {};
  for (const api of apis)
    for (const endpoint of api.endpoints) {
      await betweenPieces();
      const path = api.base + endpoint.path.replace(/:(\w+)/g, '{$1}');
      const operation = describeRoute(api, endpoint);
      operation['x-codeSamples'] = codeSamples(path, endpoint.method, operation, api.hasClient === true);
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Malote: integração de entregas',
      version: INTERFACE_VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // The server of this document comes first, so that requests can be tried there.
    servers: [{ url: '/' }, ...(publicUrl ? [{ url: publicUrl }] : [])],
    security: [{ apiKey: [], basic: [] }, { bearer: [] }],
    tags: apis.flatMap(tagsOf).map((name) => ({ name })),
    'x-tagGroups': apis.map((api) => ({ name: api.title, tags: tagsOf(api) })),
    paths,
    webhooks: describeWebhooks(Object.assign({}, ...apis.map(({ webhooks }) => webhooks))),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'api-key',
          description: 'Identifica a central (bandeira).',
        },
        basic: { type: 'http', scheme: 'basic', description: 'Usuário e senha da central ou da empresa.' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'O token de um programa (`malote_…`), sozinho: ele diz a central, a empresa e as permissões. Criado em Programas, no painel, em `POST /api/v2/operacao/programas` ou com `malote token create`. Também vale um token de acesso de uma hora, de `POST /oauth/token` (OAuth 2.0, client_credentials: `client_id` é o id do programa e `client_secret`, o token).',
        },
      },
      schemas: failureSchemas,
      headers: sharedHeaders,
      responses: sharedResponses,
    },
  };
}

function describeRoute(api: Api, endpoint: Endpoint): Operation {
  const parameters = [
    ...pathParameters(endpoint),
    ...queryParameters(endpoint),
    ...(keepsKeys(endpoint) ? [idempotencyParameter] : []),
    ...(endpoint.isTagged ? [tagParameter] : []),
    preferParameter,
  ];
  return {
    operationId: endpoint.operation ?? nameOf(api.base, endpoint),
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [endpoint.tag],
    ...(endpoint.deprecated && { deprecated: true, 'x-deprecation': endpoint.deprecated }),
    parameters,
    ...(endpoint.body && {
      requestBody: {
        required: isRequired(endpoint.body),
        content: { 'application/json': { schema: endpoint.body, example: endpoint.bodyExample } },
      },
    }),
    ...(endpoint.rawBody && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          endpoint.rawBody.mediaTypes.map((type) => [type, { schema: RAW_SCHEMA }]),
        ),
      },
    }),
    responses: {
      200: {
        description: 'Sucesso',
        headers: {
          ...(keepsKeys(endpoint) ? replayableHeaders : responseHeaders),
          ...(endpoint.deprecated && deprecationHeaderTexts),
        },
        content: {
          [endpoint.isLive ? 'text/event-stream' : 'application/json']: {
            schema: endpoint.answer,
            example: endpoint.answerExample,
          },
        },
      },
      ...(endpoint.isTagged && {
        304: { description: 'Nada mudou desde a versão de If-None-Match', headers: responseHeaders },
      }),
      ...failureResponses(endpoint, api),
    },
  };
}

/** OpenAPI 3.1 describes raw bytes by their media type alone, but many programs still look for this schema. */
const RAW_SCHEMA = { type: 'string', format: 'binary' };

const nameOf = (base: string, { method, path }: Endpoint): string =>
  `${base.split('/').at(-1)}_${method.toLowerCase()}${path.replace(/\W+/g, '_')}`;

const describe = ({
  section,
  description,
  permission,
  limit,
  companyLimit,
  refusals,
  bodyBytesMax,
  countsItems,
  deprecated,
}: Endpoint): string =>
  [
    deprecated && describeDeprecation(deprecated),
    description,
    bodyBytesMax && `O corpo pode ter até ${sizeInWords(bodyBytesMax)}.`,
    section && `Seção ${section} do contrato.`,
    `Quem pode chamar (permissão \`${permission}\`): ${callersWith(permission, refusals)}.`,
    `Limite padrão: ${settingsDefaults[limitOf[limit]]} ${countsItems ? 'itens' : 'requisições'} em 60 segundos por api-key` +
      (companyLimit ? `, e ${settingsDefaults[limitOf[companyLimit]]} por empresa.` : '.'),
  ]
    .filter(Boolean)
    .join('\n\n');

/** A role that has the permission only by a setting, or only for some orders, is marked. */
const callersWith = (permission: Permission, refusals: Endpoint['refusals'] = []): string =>
  rolesWith(permission)
    .map(
      (role) =>
        roleNames[role] +
        (grantOf(role, permission) === 'always' ? '' : ' (conforme configuração)') +
        (role !== 'manager' && refusals.includes('company-manager-only') ? ' (só de pessoas)' : ''),
    )
    .join(', ');

const pathParameters = ({ path, texts, textExamples }: Endpoint) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const text = propertiesOf(texts)[name];
    return {
      name,
      in: 'path',
      required: true,
      schema: text ?? { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      example: text ? textExamples?.[name] : name === 'id' ? 1042 : 2077,
    };
  });

const queryParameters = ({ query, queryExample }: Endpoint) =>
  Object.entries(propertiesOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: isRequired(query, name),
    schema,
    ...(queryExample?.[name] !== undefined && { example: queryExample[name] }),
  }));

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repetir a requisição com a mesma chave e o mesmo corpo devolve a resposta guardada, sem executá-la de novo.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const tagParameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'O `ETag` da última resposta: enquanto nada muda, a resposta é 304, sem corpo.',
  schema: { type: 'string', maxLength: 1000 },
};

const preferParameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: 'Com `handling=strict`, campos e parâmetros desconhecidos são recusados em vez de ignorados.',
  schema: { type: 'string', maxLength: 1000 },
};

const propertiesOf = (schema: TSchema | undefined): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};

function isRequired(schema: TSchema | undefined, name?: string): boolean {
  const { required = [] } = (schema ?? {}) as { required?: readonly string[] };
  return name === undefined ? required.length > 0 : required.includes(name);
}

/** The contract's order first; other endpoints follow in the order of the table. */
function sortedTags(tags: readonly string[]): string[] {
  const place = (tag: string) => (TAG_ORDER.indexOf(tag) + TAG_ORDER.length + 1) % (TAG_ORDER.length + 1);
  return [...new Set(tags)].sort((a, b) => place(a) - place(b));
}

export const eventBodySchema = (type: string, data: TSchema) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { const: type },
    timestamp: { type: 'string', description: 'quando aconteceu, ISO 8601 em UTC' },
    data,
    test: { const: true, description: 'presente só em um evento de teste, cujos dados são um exemplo' },
  },
});

export const eventBodyExample = (type: string, data: unknown) => ({
  type,
  timestamp: '2026-11-16T15:00:00.000Z',
  data,
});

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The webhook request, in the terms of Standard Webhooks. */
export const WEBHOOK_HEADERS = [
  header('webhook-id', 'Identifica o evento; é o mesmo em toda repetição do envio.'),
  header('webhook-timestamp', 'Momento do envio, em segundos desde 1970.'),
  header('webhook-signature', '`v1,` e o HMAC-SHA256, em base64, de `id.timestamp.corpo` com o segredo.'),
];

const describeWebhooks = (texts: Readonly<Record<string, WebhookText>>) =>
  Object.fromEntries(
    Object.entries(texts).map(([type, text]) => [type, { post: describeWebhook(type, text) }]),
  );

const describeWebhook = (type: string, { label, data, example }: WebhookText) => ({
  operationId: `webhook_${type.replace(/\W/g, '_')}`,
  summary: label.pt,
  'x-label': label,
  description:
    'Enviado aos webhooks registrados para este tipo. Responda com 2xx em poucos segundos; qualquer outra resposta é tentada de novo por mais de 24 horas. `data.sequencia` cresce a cada evento da mesma entrega: descarte o que chegar com um número menor.',
  tags: ['Webhooks'],
  security: [],
  parameters: WEBHOOK_HEADERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: eventBodySchema(type, data),
        example: eventBodyExample(type, example),
      },
    },
  },
  responses: { '2XX': { description: 'Recebido' } },
});
