import type { Tx } from '../../platform/postgres/database.ts';

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
  await tx.rows`
    insert into privacy_actions (central_id, action, done_at, done_by, person_digest, counts)
    values (${centralId}, ${action}, ${now}, ${by}, ${personDigest}, ${counts})`;
}
