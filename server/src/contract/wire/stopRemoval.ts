import Type, { type Static } from 'typebox';
import type { Estimate } from '../../estimates/estimateTrip.ts';
import type { Language } from '../../http/language.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { nullable } from './answers.ts';

/** Contract 4.12. */
export const removalAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    status: Type.Literal('OK'),
    estimativa: nullable(
      Type.Object({
        estimativa_km: Type.Number(),
        estimativa_tempo_minutos: Type.Integer(),
        estimativa_valor: Type.String(),
      }),
    ),
  }),
  message: Type.String(),
});

export const formatRemoval = (
  estimate: Estimate | null,
  language: Language,
): Omit<Static<typeof removalAnswer>, 'success'> => ({
  data: { status: 'OK', estimativa: estimate && formatRemaining(estimate) },
  message: language === 'en' ? 'stop removed' : 'parada excluída',
});

/** The value is text here, though a number in 4.1. */
const formatRemaining = (estimate: Estimate) => ({
  estimativa_km: Math.round(estimate.metres / 10) / 100,
  estimativa_tempo_minutos: Math.ceil(estimate.seconds / 60),
  estimativa_valor: centsToDecimal(estimate.netCents),
});

export const removalExample = {
  success: true,
  data: {
    status: 'OK',
    estimativa: { estimativa_km: 4.21, estimativa_tempo_minutos: 11, estimativa_valor: '14.35' },
  },
  message: 'parada excluída',
};
