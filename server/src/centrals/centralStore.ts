import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { refuseViolations } from '../platform/postgres/databaseErrors.ts';
import { type Sql, sql } from '../platform/postgres/sql.ts';
import type { Role } from './caller.ts';
import { type Central, readSettings, type Settings, writeSettings } from './central.ts';

export interface NewCentral {
  name: string;
  timeZone: string;
}

interface CentralRow {
  id: number;
  name: string;
  timeZone: string;
  active: boolean;
  settings: Record<string, unknown>;
  sandboxOf: number | null;
}

const toCentral = ({ id, name, timeZone, active, settings, sandboxOf }: CentralRow): Central => ({
  id,
  name,
  timeZone,
  active,
  settings: readSettings(settings),
  ...(sandboxOf !== null && { sandboxOf }),
});

export async function findCentral(tx: Tx, centralId: number): Promise<Central | undefined> {
  const row = await tx.row<CentralRow>`
    select id, name, time_zone, active, settings, sandbox_of from centrals where id = ${centralId}`;
  return row && toCentral(row);
}

export async function findCentrals(tx: Tx, centralIds: readonly number[]): Promise<Central[]> {
  if (centralIds.length === 0) return [];
  const rows = await tx.rows<CentralRow>`
    select id, name, time_zone, active, settings, sandbox_of from centrals where id = any(${centralIds}::bigint[])`;
  return rows.map(toCentral);
}

/** The ids of centrals that have at least one row in `rows`: a table with an optional condition, as SQL. */
export async function findCentralsWith(tx: Tx, rows: Sql): Promise<number[]> {
  const centrals = await tx.rows<{ centralId: number }>`select distinct central_id from ${rows}`;
  return centrals.map(({ centralId }) => centralId);
}

/** The settings of every central. */
export async function listSettings(tx: Tx): Promise<{ centralId: number; settings: Settings }[]> {
  const rows = await tx.rows<{ id: number; settings: Record<string, unknown> }>`
    select id, settings from centrals order by id`;
  return rows.map(({ id, settings }) => ({ centralId: id, settings: readSettings(settings) }));
}

/** The origins of web pages that any active central allows to read answers. */
export async function listBrowserOrigins(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ origin: string }>`
    select distinct jsonb_array_elements_text(settings -> 'browserOrigins') as origin from centrals
    where settings ? 'browserOrigins' and active`;
  return rows.map(({ origin }) => origin);
}

/**
 * Serialises changes that could break an invariant of the central (one default area, a last operator). The lock does
 * not block other work: rows that refer to the central can still be written.
 */
export async function lockCentral(tx: Tx, centralId: number): Promise<Central> {
  const rows = await tx.rows`select id from centrals where id = ${centralId} for no key update`;
  const central = rows.length > 0 ? await findCentral(tx, centralId) : undefined;
  if (!central) throw new Error(`there is no central ${centralId}`);
  return central;
}

/** Constraints of the database refuse a name that another central has, or that has no letter. */
const centralNameViolations = {
  centrals_name_unique: () => new Refusal('central-name-taken'),
  centrals_name_has_letter: () => new Refusal('central-name-without-letter'),
};

export async function updateCentral(tx: Tx, { id, name, timeZone, settings }: Central): Promise<void> {
  const updated = tx.rows`
    update centrals set name = ${name}, time_zone = ${timeZone}, settings = ${writeSettings(settings)}
    where id = ${id}`;
  await refuseViolations(updated, centralNameViolations);
}

/** An inactive central answers no requests; its data stays. Its sandbox is deleted. */
export async function markInactive(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`update centrals set active = false where id = ${centralId} or sandbox_of = ${centralId}`;
}

/** The central that an api-key names. The only statement that names no central, since none is known before. */
export async function findCentralIdByKey(tx: Tx, digest: Buffer): Promise<number | undefined> {
  const row = await tx.row<{ centralId: number }>`
    select central_id from api_keys where sha256 = ${digest} and revoked_at is null`;
  return row?.centralId;
}

export interface Login {
  userId: number;
  passwordHash: string;
  role: Role;
  companyId: number | null;
  driverId: number | null;
}

/** Finds an active login. A driver's login is active only while the driver is. */
export async function findLogin(tx: Tx, centralId: number, username: string): Promise<Login | undefined> {
  const row = await tx.row<{
    id: number;
    passwordHash: string;
    role: Role;
    companyId: number | null;
    driverId: number | null;
  }>`
    select id, password_hash, role, company_id, driver_id from users
    where central_id = ${centralId} and username = ${username} and active and not is_program and (driver_id is null or exists (
      select from drivers
      where drivers.central_id = ${centralId} and drivers.id = users.driver_id and drivers.active))`;
  if (!row) return undefined;
  return {
    userId: row.id,
    passwordHash: row.passwordHash,
    role: row.role,
    companyId: row.companyId,
    driverId: row.driverId,
  };
}

export async function insertCentral(tx: Tx, { name, timeZone }: NewCentral): Promise<number> {
  const inserted = tx.rows<{ id: number }>`
    insert into centrals (name, time_zone) values (${name}, ${timeZone}) returning id`;
  const [row] = await refuseViolations(inserted, centralNameViolations);
  return row!.id;
}

export async function insertReasons(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`
    insert into cancellation_reasons (central_id, id, name, name_en)
    select ${centralId}, ordinality, reason ->> 'pt', reason ->> 'en'
    from jsonb_array_elements(${JSON.stringify(cancellationReasons)}::jsonb) with ordinality as t(reason, ordinality)`;
}

/**
 * The maximum number of records of each kind in a central. Every process caches areas, categories and tariffs; the
 * others are limited so that one central cannot fill the database.
 */
export const recordLimits = {
  areas: 500,
  categories: 100,
  tariffs: 5_000,
  companies: 10_000,
  drivers: 10_000,
  users: 20_000,
  /** Only keys that are not revoked are counted. */
  keys: 100,
  /** Revoked ones too, which are kept. */
  programs: 2_000,
  coupons: 10_000,
  reasons: 200,
  /** Counts the webhooks of the central and of all its companies. Each company has a separate limit too. */
  webhooks: 500,
} as const;

export type RecordKind = keyof typeof recordLimits;

const counted: Record<RecordKind, (centralId: number) => Sql> = {
  areas: (centralId) => sql`operating_areas where central_id = ${centralId}`,
  categories: (centralId) => sql`categories where central_id = ${centralId}`,
  tariffs: (centralId) => sql`tariffs where central_id = ${centralId}`,
  companies: (centralId) => sql`companies where central_id = ${centralId}`,
  drivers: (centralId) => sql`drivers where central_id = ${centralId}`,
  users: (centralId) => sql`users where central_id = ${centralId} and not is_program`,
  keys: (centralId) => sql`api_keys where central_id = ${centralId} and revoked_at is null`,
  programs: (centralId) => sql`programs where central_id = ${centralId}`,
  coupons: (centralId) => sql`coupons where central_id = ${centralId}`,
  reasons: (centralId) => sql`cancellation_reasons where central_id = ${centralId}`,
  webhooks: (centralId) => sql`webhooks where central_id = ${centralId} and deleted_at is null`,
};

/**
 * Refuses with too-many-records when the limit is reached. The central stays locked until the end of the transaction,
 * so that each of several simultaneous creations counts those before it.
 */
export async function assertRoom(tx: Tx, centralId: number, kind: RecordKind): Promise<void> {
  await lockCentral(tx, centralId);
  const row = await tx.row<{ count: number }>`select count(*) from ${counted[kind](centralId)}`;
  const max = recordLimits[kind];
  if (row!.count >= max) throw new Refusal('too-many-records', { max });
}

/** The cancellation reasons of a new central. The id of a reason is its index in this list plus one. */
const cancellationReasons = [
  { pt: 'Tempo de espera', en: 'Waiting time' },
  { pt: 'Mudança de planos', en: 'Change of plans' },
  { pt: 'Acidente ou veículo quebrado', en: 'Accident or broken vehicle' },
  { pt: 'Local de difícil acesso', en: 'Hard to reach' },
  { pt: 'Cliente ausente', en: 'Customer absent' },
  { pt: 'Outro', en: 'Other' },
  { pt: 'Endereço errado', en: 'Wrong address' },
  { pt: 'Em andamento há mais de 24 horas', en: 'In progress over 24 hours' },
  { pt: 'Falha no sistema', en: 'System failure' },
  { pt: 'Outros casos', en: 'Other cases' },
  { pt: 'Rejeitada', en: 'Rejected' },
  { pt: 'Entregador não virá', en: 'Driver not coming' },
  { pt: 'Transação recusada', en: 'Transaction refused' },
] as const;
