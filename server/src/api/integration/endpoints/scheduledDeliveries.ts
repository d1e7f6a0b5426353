import Type from 'typebox';
import { locateAddresses } from '../../../deliveries/orders/locateAddresses.ts';
import { cancelScheduled } from '../../../deliveries/scheduled/cancelScheduled.ts';
import { createScheduled } from '../../../deliveries/scheduled/createScheduled.ts';
import { editScheduled, removeScheduledStop } from '../../../deliveries/scheduled/editScheduled.ts';
import { Refusal, type RefusalKind } from '../../../platform/kernel/refusal.ts';
import { endpoint } from '../../http/endpoint.ts';
import { JsonText, type Language } from '../../http/envelope.ts';
import {
  CREATION_WITH_KEY,
  coordinateProblems,
  creationAnswer,
  creationProblems,
  EditBody,
  editExample,
  externalIdField,
  formatCreation,
  locatingRefusals,
  parseCreation,
  parseReplacement,
  quoteRefusals,
  ScheduleBody,
  scheduleExample,
} from '../../json/orderBody.ts';
import { scheduledAnswer } from '../../json/scheduledJson.ts';
import { answerWith, pageFields, parseLocal, parsePage } from '../../json/values.ts';
import { integer, text, view } from '../../json/view.ts';
import { findScheduledDocument, findScheduledPage, findScheduledTexts } from '../deliveryJsonStore.ts';
import { answerWithWalk, isWalk, walk, walkFields, walkProblems } from '../lists/walk.ts';
import { formatRemoval, removalAnswer, removalExample } from './deliveries.ts';

export const cancelledMessage = text(
  (_: { id: number }, { language }: { language: Language }) =>
    language === 'en' ? 'scheduled delivery cancelled' : 'entrega programada cancelada',
  'entrega programada cancelada',
);
const cancelled = view<{ id: number }, { language: Language }>()({
  id_mch_programada: integer(({ id }) => id, 318),
  mensagem: cancelledMessage,
});

export const cancelScheduledRefusals: readonly RefusalKind[] = [
  'scheduled-not-found',
  'scheduled-cancelled',
  'scheduled-grouped',
  'grouper-needs-stop',
  'delivery-over',
  'delivery-grouped',
];

/** Contract 4.9. */
export const listScheduledEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/programadas',
  operation: 'listarProgramadas',
  section: '4.9',
  tag: 'Programadas',
  summary: 'Listar entregas programadas',
  description:
    'Da criada por último para a mais antiga; editar uma programada não muda a ordem. Com `cursor` (na primeira vez ' +
    '`inicio`) ou um dos filtros, a resposta traz `proximo_cursor`, como na consulta de entregas; com `disparo_de` ou ' +
    '`disparo_ate` a ordem é a do disparo. Com `alteradas_desde` as programadas vêm na ordem em que mudaram.',
  permission: 'watch',
  limit: 'scheduled',
  query: Type.Object({
    ...pageFields,
    id_externo: Type.Optional(externalIdField),
    ...walkFields.scheduled,
  }),
  furtherProblems: walkProblems,
  ...answerWithWalk(scheduledAnswer),
  async handle({ deps, caller, query }) {
    const { timeZone } = caller.central;
    const filter = { externalId: query.id_externo };
    if (isWalk(query))
      return walk(deps, caller, query, {
        noun: 'scheduled',
        also: filter,
        write: (ids) => findScheduledTexts(deps.db, caller, timeZone, ids),
      });
    const documents = await findScheduledPage(deps.db, caller, timeZone, filter, parsePage(query));
    return new JsonText(`{"success":true,"data":${documents}}`);
  },
});

/** Contract 4.24. */
export const getScheduledEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/programadas/:id',
  operation: 'obterProgramada',
  tag: 'Programadas',
  summary: 'Ler uma entrega programada',
  permission: 'watch',
  limit: 'scheduled',
  refusals: ['scheduled-not-found'],
  ...answerWith(scheduledAnswer),
  async handle({ deps, caller, params }) {
    const document = await findScheduledDocument(deps.db, caller, caller.central.timeZone, params.id!);
    if (!document) throw new Refusal('scheduled-not-found');
    return new JsonText(`{"success":true,"data":${document}}`);
  },
});

/** Contract 4.18. */
export const createScheduledEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/programadas',
  operation: 'criarProgramada',
  tag: 'Programadas',
  summary: 'Programar uma entrega',
  description:
    'Os campos da entrega imediata, mais data e hora do disparo no fuso da central. id_mch é o id da programada. ' +
    `Com pagamento R os créditos são reservados no disparo. ${CREATION_WITH_KEY} Editar assim uma programada troca ` +
    'também categoria, retorno, observação e cupom.',
  permission: 'order',
  limit: 'scheduled',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'insufficient-balance',
    'dispatch-in-the-past',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'wallet-needs-company',
    'estimate-impossible',
    ...quoteRefusals,
    'external-id-taken',
  ],
  body: ScheduleBody,
  furtherProblems: creationProblems,
  bodyExample: scheduleExample,
  answer: creationAnswer,
  answerExample: { success: true, data: { id_mch: '318' } },
  async handle({ deps, caller, body }) {
    const dispatchAt = parseLocal(body.data, body.hora, caller.central.timeZone, deps.clock.now());
    return formatCreation(await createScheduled(deps, caller, parseCreation(body, caller), dispatchAt));
  },
});

/** Contract 4.3. */
export const editScheduledEndpoint = endpoint({
  method: 'PUT',
  path: '/entregas/programadas/:id',
  operation: 'editarProgramada',
  section: '4.3',
  tag: 'Programadas',
  summary: 'Editar uma entrega programada (substituição total)',
  description:
    'Antes do disparo, com o usuário de um gerente da empresa; a de uma pessoa, sem empresa, é editada pela central. Substitui data, hora, pagamento, partida e ' +
    'todas as paradas, que recebem novos ids; categoria, retorno, observação e cupom são mantidos. Uma programada em X, ' +
    'cujo disparo falhou, volta a aguardar (A) com a nova data e hora.',
  permission: 'order',
  limit: 'scheduled',
  refusals: [
    'scheduled-not-found',
    'company-manager-only',
    'company-inactive',
    'grouped-automatically',
    'scheduled-cancelled',
    'scheduled-dispatched',
    'scheduled-grouped',
    'delivery-grouped',
    'dispatch-in-the-past',
    'coupon-invalid',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'insufficient-balance',
    'wallet-needs-company',
    'estimate-impossible',
  ],
  body: EditBody,
  furtherProblems: coordinateProblems,
  bodyExample: editExample,
  answer: Type.Object({ success: Type.Literal(true), id_mch: Type.Integer() }),
  answerExample: { success: true, id_mch: 318 },
  async handle({ deps, caller, params, body }) {
    const sent = parseReplacement(body, caller, deps.clock.now());
    const replacement = await locateAddresses(deps, caller.central, sent);
    await editScheduled(deps, caller, params.id!, replacement);
    return { id_mch: params.id! };
  },
});

/** Contract 4.15. */
export const cancelScheduledEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/programadas/:id/cancelar',
  operation: 'cancelarProgramada',
  section: '4.15',
  tag: 'Programadas',
  summary: 'Cancelar uma entrega programada',
  description:
    'Sem corpo. Uma programada que ainda aguarda disparo é recusada, salvo quando a configuração da central o ' +
    'permite. Uma já disparada cancela também a sua entrega; uma agrupada retira as suas paradas da agrupadora, ' +
    'enquanto esta aguarda disparo.',
  permission: 'order',
  limit: 'scheduled',
  refusals: ['still-awaiting-dispatch', ...cancelScheduledRefusals],
  ...answerWith(cancelled),
  async handle({ deps, caller, params, language }) {
    const evenAwaiting = caller.central.settings.cancelAwaitingScheduled;
    await cancelScheduled(deps, caller, params.id!, { evenAwaiting });
    return { data: cancelled.show({ id: params.id! }, { language }) };
  },
});

/** Contract 4.12. */
export const removeScheduledStopEndpoint = endpoint({
  method: 'DELETE',
  path: '/entregas/programadas/:id/paradas/:parada_id',
  operation: 'removerParadaProgramada',
  section: '4.12',
  tag: 'Programadas',
  summary: 'Excluir uma parada de uma entrega programada',
  description:
    'A estimativa é das paradas que restam, e nula quando o serviço de rotas está indisponível: nesse caso ela é ' +
    'recalculada até o disparo.',
  permission: 'order',
  limit: 'scheduled',
  refusals: [
    'scheduled-not-found',
    'stop-not-found',
    'grouped-automatically',
    'scheduled-cancelled',
    'scheduled-dispatched',
    'scheduled-grouped',
    'scheduled-failed',
    'last-stop',
  ],
  answer: removalAnswer,
  answerExample: removalExample,
  async handle({ deps, caller, params, language }) {
    const estimate = await removeScheduledStop(deps, caller, params.id!, params.parada_id!);
    return formatRemoval(estimate, language);
  },
});
