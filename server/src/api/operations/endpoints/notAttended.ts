import Type from 'typebox';
import { listNotAttended, type NotAttended } from '../../../deliveries/deliveries/deliveryListStore.ts';
import { dismissDelivery } from '../../../deliveries/deliveries/dismissDelivery.ts';
import { orderAgain } from '../../../deliveries/deliveries/orderAgain.ts';
import { endpoint } from '../../http/endpoint.ts';
import { answerWithList, dataAnswer, messageAnswer } from '../../json/values.ts';
import { id, instant, text, view } from '../../json/view.ts';
import { requiredText } from '../wire/fields.ts';

const LISTED_MAX = 100;
const LISTED_HOURS = 12;
const shared = { tag: 'Operação: etapas da entrega', limit: 'operations' } as const;

const notAttended = view<NotAttended>()({
  id_mch: id((delivery) => delivery.id, '1042'),
  empresa_id: id.orNull((delivery) => delivery.companyId, '1'),
  nome_cliente: text((delivery) => delivery.customerName, 'Padaria Moinhos'),
  pedida_em: instant((delivery) => delivery.requestedAt, '2026-11-16T14:00:00Z'),
  nao_atendida_em: instant((delivery) => delivery.notAttendedAt, '2026-11-16T14:30:00Z'),
});

export const listNotAttendedEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/nao-atendidas',
  summary: 'Listar as não atendidas que ninguém pediu de novo nem dispensou',
  description: `As pedidas nas últimas ${LISTED_HOURS} horas, da mais nova à mais antiga, até ${LISTED_MAX}. Pedida de novo ou dispensada, a entrega sai da lista para todos. Um gerente vê a própria empresa.`,
  permission: 'watch',
  ...answerWithList(notAttended),
  async handle({ deps: { db, clock }, caller }) {
    const since = clock.now().subtract({ hours: LISTED_HOURS });
    const listed = await listNotAttended(db, caller, since, LISTED_MAX);
    return { data: listed.map((each) => notAttended.show(each, undefined)) };
  },
});

export const orderAgainEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/pedir-de-novo',
  summary: 'Pedir de novo uma entrega não atendida',
  description:
    'Abre uma entrega igual, para o mesmo pagador, pelo valor de agora e sem cupom. A não atendida guarda o número da nova e não espera mais por ninguém; de vários pedidos ao mesmo tempo um é aceito.',
  permission: 'desk',
  refusals: [
    'delivery-not-found',
    'not-to-order-again',
    'company-inactive',
    'category-not-found',
    'no-tariff',
    'outside-operating-areas',
    'estimate-impossible',
    'insufficient-balance',
  ],
  answer: dataAnswer(
    Type.Object({
      id_mch: Type.String(),
      nova_entrega: Type.String({ description: 'id_mch da nova entrega' }),
    }),
  ),
  answerExample: { success: true, data: { id_mch: '1042', nova_entrega: '1051' } },
  async handle({ deps, caller, params }) {
    const created = await orderAgain(deps, caller, params.id!);
    return { data: { id_mch: String(params.id), nova_entrega: String(created) } };
  },
});

export const dismissDeliveryEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/dispensar',
  summary: 'Dispensar uma entrega não atendida',
  description:
    'Nada mais há a fazer por ela: deixa de esperar pela central e sai da lista para todos. O status segue o de não atendida, e ela ainda pode ser pedida de novo. `motivo` fica só para a central, nos detalhes da entrega.',
  permission: 'desk',
  refusals: ['delivery-not-found', 'not-to-dismiss'],
  body: Type.Object({ motivo: requiredText(300) }),
  bodyExample: { motivo: 'O cliente mandou buscar' },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entrega dispensada' },
  async handle({ deps, caller, params, body, language }) {
    await dismissDelivery(deps, caller, params.id!, body.motivo.trim());
    return { message: language === 'pt' ? 'entrega dispensada' : 'delivery dismissed' };
  },
});
