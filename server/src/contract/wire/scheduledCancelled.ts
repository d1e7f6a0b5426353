import Type from 'typebox';
import type { Language } from '../../http/language.ts';
import type { RefusalKind } from '../../kernel/refusal.ts';
import { dataAnswer } from './answers.ts';

/** Contract 4.15, and the operator's cancellation. */
export const scheduledCancelledAnswer = dataAnswer(
  Type.Object({ id_mch_programada: Type.Integer(), mensagem: Type.String() }),
);

export const scheduledCancelled = (id: number, language: Language) => ({
  data: {
    id_mch_programada: id,
    mensagem: language === 'en' ? 'scheduled delivery cancelled' : 'entrega programada cancelada',
  },
});

export const scheduledCancelledExample = {
  success: true,
  data: { id_mch_programada: 318, mensagem: 'entrega programada cancelada' },
};

export const cancelScheduledRefusals: readonly RefusalKind[] = [
  'scheduled-not-found',
  'scheduled-cancelled',
  'scheduled-grouped',
  'grouper-needs-stop',
  'delivery-over',
  'delivery-grouped',
];
