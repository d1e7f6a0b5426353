import type { Deps } from '../platform/postgres/deps.ts';
import type { IdentifiedCaller } from './caller.ts';
import { loginCentralOf } from './central.ts';
import type { Permission } from './permissions.ts';
import { digestSecret, newSecret } from './program.ts';
import { insertSecret } from './programStore.ts';

const ACCESS_SECONDS = 3_600;

/**
 * An access token for a program that has proved itself, with some of its scopes. It is stored like the long-lived token:
 * one row an hour for each program, so that it is checked, remembered and revoked by the same code and the same query.
 * A signed one would save this row, and would need a key whose loss lets others make tokens.
 */
export async function giveAccess(
  { db, clock }: Deps,
  { central, userId }: IdentifiedCaller,
  { scopes, until }: { scopes: readonly Permission[]; until: Temporal.Instant | null },
): Promise<{ secret: string; seconds: number }> {
  const now = clock.now();
  const latest = now.add({ seconds: ACCESS_SECONDS });
  const expiresAt = until && Temporal.Instant.compare(until, latest) < 0 ? until : latest;
  const centralId = loginCentralOf(central);
  const secret = newSecret(centralId, central.sandboxOf !== undefined);
  await db.begin((tx) =>
    insertSecret(tx, centralId, {
      programId: userId,
      kind: 'access',
      digest: digestSecret(secret),
      scopes,
      createdAt: now,
      expiresAt,
    }),
  );
  return { secret, seconds: Math.floor((expiresAt.epochMilliseconds - now.epochMilliseconds) / 1000) };
}
