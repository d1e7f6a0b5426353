import type { Check } from '../../http/validation.ts';
import { numberToCents } from '../../kernel/money.ts';

/** For an amount that comes as a number: its text has at most two decimals. Says nothing of other types. */
export const checkDecimals =
  (field: string): Check =>
  ({ [field]: amount }) =>
    typeof amount === 'number' && numberToCents(amount) === null
      ? [{ field, pt: 'deve ter no máximo 2 casas decimais', en: 'must have at most 2 decimals' }]
      : [];
