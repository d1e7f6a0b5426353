import type { FailureRules } from '../centrals/failureRules.ts';
import type { OwnProofRules } from '../companies/proofRules.ts';
import type { ShareRule } from '../estimates/share.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/request.ts';
import { type DetailPlace, placeSql } from './deliveryDetailStore.ts';
import type { Status } from './status.ts';

/** The work of a driver: its offers and the deliveries it carries. */
export interface DriverWork {
  driver: WorkingDriver;
  /** Open offers, the oldest first. They contain no data of recipients. */
  offers: readonly WorkOffer[];
  /** The deliveries it carries, the current one first. */
  runs: readonly WorkRun[];
}

export interface WorkingDriver {
  id: number;
  name: string;
  vehicle: string;
  plate: string;
  available: boolean;
  position: Position | null;
  categories: readonly { id: number; name: string }[];
}

/** The values from which a driver's pay is computed. */
export interface WorkShare {
  /** The agreed share, or that of the tariff; null: the central's. */
  share: ShareRule | null;
  grossCents: number;
}

export interface WorkOffer extends WorkShare {
  deliveryId: number;
  /** Instants within lists are ISO 8601 texts, in any zone. */
  offeredAt: string;
  expiresAt: string | null;
  pickup: DetailPlace;
  stopCount: number;
  metres: number;
  seconds: number;
  returning: boolean;
}

export interface WorkRun extends WorkShare {
  id: number;
  status: Extract<Status, 'accepted' | 'on_hold' | 'in_progress'>;
  companyName: string | null;
  failureRules: Partial<FailureRules> | null;
  /** The proof rules of its company; null where no company ordered it. */
  ownProofRules: OwnProofRules | null;
  note: string | null;
  returning: boolean;
  pickup: DetailPlace;
  arrivedAt: string | null;
  startedAt: string | null;
  metres: number;
  seconds: number;
  version: number;
  /** The price, if it is paid in cash and no stop of an order in cash has an amount to collect. */
  cashCents: number | null;
  stops: readonly WorkStop[];
}

export interface WorkStop extends DetailPlace {
  id: number;
  order: number;
  orderNumber: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  collectCents: number | null;
  /** Of the delivery that it was ordered with. */
  payment: Payment;
  /** Whether it was ordered with another delivery. */
  grouped: boolean;
  wrongCodes: number;
  arrivedAt: string | null;
  concludedAt: string | null;
  isNotDelivered: boolean;
  /** Failed attempts, except those that were undone. */
  attempts: number;
}

/** More than a driver carries or is offered at a time; limits the rows read. */
const OFFERS_MAX = 50;
const RUNS_MAX = 50;

// Each part is read through an index of open rows only, so the cost does not grow with a driver's history.
const SHARE = `'grossCents', d.gross_cents, 'share', coalesce(d.share, (
  select t.share from tariffs t where t.central_id = $1 and t.id = d.tariff_id))`;

const WORK = `
  select json_build_object('id', driver.id, 'name', driver.name, 'vehicle', driver.vehicle, 'plate', driver.plate,
      'available', driver.available,
      'position', case when p.lat is not null then json_build_object('lat', p.lat, 'lng', p.lng) end,
      'categories', (
        select coalesce(json_agg(json_build_object('id', category.id, 'name', category.name) order by category.id), '[]')
        from driver_categories dc
        join categories category on category.central_id = $1 and category.id = dc.category_id
        where dc.central_id = $1 and dc.driver_id = driver.id)) as driver,
    (select coalesce(json_agg(offer.shown order by offer.id), '[]') from (
      select o.id, json_build_object('deliveryId', d.id, 'offeredAt', o.offered_at, 'expiresAt', o.expires_at,
        'pickup', json_build_object(${placeSql('d', 'pickup_')}), 'metres', d.planned_metres,
        'seconds', d.planned_seconds, 'returning', d.has_return, ${SHARE}, 'stopCount', (
          select count(*) from stops s where s.central_id = $1 and s.delivery_id = d.id)) as shown
      from offers o join deliveries d on d.central_id = $1 and d.id = o.delivery_id
      where o.central_id = $1 and o.driver_id = driver.id and o.state = 'open'
        and (o.expires_at is null or o.expires_at > $3)
      order by o.id limit ${OFFERS_MAX}) offer) as offers,
    (select coalesce(json_agg(json_build_object('id', d.id, 'status', d.status, 'companyName', company.name,
        'failureRules', company.failure_rules,
        'ownProofRules', case when company.id is not null then json_build_object('proofPhoto', company.proof_photo,
          'proofSignature', company.proof_signature, 'proofName', company.proof_name,
          'proofAmount', company.proof_amount) end,
        'note', d.note, 'returning', d.has_return, 'pickup', json_build_object(${placeSql('d', 'pickup_')}),
        'arrivedAt', d.arrived_at, 'startedAt', d.started_at, 'metres', d.planned_metres,
        'seconds', d.planned_seconds, 'version', d.version, ${SHARE}, 'cashCents', (
          select d.net_cents where d.payment = 'cash' and not exists (
            select 1 from stops s
            join deliveries origin on origin.central_id = $1 and origin.id = s.ordered_with and origin.payment = 'cash'
            where s.central_id = $1 and s.delivery_id = d.id
              and (s.collect_cents > 0 or s.received_cents is not null))),
        'stops', (
          select coalesce(json_agg(json_build_object(${placeSql('s')}, 'id', s.id, 'order', s.position,
            'orderNumber', s.order_number, 'recipientName', s.recipient_name, 'recipientPhone', s.recipient_phone,
            'note', s.note, 'collectCents', s.collect_cents, 'payment', origin.payment,
            'grouped', s.ordered_with <> s.delivery_id, 'wrongCodes', s.wrong_codes,
            'arrivedAt', s.arrived_at, 'concludedAt', s.concluded_at,
            'isNotDelivered', s.not_delivered, 'attempts', (
              select count(*) from stop_attempts a
              where a.central_id = $1 and a.stop_id = s.id and a.undone_at is null))
            order by s.position, s.id), '[]')
          from stops s
          join deliveries origin on origin.central_id = $1 and origin.id = s.ordered_with
          where s.central_id = $1 and s.delivery_id = d.id))
        order by d.status = 'on_hold', d.accepted_at, d.id), '[]')
      from (
        (select * from deliveries where central_id = $1 and driver_id = $2 and status in ('accepted', 'in_progress')
          and grouped_into is null)
        union all
        (select * from deliveries where central_id = $1 and driver_id = $2 and status = 'on_hold'
          and grouped_into is null order by accepted_at, id limit ${RUNS_MAX})) d
      left join companies company on company.central_id = $1 and company.id = d.company_id) as runs
  from drivers driver
  left join driver_positions p on p.central_id = $1 and p.driver_id = driver.id
  where driver.central_id = $1 and driver.id = $2`;

export async function findDriverWork(
  tx: Tx,
  centralId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<DriverWork> {
  const [row] = await tx.run<DriverWork>(WORK, [centralId, driverId, now]);
  if (!row) throw new Refusal('driver-not-found');
  return row;
}
