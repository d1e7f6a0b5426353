import Type, { type TProperties } from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import { loginCentralOf } from '../../centrals/central.ts';
import { may } from '../../centrals/permissions.ts';
import type {
  RecordedError,
  RecordedPart,
  RecordedRequest,
  RequestDetail,
  RequestScope,
} from '../../events/requests/apiRequest.ts';
import {
  countDropped,
  findRequest,
  findRequests,
  type RequestCursor,
} from '../../events/requests/requestStore.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import type { LimitGroup } from '../http/rateLimits.ts';
import type { Check } from '../http/validation.ts';
import { requestProofCode } from './codes.ts';
import { readTimeCursor, TIME_CURSOR_LENGTH_MAX, writeTimeCursor } from './timeCursor.ts';
import { answerWith } from './values.ts';
import { code, id, integer, kind, list, text, view } from './view.ts';

const SHOWN_MAX = 100;
const SHOWN_USUAL = 50;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const CLASSES = { '2xx': 2, '3xx': 3, '4xx': 4, '5xx': 5 } as const;
const REFUSED = 'recusadas';

/** With milliseconds, because requests are a few of them apart. */
const moment = kind(
  Type.String,
  (at: Temporal.Instant) => at.toString({ smallestUnit: 'millisecond', roundingMode: 'trunc' }),
  'ISO 8601 em UTC, com milésimos: quando a requisição chegou',
);

const shown = {
  id: id((each: RecordedRequest) => each.id, '5012'),
  data_hora: moment((each: RecordedRequest) => each.at, '2026-11-16T15:00:00.125Z'),
  metodo: text((each: RecordedRequest) => each.method, 'POST'),
  caminho: text(
    (each: RecordedRequest) => each.path,
    '/api/v2/integracao/entregas',
    'sem a consulta; o que não é um número de até nove dígitos aparece como …',
  ),
  status: integer((each: RecordedRequest) => each.status, 422),
  tipo: text.orNull(
    (each: RecordedRequest) => each.kind,
    'outside-operating-areas',
    'o X-Error-Kind da recusa, explicado em /docs/erros/{tipo}',
  ),
  duracao_ms: integer((each: RecordedRequest) => each.durationMs, 18),
  request_id: text(
    (each: RecordedRequest) => each.requestId,
    '0b8c1f5e-5d0e-4b52-9a53-3f1c6a0e7d11',
    'o X-Request-Id da resposta',
  ),
  credencial: code(requestProofCode)((each: RecordedRequest) => each.proof, requestProofCode.key),
  usuario_id: id.orNull(
    (each: RecordedRequest) => each.userId,
    '4',
    'do usuário ou programa; null: a api-key era conhecida, o usuário não',
  ),
  usuario: text.orNull((each: RecordedRequest) => each.userName, 'gerente'),
  chave_id: id.orNull(
    (each: RecordedRequest) => each.keyId,
    '1',
    'da api-key; null: a requisição não usou uma',
  ),
  chave: text.orNull((each: RecordedRequest) => each.keyLabel, 'ERP', 'a descrição da api-key'),
  empresa_id: id.orNull((each: RecordedRequest) => each.companyId, '1', 'null: da central'),
};
const requestShown = view<RecordedRequest>()(shown);

const errorShown = view<RecordedError>()({
  code: integer((error) => error.code, 0),
  message: text((error) => error.message, 'O ponto (…, …) está fora das áreas de atuação da central'),
});

/** An object without personal data, or a text where no object was sent. One union, which the writer can tell apart. */
const masked = (
  read: (row: RequestDetail) => RecordedPart | undefined,
  example: Record<string, unknown> | null,
) => ({
  schema: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String(), Type.Null()], {
    description: 'mascarado: um objeto, ou um texto que diz o que era; null: não havia',
  }),
  example,
  show: (row: RequestDetail) => read(row) ?? null,
});

const detailShown = view<RequestDetail>()({
  ...shown,
  consulta: masked((each) => each.content.query, null),
  corpo: masked((each) => each.content.body, {
    forma_pagamento: 'D',
    partida: { endereco: 'texto(27)' },
  }),
  erros: list(errorShown, (each) => each.content.errors ?? []),
});

const page = view<{ requests: RecordedRequest[]; next: RequestCursor | null; dropped: number | null }>()({
  requisicoes: list(requestShown, (found) => found.requests),
  proximo: text.orNull(({ next }) => next && writeTimeCursor(next), null),
  nao_registradas: integer.orNull(
    ({ dropped }) => dropped,
    0,
    'recusadas que um limite ou uma falha deixou de fora, dos dias guardados; null para quem vê só parte da central',
  ),
});

/** Who keeps keys reads what all credentials of the central, or of the own company, sent; others what they sent. */
const scopeOf = (caller: Caller): RequestScope => ({
  centralId: caller.centralId,
  loginCentralId: loginCentralOf(caller.central),
  companyId: caller.companyId,
  userId: may(caller, 'keys') ? null : (caller.userId ?? 0),
});

const idOf = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }));

export interface PeriodReader {
  fields: TProperties;
  check: Check;
  read(
    query: { de?: string; ate?: string },
    timeZone: string,
  ): { from: Temporal.Instant | null; until: Temporal.Instant | null };
}

/** The same list on both interfaces, which differ in how they write a period. */
export function requestEndpoints(
  tag: string,
  limit: LimitGroup,
  period: PeriodReader,
  operations: { list?: string; read?: string } = {},
): Endpoint[] {
  const query = Type.Object(
    {
      status: Type.Optional(
        Type.Enum([...Object.keys(CLASSES), REFUSED], {
          description: `a classe do status; ${REFUSED}: todos de 400 ou mais`,
        }),
      ),
      tipo: Type.Optional(Type.String({ maxLength: 60, description: 'o X-Error-Kind da recusa' })),
      metodo: Type.Optional(Type.Enum([...METHODS])),
      caminho: Type.Optional(Type.String({ maxLength: 100, description: 'um trecho do caminho' })),
      request_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'o X-Request-Id da resposta, inteiro' }),
      ),
      usuario_id: idOf('de um usuário ou programa'),
      chave_id: idOf('de uma api-key'),
      ...period.fields,
      cursor: Type.Optional(
        Type.String({ maxLength: TIME_CURSOR_LENGTH_MAX, description: 'o `proximo` da página anterior' }),
      ),
      limite: Type.Optional(
        Type.Integer({ minimum: 1, maximum: SHOWN_MAX, description: `padrão ${SHOWN_USUAL}` }),
      ),
    },
    { check: period.check },
  );
  interface Query {
    status?: keyof typeof CLASSES | typeof REFUSED;
    tipo?: string;
    metodo?: string;
    caminho?: string;
    request_id?: string;
    usuario_id?: number;
    chave_id?: number;
    de?: string;
    ate?: string;
    cursor?: string;
    limite?: number;
  }
  const given = (text: string | undefined): string | null => text?.trim() || null;
  return [
    endpoint({
      method: 'GET',
      path: '/requisicoes',
      ...(operations.list && { operation: operations.list }),
      tag,
      summary: 'Ver as próprias requisições',
      description:
        'As recusadas, e uma amostra das outras, da mais nova para a mais antiga, alguns segundos depois de respondidas e ' +
        'pelos dias que a central as guarda. Cada usuário e cada programa vê as suas; quem gerencia as chaves vê as de todos. ' +
        'O corpo vem sem dados pessoais nem segredos. `proximo` é o `cursor` da próxima página; com filtros, uma página pode ' +
        'vir vazia e ter próxima.',
      permission: 'requests',
      limit,
      query,
      queryExample: { status: REFUSED, limite: 20 },
      ...answerWith(page),
      async handle({ deps: { db }, caller, query: sent }) {
        const asked = sent as Query;
        const scope = scopeOf(caller);
        const found = await findRequests(
          db,
          scope,
          {
            statusClass:
              asked.status === undefined || asked.status === REFUSED ? null : CLASSES[asked.status],
            isRefused: asked.status === REFUSED,
            kind: given(asked.tipo),
            method: asked.metodo ?? null,
            path: given(asked.caminho),
            requestId: given(asked.request_id),
            userId: asked.usuario_id ?? null,
            keyId: asked.chave_id ?? null,
            ...period.read(asked, caller.central.timeZone),
            cursor: asked.cursor === undefined ? null : readTimeCursor(asked.cursor),
          },
          asked.limite ?? SHOWN_USUAL,
        );
        const seesAll = scope.userId === null && scope.companyId === null;
        const dropped = seesAll ? await countDropped(db, scope.centralId) : null;
        return { data: page.show({ ...found, dropped }, undefined) };
      },
    }),
    endpoint({
      method: 'GET',
      path: '/requisicoes/:id',
      ...(operations.read && { operation: operations.read }),
      tag,
      summary: 'Ver uma requisição',
      description:
        'Com a consulta e o corpo mascarados e os erros da resposta: códigos, ids curtos, datas e preços aparecem; de todo o ' +
        'resto, só o tipo e o tamanho. Uma requisição de outra credencial responde como uma que não existe.',
      permission: 'requests',
      limit,
      refusals: ['record-not-found'],
      ...answerWith(detailShown),
      async handle({ deps: { db }, caller, params }) {
        const found = await findRequest(db, scopeOf(caller), params.id!);
        return { data: detailShown.show(found, undefined) };
      },
    }),
  ];
}
