import { Refusal } from '../kernel/refusal.ts';
import { type Tx, violatedConstraint } from '../postgres/database.ts';
import { cancellationReasons } from './cancellationReasons.ts';
import type { NewCentral, NewUser } from './createCentral.ts';

export async function insertCentral(tx: Tx, { name, timeZone }: NewCentral): Promise<number> {
  const [row] = await tx<{ id: number }>`
    insert into centrals (name, time_zone) values (${name}, ${timeZone}) returning id`;
  return row!.id;
}

export async function insertReasons(tx: Tx, centralId: number): Promise<void> {
  await tx`
    insert into cancellation_reasons (central_id, id, name, name_en)
    select ${centralId}, ordinality, reason ->> 'pt', reason ->> 'en'
    from jsonb_array_elements(${JSON.stringify(cancellationReasons)}::jsonb) with ordinality as t(reason, ordinality)`;
}

export async function insertApiKey(
  tx: Tx,
  centralId: number,
  label: string,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<number> {
  const [row] = await tx<{ id: number }>`
    insert into api_keys (central_id, id, label, sha256, created_at)
    values (${centralId}, next_id(${centralId}, 'key'), ${label}, ${digest}, ${now}) returning id`;
  return row!.id;
}

export async function insertUser(
  tx: Tx,
  centralId: number,
  user: NewUser,
  passwordHash: string,
): Promise<number> {
  try {
    const [row] = await tx<{ id: number }>`
      insert into users (central_id, id, username, password_hash, role, company_id, driver_id)
      values (${centralId}, next_id(${centralId}, 'user'), ${user.username}, ${passwordHash}, ${user.role},
        ${user.companyId}, ${user.driverId})
      returning id`;
    return row!.id;
  } catch (error) {
    if (violatedConstraint(error) === 'users_central_id_username_key')
      throw new Refusal('record-duplicate', { field: 'username' });
    throw error;
  }
}
