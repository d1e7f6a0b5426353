import { Refusal } from '../kernel/refusal.ts';

/** Of 9,000 codes five guesses find the right one in 1 of 1,800 cases; after them the stop is locked. */
export const WRONG_CODES_MAX = 5;

/** As people write and say it: always four digits. */
export const writtenCode = (code: number): string => String(code).padStart(4, '0');

export interface Confirmation {
  /** What the recipient was told. */
  code: number | null;
  wrongCodes: number;
}

export interface Attempt {
  /** What the driver entered. */
  given: number | null;
  byOperator: boolean;
}

/**
 * Whether an attempt confirms a stop. False is a wrong code, which the caller counts. A locked stop is refused
 * whatever is entered, so that the right code cannot be found by trying on; only an operator opens it, and
 * needs no code, since it has talked to the recipient.
 */
export function confirms({ code, wrongCodes }: Confirmation, { given, byOperator }: Attempt): boolean {
  if (wrongCodes >= WRONG_CODES_MAX) {
    if (byOperator) return true;
    throw new Refusal('confirmation-code-locked');
  }
  if (given === null) throw new Refusal('confirmation-code-required');
  return given === code;
}
