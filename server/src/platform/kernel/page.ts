/** The part of a list that a request asks for. */
export interface Page {
  limit: number;
  offset: number;
}

export const EVERYTHING: Page = { limit: 1_000_000, offset: 0 };
