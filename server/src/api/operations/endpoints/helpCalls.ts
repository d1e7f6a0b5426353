import Type from 'typebox';
import { askForHelp, endHelp } from '../../../registers/drivers/askForHelp.ts';
import { endpoint } from '../../http/endpoint.ts';
import { dataAnswer } from '../../json/values.ts';
import { optionalId, requiredText } from '../wire/fields.ts';

const shared = {
  path: '/condutores/:id/ajuda',
  tag: 'Operação: aplicativo do entregador',
  limit: 'operations',
} as const;

export const askForHelpEndpoint = endpoint({
  ...shared,
  method: 'POST',
  summary: 'Pedir ajuda à central',
  description:
    'O pedido aparece no resumo do dia até que um operador o encerre, por até 72 horas. Um entregador tem no máximo 5 à espera; mais um toma o lugar do mais antigo. `id_mch` é uma entrega que ele leva. O texto é só para operadores: o evento `condutor.ajuda` não o traz.',
  permission: 'drive',
  refusals: ['driver-not-found', 'delivery-not-found'],
  body: Type.Object({ id_mch: optionalId, texto: requiredText(300) }),
  bodyExample: { id_mch: 1042, texto: 'A rua está interditada' },
  answer: dataAnswer(Type.Object({ id: Type.String() })),
  answerExample: { success: true, data: { id: '81273640219' } },
  async handle({ deps, caller, params, body }) {
    const request = { deliveryId: body.id_mch ?? null, text: body.texto.trim() };
    return { data: { id: String(await askForHelp(deps, caller, params.id!, request)) } };
  },
});

export const endHelpEndpoint = endpoint({
  ...shared,
  method: 'DELETE',
  summary: 'Encerrar os pedidos de ajuda de um entregador',
  permission: 'dispatch',
  refusals: ['driver-not-found'],
  answer: dataAnswer(Type.Object({ encerrados: Type.Integer() })),
  answerExample: { success: true, data: { encerrados: 1 } },
  async handle({ deps, caller, params }) {
    return { data: { encerrados: await endHelp(deps, caller.centralId, params.id!) } };
  },
});
