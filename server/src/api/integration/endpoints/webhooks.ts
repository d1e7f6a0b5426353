import Type from 'typebox';
import { changeActor, recording } from '../../../events/audit/recordChange.ts';
import {
  changeWebhook,
  registerWebhook,
  removeWebhook,
  rotateSecret,
  testWebhook,
} from '../../../events/webhooks/changeWebhook.ts';
import type { Webhook } from '../../../events/webhooks/webhook.ts';
import {
  findWebhook,
  findWebhookStatus,
  findWebhooks,
  lockWebhook,
} from '../../../events/webhooks/webhookStore.ts';
import type { WebhookText } from '../../http/api.ts';
import { type AppDeps, endpoint, type RequestContext } from '../../http/endpoint.ts';
import { EVENT_TYPE_NAMES, eventTypes, parseSampledType } from '../../json/eventTypes.ts';
import {
  answerWith,
  answerWithList,
  dataAnswer,
  messageAnswer,
  pageFields,
  parsePage,
} from '../../json/values.ts';
import {
  parseTypes,
  secretRotated,
  urlProblems,
  webhookFields,
  webhookMade,
  webhookShown,
  webhookStatus,
} from '../../json/webhookJson.ts';

export const listWebhooksEndpoint = endpoint({
  method: 'GET',
  path: '/webhooks',
  operation: 'listarWebhooks',
  tag: 'Webhooks',
  summary: 'Listar webhooks',
  description: 'Um gerente vê os da própria empresa; um usuário da central vê todos.',
  permission: 'webhooks-read',
  limit: 'deliveries',
  query: Type.Object(pageFields),
  ...answerWithList(webhookShown),
  async handle({ deps, caller, query }) {
    const webhooks = await findWebhooks(deps.db, caller, parsePage(query));
    return { data: webhooks.map((webhook) => webhookShown.show(webhook, undefined)) };
  },
});

/** Only the host is recorded, because the rest of an address may contain a token. */
const recorded = ({ url, types, active }: Webhook) => ({
  endereco: new URL(url).host,
  tipos: types.map((type) => eventTypes[type].name),
  ativo: active,
});

/** Records the change of a webhook without its secret. Null: a new webhook. */
function recordingWebhook(
  { deps, caller }: RequestContext,
  id: number | null,
  how: 'deleted' | 'secret' | 'written' = 'written',
): AppDeps {
  const db = recording(deps.db, changeActor(caller, deps.clock.now(), 'integration'), {
    readBefore: (tx): Promise<Webhook | null> =>
      id === null ? Promise.resolve(null) : lockWebhook(tx, caller, id),
    async describe(tx, before, made: { webhook?: Webhook } | undefined) {
      const after = how === 'deleted' ? null : (made?.webhook ?? (await findWebhook(tx, caller, before!.id)));
      const hidden = {
        ...(how === 'secret' && { segredo: 'alterado' }),
        ...(before && after && before.url !== after.url && { url: 'alterada' }),
      };
      return {
        subject: 'webhook',
        id: (after ?? before)!.id,
        name: new URL((after ?? before)!.url).host,
        before: before && recorded(before),
        after: after && { ...recorded(after), ...hidden },
      };
    },
  });
  return { ...deps, db };
}

export const createWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/webhooks',
  operation: 'criarWebhook',
  tag: 'Webhooks',
  summary: 'Cadastrar um webhook',
  description:
    'Os eventos são enviados e assinados conforme a convenção Standard Webhooks. O segredo aparece somente nesta resposta. O webhook de um gerente recebe apenas os eventos da própria empresa.',
  permission: 'webhooks',
  limit: 'deliveries',
  refusals: ['too-many-webhooks', 'too-many-records'],
  body: Type.Object(webhookFields),
  furtherProblems: urlProblems,
  bodyExample: { url: webhookShown.example.url, tipos: webhookShown.example.tipos },
  ...answerWith(webhookMade),
  withoutSecret: ({ data }) => ({ data: { ...data, segredo: null } }),
  async handle({ deps, caller, body }) {
    const { webhook, secret } = await registerWebhook(recordingWebhook({ deps, caller }, null), caller, {
      url: body.url,
      types: parseTypes(body.tipos),
    });
    return { data: webhookMade.show({ ...webhook, secret }, undefined) };
  },
});

export const getWebhookEndpoint = endpoint({
  method: 'GET',
  path: '/webhooks/:id',
  operation: 'obterWebhook',
  tag: 'Webhooks',
  summary: 'Ler um webhook e seu estado',
  permission: 'webhooks-read',
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  ...answerWith(webhookShown),
  async handle({ deps, caller, params }) {
    return { data: webhookShown.show(await findWebhook(deps.db, caller, params.id!), undefined) };
  },
});

export const changeWebhookEndpoint = endpoint({
  method: 'PUT',
  path: '/webhooks/:id',
  operation: 'alterarWebhook',
  tag: 'Webhooks',
  summary: 'Alterar, desativar ou reativar um webhook',
  description:
    'O que não for enviado fica como está. "ativo": true acorda um webhook pausado ou falhando e envia de imediato tudo o que espera; com "ativo": false nenhum evento novo é guardado para ele.',
  permission: 'webhooks',
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  body: Type.Object({
    url: Type.Optional(webhookFields.url),
    tipos: Type.Optional(webhookFields.tipos),
    ativo: Type.Optional(Type.Boolean()),
  }),
  furtherProblems: urlProblems,
  bodyExample: { ativo: true },
  ...answerWith(webhookShown),
  async handle({ deps, caller, params, body }) {
    const webhook = await changeWebhook(recordingWebhook({ deps, caller }, params.id!), caller, params.id!, {
      url: body.url,
      types: body.tipos && parseTypes(body.tipos),
      active: body.ativo,
    });
    return { data: webhookShown.show(webhook, undefined) };
  },
});

export const deleteWebhookEndpoint = endpoint({
  method: 'DELETE',
  path: '/webhooks/:id',
  operation: 'excluirWebhook',
  tag: 'Webhooks',
  summary: 'Excluir um webhook',
  description: 'Nada mais é enviado, nem o que esperava.',
  permission: 'webhooks',
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  answer: messageAnswer,
  answerExample: { success: true, message: 'webhook excluído' },
  async handle({ deps, caller, params, language }) {
    await removeWebhook(recordingWebhook({ deps, caller }, params.id!, 'deleted'), caller, params.id!);
    return { message: language === 'en' ? 'webhook deleted' : 'webhook excluído' };
  },
});

export const rotateWebhookSecretEndpoint = endpoint({
  method: 'POST',
  path: '/webhooks/:id/segredo',
  operation: 'trocarSegredoWebhook',
  tag: 'Webhooks',
  summary: 'Trocar o segredo de um webhook',
  description:
    'O novo segredo aparece somente nesta resposta. Por 24 horas cada envio leva as duas assinaturas, a do segredo novo e a do anterior.',
  permission: 'webhooks',
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  ...answerWith(secretRotated),
  withoutSecret: ({ data }) => ({ data: { ...data, segredo: null } }),
  async handle({ deps, caller, params }) {
    const id = params.id!;
    const rotated = await rotateSecret(recordingWebhook({ deps, caller }, id, 'secret'), caller, id);
    return { data: secretRotated.show({ id, ...rotated }, undefined) };
  },
});

export const testWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/webhooks/:id/teste',
  operation: 'testarWebhook',
  tag: 'Webhooks',
  summary: 'Enviar um evento de teste',
  description:
    'O evento é enviado somente a este webhook, quaisquer que sejam os seus tipos; o resultado aparece nos envios. Com `tipo`, leva o exemplo desse tipo e `"test": true`; sem ele, é um webhook.teste.',
  permission: 'webhooks',
  limit: 'deliveries',
  refusals: ['webhook-not-found', 'webhook-asleep'],
  body: Type.Object({ tipo: Type.Optional(Type.Enum([...EVENT_TYPE_NAMES])) }),
  bodyExample: { tipo: 'entrega.status' },
  answer: dataAnswer(Type.Object({ envio_id: Type.String() })),
  answerExample: { success: true, data: { envio_id: '813' } },
  async handle({ deps, caller, params, body }) {
    const messageId = await testWebhook(deps, caller, params.id!, parseSampledType(body.tipo));
    return { data: { envio_id: String(messageId) } };
  },
});

/** Contract 4.27: whether a registered webhook accepts its messages. */
export const getWebhookStatusEndpoint = endpoint({
  method: 'GET',
  path: '/webhooks/:id/status',
  operation: 'obterStatusWebhook',
  tag: 'Webhooks',
  summary: 'Ler o estado de um webhook',
  description:
    'Se está ativo, falhando, pausado ou inativo, o último sucesso, a última falha, as falhas seguidas e quantas ' +
    'mensagens esperam. Um gerente lê os da própria empresa; um usuário da central, todos.',
  permission: 'webhooks-read',
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  ...answerWith(webhookStatus),
  async handle({ deps, caller, params }) {
    return { data: webhookStatus.show(await findWebhookStatus(deps.db, caller, params.id!), undefined) };
  },
});

/** The event types as the reference describes them. */
export const webhookTexts: Readonly<Record<string, WebhookText>> = Object.fromEntries(
  Object.values(eventTypes).map(({ name, label, data, example }) => [name, { label, data, example }]),
);
