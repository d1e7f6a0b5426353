import { readCity } from './cityFile.ts';
import { type DrawnRoad, type Park, parks } from './plan.ts';
import { type Line, lengthOf, type Point } from './plane.ts';

/** A street from one crossing to the next. */
export interface Way {
  from: number;
  to: number;
  street: DrawnRoad;
  line: Line;
  metres: number;
  /** Where it begins, in metres along its street. */
  at: number;
}

interface Green extends Park {
  /** West, south, east, north. */
  box: readonly [number, number, number, number];
}

export interface City {
  nodes: readonly Point[];
  ways: readonly Way[];
  streets: readonly DrawnRoad[];
  /** Parks and squares. */
  greens: readonly Green[];
}

let known: City | undefined;

/** The city of the demonstration. Read when it is first needed. */
export function demoCity(): City {
  known ??= openCity();
  return known;
}

function openCity(): City {
  const { streets, squares } = readCity();
  const uses = new Map<string, number>();
  for (const { line } of streets)
    for (const [index, point] of line.entries()) {
      const isEnd = index === 0 || index === line.length - 1;
      uses.set(String(point), (uses.get(String(point)) ?? 0) + (isEnd ? 2 : 1));
    }
  const nodes: Point[] = [];
  const numbers = new Map<string, number>();
  const nodeAt = (point: Point): number => {
    const key = String(point);
    let number = numbers.get(key);
    if (number === undefined) {
      number = nodes.push(point) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const ways: Way[] = [];
  for (const street of streets) {
    const { line } = street;
    let [begin, at] = [0, 0];
    for (let index = 1; index < line.length; index++) {
      if (uses.get(String(line[index])) === 1) continue;
      const part = line.slice(begin, index + 1);
      const metres = lengthOf(part);
      ways.push({ from: nodeAt(part[0]!), to: nodeAt(part.at(-1)!), street, line: part, metres, at });
      begin = index;
      at += metres;
    }
  }
  return {
    nodes,
    ways,
    streets,
    greens: [...parks, ...squares].map((green) => ({ ...green, box: boxOf(green.ring) })),
  };
}

function boxOf(ring: Line): Green['box'] {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
