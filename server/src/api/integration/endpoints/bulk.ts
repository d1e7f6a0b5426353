import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { cancelDeliveries } from '../../../deliveries/deliveries/cancelDeliveries.ts';
import { findStatuses } from '../../../deliveries/deliveries/deliveryStore.ts';
import { openDeliveries } from '../../../deliveries/deliveries/openDeliveries.ts';
import { externalKeyOf } from '../../../deliveries/orders/externalId.ts';
import { locateAddresses } from '../../../deliveries/orders/locateAddresses.ts';
import type { TimedOrder } from '../../../deliveries/orders/prepareMany.ts';
import { cancelManyScheduled } from '../../../deliveries/scheduled/cancelManyScheduled.ts';
import { scheduleDeliveries } from '../../../deliveries/scheduled/scheduleDeliveries.ts';
import { continueEach, isDone, type Outcome } from '../../../platform/kernel/outcome.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { type AppDeps, endpoint } from '../../http/endpoint.ts';
import { invalid } from '../../http/invalidInput.ts';
import { statusCode } from '../../json/codes.ts';
import { answerItems, ITEMS_MAX, itemsAnswer } from '../../json/itemsAnswer.ts';
import {
  creationAnswer,
  creationProblems,
  formatCreation,
  newOrderFields,
  orderExample,
  parseCreation,
  ScheduleBody,
  scheduleExample,
} from '../../json/orderBody.ts';
import { parseLocal } from '../../json/values.ts';

/** Enough for 500 orders of 10 stops whose fields are filled as usual, with some 800 bytes each. */
const BULK_BYTES_MAX = 4 * 1024 * 1024;

const NewOrder = Type.Object(newOrderFields);

const creationBody = <Item extends TSchema>(item: Item) =>
  Type.Object({
    entregas: Type.Array(item, { minItems: 1, maxItems: ITEMS_MAX }),
    tudo_ou_nada: Type.Optional(
      Type.Boolean({
        description: 'com true, um item recusado recusa todos e nada é gravado; padrão false',
      }),
    ),
  });

const idsField = Type.Array(Type.Integer({ minimum: 1 }), {
  minItems: 1,
  maxItems: ITEMS_MAX,
  description: 'ids das entregas',
});

const CREATION_NOTES =
  'Cada item tem os campos e as regras da criação de uma só, e o seu próprio resultado, na ordem da requisição: um ' +
  'item recusado não impede os outros. Os itens valem na ordem em que vêm: o que um usa (créditos, cupom, cotação) ' +
  'não está mais livre para o seguinte. Com tudo_ou_nada um item recusado recusa todos, com 422 e os erros de cada ' +
  'um. Tudo é gravado de uma vez: se a conexão cair antes da resposta, ou tudo foi gravado ou nada; com uma ' +
  'Idempotency-Key, repita sem risco. O limite de requisições conta itens. Até 4 MiB ao todo, e 64 KiB por item; ' +
  'no máximo 20 erros por item.';

const creationAnswerExample = {
  success: true,
  recusados: 1,
  data: [
    { indice: 0, success: true, data: { id_mch: '1042' } },
    {
      indice: 1,
      success: false,
      status: 422,
      kind: 'insufficient-balance',
      errors: [{ code: 0, message: 'saldo insuficiente na carteira de créditos da empresa' }],
    },
  ],
};

/** The order of an item, with its coordinates and its own key. */
async function located<Time extends Temporal.Instant | null>(
  deps: AppDeps,
  caller: Caller,
  body: Static<typeof NewOrder>,
  dispatchAt: Time,
): Promise<TimedOrder<Time>> {
  const sent = parseCreation(body, caller);
  const { externalId: _, ...rest } = sent;
  const external = externalKeyOf(sent, dispatchAt);
  const order = await locateAddresses(deps, caller.central, rest);
  return { order: { ...order, ...(external && { external }) }, dispatchAt };
}

/** An own key names one order of a bulk; the same order may come again. */
function withDistinctKeys<Each extends TimedOrder<Temporal.Instant | null>>(
  orders: readonly Outcome<Each>[],
): Outcome<Each>[] {
  const contents = new Map<string, Buffer>();
  return orders.map((outcome) => {
    if (!isDone(outcome) || !outcome.value.order.external) return outcome;
    const { companyId, external } = outcome.value.order;
    const key = `${companyId} ${external.id}`;
    const first = contents.get(key) ?? external.content;
    contents.set(key, first);
    return first.equals(external.content) ? outcome : { error: repeatedKey() };
  });
}

const repeatedKey = () =>
  invalid(
    'id_externo',
    'é o de outro item do lote, com outro conteúdo',
    'is that of another item of the bulk, with other content',
  );

/** Contract 4.31. */
export const createDeliveriesEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/lote',
  operation: 'criarEntregasEmLote',
  tag: 'Entregas',
  summary: 'Abrir até 500 entregas imediatas',
  description: CREATION_NOTES,
  permission: 'order',
  limit: 'deliveries',
  countsItems: true,
  isHeavy: true,
  refusals: ['items-refused'],
  body: creationBody(NewOrder),
  bodyBytesMax: BULK_BYTES_MAX,
  items: { furtherProblems: creationProblems },
  bodyExample: { tudo_ou_nada: false, entregas: [orderExample, { ...orderExample, forma_pagamento: 'R' }] },
  answer: itemsAnswer(creationAnswer.properties.data),
  answerExample: creationAnswerExample,
  async handle({ deps, caller, body, items, language }) {
    const orders = await continueEach(items!, (item) =>
      located(deps, caller, item as Static<typeof NewOrder>, null),
    );
    const outcomes = await openDeliveries(deps, caller, withDistinctKeys(orders), {
      allOrNone: body.tudo_ou_nada === true,
    });
    return answerItems(outcomes, language, (made) => formatCreation(made).data);
  },
});

/** Contract 4.31. */
export const createManyScheduledEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/programadas/lote',
  operation: 'criarProgramadasEmLote',
  tag: 'Programadas',
  summary: 'Programar até 500 entregas',
  description: CREATION_NOTES,
  permission: 'order',
  limit: 'scheduled',
  countsItems: true,
  isHeavy: true,
  refusals: ['items-refused'],
  body: creationBody(ScheduleBody),
  bodyBytesMax: BULK_BYTES_MAX,
  items: { furtherProblems: creationProblems },
  bodyExample: {
    tudo_ou_nada: false,
    entregas: [scheduleExample, { ...scheduleExample, forma_pagamento: 'R' }],
  },
  answer: itemsAnswer(creationAnswer.properties.data),
  answerExample: creationAnswerExample,
  async handle({ deps, caller, body, items, language }) {
    const { timeZone } = caller.central;
    const orders = await continueEach(items!, async (item) => {
      const { data, hora, ...order } = item as Static<typeof ScheduleBody>;
      return located(deps, caller, order, parseLocal(data, hora, timeZone, deps.clock.now()));
    });
    const outcomes = await scheduleDeliveries(deps, caller, withDistinctKeys(orders), {
      allOrNone: body.tudo_ou_nada === true,
    });
    return answerItems(outcomes, language, (made) => formatCreation(made).data);
  },
});

const idField = { id: Type.Integer() };

/** Contract 4.31. */
export const getStatusesEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/status',
  readOnly: true,
  operation: 'obterStatusEmLote',
  tag: 'Entregas',
  summary: 'Consultar o status de até 500 entregas',
  description:
    'O status de cada id, na ordem da requisição. Um id que não existe, ou que o usuário não pode ver, tem no seu ' +
    'lugar a recusa que a consulta de um só daria. O limite de requisições conta os ids.',
  permission: 'watch',
  limit: 'deliveries',
  countsItems: true,
  body: Type.Object({ ids: idsField }),
  bodyExample: { ids: [1042, 1043] },
  answer: itemsAnswer(
    Type.Object({ status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']) }),
    idField,
  ),
  answerExample: {
    success: true,
    recusados: 1,
    data: [
      { indice: 0, id: 1042, success: true, data: { status: 'E' } },
      {
        indice: 1,
        id: 1043,
        success: false,
        status: 404,
        kind: 'delivery-not-found',
        errors: [{ code: 0, message: 'entrega não encontrada' }],
      },
    ],
  },
  async handle({ deps, caller, body: { ids }, language, admitItems }) {
    admitItems(ids.length);
    const statuses = await findStatuses(deps.db, caller, ids);
    const outcomes = ids.map((id) => {
      const status = statuses.get(id);
      return status ? { value: status } : { error: new Refusal('delivery-not-found') };
    });
    return answerItems(
      outcomes,
      language,
      (status) => ({ status: statusCode[status] }),
      (index) => ({ id: ids[index]! }),
    );
  },
});

/** Contract 4.31. */
export const cancelDeliveriesEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/cancelar',
  operation: 'cancelarEntregasEmLote',
  tag: 'Entregas',
  summary: 'Cancelar até 500 entregas',
  description:
    'Cancela cada entrega como o cancelamento de uma só, com o mesmo motivo, e dá o resultado de cada uma na ordem ' +
    'da requisição. As que nenhum condutor aceitou são canceladas juntas; uma aceita, em andamento ou agrupada é ' +
    'cancelada por si. Repetir a requisição não cancela nada duas vezes: uma já cancelada é recusada com 406. O ' +
    'limite de requisições conta os ids.',
  permission: 'order',
  limit: 'deliveries',
  countsItems: true,
  isHeavy: true,
  refusals: ['reason-not-found'],
  body: Type.Object({
    ids: idsField,
    motivo_id: Type.Integer({ minimum: 1, description: 'motivo do cancelamento' }),
  }),
  bodyExample: { ids: [1042, 1043], motivo_id: 2 },
  answer: itemsAnswer(Type.Object({ mensagem: Type.String() }), idField),
  answerExample: {
    success: true,
    recusados: 1,
    data: [
      { indice: 0, id: 1042, success: true, data: { mensagem: 'entrega cancelada' } },
      {
        indice: 1,
        id: 1043,
        success: false,
        status: 406,
        kind: 'delivery-over',
        errors: [{ code: 0, message: 'a entrega já foi finalizada, cancelada ou não atendida' }],
      },
    ],
  },
  async handle({ deps, caller, body: { ids, motivo_id }, language, admitItems }) {
    admitItems(ids.length);
    const outcomes = await cancelDeliveries(deps, caller, ids, motivo_id);
    const mensagem = language === 'en' ? 'delivery cancelled' : 'entrega cancelada';
    return answerItems(
      outcomes,
      language,
      () => ({ mensagem }),
      (index) => ({ id: ids[index]! }),
    );
  },
});

/** Contract 4.31. */
export const cancelManyScheduledEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/programadas/cancelar',
  operation: 'cancelarProgramadasEmLote',
  tag: 'Programadas',
  summary: 'Cancelar até 500 entregas programadas',
  description:
    'Cancela cada programada como o cancelamento de uma só e dá o resultado de cada uma na ordem da requisição. As ' +
    'que aguardam disparo, sem grupo, são canceladas juntas; qualquer outra é cancelada por si. Repetir a requisição ' +
    'não cancela nada duas vezes: uma já cancelada é recusada com 406. O limite de requisições conta os ids.',
  permission: 'order',
  limit: 'scheduled',
  countsItems: true,
  isHeavy: true,
  body: Type.Object({ ids: idsField }),
  bodyExample: { ids: [318, 319] },
  answer: itemsAnswer(Type.Object({ mensagem: Type.String() }), idField),
  answerExample: {
    success: true,
    recusados: 1,
    data: [
      { indice: 0, id: 318, success: true, data: { mensagem: 'entrega programada cancelada' } },
      {
        indice: 1,
        id: 319,
        success: false,
        status: 406,
        kind: 'still-awaiting-dispatch',
        errors: [
          {
            code: 0,
            message: 'a entrega programada ainda aguarda disparo e não pode ser cancelada por esta interface',
          },
        ],
      },
    ],
  },
  async handle({ deps, caller, body: { ids }, language, admitItems }) {
    admitItems(ids.length);
    const evenAwaiting = caller.central.settings.cancelAwaitingScheduled;
    const outcomes = await cancelManyScheduled(deps, caller, ids, { evenAwaiting });
    const mensagem = language === 'en' ? 'scheduled delivery cancelled' : 'entrega programada cancelada';
    return answerItems(
      outcomes,
      language,
      () => ({ mensagem }),
      (index) => ({ id: ids[index]! }),
    );
  },
});
