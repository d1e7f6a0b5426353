import Type from 'typebox';
import { type Device, hasDriver, listDevices } from '../../centrals/deviceStore.ts';
import { endDevice, inviteDevice } from '../../centrals/devices.ts';
import { endpoint } from '../../http/endpoint.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { dataAnswer, formatUtc, messageAnswer, nullable } from '../../wire/values.ts';
import { instantShown } from '../wire/fields.ts';

const shared = {
  tag: 'Operação: aplicativo do entregador',
  permission: 'drivers',
  limit: 'operations',
} as const;

export const inviteDeviceEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/condutores/:id/convites',
  summary: 'Convidar um entregador a entrar no aplicativo',
  description:
    'Cria um código de uso único, válido por 15 minutos, com o qual o entregador entra no aplicativo sem digitar senha: abra `link` no telefone dele ou mostre-o como QR. Há no máximo 5 abertos por entregador; mais um anula o mais antigo. O código aparece somente nesta resposta; uma repetição com a mesma Idempotency-Key o traz nulo. O entregador precisa de um usuário com perfil de entregador.',
  refusals: ['driver-not-found', 'driver-without-login', 'driver-inactive'],
  answer: dataAnswer(
    Type.Object({
      codigo: nullable(Type.String()),
      link: nullable(Type.String({ description: 'o código vem depois de #, que não chega a nenhum log' })),
      expira_em: instantShown,
    }),
  ),
  answerExample: {
    success: true,
    data: {
      codigo: '1.7K2MW09XQ4TBN3ZD',
      link: 'https://entregas.exemplo.com.br/entregador#convite=1.7K2MW09XQ4TBN3ZD',
      expira_em: '2026-11-16T15:15:00Z',
    },
  },
  withoutSecret: ({ data }) => ({ data: { ...data, codigo: null, link: null } }),
  async handle({ deps, caller, params, publicUrl }) {
    const { code, expiresAt } = await inviteDevice(deps, caller.centralId, params.id!);
    return {
      data: {
        codigo: code,
        link: `${publicUrl}/entregador#convite=${code}`,
        expira_em: formatUtc(expiresAt),
      },
    };
  },
});

const formatDevice = (device: Device) => ({
  id: String(device.id),
  nome: device.label,
  criado_em: formatUtc(device.createdAt),
  visto_em: formatUtc(device.seenAt),
  versao: device.appVersion,
  bateria: device.battery,
});

export const listDevicesEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/condutores/:id/aparelhos',
  summary: 'Listar os aparelhos de um entregador',
  description:
    'Onde o entregador está com o aplicativo aberto em seu nome, o mais recente primeiro. `visto_em` é atualizado no máximo uma vez por minuto.',
  refusals: ['driver-not-found'],
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        id: Type.String(),
        nome: Type.String(),
        criado_em: instantShown,
        visto_em: instantShown,
        versao: nullable(Type.String({ description: 'do aplicativo; nula até que ele a informe' })),
        bateria: nullable(Type.Integer({ description: 'em %; nula até que o aplicativo a informe' })),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        id: '81273640218',
        nome: 'Android, Chrome',
        criado_em: '2026-11-16T11:00:00Z',
        visto_em: '2026-11-16T15:00:00Z',
        versao: '1.4.0',
        bateria: 64,
      },
    ],
  },
  async handle({ deps: { db, clock }, caller: { centralId }, params }) {
    const devices = await listDevices(db, centralId, params.id!, clock.now());
    if (devices.length === 0 && !(await hasDriver(db, centralId, params.id!)))
      throw new Refusal('driver-not-found');
    return { data: devices.map(formatDevice) };
  },
});

export const endDeviceEndpoint = endpoint({
  ...shared,
  method: 'DELETE',
  path: '/condutores/:id/aparelhos/:aparelho_id',
  summary: 'Encerrar o acesso de um aparelho',
  description: 'Vale imediatamente, também para o que o aparelho acompanha ao vivo.',
  refusals: ['device-not-found'],
  answer: messageAnswer,
  answerExample: { success: true, message: 'acesso encerrado' },
  async handle({ deps, caller, params, language }) {
    await endDevice(deps, caller.centralId, params.id!, params.aparelho_id!);
    return { message: language === 'en' ? 'access ended' : 'acesso encerrado' };
  },
});
