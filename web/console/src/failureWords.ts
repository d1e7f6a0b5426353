import type { DetailStop, Offer } from './data/deliveries.ts';

type Attempt = DetailStop['tentativas'][number];
export type FailureReason = Attempt['motivo'];
export type FailureDecision = Attempt['decisao'];

interface Words {
  pt: string;
  en: string;
}

export const FAILURE_REASONS = [
  'ausente',
  'endereco_errado',
  'recusado',
  'outro',
] as const satisfies readonly FailureReason[];

/** Why nothing could be handed over, worded to continue a sentence. */
export const failureReasonLabel: Record<FailureReason, Words> = {
  ausente: { pt: 'ninguém no local', en: 'nobody there' },
  endereco_errado: { pt: 'endereço errado', en: 'wrong address' },
  recusado: { pt: 'recusou receber', en: 'refused to receive' },
  outro: { pt: 'outro motivo', en: 'another reason' },
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
