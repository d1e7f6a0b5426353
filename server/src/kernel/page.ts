/** A part of a list. */
export interface Page {
  limit: number;
  offset: number;
}

export const EVERYTHING: Page = { limit: 1_000_000, offset: 0 };
