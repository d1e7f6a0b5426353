import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { statusCode } from '../../contract/wire/codes.ts';
import type { Status } from '../../deliveries/status.ts';
import type { RefusalKind } from '../../kernel/refusal.ts';

/** What every step answers: the delivery and the status it has now, in the letters of contract 4.16. */
export const stepAnswer = dataAnswer(
  Type.Object({ id_mch: Type.String(), status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']) }),
);

export const stepAnswerExample = (status: string) => ({ success: true, data: { id_mch: '1042', status } });

export const stepTaken = (id: number, status: Status) => ({
  data: { id_mch: String(id), status: statusCode[status] },
});

export const stepRefusals: readonly RefusalKind[] = [
  'delivery-not-found',
  'delivery-grouped',
  'step-out-of-order',
  'delivery-over',
];

export const driverField = Type.Integer({ minimum: 1, description: 'id do condutor' });
