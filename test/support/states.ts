import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { ClaimPurpose, ClaimTarget } from '../../server/src/grouping/claimStore.ts';
import type { TestMalote } from './malote.ts';

// States that no request leads to, or only after a wait that a test cannot afford. Each says why it is written.

/** A scheduled delivery in a situation that it would reach only at its dispatch, which is on the test's clock later. */
export async function situate(
  { db }: TestMalote,
  id: number,
  situation: 'cancelled' | 'dispatched' | 'grouped' | 'failed',
): Promise<void> {
  await db`
    update scheduled set situation = ${situation},
      failure = case when ${situation} = 'failed' then 'insufficient-balance' end,
      delivery_id = case when ${situation} = 'dispatched'
        then (select max(id) from deliveries where central_id = 1) end
    where central_id = 1 and id = ${id}`;
}

/** As the automatic merge leaves a request; its own tests run it, others need only its mark. */
export async function markMergedAutomatically({ db }: TestMalote, id: number): Promise<void> {
  await db`update scheduled set grouped_automatically = true where central_id = 1 and id = ${id}`;
}

/**
 * As a process leaves a claim that dies before it saves: no request ends like that. The returned function or the end
 * of the test removes it.
 */
export async function leaveClaim(
  t: TestContext,
  { db }: TestMalote,
  { noun, id }: ClaimTarget,
  { centralId = 1, purpose = 'grouping', until }: ClaimTerms,
): Promise<() => Promise<unknown>> {
  const token = randomUUID();
  const remove = () => db`delete from claims where central_id = ${centralId} and token = ${token}`;
  t.after(remove);
  await db`
    insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (${centralId}, ${noun}, ${id}, ${purpose}, ${token}, ${until})`;
  return remove;
}

interface ClaimTerms {
  centralId?: number;
  purpose?: ClaimPurpose;
  until: Temporal.Instant;
}

/** The database refuses every entry of a wallet, until the returned function is called or the test ends. */
export async function refuseWalletEntries(t: TestContext, { db }: TestMalote): Promise<() => Promise<void>> {
  const allow = async () => {
    await db.run('drop trigger if exists refuse_entry on wallet_entries', []);
  };
  t.after(allow);
  await db.run(
    `create or replace function refuse_entry() returns trigger language plpgsql as $$
     begin raise exception 'no'; end $$`,
    [],
  );
  await db.run(
    'create trigger refuse_entry before insert on wallet_entries for each row execute function refuse_entry()',
    [],
  );
  return allow;
}

/** The next delivery and the next scheduled delivery of central 1 get the same number. */
export async function alignIds({ db }: TestMalote, last: number): Promise<void> {
  await db.run(`select setval('delivery_ids_of_1', $1), setval('scheduled_ids_of_1', $1)`, [last]);
}
