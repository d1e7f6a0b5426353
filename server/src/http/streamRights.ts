import { hold, type Rights } from '../centrals/rights.ts';
import { findStanding } from '../centrals/rightsStore.ts';
import type { Deps } from '../postgres/deps.ts';

/** Changes that come together are looked at together. */
const TOGETHER_MS = 100;
/** Sessions expire without anybody telling, and a look may have failed. */
const LOOK_MS = 5_000;

/** Says in which centrals logins, keys or sessions may have changed, whichever process changed them. */
export interface RightsChanges {
  hear(listener: RightsListener): void;
  tell(centralId: number): void;
  tellAll(): void;
}

interface RightsListener {
  onChange(centralId: number): void;
  onChangeAnywhere(): void;
}

export function rightsChanges(): RightsChanges {
  const listeners: RightsListener[] = [];
  return {
    hear: (listener) => void listeners.push(listener),
    tell(centralId) {
      for (const listener of listeners) listener.onChange(centralId);
    },
    tellAll() {
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
  /** Returns the way to leave. */
  join(holder: RightsHolder): () => void;
  stop(): void;
}

interface Watched {
  holders: Set<RightsHolder>;
  /** Something may have changed since the last look began. */
  isDue: boolean;
  looking: boolean;
}

/**
 * Ends what was begun with rights that hold no longer. A change is told by NOTIFY and looked at once for all streams
 * of its central. Whoever joins is looked at too: what changed while its request was under way was told before it
 * was here to be found. A look that fails is made again.
 */
export function watchRights({ db, clock }: Deps, changes: RightsChanges): RightsWatch {
  const watched = new Map<number, Watched>();
  let stopped = false;

  const lookSoon = (centralId: number, central: Watched): void => {
    central.isDue = true;
    if (central.looking) return;
    central.looking = true;
    setTimeout(() => void look(centralId, central), TOGETHER_MS).unref();
  };

  const look = async (centralId: number, central: Watched): Promise<void> => {
    central.isDue = false;
    try {
      const holders = [...central.holders];
      const all = holders.flatMap(({ rights }) => rights ?? []);
      const standing = await findStanding(db, centralId, all, clock.now());
      for (const { rights, end } of holders)
        if (rights ? !hold(rights, standing) : !standing.isCentralActive) end();
    } catch {
      // Found by the next look.
    }
    central.looking = false;
    if (central.isDue && !stopped) lookSoon(centralId, central);
  };

  const lookEverywhere = (): void => {
    for (const [centralId, central] of watched) lookSoon(centralId, central);
  };
  changes.hear({
    onChange(centralId) {
      const central = watched.get(centralId);
      if (central) lookSoon(centralId, central);
    },
    onChangeAnywhere: lookEverywhere,
  });
  const interval = setInterval(lookEverywhere, LOOK_MS);
  interval.unref();

  return {
    join(holder) {
      const { centralId } = holder;
      const central = watched.get(centralId) ?? { holders: new Set(), isDue: false, looking: false };
      watched.set(centralId, central);
      central.holders.add(holder);
      lookSoon(centralId, central);
      return () => {
        central.holders.delete(holder);
        if (central.holders.size === 0) watched.delete(centralId);
      };
    },
    stop() {
      stopped = true;
      clearInterval(interval);
    },
  };
}
