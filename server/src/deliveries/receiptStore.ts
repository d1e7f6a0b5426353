import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import type { Payment } from '../requests/request.ts';
import { findDelivery } from './deliveryStore.ts';

interface Place {
  address: string;
  district: string;
  city: string;
  state: string;
}

/** The receipt of a finished delivery. */
export interface Receipt {
  id: number;
  driver: { name: string; phone: string; vehicle: string; plate: string };
  company: { id: number; name: string; document: string } | null;
  category: { id: number; name: string; description: string };
  tariffName: string;
  payment: Payment;
  /** Before and after the coupon. */
  grossCents: number;
  netCents: number;
  /** Decimal percent. */
  discountPercent: string;
  travelledMetres: number;
  pickup: Place;
  /** The place of its end: the last visited stop, or the pickup if it returned. */
  end: Place;
  startedAt: Temporal.Instant;
  finishedAt: Temporal.Instant;
}

interface ReceiptRow {
  id: number;
  driver_name: string;
  driver_phone: string;
  vehicle: string;
  plate: string;
  company_id: number | null;
  company_name: string;
  company_document: string;
  category_id: number;
  category_name: string;
  category_description: string;
  tariff_name: string;
  payment: Payment;
  gross_cents: number;
  net_cents: number;
  discount_percent: string;
  travelled_metres: number;
  pickup_address: string;
  pickup_district: string;
  pickup_city: string;
  pickup_state: string;
  end_address: string;
  end_district: string;
  end_city: string;
  end_state: string;
  started_at: Temporal.Instant;
  finished_at: Temporal.Instant;
}

/** Requires a finished delivery that is not grouped. */
async function findReceipt(tx: Tx, centralId: number, id: number): Promise<Receipt> {
  const [row] = await tx<ReceiptRow>`
    select d.id, driver.name as driver_name, driver.phone as driver_phone, driver.vehicle, driver.plate,
      d.company_id, company.name as company_name, company.document as company_document,
      d.category_id, category.name as category_name, category.description as category_description,
      tariff.name as tariff_name, d.payment, d.gross_cents, d.net_cents, d.discount_percent, d.travelled_metres,
      d.pickup_address, d.pickup_district, d.pickup_city, d.pickup_state,
      case when d.has_return then d.pickup_address else last.address end as end_address,
      case when d.has_return then d.pickup_district else last.district end as end_district,
      case when d.has_return then d.pickup_city else last.city end as end_city,
      case when d.has_return then d.pickup_state else last.state end as end_state,
      d.started_at, d.finished_at
    from deliveries d
    join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
    join categories category on category.central_id = ${centralId} and category.id = d.category_id
    join tariffs tariff on tariff.central_id = ${centralId} and tariff.id = d.tariff_id
    left join companies company on company.central_id = ${centralId} and company.id = d.company_id
    cross join lateral (
      select address, district, city, state from stops
      where central_id = ${centralId} and delivery_id = d.id
      order by concluded_at desc, position desc limit 1) last
    where d.central_id = ${centralId} and d.id = ${id} and d.status = 'finished'`;
  if (!row) throw new Error(`delivery ${id} is not finished`);
  return toReceipt(row);
}

const toReceipt = (row: ReceiptRow): Receipt => ({
  id: row.id,
  driver: { name: row.driver_name, phone: row.driver_phone, vehicle: row.vehicle, plate: row.plate },
  company:
    row.company_id === null
      ? null
      : { id: row.company_id, name: row.company_name, document: row.company_document },
  category: { id: row.category_id, name: row.category_name, description: row.category_description },
  tariffName: row.tariff_name,
  payment: row.payment,
  grossCents: row.gross_cents,
  netCents: row.net_cents,
  discountPercent: row.discount_percent,
  travelledMetres: row.travelled_metres,
  pickup: {
    address: row.pickup_address,
    district: row.pickup_district,
    city: row.pickup_city,
    state: row.pickup_state,
  },
  end: { address: row.end_address, district: row.end_district, city: row.end_city, state: row.end_state },
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

/** Contract 4.10. A grouped delivery is part of its grouper's receipt. */
export async function readReceipt({ db }: Deps, caller: Caller, id: number): Promise<Receipt> {
  const delivery = await findDelivery(db, caller, id);
  if (delivery.groupedInto !== null) throw new Refusal('receipt-of-grouper', { id: delivery.groupedInto });
  if (delivery.status !== 'finished') throw new Refusal('not-finished');
  return findReceipt(db, caller.centralId, id);
}
