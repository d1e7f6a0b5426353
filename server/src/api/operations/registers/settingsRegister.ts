import Type from 'typebox';
import { changeSettings } from '../../../centrals/changeSettings.ts';
import {
  deleteReason,
  findReason,
  insertReason,
  listReasons,
  type Reason,
  type ReasonValues,
  updateReason,
} from '../../../centrals/reasonStore.ts';
import { changeActor, recordChange } from '../../../events/audit/recordChange.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataAnswer } from '../../json/values.ts';
import { flag, id, text, view } from '../../json/view.ts';
import { register, writeRegister } from '../register.ts';
import { activeField, nameText } from '../wire/fields.ts';
import {
  formatSettings,
  mergeSettings,
  SettingsBody,
  SettingsShown,
  settingsExample,
} from '../wire/settingsView.ts';

const shared = {
  path: '/configuracoes',
  tag: 'Operação: configurações',
  limit: 'operations',
  answer: dataAnswer(SettingsShown),
  answerExample: { success: true, data: settingsExample },
} as const;

export const settingsEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    permission: 'registers-read',
    summary: 'Ler as configurações da central',
    handle: async ({ caller }) => ({ data: formatSettings(caller.central) }),
  }),
  endpoint({
    ...shared,
    method: 'PUT',
    permission: 'settings',
    summary: 'Alterar as configurações da central',
    description: 'O que não for enviado fica como está. Um nome desconhecido é recusado.',
    refusals: ['central-name-taken', 'central-name-without-letter', 'no-supervisor'],
    body: SettingsBody,
    bodyExample: { exige_codigo_confirmacao: true, limite_entregas: 1200 },
    async handle({ deps, caller, body }) {
      const central = await writeRegister(deps, async (tx) => {
        const { before, after } = await changeSettings(tx, caller, (before) =>
          mergeSettings(before, body as Record<string, unknown>),
        );
        await recordChange(tx, changeActor(caller, deps.clock.now(), 'operations'), {
          subject: 'settings',
          id: null,
          name: after.name,
          before: formatSettings(before),
          after: formatSettings(after),
        });
        return after;
      });
      return { data: formatSettings(central) };
    },
  }),
];

const example = { nome: 'Chuva forte', nome_en: 'Heavy rain', ativo: true };

export const reasonEndpoints = register({
  path: '/motivos-cancelamento',
  permissions: { read: 'registers-read', write: 'settings' },
  audit: { subject: 'reason', nameOf: ({ name }) => name },
  records: 'reasons',
  tag: 'Operação: motivos de cancelamento',
  nouns: { one: 'um motivo de cancelamento', all: 'os motivos de cancelamento' },
  notFound: 'reason-not-found',
  body: Type.Object({
    nome: nameText(),
    nome_en: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'ausente: igual a nome' }),
    ),
    ativo: activeField,
  }),
  bodyExample: example,
  shown: view<Reason>()({
    id: id((reason) => reason.id, '14'),
    nome: text((reason) => reason.name, example.nome),
    nome_en: text((reason) => reason.nameEn, example.nome_en),
    ativo: flag((reason) => reason.active, example.ativo),
  }),
  parse: (body): ReasonValues => ({
    name: plainName(body.nome),
    nameEn: plainName(body.nome_en ?? body.nome),
    active: body.ativo ?? null,
  }),
  store: {
    list: listReasons,
    find: findReason,
    insert: insertReason,
    update: updateReason,
    remove: deleteReason,
  },
});
