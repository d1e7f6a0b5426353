import type { Scope } from '../../centrals/caller.ts';
import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { LocatedRow } from '../../platform/kernel/postalAddress.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { sql } from '../../platform/postgres/sql.ts';
import {
  COMPANY_ADDRESSES_MAX,
  type CompanyAddress,
  type CompanyAddressKind,
  type CompanyAddressValues,
} from './companyAddress.ts';

interface CompanyAddressRow extends LocatedRow {
  id: number;
  kind: CompanyAddressKind;
  name: string;
  recipientName: string | null;
  recipientPhone: string | null;
  isDefault: boolean;
}

const toCompanyAddress = ({
  lat,
  lng,
  recipientName,
  recipientPhone,
  isDefault,
  ...row
}: CompanyAddressRow): CompanyAddress => ({
  ...row,
  position: { lat, lng },
  recipientName,
  recipientPhone,
  isDefault,
});

/** The default pickup first, then by name. */
export async function listCompanyAddresses(
  tx: Tx,
  centralId: number,
  companyId: number,
): Promise<CompanyAddress[]> {
  const rows = await tx.rows<CompanyAddressRow>`
    select id, kind, name, address, complement, reference, district, city, state, lat, lng, recipient_name,
      recipient_phone, is_default
    from company_addresses where central_id = ${centralId} and company_id = ${companyId}
    order by is_default desc, lower(name), id limit ${COMPANY_ADDRESSES_MAX}`;
  return rows.map(toCompanyAddress);
}

/**
 * Locks the company's row, or refuses when the company is outside the caller's scope. Changes of its addresses take
 * this lock first, so the limit of addresses and the single default hold under concurrency.
 */
export async function lockCompanyAddresses(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
): Promise<void> {
  const rows = await tx.rows`
    select id from companies
    where central_id = ${centralId} and id = ${id} and (${companyId}::bigint is null or id = ${companyId})
    for no key update`;
  if (rows.length === 0) throw new Refusal('company-not-found');
}

// The following functions are called under that lock.

export async function insertCompanyAddress(
  tx: Tx,
  centralId: number,
  companyId: number,
  values: CompanyAddressValues,
  now: Temporal.Instant,
): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from company_addresses where central_id = ${centralId} and company_id = ${companyId}`;
  if (row!.count >= COMPANY_ADDRESSES_MAX)
    throw new Refusal('too-many-addresses', { max: COMPANY_ADDRESSES_MAX });
  const id = await newId(tx, centralId, 'address');
  await yieldDefault(tx, centralId, companyId, values);
  const { lat, lng } = values.position;
  await tx.rows`
    insert into company_addresses (central_id, id, company_id, kind, name, address, complement, reference, district,
      city, state, lat, lng, recipient_name, recipient_phone, is_default, saved_at)
    values (${centralId}, ${id}, ${companyId}, ${values.kind}, ${values.name}, ${values.address},
      ${values.complement}, ${values.reference}, ${values.district}, ${values.city}, ${values.state}, ${lat}, ${lng},
      ${values.recipientName}, ${values.recipientPhone}, ${values.isDefault}, ${now})`;
  return id;
}

export async function updateCompanyAddress(
  tx: Tx,
  centralId: number,
  companyId: number,
  id: number,
  values: CompanyAddressValues,
  now: Temporal.Instant,
): Promise<void> {
  await yieldDefault(tx, centralId, companyId, values);
  const { lat, lng } = values.position;
  const rows = await tx.rows`
    update company_addresses set kind = ${values.kind}, name = ${values.name}, address = ${values.address},
      complement = ${values.complement}, reference = ${values.reference}, district = ${values.district},
      city = ${values.city}, state = ${values.state}, lat = ${lat}, lng = ${lng},
      recipient_name = ${values.recipientName}, recipient_phone = ${values.recipientPhone},
      is_default = ${values.isDefault}, saved_at = ${now}
    where central_id = ${centralId} and company_id = ${companyId} and id = ${id}
    returning id`;
  if (rows.length === 0) throw new Refusal('company-address-not-found');
}

/** Clears the current default before another one is set. */
async function yieldDefault(
  tx: Tx,
  centralId: number,
  companyId: number,
  { isDefault }: CompanyAddressValues,
): Promise<void> {
  if (!isDefault) return;
  await tx.rows`
    update company_addresses set is_default = false
    where central_id = ${centralId} and company_id = ${companyId} and is_default`;
}

export async function deleteCompanyAddress(
  tx: Tx,
  centralId: number,
  companyId: number,
  id: number,
): Promise<void> {
  const rows = await tx.rows`
    delete from company_addresses
    where central_id = ${centralId} and company_id = ${companyId} and id = ${id} returning id`;
  if (rows.length === 0) throw new Refusal('company-address-not-found');
}

/** The addresses that companies store with a phone, for the export of that person's data. */
export async function exportAddressesOfPhone(tx: Tx, centralId: number, phone: string): Promise<unknown[]> {
  const rows = await tx.rows<{ row: unknown }>`
    select to_jsonb(a) as row from company_addresses a
    where central_id = ${centralId} and recipient_phone is not null and phone_digits(recipient_phone) = ${phone}
    order by id`;
  return rows.map(({ row }) => row);
}

/** Deletes these addresses. No request depends on a saved address. */
export async function deleteAddressesOfPhone(tx: Tx, centralId: number, phone: string): Promise<number> {
  const rows = await tx.rows`
    delete from company_addresses
    where central_id = ${centralId} and recipient_phone is not null and phone_digits(recipient_phone) = ${phone}
    returning id`;
  return rows.length;
}

/**
 * Deletes favourites that were saved before an instant, unless a stop still has their phone: the phones of older stops
 * are removed by the same job. Pickups are the company's own addresses and stay.
 */
export async function deleteOldFavourites(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    delete from company_addresses where central_id = ${centralId} and id in (
      select a.id from company_addresses a
      where a.central_id = ${centralId} and a.kind = 'favourite' and a.saved_at < ${before}
        and not exists (
          select 1 from stops s where s.central_id = ${centralId} and s.recipient_phone is not null
            and phone_digits(s.recipient_phone) = phone_digits(a.recipient_phone))
      order by a.id limit ${limit} for update skip locked)
    returning id`;
  return rows.length;
}

/** Centrals that may have such favourites. Stops may still have their phones, so perhaps none is deleted. */
export const findCentralsWithOldFavourites = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`company_addresses where central_id = any(${centralIds}::bigint[]) and kind = 'favourite' and saved_at < ${before}`,
  );
