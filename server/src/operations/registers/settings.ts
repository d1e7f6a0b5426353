import { lockCentral, updateCentral } from '../../centrals/centralStore.ts';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { type Route, route } from '../../http/route.ts';
import { writeRegister } from '../register.ts';
import { operators } from '../who.ts';
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
  who: operators,
  limit: 'operations',
  answer: dataAnswer(SettingsShown),
  answerExample: { success: true, data: settingsExample },
} as const;

export const settingsRoutes: Route[] = [
  route({
    ...shared,
    method: 'GET',
    summary: 'Ler as configurações da central',
    handle: async ({ caller }) => ({ data: formatSettings(caller.central) }),
  }),
  route({
    ...shared,
    method: 'PUT',
    summary: 'Alterar as configurações da central',
    description: 'O que não for enviado fica como está. Um nome desconhecido é recusado.',
    refusals: ['central-name-taken', 'central-name-without-letter'],
    body: SettingsBody,
    bodyExample: { exige_codigo_confirmacao: true, limite_entregas: 1200 },
    async handle({ needs, caller, body }) {
      const central = await writeRegister(needs, async (tx) => {
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
