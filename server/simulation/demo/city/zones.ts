import type { Position } from '../../../src/platform/kernel/position.ts';
import { districts } from './districts.ts';
import { edge } from './plan.ts';
import { type Line, type Point, toPosition, toTheRight } from './plane.ts';

/** Operating areas of the demonstration, each of some districts. What they leave belongs to the whole city. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'Centro Histórico': ['Centro Histórico'],
  'Zona Norte': [
    ...[
      'Floresta',
      'São João',
      'Higienópolis',
      'Auxiliadora',
      'Boa Vista',
      'Moinhos de Vento',
      'Mont’Serrat',
    ],
    'Independência',
  ],
  'Zona Leste': [
    ...['Petrópolis', 'Bela Vista', 'Três Figueiras', 'Chácara das Pedras', 'Jardim Botânico', 'Bom Jesus'],
    'Rio Branco',
  ],
  'Zona Sul': [
    ...[
      'Azenha',
      'Menino Deus',
      'Medianeira',
      'Glória',
      'Teresópolis',
      'Cristal',
      'Santo Antônio',
      'Partenon',
    ],
    ...['São José', 'Intercap', 'Vila João Pessoa'],
  ],
};

export interface Zone {
  name: string;
  /** Closed. */
  ring: Position[];
}

/** Some water and land around the city. */
const AROUND_METRES = 500;

/** The edge of the city without its last point, which is the first one again. */
const cityEdge: Line = edge.slice(0, -1);

const wholeCity = (): Zone => {
  const ring = toTheRight(edge, AROUND_METRES).slice(0, -1).map(toPosition);
  return { name: 'Porto Alegre', ring: [...ring, ring[0]!] };
};

/** The whole city, which is the default area, and its zones. */
export const demoAreas = (): Zone[] => [wholeCity(), ...demoZones()];

export const demoZones = (): Zone[] =>
  Object.entries(ZONES).map(([name, members]) => {
    const cells = districts.flatMap((each, index) => (members.includes(each.name) ? [cellOf(index)] : []));
    const ring = outlineOf(cells).map(toPosition);
    return { name, ring: [...ring, ring[0]!] };
  });

/** The land that is nearer to this district's middle than to any other's. */
function cellOf(index: number): Line {
  const at = districts[index]!.at;
  let cell: Point[] = [...cityEdge];
  for (const { at: other } of districts) {
    if (other === at) continue;
    const [dx, dy] = [other[0] - at[0], other[1] - at[1]];
    const limit = (other[0] ** 2 + other[1] ** 2 - at[0] ** 2 - at[1] ** 2) / 2;
    const beyond = ([x, y]: Point) => x * dx + y * dy - limit;
    cell = cell.flatMap((corner, place): Point[] => {
      const before = cell.at(place - 1)!;
      const [from, to] = [beyond(before), beyond(corner)];
      const share = from / (from - to);
      const cut: Point = [
        before[0] + (corner[0] - before[0]) * share,
        before[1] + (corner[1] - before[1]) * share,
      ];
      const crosses = from > 0 !== to > 0;
      return [...(crosses ? [cut] : []), ...(to > 0 ? [] : [corner])];
    });
  }
  return cell.map(([x, y]): Point => [Math.round(x), Math.round(y)]);
}

/** The sides that only one cell has, one after the other; all cells run in the same direction. */
function outlineOf(cells: readonly Line[]): Line {
  const sides = new Map<string, { from: Point; to: Point }>();
  for (const cell of cells)
    for (const [index, to] of cell.entries()) {
      const from = cell.at(index - 1)!;
      if (String(from) === String(to)) continue;
      if (!sides.delete(`${to} ${from}`)) sides.set(`${from} ${to}`, { from, to });
    }
  const next = new Map([...sides.values()].map(({ from, to }) => [String(from), to]));
  const [start] = sides.values();
  const ring: Point[] = [start!.from];
  for (let at = start!.to; String(at) !== String(ring[0]); at = next.get(String(at))!) ring.push(at);
  return ring;
}
