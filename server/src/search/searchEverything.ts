import type { Caller } from '../centrals/caller.ts';
import { may } from '../centrals/permissions.ts';
import type { Tx } from '../postgres/database.ts';
import { findDocuments } from './documentStore.ts';
import type { SearchDocument } from './documents.ts';
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
} from './foundStore.ts';
import type { SearchNoun } from './lexemes.ts';

export interface Result<Found> {
  found: Found;
  /** By which fields; empty when its id was typed. */
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

/** A manager finds what its company ordered; people who order without a company are the central's own matter. */
function nounsFor(caller: Caller): readonly SearchNoun[] {
  if (caller.companyId !== null) return ['delivery', 'scheduled'];
  const seenByAll = ['delivery', 'scheduled', 'company', 'driver'] as const;
  return may(caller, 'internals') ? [...seenByAll, 'customer'] : seenByAll;
}

interface GroupOptions<Found> {
  /** Whether the typed text may be the id of such a row. */
  canBeId?: boolean;
  /** Rows that are looked at. */
  candidates?: number;
  isShown?: (found: Found) => boolean;
}

/** Among scheduled deliveries are many that have become deliveries. */
const CANDIDATES_MIN = 40;

/** Everything that a text may mean, within the caller's scope: by its id, and by what was indexed, newest first. */
export async function searchEverything(
  tx: Tx,
  caller: Caller,
  typed: string,
  limit: number,
): Promise<SearchResults> {
  const { centralId } = caller;
  const nouns = nounsFor(caller);
  // One more shows that there are more.
  const matches = await findMatches(tx, caller, nouns, typed, Math.max(limit + 1, CANDIDATES_MIN));
  const id = parseId(typed);
  const group = async <Found extends { id: number }>(
    noun: SearchNoun,
    find: (ids: readonly number[]) => Promise<Found[]>,
    { canBeId = false, candidates = limit + 1, isShown }: GroupOptions<Found> = {},
  ): Promise<Group<Found>> => {
    const { ids, terms }: Matches = matches.get(noun) ?? { ids: [], terms: [] };
    const newest = ids.slice(0, candidates);
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
      const isFound = isById || (matched !== undefined && (isShown?.(found) ?? true));
      return isFound ? [{ found, matched: matched ?? [], isById }] : [];
    });
    return { results: results.slice(0, limit), hasMore: results.length > limit };
  };

  return {
    deliveries: await group('delivery', (ids) => findDeliveries(tx, caller, ids), { canBeId: true }),
    scheduled: await group('scheduled', (ids) => findScheduled(tx, caller, ids), {
      canBeId: true,
      candidates: CANDIDATES_MIN,
      // The delivery that was made of it is found instead, by the same words.
      isShown: ({ situation }) => situation !== 'dispatched',
    }),
    companies: await group('company', (ids) => findCompanies(tx, centralId, ids)),
    drivers: await group('driver', (ids) => findDrivers(tx, centralId, ids)),
    customers: await group('customer', (ids) => findCustomers(tx, centralId, ids)),
  };
}
