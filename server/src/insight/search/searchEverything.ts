import type { Caller } from '../../centrals/caller.ts';
import { may } from '../../centrals/permissions.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { findDocuments } from './documentStore.ts';
import { explainMatch, type MatchedField } from './explainMatch.ts';
import { findMatches, type Matches, parseId } from './findMatches.ts';
import {
  type FoundCompany,
  type FoundCustomer,
  type FoundDelivery,
  type FoundDriver,
  type FoundScheduled,
  findCompanies,
  findCustomers,
  findDeliveries,
  findDrivers,
  findScheduled,
  listUndispatched,
} from './foundStore.ts';
import type { SearchNoun } from './lexemes.ts';
import type { SearchDocument } from './searchDocuments.ts';

export interface Result<Found> {
  found: Found;
  /** The matching fields; empty when its id was typed. */
  matched: MatchedField[];
  isById: boolean;
}

export interface Group<Found> {
  results: Result<Found>[];
  hasMore: boolean;
}

export interface SearchResults {
  deliveries: Group<FoundDelivery>;
  scheduled: Group<FoundScheduled>;
  companies: Group<FoundCompany>;
  drivers: Group<FoundDriver>;
  customers: Group<FoundCustomer>;
}

/** A manager finds the company's orders. People who order without a company are visible to the central only. */
function nounsFor(caller: Caller): readonly SearchNoun[] {
  if (caller.companyId !== null) return ['delivery', 'scheduled'];
  const seenByAll = ['delivery', 'scheduled', 'company', 'driver'] as const;
  return may(caller, 'internals') ? [...seenByAll, 'customer'] : seenByAll;
}

/** Many scheduled deliveries have become deliveries, so a second attempt examines more of them. */
const CANDIDATES_MIN = 40;
const CANDIDATES_MAX = 1_000;

/** Leaves out those that have become deliveries, which are found by the same words instead. */
async function findUndispatchedMatches(
  tx: Tx,
  caller: Caller,
  typed: string,
  newest: Matches,
  asked: number,
  wanted: number,
): Promise<Matches> {
  const ids = await listUndispatched(tx, caller.centralId, newest.ids);
  if (ids.length >= wanted || newest.ids.length < asked) return { ...newest, ids };
  const found = await findMatches(tx, caller, ['scheduled'], typed, CANDIDATES_MAX, asked);
  const { ids: all, terms } = found.get('scheduled') ?? newest;
  return { terms, ids: await listUndispatched(tx, caller.centralId, all) };
}

/** Everything that matches a text within the caller's scope: by id, and by the index, newest first. */
export async function searchEverything(
  tx: Tx,
  caller: Caller,
  typed: string,
  limit: number,
): Promise<SearchResults> {
  const { centralId } = caller;
  const nouns = nounsFor(caller);
  // One additional row shows whether there are more.
  const asked = Math.max(limit + 1, CANDIDATES_MIN);
  const matches = await findMatches(tx, caller, nouns, typed, asked);
  const scheduled = matches.get('scheduled');
  if (scheduled)
    matches.set('scheduled', await findUndispatchedMatches(tx, caller, typed, scheduled, asked, limit + 1));
  const id = parseId(typed);
  const group = async <Found extends { id: number }>(
    noun: SearchNoun,
    find: (ids: readonly number[]) => Promise<Found[]>,
    /** Whether the typed text may be the id of such a row. */
    { canBeId = false }: { canBeId?: boolean } = {},
  ): Promise<Group<Found>> => {
    const { ids, terms }: Matches = matches.get(noun) ?? { ids: [], terms: [] };
    const newest = ids.slice(0, limit + 1);
    const wanted = canBeId && id !== null ? [...new Set([id, ...newest])] : newest;
    if (!nouns.includes(noun) || wanted.length === 0) return { results: [], hasMore: false };
    const rows = new Map((await find(wanted)).map((row) => [row.id, row]));
    const documents = new Map<number, SearchDocument>(
      (await findDocuments(tx, centralId, noun, [...rows.keys()])).map((each) => [each.id, each]),
    );
    const results = wanted.flatMap((each): Result<Found>[] => {
      const [found, document] = [rows.get(each), documents.get(each)];
      if (!found) return [];
      const isById = canBeId && each === id;
      const matched = document && terms.length > 0 ? explainMatch(document, terms) : undefined;
      return isById || matched !== undefined ? [{ found, matched: matched ?? [], isById }] : [];
    });
    return { results: results.slice(0, limit), hasMore: results.length > limit };
  };

  return {
    deliveries: await group('delivery', (ids) => findDeliveries(tx, caller, ids), { canBeId: true }),
    scheduled: await group('scheduled', (ids) => findScheduled(tx, caller, ids), { canBeId: true }),
    companies: await group('company', (ids) => findCompanies(tx, centralId, ids)),
    drivers: await group('driver', (ids) => findDrivers(tx, centralId, ids)),
    customers: await group('customer', (ids) => findCustomers(tx, centralId, ids)),
  };
}
