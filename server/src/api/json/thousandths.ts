import type { Check } from '../http/validation.ts';

/** Kilograms and litres have up to three decimals, and are stored as grams and millilitres. */
export const toThousandths = (value: number): number => Math.round(value * 1_000);

export const fromThousandths = (value: number): number => value / 1_000;

export const checkThousandths =
  (...fields: readonly string[]): Check =>
  (values) =>
    fields.flatMap((field) => {
      const value = values[field];
      return typeof value === 'number' && Math.abs(value * 1_000 - Math.round(value * 1_000)) > 1e-6
        ? [{ field, pt: 'deve ter no máximo 3 casas decimais', en: 'must have at most 3 decimals' }]
        : [];
    });
