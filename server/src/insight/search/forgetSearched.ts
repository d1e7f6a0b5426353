import type { Tx } from '../../platform/postgres/database.ts';
import { EVENTS_CHANNEL, formatAnnouncement } from '../../platform/postgres/listen.ts';
import { findOrdersOfStops } from './changeStore.ts';
import { awaitProgress, deleteUnusedWords, emptyEntries, findRareWords } from './indexStore.ts';
import { queryOf, type SearchNoun, wordsIn } from './lexemes.ts';

/** Rows whose personal data is being removed. */
export interface Forgotten {
  deliveries: readonly number[];
  scheduled: readonly number[];
  customers: readonly number[];
  /** Single stops, of deliveries or scheduled deliveries that keep their other data. */
  stops?: readonly number[];
  scheduledStops?: readonly number[];
}

/**
 * Removes rows from the index in the transaction that removes their personal data, so that removed data is not found
 * after the commit. The rest of the rows is indexed again shortly after. Words without any other entry are deleted too,
 * because a rare name identifies a person by itself.
 */
export async function forgetSearched(
  tx: Tx,
  centralId: number,
  forgotten: Forgotten,
  now: Temporal.Instant,
): Promise<void> {
  if (Object.values(forgotten).every((ids) => ids.length === 0)) return;
  await awaitProgress(tx, centralId, now);
  const { deliveries, scheduled, customers, stops = [], scheduledStops = [] } = forgotten;
  const orders = await findOrdersOfStops(tx, centralId, 'delivery', deliveries, stops);
  const scheduledOrders = await findOrdersOfStops(tx, centralId, 'scheduled', scheduled, scheduledStops);
  await forget(tx, centralId, 'delivery', [...deliveries, ...orders]);
  await forget(tx, centralId, 'scheduled', [...scheduled, ...scheduledOrders]);
  await forget(tx, centralId, 'customer', customers);
  for (const message of formatAnnouncement({ centralId, toSend: false, eventIds: [] }))
    tx.notify(EVENTS_CHANNEL, message);
}

async function forget(tx: Tx, centralId: number, noun: SearchNoun, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const words = wordsIn(await emptyEntries(tx, centralId, noun, [...new Set(ids)]));
  const rare = await findRareWords(tx, centralId, noun, words);
  await deleteUnusedWords(
    tx,
    centralId,
    noun,
    rare.map(({ word, buckets }) => ({
      word,
      query: queryOf(centralId, noun, buckets, [
        { alternatives: [[{ kind: 'word', text: word, isBeginning: false }]] },
      ]),
    })),
  );
}
