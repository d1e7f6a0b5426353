import { FAILURE_REASON_LABELS, type Label as Words } from '../../../server/src/api/json/labels.ts';
import type { FailureDecision, FailureReason, Offer } from './data/deliveries.ts';

const lower = (text: string): string => `${text[0]!.toLowerCase()}${text.slice(1)}`;
const withinSentence = ({ pt, en }: Words): Words => ({ pt: lower(pt), en: lower(en) });

export const FAILURE_REASONS = [
  'ausente',
  'endereco_errado',
  'recusado',
  'outro',
] as const satisfies readonly FailureReason[];

/** Why nothing could be handed over, worded to continue a sentence. */
export const failureReasonLabel: Record<FailureReason, Words> = {
  ausente: withinSentence(FAILURE_REASON_LABELS.ausente),
  endereco_errado: withinSentence(FAILURE_REASON_LABELS.endereco_errado),
  recusado: withinSentence(FAILURE_REASON_LABELS.recusado),
  outro: withinSentence(FAILURE_REASON_LABELS.outro),
};

/** Why a driver refused an offer, worded to continue a sentence. */
export const refusalReasonLabel: Record<NonNullable<Offer['motivo_recusa']>, Words> = {
  longe: { pt: 'longe demais', en: 'too far' },
  ocupado: { pt: 'ocupado', en: 'busy' },
  valor: { pt: 'valor baixo', en: 'low pay' },
  outro: { pt: 'outro motivo', en: 'another reason' },
};

/** What was decided after a failure. */
export const decisionLabel: Record<FailureDecision, Words> = {
  tentar_depois: { pt: 'tentar de novo no fim da corrida', en: 'try again at the end of the run' },
  retornar: { pt: 'o pedido volta à coleta', en: 'the goods return to the pickup' },
  deixar_no_fim: {
    pt: 'fica com o entregador até a central decidir',
    en: 'the driver keeps it for the central',
  },
};
