import { type CourierDeps, newMemory } from '../../server/src/couriers/courier.ts';
import { couriersTick } from '../../server/src/couriers/moveCouriers.ts';
import { distributeOnce } from '../../server/src/dispatcher/distribute.ts';
import { haversineMetres, type Position } from '../../server/src/kernel/position.ts';
import { parseScript, SIMULATED_OVERRIDE } from '../../server/src/wire/orderBody.ts';
import type { TestMalote } from './malote.ts';
import { assertOk } from './steps.ts';

export interface Followed {
  /** The letters of contract 4.16 as they changed. */
  letters: string;
  /** Where the driver was seen, one for each second with a driver. */
  positions: Position[];
  seconds: number;
}

export interface Simulation {
  /** A process of its own that moves couriers; the first one is there from the start. */
  courierProcess(changes?: Partial<CourierDeps>): () => Promise<void>;
  /** One second of all that happens by itself. */
  second(): Promise<void>;
  pass(seconds: number): Promise<void>;
  /** Watches a delivery by HTTP until it ends in a letter, or for the given time. */
  follow(id: number, options?: { until?: string; seconds?: number }): Promise<Followed>;
}

const courierDeps = (malote: TestMalote): CourierDeps => ({
  ...malote.app.deps,
  readScript: parseScript,
  lockedStopReason: SIMULATED_OVERRIDE,
  log: {
    error: (details) => {
      throw new Error('a courier failed', { cause: details });
    },
  },
});

/** Tells time second by second, without waiting for it. */
export function simulation(malote: TestMalote): Simulation {
  const deps = courierDeps(malote);
  const courierProcess = (changes: Partial<CourierDeps> = {}) => {
    const memory = newMemory();
    return () => couriersTick({ ...deps, ...changes }, memory);
  };
  const tick = courierProcess();
  const second = async () => {
    malote.clock.advance({ seconds: 1 });
    await distributeOnce(malote.app.deps);
    await tick();
  };
  return {
    courierProcess,
    second,
    async pass(seconds) {
      for (let count = 0; count < seconds; count += 1) await second();
    },
    async follow(id, { until = 'FNC', seconds = 1_500 } = {}) {
      const followed: Followed = { letters: '', positions: [], seconds: 0 };
      const look = async () => {
        const { status } = assertOk(await malote.central.get(`/entregas/${id}/status`)).body.data;
        if (!followed.letters.endsWith(status)) followed.letters += status;
        const { body } = assertOk(await malote.central.get(`/entregas/${id}/condutor/posicao`));
        const { lat_condutor: lat, lng_condutor: lng } = body.data;
        if (lat !== null) followed.positions.push({ lat: Number(lat), lng: Number(lng) });
        return until.includes(status);
      };
      while (!(await look()) && followed.seconds < seconds) {
        await second();
        followed.seconds += 1;
      }
      return followed;
    },
  };
}

/** The longest way between two looks, in metres. */
export const longestJump = (positions: readonly Position[]): number =>
  Math.max(0, ...positions.slice(1).map((position, index) => haversineMetres(positions[index]!, position)));
