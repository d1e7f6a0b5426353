import type { Caller } from '../centrals/caller.ts';
import { findCompany } from '../companies/companyStore.ts';
import { findDriver } from '../drivers/driverStore.ts';
import { insertDriverEntry, lockAccount } from '../earnings/earningStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import {
  type Closing,
  findClosing,
  findOpenEntries,
  findSettledCash,
  insertClosing,
  markPaid,
  type OpenEntries,
  type Party,
} from './closingStore.ts';
import { insertCompanyEntry, lockCompanyAccount } from './companyEntryStore.ts';

/** As many lines as a statement may have; bounds what is read at once. */
const ENTRIES_MAX = 5_000;

async function assertParty(tx: Tx, caller: Caller, party: Party): Promise<void> {
  if ('companyId' in party) {
    if (!(await findCompany(tx, caller, party.companyId))) throw new Refusal('company-not-found');
  } else if (!(await findDriver(tx, caller.centralId, party.driverId))) throw new Refusal('driver-not-found');
}

/** What a closing up to this day would hold: everything that no closing has yet. */
export async function previewClosing(
  tx: Tx,
  caller: Caller,
  party: Party,
  toDay: string,
): Promise<OpenEntries> {
  await assertParty(tx, caller, party);
  const open = await findOpenEntries(tx, caller.centralId, party, toDay);
  if (!open) throw new Refusal('nothing-to-close');
  if (open.count > ENTRIES_MAX) throw new Refusal('closing-too-large', { count: ENTRIES_MAX });
  return open;
}

/**
 * Closes everything of an account up to a day. It holds the account, so that no entry is made meanwhile: one that comes
 * later has a larger number and belongs to the next closing, whatever its day. Of two who close at once the second
 * finds nothing left.
 */
export async function closeAccount(
  { db, clock }: Deps,
  caller: Caller,
  party: Party,
  toDay: string,
): Promise<number> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    await assertParty(tx, caller, party);
    if ('companyId' in party) await lockCompanyAccount(tx, centralId, party.companyId);
    else await lockAccount(tx, centralId, party.driverId);
    const open = await previewClosing(tx, caller, party, toDay);
    return insertClosing(tx, caller.central, party, open, { at: clock.now(), by: caller.userId });
  });
}

/**
 * The company paid its statement, or the central paid the driver; where it was negative, the other way round. The
 * account gets the entry of it, which settles the cash that the closing counted: the driver need not hand it in.
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
