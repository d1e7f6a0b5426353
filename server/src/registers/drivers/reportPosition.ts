import type { Caller } from '../../centrals/caller.ts';
import { updateDevice } from '../../centrals/deviceStore.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { recordDriverEvent } from './driverEventStore.ts';
import { lockDriver, markAvailable } from './driverStore.ts';
import { upsertPosition } from './positionStore.ts';

/**
 * Reports a driver's position. Phones send it every few seconds, so it locks nothing else, records no event, and
 * shares its statement with the other reports of the moment.
 */
export async function reportPosition(
  { db, clock }: Deps,
  caller: Caller,
  driverId: number,
  position: Position,
): Promise<void> {
  actingDriver(caller, driverId);
  const { centralId } = caller;
  const isKnown = await upsertPosition(db, { centralId, driverId, position, at: clock.now() });
  if (!isKnown) throw new Refusal('driver-not-found');
}

/** A past position that a phone stored while it was offline. */
export interface PastPosition {
  position: Position;
  at: Temporal.Instant;
}

/** The state that a phone reports. Null: not reported. */
export interface PhoneState {
  appVersion: string | null;
  battery: number | null;
}

/**
 * Reports positions that a phone has collected, in any order. Only the newest is stored, because the route taken is not
 * used. A time in the future counts as now.
 */
export async function reportPositions(
  { db, clock }: Deps,
  caller: Caller,
  driverId: number,
  positions: readonly [PastPosition, ...PastPosition[]],
  phone: PhoneState,
): Promise<void> {
  const now = clock.now();
  const newest = positions.reduce((last, each) =>
    Temporal.Instant.compare(each.at, last.at) >= 0 ? each : last,
  );
  const at = Temporal.Instant.compare(newest.at, now) > 0 ? now : newest.at;
  const report = { centralId: caller.centralId, driverId, position: newest.position, at, receivedAt: now };
  const { deviceId, centralId } = caller;
  const [isKnown] = await Promise.all([
    upsertPosition(db, report),
    deviceId !== undefined && (phone.appVersion ?? phone.battery) !== null
      ? updateDevice(db, { centralId, deviceId, ...phone })
      : undefined,
  ]);
  if (!isKnown) throw new Refusal('driver-not-found');
}

/** Starts or stops offers to a driver; deliveries it carries stay with it. */
export async function setAvailability(
  { db, clock }: Deps,
  caller: Caller,
  driverId: number,
  available: boolean,
): Promise<void> {
  actingDriver(caller, driverId);
  await db.begin(async (tx) => {
    const driver = await lockDriver(tx, caller.centralId, driverId);
    if (available && !driver.active) throw new Refusal('driver-inactive');
    if (driver.available === available) return;
    await markAvailable(tx, caller.centralId, driverId, available);
    const event = { driverId, type: 'driver.availability', payload: { available } } as const;
    await recordDriverEvent(tx, caller.centralId, event, { at: clock.now(), by: caller.userId });
  });
}

/**
 * The driver that a caller acts for. A driver's login acts only for itself; any other driver is not found. An
 * operator acts for the driver it names, or for none (null).
 */
export function actingDriver(caller: Pick<Caller, 'driverId'>, named: number | undefined): number | null {
  if (caller.driverId === null) return named ?? null;
  if (named !== undefined && named !== caller.driverId) throw new Refusal('driver-not-found');
  return caller.driverId;
}
