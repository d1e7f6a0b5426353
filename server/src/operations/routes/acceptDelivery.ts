import Type from 'typebox';
import { acceptDelivery } from '../../deliveries/acceptDelivery.ts';
import { actingDriver } from '../../drivers/actingDriver.ts';
import { invalid } from '../../http/invalidInput.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { driverField, stepAnswer, stepAnswerExample, stepRefusals, stepTaken } from '../wire/stepAnswer.ts';

export const acceptDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/aceitar',
  tag: 'Operação: etapas da entrega',
  summary: 'Aceitar uma entrega',
  description:
    'O condutor aceita por si o que lhe foi oferecido; o resto é para ele como se não existisse (404). Se a central permite pegar da lista, também o que está em distribuição em uma de suas categorias: em serviço, perto da partida e até o máximo em espera. Um operador informa condutor_id. Enquanto o condutor tem outra entrega, a aceita fica em espera (S). De dois aceites simultâneos, o primeiro vale e o outro recebe 409.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: [
    ...stepRefusals,
    'driver-not-found',
    'delivery-taken',
    'offer-not-open',
    'driver-inactive',
    'driver-of-other-companies',
    'driver-off-duty',
    'driver-too-far',
    'driver-busy',
  ],
  body: Type.Object({ condutor_id: Type.Optional(driverField) }),
  bodyExample: { condutor_id: 1 },
  answer: stepAnswer,
  answerExample: stepAnswerExample('A'),
  async handle({ needs, caller, params, body }) {
    const driverId = actingDriver(caller, body.condutor_id);
    if (driverId === null) throw invalid('condutor_id', 'é obrigatório', 'is required');
    return stepTaken(params.id!, await acceptDelivery(needs, caller, params.id!, driverId));
  },
});
