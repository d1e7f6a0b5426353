import { everyEndpoint, type PlacedEndpoint, pathWith, queryOf } from '../support/everyEndpoint.ts';
import { estimate, order, scheduledOrder, stop } from '../support/orders.ts';

/** Who sends a request: the user's name, which the demonstration fixes. */
export type Sender = 'central' | 'gerente' | 'gerente2' | 'vizinha' | 'condutor1' | 'condutor2';

export interface RecordedRequest {
  sender: Sender;
  method: string;
  /** Below `/api/v2`. */
  path: string;
  body?: unknown;
}

const at = (base: string) => (sender: Sender, method: string, path: string, body?: unknown) => ({
  sender,
  method,
  path: `/${base}${path}`,
  ...(body !== undefined && { body }),
});
const integration = at('integracao');
const operation = at('operacao');

const twoStops = order({ forma_pagamento: 'X', observacao: 'Portão azul' }, 2);
const byCredit = order({ forma_pagamento: 'R', com_retorno: true }, 3);
const atDriver = { lat: -30.031, lng: -51.2301 };

/** A day of a central: every kind of step, in the order in which it happens. Ids follow from the order. */
const story: RecordedRequest[] = [
  integration('central', 'GET', '/entregas/bandeiras/areas-atuacao'),
  integration('gerente', 'POST', '/entregas/empresas/1/estimativas', estimate()),
  integration('central', 'POST', '/entregas/empresas/creditos/recargas', {
    valor: 500,
    observacao: 'Crédito de novembro',
    empresa: { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' },
  }),
  integration('gerente', 'POST', '/entregas', order()),
  integration('gerente', 'POST', '/entregas', twoStops),
  integration('gerente', 'POST', '/entregas', byCredit),
  integration('gerente2', 'POST', '/entregas', order({ codigo_cupom: 'DEMO10' }, 2)),
  integration('central', 'POST', '/entregas', order({ cliente: { nome: 'Ana Souza', cpf: '52998224725' } })),
  ...[1, 2, 3, 4].map((count) =>
    integration('gerente', 'POST', '/entregas/programadas', scheduledOrder({}, count)),
  ),
  integration(
    'central',
    'POST',
    '/entregas/programadas',
    scheduledOrder({ cliente: { nome: 'Ana Souza', cpf: '52998224725' } }),
  ),
  integration('gerente', 'GET', '/entregas/programadas'),
  integration('gerente', 'POST', '/entregas/programadas/1/agrupar', { programadas_agrupadas: [2, 1] }),
  integration('gerente', 'POST', '/entregas/programadas/1/agrupar', { programadas_agrupadas: [3, 4] }),
  integration('gerente', 'PUT', '/entregas/programadas/3', { ...scheduledOrder({ hora: '14:30:00' }, 2) }),
  integration('gerente', 'DELETE', '/entregas/programadas/4/paradas/4'),
  integration('gerente', 'GET', '/entregas/programadas/1'),
  integration('central', 'POST', '/entregas/programadas/4/cancelar'),
  operation('central', 'POST', '/programadas/4/cancelar'),
  operation('condutor1', 'POST', '/condutores/1/disponibilidade', { disponivel: true }),
  operation('condutor1', 'POST', '/condutores/1/posicao', atDriver),
  operation('central', 'POST', '/entregas/1/atribuir', { condutor_id: 1 }),
  operation('condutor1', 'POST', '/entregas/1/aceitar'),
  operation('condutor1', 'POST', '/entregas/1/chegar'),
  operation('condutor1', 'POST', '/entregas/1/iniciar'),
  integration('gerente', 'GET', '/entregas/1/links-rastreio'),
  integration('gerente', 'GET', '/entregas/1/condutor/posicao'),
  integration('central', 'POST', '/entregas/1/agrupar/programadas', { programadas_agrupadas: [3] }),
  integration('gerente', 'GET', '/entregas/1'),
  operation('condutor1', 'POST', '/entregas/1/paradas/1/concluir', {}),
  operation('condutor1', 'POST', '/entregas/1/finalizar'),
  operation('central', 'POST', '/entregas/2/atribuir', { condutor_id: 2 }),
  operation('condutor2', 'POST', '/entregas/2/recusar'),
  operation('central', 'POST', '/entregas/2/atribuir', { condutor_id: 2 }),
  operation('condutor2', 'POST', '/entregas/2/aceitar'),
  operation('condutor2', 'POST', '/entregas/2/iniciar'),
  operation('central', 'POST', '/entregas/3/atribuir', { condutor_id: 2 }),
  integration('central', 'POST', '/entregas/2/agrupar', { solicitacoes_agrupadas: [3] }),
  integration('gerente', 'GET', '/entregas/2/detalhes'),
  operation('condutor2', 'POST', '/entregas/2/desistir'),
  integration('gerente', 'PUT', '/entregas/4', order({}, 3)),
  integration('gerente2', 'PUT', '/entregas/4', order({}, 3)),
  integration('gerente2', 'DELETE', '/entregas/4/paradas/9'),
  integration('gerente2', 'POST', '/entregas/4/cancelar', { motivo_id: 2 }),
  integration('gerente2', 'POST', '/entregas/4/cancelar', { motivo_id: 2 }),
  operation('central', 'POST', '/entregas/5/atribuir', { condutor_id: 3 }),
  ...[1, 2, 3, 4, 5, 99].flatMap((id) => [
    integration('gerente', 'GET', `/entregas/${id}/status`),
    integration('gerente', 'GET', `/entregas/${id}/recibo`),
    integration('central', 'GET', `/entregas/${id}`),
    operation('central', 'GET', `/entregas/${id}`),
  ]),
  integration('gerente', 'POST', '/entregas/consultar'),
  ...['D', 'G', 'A', 'E', 'F', 'N', 'C', 'P', 'L'].map((status_solicitacao) =>
    integration('central', 'POST', '/entregas/consultar', { status_solicitacao }),
  ),
  integration('central', 'POST', '/entregas/consultar', { tipo_pagamento: 'R', pagina: 1, limite: 2 }),
  integration('central', 'POST', '/entregas/consultar', { limite: 101, pagina: 0 }),
  integration(
    'gerente',
    'GET',
    '/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos',
  ),
];

/** What changes logins, keys or limits would change the answers to all later requests. */
const CHANGES_LOGINS = /\/(usuarios|chaves|programas|configuracoes|senha|sandbox|ambiente-de-teste)/;

/**
 * Endpoints that came after the first recording, in the order in which they came. They are asked last, because each
 * request moves the clock that later answers show.
 */
const LATER: readonly string[] = [
  'GET /entregas/externo/:id_externo (integracao)',
  'GET /entregas/programadas/externo/:id_externo (integracao)',
  'GET /sandbox (integracao)',
  'POST /sandbox/relogio (integracao)',
  'DELETE /sandbox (integracao)',
  'GET /ambiente-de-teste (operacao)',
  'POST /ambiente-de-teste/relogio (operacao)',
  'DELETE /ambiente-de-teste (operacao)',
  'GET /ambiente-de-teste/chaves (operacao)',
  'POST /ambiente-de-teste/chaves (operacao)',
  'DELETE /ambiente-de-teste/chaves/:id (operacao)',
  'GET /eventos (integracao)',
  'POST /eventos/teste (integracao)',
  'POST /entregas/lote (integracao)',
  'POST /entregas/programadas/lote (integracao)',
  'POST /entregas/status (integracao)',
  'POST /entregas/cancelar (integracao)',
  'POST /entregas/programadas/cancelar (integracao)',
  'POST /entregas/segurar (operacao)',
  'POST /entregas/liberar (operacao)',
  'POST /entregas/atribuir (operacao)',
  'POST /entregas/retirar-ofertas (operacao)',
  'GET /condutores/:id/turnos (operacao)',
  'PUT /condutores/:id/turnos (operacao)',
  'DELETE /condutores/:id/turnos (operacao)',
  'POST /entregas/adiar (operacao)',
];
/** What has been recorded of requests, and what is known of a plan, depends on the moment. */
const isLasting = ({ endpoint }: PlacedEndpoint): boolean => !/^\/(requisicoes|planos)/.test(endpoint.path);
const inOrder = everyEndpoint
  .filter(isLasting)
  .toSorted((one, other) => LATER.indexOf(one.name) - LATER.indexOf(other.name));

/** Took no body when it was recorded, so that there are no answers to further bodies. */
const HAD_NO_BODY = 'POST /webhooks/:id/teste (integracao)';

/** Each endpoint, by its example, of what exists and of what does not, by those who may and those who may not. */
const sweep: RecordedRequest[] = inOrder.flatMap(({ base, endpoint, name }) => {
  const query = queryOf(endpoint);
  const asked = (sender: Sender, id: number, body: unknown): RecordedRequest => ({
    sender,
    method: endpoint.method,
    path: `${base.replace('/api/v2', '')}${pathWith(endpoint.path, () => id)}${query}`,
    ...(body !== undefined && { body }),
  });
  const example = endpoint.bodyExample;
  return [
    asked('vizinha', 1, example),
    asked('gerente', 1, example),
    asked('condutor1', 1, example),
    ...(endpoint.method !== 'GET' && CHANGES_LOGINS.test(endpoint.path)
      ? []
      : [asked('central', 1, example)]),
    asked('central', 999_999, example),
    ...(endpoint.body && name !== HAD_NO_BODY
      ? [asked('central', 1, {}), asked('central', 1, { paradas: stop(0), id: [] })]
      : []),
  ];
});

export const recordedRequests: readonly RecordedRequest[] = [...story, ...sweep];
