import { Webhook } from 'standardwebhooks';
import type { ClientCheckInput } from './clientChecks.ts';
import type { TestMalote } from './malote.ts';
import { order } from './orders.ts';
import { assertOk } from './steps.ts';

/** What `checkClient` needs of a service: a program with a token, and a webhook that was just signed. */
export async function clientCheckInput({ url, operator }: TestMalote): Promise<ClientCheckInput> {
  const made = await operator.post('/programas', { descricao: 'Loja virtual', permissoes: ['watch'] });
  const { id, token } = assertOk(made).body.data;
  const secret = secretOf('um segredo de trinta e dois byte');
  const body = JSON.stringify({ type: 'webhook.teste', timestamp: '2026-11-16T15:00:00.000Z', data: {} });
  const at = new Date();
  return {
    url,
    order: order() as ClientCheckInput['order'],
    program: { id, token },
    webhook: {
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      },
      body,
      secret,
      otherSecret: secretOf('um outro segredo de mesmo tamanho'),
    },
  };
}

const secretOf = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`;
