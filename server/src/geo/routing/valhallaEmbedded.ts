import { holdRoads, watchRoads } from './roadFolder.ts';
import { type Router, RoutingUnavailable } from './router.ts';
import { type AskValhalla, ValhallaRefused, valhallaRouter } from './valhalla.ts';
import { type EngineOptions, startValhallaEngine, type ValhallaEngine } from './valhallaEngine.ts';
import { requireValhallaPackage, type ValhallaPackage } from './valhallaPackage.ts';

export interface EmbeddedRouter extends Router {
  close(): Promise<void>;
}

export interface EmbeddedOptions extends EngineOptions {
  snapMetres: number;
  /** Answers now come from other roads: everything cached before is void. */
  onSwitch?: () => void;
  checkEveryMs?: number;
  findPackage?: () => ValhallaPackage;
}

interface OpenRoads {
  version: string;
  engine: ValhallaEngine;
  close(): Promise<void>;
}

/**
 * Valhalla run by this service on the roads imported into `folder`. A new import is loaded without a restart: a
 * second engine is started and tested, new requests go to it, and the first one ends when it has answered its own.
 * Without the engine, or before the first import, it is a router that is out of order and reports why.
 */
export function valhallaEmbedded(folder: string, options: EmbeddedOptions): EmbeddedRouter {
  const { findPackage = () => requireValhallaPackage(folder) } = options;
  let current: Promise<OpenRoads> | undefined;
  let changing: Promise<void> = Promise.resolve();
  const leaving = new Set<Promise<void>>();

  async function openRoads(): Promise<OpenRoads> {
    const found = outOfOrderUnless(findPackage);
    const held = await holdRoads(folder).catch((error: Error) => {
      throw new RoutingUnavailable(`the roads cannot be read: ${error.message}`);
    });
    if (held === null)
      throw new RoutingUnavailable('no roads were imported yet: run "malote roads import city.osm.pbf"');
    const engine = startValhallaEngine(found, held.tiles, options);
    return {
      version: held.version,
      engine,
      close: () => engine.close().then(() => held.release()),
    };
  }

  /** Requests wait while the roads are being opened; after a failure the next request tries again. */
  function opened(): Promise<OpenRoads> {
    if (!current) {
      const opening = openRoads();
      current = opening;
      opening.catch(() => {
        if (current === opening) current = undefined;
      });
    }
    return current;
  }

  async function change(): Promise<void> {
    const old = await current?.catch(() => undefined);
    // Nothing is open: the next request opens the current version.
    if (!old) return;
    const fresh = await openRoads();
    if (fresh.version === old.version) return fresh.close();
    // Loading the engine takes a while, in which the old one still answers.
    await fresh.engine.ask('locate', EASY_QUESTION).catch(async (error: unknown) => {
      if (error instanceof ValhallaRefused) return;
      await fresh.close();
      throw error;
    });
    current = Promise.resolve(fresh);
    options.onSwitch?.();
    leave(old);
  }

  function leave(old: OpenRoads): void {
    const left = old.close().finally(() => leaving.delete(left));
    leaving.add(left);
  }

  const watcher = watchRoads(
    folder,
    () => {
      const attempt = change();
      // After a failure the old roads stay in use, and are kept from removal, until the next attempt.
      changing = attempt.catch(() => {});
      return attempt;
    },
    options.checkEveryMs === undefined ? {} : { everyMs: options.checkEveryMs },
  );

  const ask: AskValhalla = async (action, query) => (await opened()).engine.ask(action, query);

  return {
    ...valhallaRouter('valhalla', ask, options),
    async close() {
      watcher.close();
      await changing;
      const last = await current?.catch(() => undefined);
      if (last) leave(last);
      current = Promise.reject(new RoutingUnavailable('the routing engine is closed'));
      current.catch(() => {});
      await Promise.all(leaving);
    },
  };
}

function outOfOrderUnless<Found>(find: () => Found): Found {
  try {
    return find();
  } catch (error) {
    throw new RoutingUnavailable((error as Error).message);
  }
}

const EASY_QUESTION = { locations: [{ lat: 0, lon: 0, search_cutoff: 1 }], costing: 'auto', verbose: false };
