import Type from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import { type Device, hasDriver, listDevices } from '../../../centrals/deviceStore.ts';
import { endDevice, type Invitation, inviteDevice } from '../../../centrals/driverDevices.ts';
import { outranks } from '../../../centrals/permissions.ts';
import type { Change } from '../../../events/audit/change.ts';
import { changeActor, recording } from '../../../events/audit/recordChange.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { findDriver } from '../../../registers/drivers/driverStore.ts';
import { type AppDeps, endpoint } from '../../http/endpoint.ts';
import { dataAnswer, formatUtc, messageAnswer, nullable } from '../../json/values.ts';
import { instantShown } from '../wire/fields.ts';

const shared = {
  tag: 'Operação: aplicativo do entregador',
  permission: 'drivers',
  limit: 'operations',
} as const;

interface Subject {
  /** The driver's name. */
  name: string | null;
  devices: Device[];
}

/** Returns `deps` with a database whose transaction also records who admitted or removed a phone. */
const recorded = <Result>(
  deps: AppDeps,
  caller: Caller,
  driverId: number,
  describe: (subject: Subject, result: Result) => Pick<Change, 'name' | 'before' | 'after'>,
): AppDeps => ({
  ...deps,
  db: recording(deps.db, changeActor(caller, deps.clock.now(), 'operations'), {
    readBefore: async (tx): Promise<Subject> => ({
      name: (await findDriver(tx, caller.centralId, driverId))?.name ?? null,
      devices: await listDevices(tx, caller.centralId, driverId, deps.clock.now()),
    }),
    describe: (_tx, subject, result: Result) => ({
      subject: 'device',
      id: driverId,
      ...describe(subject, result),
    }),
  }),
});

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
    // A program must not get the rights of a driver by this way.
    if (!outranks(caller, 'driver')) throw new Refusal('not-allowed');
    const recordingDeps = recorded(deps, caller, params.id!, ({ name }, { expiresAt }: Invitation) => ({
      name,
      before: null,
      after: { convite_ate: formatUtc(expiresAt) },
    }));
    const { code, expiresAt } = await inviteDevice(recordingDeps, caller.centralId, params.id!);
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
    const deviceId = params.aparelho_id!;
    const recordingDeps = recorded(deps, caller, params.id!, ({ name, devices }) => ({
      name,
      before: { aparelho: devices.find(({ id }) => id === deviceId)?.label ?? null },
      after: null,
    }));
    await endDevice(recordingDeps, caller.centralId, params.id!, deviceId);
    return { message: language === 'en' ? 'access ended' : 'acesso encerrado' };
  },
});
