import { lockCentral, updateCentral } from '../../centrals/centralStore.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { dataAnswer } from '../../wire/answers.ts';
import { writeRegister } from '../register.ts';
import { operators } from '../roles.ts';
import {
  formatSettings,
  mergeSettings,
  SettingsBody,
  SettingsShown,
  settingsExample,
} from '../wire/settings.ts';

const shared = {
  path: '/configuracoes',
  tag: 'Operação: configurações',
  roles: operators,
  limit: 'operations',
  answer: dataAnswer(SettingsShown),
  answerExample: { success: true, data: settingsExample },
} as const;

export const settingsEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    method: 'GET',
    summary: 'Ler as configurações da central',
    handle: async ({ caller }) => ({ data: formatSettings(caller.central) }),
  }),
  endpoint({
    ...shared,
    method: 'PUT',
    summary: 'Alterar as configurações da central',
    description: 'O que não for enviado fica como está. Um nome desconhecido é recusado.',
    refusals: ['central-name-taken', 'central-name-without-letter'],
    body: SettingsBody,
    bodyExample: { exige_codigo_confirmacao: true, limite_entregas: 1200 },
    async handle({ deps, caller, body }) {
      const central = await writeRegister(deps, async (tx) => {
        const changed = mergeSettings(
          await lockCentral(tx, caller.centralId),
          body as Record<string, unknown>,
        );
        await updateCentral(tx, changed);
        return changed;
      });
      return { data: formatSettings(central) };
    },
  }),
];
