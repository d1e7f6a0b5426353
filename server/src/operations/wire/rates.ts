/*
 * Rates are decimal text on both sides, and none of this rounds: people write them in whole units ("1.875"
 * a kilometre), the house keeps them in cents ("187.5").
 */

/** For what the format `rate` let through. */
export function parseRate(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(4, '0');
  return `${whole}${digits.slice(0, 2)}.${digits.slice(2)}`;
}

/** At least two decimals, and no idle zeros after them. */
export function formatRate(cents: string): string {
  const [whole = '', fraction = ''] = cents.split('.');
  const digits = whole.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${fraction.replace(/0+$/, '')}`;
}

/** A factor or a percentage as PostgreSQL gives it ("0.5000"), without idle zeros. */
export const formatFactor = (factor: string): string =>
  factor.includes('.') ? factor.replace(/\.?0+$/, '') : factor;
