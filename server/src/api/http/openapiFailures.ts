import type { Role } from '../centrals/caller.ts';
import type { RefusalDetails, RefusalKind } from '../kernel/refusal.ts';
import { describeFailure } from './answerError.ts';
import { type Endpoint, isWrite } from './endpoint.ts';
import { type ErrorEntry, type ErrorKind, failureBody } from './envelope.ts';
import { failures } from './failures.ts';
import type { Api } from './server.ts';

export const TAG_ORDER: readonly string[] = [
  'Entregas',
  'Programadas',
  'Agrupamento',
  'Empresas',
  'Áreas de atuação',
  'Webhooks',
];

export const roleNames: Record<Role, string> = {
  operator: 'operador da central',
  supervisor: 'supervisor da central',
  finance: 'financeiro da central',
  attendant: 'atendente da central',
  viewer: 'consulta da central',
  integrator: 'integrador da central',
  manager: 'gerente da empresa',
  driver: 'entregador',
};

export const INTRODUCTION = `Interface de integração, versão 2.0.0. O caminho base é \`/api/v2/integracao\`; a operação da central e dos entregadores fica em \`/api/v2/operacao\`.

**Autenticação.** Toda requisição leva dois cabeçalhos: \`api-key\`, que identifica a central (bandeira), e \`Authorization: Basic\`, com usuário e senha. O usuário da central vê a central inteira; o gerente vê apenas a própria empresa. O que um usuário não pode ver é respondido como inexistente (404).

**Respostas.** Sempre JSON, sempre com \`success\`. Uma falha traz \`errors\`, uma lista de \`{code, message}\`: \`code\` 2 para erros de validação (um por campo, na forma \`'campo': o que está errado\`) e 0 para os demais. O cabeçalho \`X-Error-Kind\` traz o tipo da falha, um nome estável para programas; em \`/api/v2/operacao\` cada erro o repete em \`kind\`. As mensagens são em português; com \`Accept-Language: en\`, em inglês. Uma resposta traz no máximo 100 erros.

**Campos.** \`null\` em um campo opcional equivale a não o enviar. Um texto obrigatório só de espaços é recusado como vazio. Uma barra no fim do caminho não faz diferença.

**Repetição segura.** Em POST, PUT e DELETE, o cabeçalho \`Idempotency-Key\` garante que a requisição seja executada no máximo uma vez: a mesma chave com o mesmo corpo, em qualquer ordem de campos, devolve a resposta guardada; com outro corpo, 409. A chave vale para o usuário que a enviou. Se a primeira tentativa ainda estiver em andamento, a repetição espera por ela ou recebe 503 com \`Retry-After\`. Uma requisição recusada pode ser repetida com a mesma chave. Consultas por POST não usam a chave.

**Limites.** Por api-key, em janela deslizante de 60 segundos, ajustáveis por central. Toda resposta traz \`X-RateLimit-Limit\` e \`X-RateLimit-Remaining\`; acima do limite, 429 com \`Retry-After\`. O corpo pode ter até 1 MiB.

**Rastreamento.** Toda resposta traz \`X-Request-Id\`. Um \`X-Request-Id\` enviado (16 a 64 letras, dígitos, \`.\`, \`_\` ou \`-\`) é mantido.`;

const header = (description: string, type: string) => ({ description, schema: { type } });

export const sharedHeaders = {
  'X-RateLimit-Limit': header('Requisições permitidas em 60 segundos', 'integer'),
  'X-RateLimit-Remaining': header('Requisições que ainda restam', 'integer'),
  'X-Request-Id': header('Identifica a requisição; informe-o ao suporte', 'string'),
  'Retry-After': header('Segundos até valer a pena tentar de novo', 'integer'),
  Allow: header('Métodos permitidos', 'string'),
  'X-Error-Kind': {
    description: 'Tipo da falha: um nome estável, para programas',
    schema: { $ref: '#/components/schemas/TipoDeFalha' },
  },
};

const headerRef = (name: keyof typeof sharedHeaders) => ({
  [name]: { $ref: `#/components/headers/${name}` },
});
export const responseHeaders = {
  ...headerRef('X-RateLimit-Limit'),
  ...headerRef('X-RateLimit-Remaining'),
  ...headerRef('X-Request-Id'),
};

/** Example values for messages that quote one. */
const sampleDetails: RefusalDetails = {
  id: 1042,
  seconds: 12,
  requestId: '0b9c1f3e-6a5d-4f0e-9b7a-2d1c8e4f6a5b',
  max: 10,
  count: 12,
  stop: 2,
  guess: 'Avenida Ipiranga, Azenha, Porto Alegre/RS',
  metres: 420,
  lat: -30.5,
  lng: -51.9,
  left: 2,
  hours: 72,
  field: 'codigo',
  reason: 'o anel não se fecha',
  size: '1 MiB',
};

const descriptions: Record<number, string> = {
  400: 'Dados inválidos ou acima de um limite',
  401: 'Central ou usuário não identificado',
  403: 'Não permitido a este usuário',
  404: 'Não encontrado nesta central',
  406: 'Situação não permite',
  409: 'Conflito com algo em andamento',
  413: 'Corpo grande demais',
  422: 'Os dados discordam, ou a estimativa é impossível',
  429: 'Requisições demais',
  500: 'Erro interno',
  503: 'Indisponível no momento',
};

const errorKinds = ['invalid-input', ...Object.keys(failures)];

/** Contract 7.1. The operator's interface adds the kind to each error. */
const failureSchema = (more: Record<string, unknown>) => ({
  type: 'object',
  required: ['success', 'errors'],
  properties: {
    success: { const: false },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['code', 'message', ...Object.keys(more)],
        properties: {
          code: {
            enum: [...new Set(Object.values(failures).map(({ code }) => code))].sort((a, b) => a - b),
            description: '2 para erros de validação, 0 para os demais; 33, 135 e 136 ao excluir uma parada',
          },
          message: { type: 'string' },
          ...more,
        },
      },
    },
  },
});

export const failureSchemas = {
  TipoDeFalha: { type: 'string', enum: errorKinds },
  Falha: failureSchema({}),
  FalhaDaOperacao: failureSchema({ kind: { $ref: '#/components/schemas/TipoDeFalha' } }),
};

/** How an interface writes its failures. */
type Style = Pick<Api, 'kindInErrors'>;

const namePrefix = ({ kindInErrors }: Style): string => (kindInErrors ? 'operacao-' : '');

interface Example {
  value: unknown;
}

const example = (entry: ErrorEntry, kind: ErrorKind, { kindInErrors }: Style): Record<string, Example> => ({
  [kind]: { value: failureBody([kindInErrors ? { ...entry, kind } : entry]) },
});

const response = (status: number, examples: Record<string, Example>, { kindInErrors }: Style) => ({
  description: descriptions[status] ?? 'Falha',
  headers: {
    ...responseHeaders,
    ...headerRef('X-Error-Kind'),
    ...((status === 429 || status === 503) && headerRef('Retry-After')),
  },
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${kindInErrors ? 'FalhaDaOperacao' : 'Falha'}` },
      examples,
    },
  },
});

const everywhere: readonly RefusalKind[] = [
  'central-not-identified',
  'bad-credentials',
  'not-allowed',
  'too-many-attempts',
  'rate-limited',
  'bug',
  'unavailable',
  'logins-busy',
];
const shared: readonly RefusalKind[] = [...everywhere, 'body-too-large'];
const ofWrites: readonly RefusalKind[] = ['idempotency-key-reused', 'own-attempt-running'];

const byStatus = (kinds: readonly RefusalKind[]): Map<number, RefusalKind[]> =>
  Map.groupBy(new Set(kinds), (kind) => failures[kind].status);

const examplesOf = (kinds: readonly RefusalKind[], style: Style): Record<string, Example> =>
  Object.assign(
    {},
    ...kinds.map((kind) => {
      const { code, message } = describeFailure(kind, sampleDetails, 'pt');
      return example({ code, message }, kind, style);
    }),
  );

const invalidExample = (style: Style): Record<string, Example> =>
  example({ code: 2, message: "'campo': o que está errado" }, 'invalid-input', style);

/** Responses that every endpoint shares are described once; an endpoint that adds to a status describes it whole. */
export const sharedResponses = Object.fromEntries(
  ([{}, { kindInErrors: true }] satisfies Style[]).flatMap((style) =>
    [...byStatus(shared)].map(([status, kinds]) => [
      `${namePrefix(style)}${status}`,
      response(status, examplesOf(kinds, style), style),
    ]),
  ),
);

export function failureResponses(
  endpoint: Endpoint,
  style: Style,
): Record<string, ReturnType<typeof response> | { $ref: string }> {
  const own = endpoint.refusals ?? [];
  const takesInput =
    endpoint.body !== undefined ||
    endpoint.rawBody !== undefined ||
    endpoint.query !== undefined ||
    endpoint.path.includes(':');
  const kinds = [
    ...everywhere,
    ...(isWrite(endpoint) ? ofWrites : []),
    ...(endpoint.body || endpoint.rawBody ? (['body-too-large'] as const) : []),
    ...own,
  ];
  const examples = new Map(
    [...byStatus(kinds)].map(([status, sharing]) => [status, examplesOf(sharing, style)] as const),
  );
  if (takesInput || endpoint.method !== 'GET')
    examples.set(400, { ...invalidExample(style), ...examples.get(400) });
  const ownStatuses = new Set(
    kinds.filter((kind) => !shared.includes(kind)).map((kind) => failures[kind].status),
  );
  return Object.fromEntries(
    [...examples]
      .sort(([a], [b]) => a - b)
      .map(([status, some]) => [
        String(status),
        sharedResponses[`${namePrefix(style)}${status}`] && !ownStatuses.has(status)
          ? { $ref: `#/components/responses/${namePrefix(style)}${status}` }
          : response(status, some, style),
      ]),
  );
}
