import type { Tx } from '../platform/postgres/database.ts';

/*
 * Logins and programs are those of the real central. Rows of the sandbox refer to users, so each user who works in it
 * has a row there with the same id: a copy without a password, which nothing identifies anybody by.
 */

/** No hash of any password. */
const NO_PASSWORD = '-';

/** False: the company of the user is not in the sandbox. */
export async function mirrorUser(
  tx: Tx,
  { centralId, sandboxId, userId }: { centralId: number; sandboxId: number; userId: number },
): Promise<boolean> {
  // Another user had the name when the row was copied.
  await tx.rows`
    update users set username = username || ' #' || id
    where central_id = ${sandboxId} and id <> ${userId} and username = (
      select username from users where central_id = ${centralId} and id = ${userId})`;
  const rows = await tx.rows`
    insert into users (central_id, id, username, password_hash, role, company_id, driver_id, is_program)
    select ${sandboxId}, id, username, ${NO_PASSWORD}, role, company_id, null, is_program from users u
    where u.central_id = ${centralId} and id = ${userId} and (u.company_id is null or exists (
      select from companies c where c.central_id = ${sandboxId} and c.id = u.company_id))
    on conflict (central_id, id) do update
      set username = excluded.username, role = excluded.role, company_id = excluded.company_id
    returning id`;
  return rows.length > 0;
}

/** Whether the row is there, as it would be copied now. */
export async function isMirrored(
  tx: Tx,
  { centralId, sandboxId, userId }: { centralId: number; sandboxId: number; userId: number },
): Promise<boolean> {
  const rows = await tx.rows`
    select from users mirrored join users own on own.central_id = ${centralId} and own.id = ${userId}
    where mirrored.central_id = ${sandboxId} and mirrored.id = ${userId} and mirrored.username = own.username
      and mirrored.role = own.role and mirrored.company_id is not distinct from own.company_id`;
  return rows.length > 0;
}
