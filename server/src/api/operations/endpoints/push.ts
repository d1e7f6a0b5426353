import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { hasDriver } from '../../../centrals/deviceStore.ts';
import { isBrowserKey } from '../../../events/push/pushKeys.ts';
import { deleteSubscription, upsertSubscription } from '../../../events/push/pushStore.ts';
import { urlFault } from '../../../events/webhooks/publicAddress.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { actingDriver } from '../../../registers/drivers/reportPosition.ts';
import { endpoint } from '../../http/endpoint.ts';
import { invalid } from '../../http/invalidInput.ts';
import { messageAnswer } from '../../json/values.ts';

const shared = {
  path: '/condutores/:id/aparelhos/push',
  tag: 'Operação: aplicativo do entregador',
  permission: 'drive',
  limit: 'operations',
  refusals: ['driver-not-found', 'not-a-device'],
  answer: messageAnswer,
  answerExample: { success: true, message: 'ok' },
} as const;

/** The signed-in phone of the caller. Other sessions have no phone to wake. */
async function deviceOf(tx: Tx, caller: Caller, driverId: number): Promise<{ id: number; driverId: number }> {
  actingDriver(caller, driverId);
  if (!(await hasDriver(tx, caller.centralId, driverId))) throw new Refusal('driver-not-found');
  if (caller.deviceId === undefined) throw new Refusal('not-a-device');
  return { id: caller.deviceId, driverId };
}

export const subscribePushEndpoint = endpoint({
  ...shared,
  method: 'POST',
  summary: 'Receber avisos no aparelho (Web Push)',
  description:
    'O aparelho que chama passa a ser acordado por ofertas e pelo que muda nas entregas do entregador, com `{"tipo": "oferta" | "cancelada" | "recebida" | "repassada" | "alterada", "id_mch"}`. `endpoint` e `keys` são os da assinatura do navegador, feita com a chave de `GET /entregador/push`. Uma nova toma o lugar da anterior, e a do mesmo `endpoint` em outra sessão da central termina.',
  body: Type.Object({
    endpoint: Type.String({ minLength: 1, maxLength: 1000 }),
    keys: Type.Object({
      p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}=?$', maxLength: 88 }),
      auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', maxLength: 24 }),
    }),
  }),
  bodyExample: {
    endpoint: 'https://push.example.com/v1/abc',
    keys: {
      p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
      auth: 'tBHItJI5svbpez7KI4CCXg',
    },
  },
  async handle({ deps, caller, params, body }) {
    const device = await deviceOf(deps.db, caller, params.id!);
    if (urlFault(body.endpoint, deps.allowPrivateWebhooks))
      throw invalid('endpoint', 'deve ser um endereço https público', 'must be a public https address');
    const { p256dh, auth } = body.keys;
    if (!isBrowserKey(p256dh))
      throw invalid('keys/p256dh', 'não é uma chave pública P-256', 'is not a public P-256 key');
    const subscription = { endpoint: body.endpoint, p256dh, auth };
    await deps.db.begin((tx) =>
      upsertSubscription(tx, caller.centralId, device, subscription, deps.clock.now()),
    );
    return { message: 'ok' };
  },
});

export const unsubscribePushEndpoint = endpoint({
  ...shared,
  method: 'DELETE',
  summary: 'Deixar de receber avisos no aparelho',
  async handle({ deps, caller, params }) {
    const { id } = await deviceOf(deps.db, caller, params.id!);
    await deleteSubscription(deps.db, caller.centralId, id);
    return { message: 'ok' };
  },
});
