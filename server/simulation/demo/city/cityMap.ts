import type { OpenStreets } from '../../../src/geo/routing/streets/streetsFiles.ts';
import { type DrawnMap, streetsInMemory } from '../../../src/geo/routing/streets/streetsInMemory.ts';
import { demoCity } from './city.ts';
import { districts } from './districts.ts';
import { brook, lake } from './plan.ts';
import { type Line, middleOf, toPosition, toTheRight } from './plane.ts';

const BROOK_METRES = 12;

/** Another one whenever the map looks different: browsers keep the tiles of a version for good. */
const VERSION = 'cidade-2';

/** The map of the city, drawn when a page first asks for it. */
export const cityMap = (): OpenStreets => streetsInMemory(VERSION, describe);

function describe(): DrawnMap {
  const { streets, greens } = demoCity();
  const positions = (line: Line) => line.map(toPosition);
  const banks = [...toTheRight(brook, BROOK_METRES), ...toTheRight(brook, -BROOK_METRES).toReversed()];
  return {
    streets: streets.map(({ class: kind, name, oneWay = false, line }) => ({
      class: kind,
      name,
      oneWay,
      line: positions(line),
    })),
    ground: {
      areas: [
        ...greens.map(({ ring }) => ({ class: 'park' as const, ring: positions(ring) })),
        ...[lake, banks].map((ring) => ({ class: 'water' as const, ring: positions(ring) })),
      ],
      labels: [
        ...districts.map(({ name, at }) => ({ class: 'district' as const, name, at: toPosition(at) })),
        ...greens.map(({ name, ring }) => ({ class: 'park' as const, name, at: toPosition(middleOf(ring)) })),
      ],
    },
  };
}
