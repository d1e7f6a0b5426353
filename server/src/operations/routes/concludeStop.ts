import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { statusCode } from '../../contract/wire/codes.ts';
import { concludeStop, type Proof } from '../../deliveries/concludeStop.ts';
import { invalid } from '../../http/invalidInput.ts';
import { route } from '../../http/route.ts';
import { operatorsAndDrivers } from '../who.ts';
import { stepRefusals } from '../wire/stepAnswer.ts';

export const concludeStopRoute = route({
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/concluir',
  tag: 'Operação: etapas da entrega',
  summary: 'Concluir uma parada',
  description:
    'A última parada de uma entrega sem retorno a finaliza. Quando a central exige código de confirmação, ele é obrigatório. Após cinco códigos incorretos a parada fica bloqueada para todos. Um operador a conclui sem código quando informa o motivo em sem_codigo_motivo, que fica no histórico com seu autor.',
  who: operatorsAndDrivers,
  limit: 'operations',
  refusals: [
    ...stepRefusals,
    'stop-not-found',
    'confirmation-code-required',
    'wrong-confirmation-code',
    'confirmation-code-locked',
    'not-allowed',
  ],
  body: Type.Object({
    sem_codigo_motivo: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }), Type.Null()], {
        description: 'somente de um operador: por que a parada é concluída sem código',
      }),
    ),
    codigo_confirmacao: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: 'código informado pelo destinatário' }),
    ),
  }),
  bodyExample: { codigo_confirmacao: 4821 },
  answer: dataAnswer(
    Type.Object({
      id_mch: Type.String(),
      parada_id: Type.String(),
      paradas_restantes: Type.Integer({ description: 'paradas que ainda faltam concluir' }),
      status: Type.Enum(['E', 'F'], { description: 'F quando era a última e a entrega não tem retorno' }),
    }),
  ),
  answerExample: {
    success: true,
    data: { id_mch: '1042', parada_id: '2077', paradas_restantes: 1, status: 'E' },
  },
  async handle({ needs, caller, params, body }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const { left, status } = await concludeStop(needs, caller, id, stopId, parseProof(body));
    return {
      data: {
        id_mch: String(id),
        parada_id: String(stopId),
        paradas_restantes: left,
        status: statusCode[status],
      },
    };
  },
});

function parseProof(body: { codigo_confirmacao?: number | null; sem_codigo_motivo?: string | null }): Proof {
  const code = body.codigo_confirmacao ?? null;
  const reason = body.sem_codigo_motivo?.trim() ?? null;
  // Which of the two should count, nobody but the sender knows.
  if (code !== null && reason !== null)
    throw invalid(
      'sem_codigo_motivo',
      'não pode vir junto com codigo_confirmacao',
      'cannot come together with codigo_confirmacao',
    );
  return { code, withoutCodeReason: reason };
}
