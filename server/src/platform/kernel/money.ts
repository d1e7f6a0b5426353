/*
 * Money is a whole number of cents. Only these four functions convert between cents and amounts in whole units. None of
 * them rounds: an amount that is not exact in cents is null when read, and an error when written.
 */

/** 1234 is "12.34". */
export function centsToDecimal(cents: number): string {
  assertCents(cents);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** 1234 is 12.34: the same double as the literal 12.34, because one division rounds as the literal does. */
export function centsToNumber(cents: number): number {
  assertCents(cents);
  return cents === 0 ? 0 : cents / 100;
}

/** The largest amount that a person enters into an account at once. */
export const ENTRY_CENTS_MAX = 100_000_000;

/** Reads "12.34", "12.3" and "12". Null for more than two decimals, for other texts and for too large amounts. */
export function decimalToCents(decimal: string): number | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(decimal);
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const size = Number(whole + fraction.padEnd(2, '0'));
  if (!Number.isSafeInteger(size)) return null;
  return sign && size !== 0 ? -size : size;
}

/**
 * 12.34 is 1234; null for more than two decimals. Reads the shortest text of the number, which is what its sender
 * wrote, so 0.29 is 29 although 0.29 * 100 is not.
 */
export const numberToCents = (amount: number): number | null => decimalToCents(String(amount));

function assertCents(cents: number): void {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not a whole number of cents: ${cents}`);
}
