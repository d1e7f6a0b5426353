import { readSettings } from '../centrals/central.ts';
import type { Tx } from '../postgres/database.ts';

export interface PrivacyAction {
  action: 'export' | 'erase' | 'retention';
  by: string;
  personDigest: Buffer | null;
  counts: Readonly<Record<string, number>>;
}

export async function insertAction(
  tx: Tx,
  centralId: number,
  { action, by, personDigest, counts }: PrivacyAction,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into privacy_actions (central_id, action, done_at, done_by, person_digest, counts)
    values (${centralId}, ${action}, ${now}, ${by}, ${personDigest}, ${counts})`;
}

/** The centrals that keep personal data for a limited time only, and how long. */
export async function findRetentions(tx: Tx): Promise<{ centralId: number; months: number }[]> {
  const rows = await tx<{ id: number; settings: Record<string, unknown> }>`
    select id, settings from centrals order by id`;
  return rows
    .map(({ id, settings }) => ({ centralId: id, months: readSettings(settings).personalDataMonths }))
    .filter(({ months }) => months > 0);
}
