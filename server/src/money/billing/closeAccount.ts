import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findCompany } from '../../registers/companies/companyStore.ts';
import { findDriver } from '../../registers/drivers/driverStore.ts';
import { insertDriverEntry, localDay, lockAccount } from '../earnings/earningStore.ts';
import {
  type Closing,
  type End,
  findClosing,
  findClosingLines,
  findEndAhead,
  findOpenEntries,
  findSettledCash,
  insertClosing,
  markPaid,
  type OpenEntries,
  type Party,
} from './closingStore.ts';
import { insertCompanyEntry, lockCompanyAccount } from './companyEntryStore.ts';

/** The maximum number of lines of a statement. Bounds the rows read at once. */
const ENTRIES_MAX = 5_000;

async function assertParty(tx: Tx, caller: Caller, party: Party): Promise<void> {
  if ('companyId' in party) {
    if (!(await findCompany(tx, caller, party.companyId))) throw new Refusal('company-not-found');
  } else if (!(await findDriver(tx, caller.centralId, party.driverId))) throw new Refusal('driver-not-found');
}

/**
 * Previews a closing up to this day: all entries that no closing contains yet. If there are too many, the closing ends
 * at an earlier day. A single day with too many entries is closed in parts, in the order of its entries.
 */
export async function previewClosing(
  tx: Tx,
  caller: Caller,
  party: Party,
  toDay: string,
  now: Temporal.Instant,
): Promise<OpenEntries> {
  await assertParty(tx, caller, party);
  const end = await findEnd(tx, caller, party, toDay, now);
  const open = await findOpenEntries(tx, caller.centralId, party, end);
  if (!open) throw new Refusal('nothing-to-close');
  if (open.count <= ENTRIES_MAX) return { ...open, leftOpen: 0 };
  if (open.fromDay !== open.toDay) throw new Refusal('closing-too-large', { count: ENTRIES_MAX });
  const toNumber = await findEndOfPart(tx, caller.centralId, party, open);
  const part = (await findOpenEntries(tx, caller.centralId, party, { ...end, toNumber }))!;
  return { ...part, leftOpen: open.count - part.count };
}

/**
 * Finds where a closing up to this day ends. Days of an account never go back, so entries that were made while a clock
 * ran ahead stay on the day that this clock showed. Until that day has come, the closing ends with the last entry that
 * was made before the end of its day.
 */
async function findEnd(
  tx: Tx,
  { centralId, central: { timeZone } }: Caller,
  party: Party,
  toDay: string,
  now: Temporal.Instant,
): Promise<End> {
  const today = localDay(now, timeZone).toString();
  const nextDay = toDay < today ? Temporal.PlainDate.from(toDay).add({ days: 1 }) : null;
  const until = nextDay?.toZonedDateTime(timeZone).toInstant() ?? null;
  const toNumber = await findEndAhead(tx, centralId, party, { today, until });
  return toNumber === null ? { toDay } : { toDay: 'infinity', toNumber };
}

/**
 * The number of the last entry of the first part. The charge of a delivery and its payment are consecutive entries and
 * stay in one part: a statement with only the charge would bill an amount that is paid.
 */
async function findEndOfPart(
  tx: Tx,
  centralId: number,
  party: Party,
  open: Pick<OpenEntries, 'fromNumber' | 'fromDay' | 'toDay'>,
): Promise<number> {
  // Numbers of an account are consecutive. The entry after the last one that fits shows whether the part may end there.
  const toNumber = open.fromNumber + ENTRIES_MAX;
  const lines = await findClosingLines(tx, centralId, {
    companyId: null,
    driverId: null,
    ...party,
    ...open,
    toNumber,
  });
  const last = lines.findLast(({ deliveryId }, index) => {
    const next = lines[index + 1];
    return next && (deliveryId === null || deliveryId !== next.deliveryId);
  });
  return last?.number ?? toNumber - 1;
}

/**
 * Closes all entries of an account up to a day, as far as one closing has room for them. It locks the account, so that
 * no entry is added meanwhile: a later entry has a larger number and belongs to the next closing, whatever its day. Of
 * two simultaneous closings the second finds no entries.
 */
export async function closeAccount(
  { db, clock }: Deps,
  caller: Caller,
  party: Party,
  toDay: string,
): Promise<{ id: number; leftOpen: number }> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    await assertParty(tx, caller, party);
    if ('companyId' in party) await lockCompanyAccount(tx, centralId, party.companyId);
    else await lockAccount(tx, centralId, party.driverId);
    const at = clock.now();
    const open = await previewClosing(tx, caller, party, toDay, at);
    const id = await insertClosing(tx, caller.central, party, open, { at, by: caller.userId });
    return { id, leftOpen: open.leftOpen };
  });
}

/**
 * Records that the company paid its statement or the central paid the driver; a negative closing is paid the other way
 * round. The account gets an entry, which also settles the cash of the closing: the driver need not hand it in.
 */
export async function payClosing({ db, clock }: Deps, caller: Caller, id: number): Promise<Closing> {
  const { centralId, central } = caller;
  return db.begin(async (tx) => {
    const closing = await findClosing(tx, caller, id);
    const { companyId, driverId, dueCents } = closing;
    const actor = { at: clock.now(), by: caller.userId };
    let entryId: number | null = null;
    if (companyId !== null) {
      await lockCompanyAccount(tx, centralId, companyId);
      const entry = { companyId, kind: 'payment', amountCents: -dueCents, deliveryId: null } as const;
      if (dueCents !== 0) entryId = await insertCompanyEntry(tx, centralId, central.timeZone, entry, actor);
    } else {
      await lockAccount(tx, centralId, driverId!);
      const settledCashCents = await findSettledCash(tx, centralId, driverId!, id);
      const of = { driverId: driverId!, kind: 'payment', deliveryId: null } as const;
      const entry = { ...of, amountCents: 0 - dueCents, settledCashCents };
      if (dueCents !== 0 || settledCashCents !== 0)
        entryId = await insertDriverEntry(tx, centralId, central, entry, actor);
    }
    if (!(await markPaid(tx, centralId, id, entryId, actor))) throw new Refusal('closing-paid');
    return { ...closing, paidAt: actor.at };
  });
}
