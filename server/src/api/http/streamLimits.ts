import { hold, type Rights } from '../../centrals/caller.ts';
import type { Networks } from '../../centrals/identify.ts';
import { findStanding } from '../../centrals/rightsStore.ts';
import { startRounds } from '../../platform/kernel/rounds.ts';
import type { Share } from '../../platform/kernel/shares.ts';
import type { Deps } from '../../platform/postgres/deps.ts';

/** All streams of a process; the part that recipients may not use is reserved for logins. */
export const STREAMS_MAX = 5_000;
const RECIPIENTS_MAX = 4_000;

const LOGINS_PER_NETWORK_MAX = 500;
const LOGINS_PER_CENTRAL_MAX = 500;
const LOGINS_PER_COMPANY_MAX = 100;
const LOGINS_PER_USER_MAX = 50;

const RECIPIENTS_PER_CENTRAL_MAX = 2_000;
/** Mobile providers put many recipients behind one address. */
const RECIPIENTS_PER_NETWORK_MAX = 200;
const RECIPIENTS_PER_WIDE_NETWORK_MAX = 400;
/** The recipient, and people with whom the link was shared. */
const RECIPIENTS_PER_LINK_MAX = 20;

/** A login, in the console or in a program. */
export const loginStreamLimits = ({
  centralId,
  companyId,
  userId,
  network,
}: {
  centralId: number;
  companyId: number | null;
  userId: number;
  network: string;
}): Share[] => [
  { key: `logins at ${network}`, max: LOGINS_PER_NETWORK_MAX },
  { key: `logins of ${centralId}`, max: LOGINS_PER_CENTRAL_MAX },
  ...(companyId === null ? [] : [{ key: `company ${centralId} ${companyId}`, max: LOGINS_PER_COMPANY_MAX }]),
  { key: `user ${centralId} ${userId}`, max: LOGINS_PER_USER_MAX },
];

/** A client that has only a tracking link. */
export const recipientStreamLimits = ({
  centralId,
  token,
  networks: [network, ...wider],
}: {
  centralId: number;
  token: string;
  networks: Networks;
}): Share[] => [
  { key: 'recipients', max: RECIPIENTS_MAX },
  { key: `recipients of ${centralId}`, max: RECIPIENTS_PER_CENTRAL_MAX },
  { key: `recipients at ${network}`, max: RECIPIENTS_PER_NETWORK_MAX },
  ...wider.map((wide) => ({ key: `recipients at ${wide}`, max: RECIPIENTS_PER_WIDE_NETWORK_MAX })),
  { key: `link ${token}`, max: RECIPIENTS_PER_LINK_MAX },
];

/** Changes that arrive together are checked together. */
const TOGETHER_MS = 100;
/** Sessions expire without notification, and a check may have failed. */
const CHECK_MS = 5_000;

/** Announces the centrals whose logins, keys or sessions may have changed, in any process. */
export interface RightsChanges {
  hear(listener: RightsListener): void;
  announce(centralId: number): void;
  announceAll(): void;
}

interface RightsListener {
  onChange(centralId: number): void;
  onChangeAnywhere(): void;
}

export function rightsChanges(): RightsChanges {
  const listeners: RightsListener[] = [];
  return {
    hear: (listener) => void listeners.push(listener),
    announce(centralId) {
      for (const listener of listeners) listener.onChange(centralId);
    },
    announceAll() {
      for (const listener of listeners) listener.onChangeAnywhere();
    },
  };
}

export interface RightsHolder {
  centralId: number;
  /** Null: only the central must stay active. */
  rights: Rights | null;
  end(): void;
}

export interface RightsWatch {
  /** Returns the function that removes the stream. */
  join(holder: RightsHolder): () => void;
  stop(): void;
}

interface Watched {
  holders: Set<RightsHolder>;
  /** Something may have changed since the last check began. */
  isDue: boolean;
  isChecking: boolean;
}

/**
 * Ends streams whose rights no longer hold. NOTIFY announces a change, and one check covers all streams of its
 * central. A new stream is checked too, because a change during its request was announced before the stream was
 * registered. A failed check is repeated.
 */
export function watchRights({ db, clock }: Deps, changes: RightsChanges): RightsWatch {
  const watched = new Map<number, Watched>();
  let stopped = false;

  const checkSoon = (centralId: number, central: Watched): void => {
    central.isDue = true;
    if (central.isChecking) return;
    central.isChecking = true;
    setTimeout(() => void check(centralId, central), TOGETHER_MS).unref();
  };

  const check = async (centralId: number, central: Watched): Promise<void> => {
    central.isDue = false;
    try {
      const holders = [...central.holders];
      const all = holders.flatMap(({ rights }) => rights ?? []);
      const standing = await findStanding(db, centralId, all, clock.now());
      for (const { rights, end } of holders)
        if (rights ? !hold(rights, standing) : !standing.isCentralActive) end();
    } catch {
      // The next check finds it.
    }
    central.isChecking = false;
    if (central.isDue && !stopped) checkSoon(centralId, central);
  };

  const checkEverywhere = (): void => {
    for (const [centralId, central] of watched) checkSoon(centralId, central);
  };
  changes.hear({
    onChange(centralId) {
      const central = watched.get(centralId);
      if (central) checkSoon(centralId, central);
    },
    onChangeAnywhere: checkEverywhere,
  });
  const rounds = startRounds({
    everyMs: CHECK_MS,
    round: async () => checkEverywhere(),
    onError: () => undefined,
  });

  return {
    join(holder) {
      const { centralId } = holder;
      const central = watched.get(centralId) ?? { holders: new Set(), isDue: false, isChecking: false };
      watched.set(centralId, central);
      central.holders.add(holder);
      checkSoon(centralId, central);
      return () => {
        central.holders.delete(holder);
        if (central.holders.size === 0) watched.delete(centralId);
      };
    },
    stop() {
      stopped = true;
      void rounds.stop();
    },
  };
}
