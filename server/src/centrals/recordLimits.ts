/**
 * How many records of each kind a central may have. Areas, categories and tariffs are kept in memory by every process;
 * the others are bounded so that one central cannot fill the database for all.
 */
export const recordLimits = {
  areas: 500,
  categories: 100,
  tariffs: 5_000,
  companies: 10_000,
  drivers: 10_000,
  users: 20_000,
  /** In force. */
  keys: 100,
  coupons: 10_000,
  reasons: 200,
  /** Of the central and all its companies; each of these has a limit of its own beside it. */
  webhooks: 500,
} as const;

export type RecordKind = keyof typeof recordLimits;
