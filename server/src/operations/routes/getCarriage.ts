import Type from 'typebox';
import { dataAnswer, nullable } from '../../contract/wire/answers.ts';
import { statusCode } from '../../contract/wire/codes.ts';
import { parseScript, scriptWord } from '../../contract/wire/simulation.ts';
import { findCarriage } from '../../couriers/carriageStore.ts';
import { route } from '../../http/route.ts';
import { operators } from '../who.ts';

export const getCarriageRoute = route({
  method: 'GET',
  path: '/entregas/:id/condutor',
  tag: 'Operação: etapas da entrega',
  summary: 'Saber quem leva a entrega',
  description:
    'O condutor da entrega, e se ele é simulado: então ninguém de verdade a leva. O roteiro é o que a observação da entrega pede aos condutores simulados; nulo quando a central não os usa.',
  who: operators,
  limit: 'operations',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(
    Type.Object({
      id_mch: Type.String(),
      status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']),
      simulada: Type.Boolean({ description: 'levada por um condutor simulado' }),
      roteiro: nullable(Type.Enum(Object.values(scriptWord))),
      condutor: nullable(Type.Object({ id: Type.String(), nome: Type.String(), simulado: Type.Boolean() })),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      id_mch: '1042',
      status: 'E',
      simulada: true,
      roteiro: 'sucesso',
      condutor: { id: '1', nome: 'João Silva', simulado: true },
    },
  },
  async handle({ needs, caller, params }) {
    const { status, note, driver } = await findCarriage(needs.db, caller, params.id!);
    return {
      data: {
        id_mch: String(params.id!),
        status: statusCode[status],
        simulada: driver?.simulated ?? false,
        roteiro: caller.central.settings.simulatedCouriers ? scriptWord[parseScript(note)] : null,
        condutor: driver && { id: String(driver.id), nome: driver.name, simulado: driver.simulated },
      },
    };
  },
});
