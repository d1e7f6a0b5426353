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

/**
 * Whether an entered code confirms a stop. False is a wrong code, which the caller counts. A locked stop is refused
 * whatever is entered and by whom, so that the right code cannot be found by trying on.
 */
export function confirms({ code, wrongCodes }: Confirmation, given: number | null): boolean {
  if (isLocked(wrongCodes)) throw new Refusal('confirmation-code-locked');
  if (given === null) throw new Refusal('confirmation-code-required');
  return given === code;
}

export const isLocked = (wrongCodes: number): boolean => wrongCodes >= WRONG_CODES_MAX;
