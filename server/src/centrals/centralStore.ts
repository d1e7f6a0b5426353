import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { refuseViolations } from '../postgres/databaseErrors.ts';
import type { Role } from './caller.ts';
import { type Central, readSettings, type Settings, writeSettings } from './central.ts';

export interface NewCentral {
  name: string;
  timeZone: string;
}

interface CentralRow {
  id: number;
  name: string;
  time_zone: string;
  active: boolean;
  settings: Record<string, unknown>;
}

const toCentral = ({ id, name, time_zone, active, settings }: CentralRow): Central => ({
  id,
  name,
  timeZone: time_zone,
  active,
  settings: readSettings(settings),
});

export async function findCentral(tx: Tx, centralId: number): Promise<Central | undefined> {
  const [row] = await tx<CentralRow>`
    select id, name, time_zone, active, settings from centrals where id = ${centralId}`;
  return row && toCentral(row);
}

export async function findCentrals(tx: Tx, centralIds: readonly number[]): Promise<Central[]> {
  if (centralIds.length === 0) return [];
  const rows = await tx<CentralRow>`
    select id, name, time_zone, active, settings from centrals where id = any(${centralIds}::bigint[])`;
  return rows.map(toCentral);
}

/** The settings of every central. */
export async function listSettings(tx: Tx): Promise<{ centralId: number; settings: Settings }[]> {
  const rows = await tx<{ id: number; settings: Record<string, unknown> }>`
    select id, settings from centrals order by id`;
  return rows.map(({ id, settings }) => ({ centralId: id, settings: readSettings(settings) }));
}

/**
 * Serialises changes that could break an invariant of the central (one default area, a last operator). The lock does
 * not block other work: rows that refer to the central can still be written.
 */
export async function lockCentral(tx: Tx, centralId: number): Promise<Central> {
  const rows = await tx`select id from centrals where id = ${centralId} for no key update`;
  const central = rows.length > 0 ? await findCentral(tx, centralId) : undefined;
  if (!central) throw new Error(`there is no central ${centralId}`);
  return central;
}

/** Constraints of the database ensure that names are unambiguous. */
const centralNameViolations = {
  centrals_name_unique: () => new Refusal('central-name-taken'),
  centrals_name_has_letter: () => new Refusal('central-name-without-letter'),
};

export async function updateCentral(tx: Tx, { id, name, timeZone, settings }: Central): Promise<void> {
  const updated = tx`
    update centrals set name = ${name}, time_zone = ${timeZone}, settings = ${writeSettings(settings)}
    where id = ${id}`;
  await refuseViolations(updated, centralNameViolations);
}

/** An inactive central answers no requests; its data stays. */
export async function markInactive(tx: Tx, centralId: number): Promise<void> {
  await tx`update centrals set active = false where id = ${centralId}`;
}

/** The only look-up that runs before the central is known. */
export async function findCentralIdByKey(tx: Tx, digest: Buffer): Promise<number | undefined> {
  const [row] = await tx<{ central_id: number }>`
    select central_id from api_keys where sha256 = ${digest} and revoked_at is null`;
  return row?.central_id;
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
  const [row] = await tx<{
    id: number;
    password_hash: string;
    role: Role;
    company_id: number | null;
    driver_id: number | null;
  }>`
    select id, password_hash, role, company_id, driver_id from users
    where central_id = ${centralId} and username = ${username} and active and (driver_id is null or exists (
      select from drivers
      where drivers.central_id = ${centralId} and drivers.id = users.driver_id and drivers.active))`;
  if (!row) return undefined;
  return {
    userId: row.id,
    passwordHash: row.password_hash,
    role: row.role,
    companyId: row.company_id,
    driverId: row.driver_id,
  };
}

export async function insertCentral(tx: Tx, { name, timeZone }: NewCentral): Promise<number> {
  const inserted = tx<{ id: number }>`
    insert into centrals (name, time_zone) values (${name}, ${timeZone}) returning id`;
  const [row] = await refuseViolations(inserted, centralNameViolations);
  return row!.id;
}

export async function insertReasons(tx: Tx, centralId: number): Promise<void> {
  await tx`
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
  /** Keys that are not revoked. */
  keys: 100,
  coupons: 10_000,
  reasons: 200,
  /** Of the central and all its companies. Each company has a separate limit too. */
  webhooks: 500,
} as const;

export type RecordKind = keyof typeof recordLimits;

const counted: Record<RecordKind, string> = {
  areas: 'operating_areas where central_id = $1',
  categories: 'categories where central_id = $1',
  tariffs: 'tariffs where central_id = $1',
  companies: 'companies where central_id = $1',
  drivers: 'drivers where central_id = $1',
  users: 'users where central_id = $1',
  keys: 'api_keys where central_id = $1 and revoked_at is null',
  coupons: 'coupons where central_id = $1',
  reasons: 'cancellation_reasons where central_id = $1',
  webhooks: 'webhooks where central_id = $1 and deleted_at is null',
};

/**
 * Refuses with too-many-records when the limit is reached. The central stays locked until the end of the transaction,
 * so that each of several simultaneous creations counts those before it.
 */
export async function assertRoom(tx: Tx, centralId: number, kind: RecordKind): Promise<void> {
  await lockCentral(tx, centralId);
  const [row] = await tx.run<{ count: number }>(`select count(*) from ${counted[kind]}`, [centralId]);
  const max = recordLimits[kind];
  if (row!.count >= max) throw new Refusal('too-many-records', { max });
}

/** The reasons of a new central. The id is the index in this list plus one. */
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
