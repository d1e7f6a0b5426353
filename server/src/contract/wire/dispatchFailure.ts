import { failures } from '../../http/failures.ts';
import type { Language } from '../../http/language.ts';
import type { RefusalKind } from '../../kernel/refusal.ts';

type Words = Readonly<Record<Language, string>>;

const internal: Words = { pt: 'erro interno no disparo', en: 'internal error at the dispatch' };

/** The kind is all that is kept of a failure, so words that name its details cannot be used here. */
const withoutDetails: Readonly<Partial<Record<string, Words>>> = {
  'outside-operating-areas': {
    pt: 'um ponto fica fora das áreas de atuação da central',
    en: 'a point is outside the operating areas of the central',
  },
};

/** Why a dispatch failed, in the words that a request would have been refused with. */
export function describeDispatchFailure(failure: string, language: Language): string {
  const words =
    withoutDetails[failure] ?? (failures[failure as RefusalKind] as Words | undefined) ?? internal;
  return words[language].includes('{') ? internal[language] : words[language];
}
