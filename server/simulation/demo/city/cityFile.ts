import { readFileSync, writeFileSync } from 'node:fs';
import { programFile } from '../../../src/platform/kernel/programFiles.ts';
import type { DrawnRoad, Park } from './plan.ts';
import type { Line, Point } from './plane.ts';

/** What is drawn of the city. Streets meet where they have a point in common. */
export interface DrawnCity {
  streets: readonly DrawnRoad[];
  squares: readonly Park[];
}

const FILE = programFile('server/simulation/demo/city/city.csv');

const HEADER = 'kind,name,one way,decimetres east and north of the middle';

/** Whole decimetres. */
const written = (line: Line): string =>
  line.flatMap(([x, y]) => [Math.round(x * 10), Math.round(y * 10)]).join(' ');

export const cityText = ({ streets, squares }: DrawnCity): string =>
  [
    HEADER,
    ...streets.map(({ class: kind, name, oneWay, line }) =>
      [kind, name, oneWay ? 'yes' : 'no', written(line)].join(','),
    ),
    ...squares.map(({ name, ring }) => ['square', name, 'no', written(ring)].join(',')),
    '',
  ].join('\n');

export const writeCity = (city: DrawnCity): void => writeFileSync(FILE, cityText(city));

export const readCityText = (): string => readFileSync(FILE, 'utf8');

const KINDS = ['main', 'avenue', 'street', 'lane'] as const;

/** The city of the file, which `node scripts/makeCity.ts` writes. */
export function readCity(): DrawnCity {
  const streets: DrawnRoad[] = [];
  const squares: Park[] = [];
  for (const row of readCityText().split('\n').slice(1)) {
    const [kind = '', name = '', oneWay, numbers = ''] = row.split(',');
    if (!numbers) continue;
    const line = pointsIn(numbers);
    const road = KINDS.find((each) => each === kind);
    if (road) streets.push({ class: road, name, oneWay: oneWay === 'yes', line });
    else squares.push({ name, ring: line });
  }
  return { streets, squares };
}

function pointsIn(text: string): Point[] {
  const numbers = text.split(' ').map(Number);
  const points: Point[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2)
    points.push([numbers[index]! / 10, numbers[index + 1]! / 10]);
  return points;
}
