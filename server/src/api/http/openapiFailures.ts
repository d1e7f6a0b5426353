import type { Role } from '../../centrals/caller.ts';
import { isOfRealSide } from '../../centrals/permissions.ts';
import type { RefusalDetails, RefusalKind } from '../../platform/kernel/refusal.ts';
import { describeFailure } from './answerError.ts';
import type { Api } from './api.ts';
import { type Endpoint, keepsKeys } from './endpoint.ts';
import { type ErrorEntry, type ErrorKind, failureBody } from './envelope.ts';
import { failures } from './failures/failures.ts';

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

**Autenticação.** Toda requisição leva dois cabeçalhos: \`api-key\`, que identifica a central (bandeira), e \`Authorization: Basic\`, com usuário e senha. O usuário da central vê a central inteira; o gerente vê apenas a própria empresa. O que um usuário não pode ver é respondido como inexistente (404). Um programa pode usar, em vez dos dois, um token próprio em \`Authorization: Bearer\`, que vale para uma empresa ou para a central inteira e só para as permissões que recebeu; com um token inválido, vencido ou revogado a resposta é 401, e sem a permissão, 403 com o nome dela.

**Respostas.** Sempre JSON, sempre com \`success\`. Uma falha traz \`errors\`, uma lista de \`{code, message}\`: \`code\` 2 para erros de validação (um por campo, na forma \`'campo': o que está errado\`) e 0 para os demais. O cabeçalho \`X-Error-Kind\` traz o tipo da falha, um nome estável para programas, explicado em \`/docs/erros/{tipo}\`; em \`/api/v2/operacao\` cada erro o repete em \`kind\`. As mensagens são em português; com \`Accept-Language: en\`, em inglês. Uma resposta traz no máximo 100 erros.

**Campos.** Em \`/api/v2/operacao\` todo id de uma resposta é um texto; no corpo de uma requisição vale o texto ou o número. \`null\` em um campo opcional equivale a não o enviar. Um texto obrigatório só de espaços é recusado como vazio. Uma barra no fim do caminho não faz diferença. Um campo ou parâmetro que a rota não conhece é ignorado, e o cabeçalho \`X-Ignored-Fields\` o nomeia, com o nome conhecido mais próximo: \`status (status_solicitacao?)\`. Com \`Prefer: handling=strict\` (RFC 7240) ele é recusado com 400, \`code\` 2; recomendamos enviá-lo durante o desenvolvimento.

**Repetição segura.** Em POST, PUT e DELETE, o cabeçalho \`Idempotency-Key\` garante que a requisição seja executada no máximo uma vez: a mesma chave com o mesmo corpo, em qualquer ordem de campos, devolve a resposta guardada; com outro corpo, 409. A chave vale para o usuário que a enviou. Se a primeira tentativa ainda estiver em andamento, a repetição espera por ela ou recebe 503 com \`Retry-After\`. Uma requisição recusada pode ser repetida com a mesma chave. Consultas por POST não usam a chave.

**Limites.** Por api-key, em janela deslizante de 60 segundos, ajustáveis por central. Toda resposta traz \`X-RateLimit-Limit\` e \`X-RateLimit-Remaining\`, e \`RateLimit-Policy\` e \`RateLimit\` como no rascunho do IETF. Enquanto vários usuários usam a mesma chave, cada um tem no máximo 80 % do limite (\`"login"\`); o que é recusado com 403 ou 404 conta só para o próprio usuário; acima do limite, 429 com \`Retry-After\`. O corpo pode ter até 64 KiB, salvo onde a operação diz outra coisa.

**Eventos.** Tudo o que muda é um evento, enviado por webhook ou transmitido em \`GET /eventos\`. O grupo Webhooks mostra o corpo e um exemplo de cada tipo, e \`/asyncapi.json\` (AsyncAPI 3.0) os descreve para programas. \`malote listen\` repassa os eventos a um programa no seu computador, e \`malote trigger\` envia um exemplo.

**No navegador.** Uma página de outra origem pode chamar o serviço (CORS) quando a central lista essa origem em \`origens_navegador\`; de início, nenhuma. Cookies não participam.

**Exemplos.** Cada operação tem exemplos em curl, TypeScript, Python e PHP. Eles leem \`MALOTE_URL\`, \`MALOTE_API_KEY\`, \`MALOTE_USER\` e \`MALOTE_PASSWORD\` do ambiente; troque os ids pelos seus e use uma \`Idempotency-Key\` nova para cada pedido.

**Rastreamento.** Toda resposta traz \`X-Request-Id\`. Um \`X-Request-Id\` enviado (16 a 64 letras, dígitos, \`.\`, \`_\` ou \`-\`) é mantido.`;

const header = (description: string, type: string) => ({ description, schema: { type } });

export const sharedHeaders = {
  'X-RateLimit-Limit': header('Requisições permitidas em 60 segundos', 'integer'),
  'X-RateLimit-Remaining': header('Requisições que ainda restam', 'integer'),
  'RateLimit-Policy': header('O mesmo limite como no rascunho do IETF: `"default";q=800;w=60`', 'string'),
  RateLimit: header('O que resta, e em quantos segundos há mais: `"default";r=799;t=60`', 'string'),
  'X-Request-Id': header('Identifica a requisição; informe-o ao suporte', 'string'),
  'X-Ignored-Fields': header(
    'Somente quando a requisição tem campos ou parâmetros que a rota não conhece: seus nomes, cada um com o nome conhecido mais próximo, se houver. No máximo 20; `+N` no fim conta os demais.',
    'string',
  ),
  'Preference-Applied': header('`handling=strict`, quando a requisição o pediu em `Prefer`', 'string'),
  'Idempotency-Replayed': header('`true`: a resposta guardada de uma tentativa anterior', 'string'),
  'Retry-After': header('Segundos até valer a pena tentar de novo', 'integer'),
  Allow: header('Métodos permitidos', 'string'),
  'X-Error-Kind': {
    description:
      'Tipo da falha: um nome estável, para programas. `/docs/erros/{tipo}` diz o que significa e o que fazer',
    schema: { $ref: '#/components/schemas/TipoDeFalha' },
  },
};

const headerRef = (name: keyof typeof sharedHeaders) => ({
  [name]: { $ref: `#/components/headers/${name}` },
});
export const responseHeaders = {
  ...headerRef('X-RateLimit-Limit'),
  ...headerRef('X-RateLimit-Remaining'),
  ...headerRef('RateLimit-Policy'),
  ...headerRef('RateLimit'),
  ...headerRef('X-Request-Id'),
  ...headerRef('X-Ignored-Fields'),
  ...headerRef('Preference-Applied'),
};

/** The headers of answers that are kept under an Idempotency-Key. */
export const replayableHeaders = { ...responseHeaders, ...headerRef('Idempotency-Replayed') };

/** Example values for messages that quote one. */
export const sampleDetails: RefusalDetails = {
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
  size: '64 KiB',
  scope: 'order',
};

const descriptions: Record<number, string> = {
  400: 'Dados inválidos ou acima de um limite',
  401: 'Central ou usuário não identificado',
  403: 'Não permitido a este usuário',
  404: 'Não encontrado nesta central',
  406: 'Situação não permite',
  409: 'Conflito com algo em andamento',
  408: 'O corpo não chegou a tempo',
  413: 'Corpo grande demais',
  415: 'Corpo comprimido',
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
  'api-key-unknown',
  'bad-credentials',
  'token-not-valid',
  'not-allowed',
  'scope-missing',
  'too-many-attempts',
  'rate-limited',
  'bug',
  'unavailable',
  'logins-busy',
];
const ofBodies: readonly RefusalKind[] = ['body-too-large', 'body-too-slow', 'bodies-busy'];
const shared: readonly RefusalKind[] = [...everywhere, ...ofBodies, 'body-encoded'];
const ofWrites: readonly RefusalKind[] = [
  'idempotency-key-reused',
  'own-attempt-running',
  'too-many-keys',
  'outcome-unknown',
];

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

const takesInput = (endpoint: Endpoint): boolean =>
  endpoint.method !== 'GET' ||
  endpoint.body !== undefined ||
  endpoint.rawBody !== undefined ||
  endpoint.query !== undefined ||
  endpoint.path.includes(':');

/** The kinds of failure that an endpoint can answer with. */
export const kindsOf = (endpoint: Endpoint): ErrorKind[] => [
  ...everywhere,
  ...(keepsKeys(endpoint) ? ofWrites : []),
  ...(endpoint.body || endpoint.rawBody ? ofBodies : []),
  ...(endpoint.isHeavy ? (['too-much-at-once'] as const) : []),
  ...(endpoint.method === 'GET' ? [] : (['body-encoded'] as const)),
  ...(takesInput(endpoint) ? (['invalid-input'] as const) : []),
  ...(isOfRealSide(endpoint.permission) ? (['not-in-sandbox'] as const) : []),
  ...(endpoint.refusals ?? []),
];

export function failureResponses(
  endpoint: Endpoint,
  style: Style,
): Record<string, ReturnType<typeof response> | { $ref: string }> {
  const kinds = kindsOf(endpoint).filter((kind) => kind !== 'invalid-input');
  const examples = new Map(
    [...byStatus(kinds)].map(([status, sharing]) => [status, examplesOf(sharing, style)] as const),
  );
  if (takesInput(endpoint)) examples.set(400, { ...invalidExample(style), ...examples.get(400) });
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
