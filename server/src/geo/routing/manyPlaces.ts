import type { Position } from '../../platform/kernel/position.ts';
import { lenientMatrix } from './guardedRouter.ts';
import type { Matrix, Profile, Router } from './router.ts';

/** Up to so many places an engine answers within its time limit (measured: 50 places 1.5 s, 250 places 20 s). */
const ROAD_PLACES_MAX = 60;
/** The places on whose roads the estimate of more is measured. */
const SAMPLE = 30;
/** An estimate is not corrected by more than this. */
const FACTOR_MIN = 0.5;
const FACTOR_MAX = 3;

/**
 * The matrix of any number of places in one request to the router. Of more places than an engine answers in time, all
 * ways are estimated and corrected by how much longer the roads between a sample of them are.
 */
export async function matrixOfMany(
  router: Router,
  estimator: Router,
  places: readonly Position[],
  profile: Profile,
): Promise<Matrix> {
  if (places.length <= ROAD_PLACES_MAX) return lenientMatrix(router, places, profile);
  const sample = Array.from(
    { length: SAMPLE },
    (_, index) => places[Math.floor((index * places.length) / SAMPLE)]!,
  );
  const [roads, guessed, all] = await Promise.all([
    lenientMatrix(router, sample, profile),
    estimator.matrix(sample, profile),
    estimator.matrix(places, profile),
  ]);
  return {
    seconds: scaled(all.seconds, factorOf(roads.seconds, guessed.seconds)),
    metres: scaled(all.metres, factorOf(roads.metres, guessed.metres)),
  };
}

type Cells = Matrix['seconds'];

function factorOf(roads: Cells, guessed: Cells): number {
  let [long, straight] = [0, 0];
  for (const [from, row] of roads.entries())
    for (const [to, cell] of row.entries()) {
      const guess = guessed[from]![to];
      if (cell === null || guess === null || guess === undefined) continue;
      long += cell;
      straight += guess;
    }
  return straight === 0 ? 1 : Math.min(FACTOR_MAX, Math.max(FACTOR_MIN, long / straight));
}

const scaled = (cells: Cells, factor: number): Cells =>
  factor === 1
    ? cells
    : cells.map((row) => row.map((cell) => (cell === null ? null : Math.round(cell * factor))));
