import Type from 'typebox';
import { editDelivery } from '../../deliveries/editDelivery.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { creationFields, parseCreation } from '../wire/orderBody.ts';
import { orderExample } from '../wire/orderExample.ts';

/** Completions: full replacement of a delivery, until it is in progress. */
export const editDeliveryRoute = route({
  method: 'PUT',
  path: '/entregas/:id',
  operation: 'editarEntrega',
  tag: 'Entregas',
  summary: 'Editar uma entrega (substituição total)',
  description:
    'Com os campos e as regras da criação, até que a entrega esteja em andamento: o que não for enviado fica como em ' +
    'uma entrega criada sem ele. Somente a empresa não muda, e o cliente fica se não for enviado. Todas as paradas ' +
    'recebem novos ids; uma que volta com o mesmo id_externo mantém o link de rastreio e o código de confirmação. Se ' +
    'a partida ou a categoria muda, as ofertas são retiradas, o condutor é liberado e a busca recomeça. Com ' +
    'pagamento R a reserva acompanha o novo valor.',
  who: readers,
  limit: 'deliveries',
  refusals: [
    'delivery-not-found',
    'company-not-found',
    'category-not-found',
    'delivery-grouped',
    'delivery-over',
    'delivery-started',
    'delivery-carries-others',
    'company-fixed',
    'company-inactive',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    'no-tariff',
    'coupon-invalid',
    'insufficient-balance',
    'wallet-needs-company',
    'estimate-impossible',
  ],
  body: Type.Object(creationFields),
  bodyExample: orderExample,
  answer: Type.Object({ success: Type.Literal(true), id_mch: Type.Integer() }),
  answerExample: { success: true, id_mch: 1042 },
  async handle({ needs, caller, params, body }) {
    await editDelivery(needs, caller, params.id!, parseCreation(body, caller));
    return { id_mch: params.id! };
  },
});
