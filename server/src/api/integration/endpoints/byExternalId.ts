import Type from 'typebox';
import { idByExternalId } from '../../../deliveries/orders/externalId.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { endpoint } from '../../http/endpoint.ts';
import { JsonText } from '../../http/envelope.ts';
import { deliveryAnswer } from '../../json/deliveryJson.ts';
import { externalIdField } from '../../json/orderBody.ts';
import { scheduledAnswer } from '../../json/scheduledJson.ts';
import { answerWith } from '../../json/values.ts';
import { findDeliveryDocument, findScheduledDocument } from '../deliveryJsonStore.ts';

const DESCRIPTION =
  'Pela chave dada na criação. Um usuário da central diz de qual empresa com empresa_id (0: sem empresa) quando mais ' +
  'de uma tem a chave.';

const shared = {
  method: 'GET',
  description: DESCRIPTION,
  permission: 'watch',
  texts: Type.Object({ id_externo: externalIdField }),
  textExamples: { id_externo: 'PED-1042' },
  query: Type.Object({
    empresa_id: Type.Optional(Type.Integer({ minimum: 0, description: 'de qual empresa; 0: sem empresa' })),
  }),
} as const;

/** Contract 4.29. */
export const getDeliveryByKeyEndpoint = endpoint({
  ...shared,
  path: '/entregas/externo/:id_externo',
  operation: 'obterEntregaPorIdExterno',
  tag: 'Entregas',
  summary: 'Ler uma entrega pela sua chave',
  limit: 'deliveries',
  refusals: ['delivery-not-found', 'external-id-ambiguous'],
  ...answerWith(deliveryAnswer),
  async handle({ deps, caller, texts, query }) {
    const id = await idByExternalId(deps.db, 'delivery', caller, texts.id_externo!, query.empresa_id);
    const document = await findDeliveryDocument(deps.db, caller, caller.central.timeZone, id);
    if (!document) throw new Refusal('delivery-not-found');
    return new JsonText(`{"success":true,"data":${document}}`);
  },
});

/** Contract 4.29. */
export const getScheduledByKeyEndpoint = endpoint({
  ...shared,
  path: '/entregas/programadas/externo/:id_externo',
  operation: 'obterProgramadaPorIdExterno',
  tag: 'Programadas',
  summary: 'Ler uma entrega programada pela sua chave',
  limit: 'scheduled',
  refusals: ['scheduled-not-found', 'external-id-ambiguous'],
  ...answerWith(scheduledAnswer),
  async handle({ deps, caller, texts, query }) {
    const id = await idByExternalId(deps.db, 'scheduled', caller, texts.id_externo!, query.empresa_id);
    const document = await findScheduledDocument(deps.db, caller, caller.central.timeZone, id);
    if (!document) throw new Refusal('scheduled-not-found');
    return new JsonText(`{"success":true,"data":${document}}`);
  },
});
