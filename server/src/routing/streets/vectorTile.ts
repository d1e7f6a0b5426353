import { TILE_EXTENT } from './tileGeometry.ts';

/**
 * One tile in the Mapbox Vector Tile form, version 2, with a single layer of lines: the form that map libraries
 * read. Each line carries text properties; each text stands once in the tile.
 */
export class VectorTile {
  readonly #layer: string;
  readonly #features: Buffer[] = [];
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(layer: string) {
    this.#layer = layer;
  }

  addLine(line: readonly number[], properties: Readonly<Record<string, string>>): void {
    const tags: number[] = [];
    for (const [key, value] of Object.entries(properties))
      tags.push(numbered(this.#keys, key), numbered(this.#values, value));
    this.#features.push(
      Buffer.concat([
        bytesField(2, packed(tags)),
        numberField(3, LINE_STRING),
        bytesField(4, packed(lineCommands(line))),
      ]),
    );
  }

  encode(): Buffer {
    const texts = (field: number, strings: Iterable<string>, wrap: (text: Buffer) => Buffer) =>
      [...strings].map((text) => bytesField(field, wrap(Buffer.from(text))));
    const layer = Buffer.concat([
      numberField(15, 2),
      bytesField(1, Buffer.from(this.#layer)),
      ...this.#features.map((feature) => bytesField(2, feature)),
      ...texts(3, this.#keys.keys(), (text) => text),
      ...texts(4, this.#values.keys(), (text) => bytesField(1, text)),
      numberField(5, TILE_EXTENT),
    ]);
    return bytesField(3, layer);
  }
}

const LINE_STRING = 2;
const MOVE_TO = 1;
const LINE_TO = 2;

/** One step to the beginning, then one run of steps, each as a difference. */
function lineCommands(line: readonly number[]): number[] {
  const commands = [MOVE_TO | (1 << 3), zigzag(line[0]!), zigzag(line[1]!)];
  commands.push(LINE_TO | ((line.length / 2 - 1) << 3));
  for (let index = 2; index < line.length; index += 2)
    commands.push(zigzag(line[index]! - line[index - 2]!), zigzag(line[index + 1]! - line[index - 1]!));
  return commands;
}

function numbered(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

function packed(numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const number of numbers) pushVarint(bytes, number);
  return Buffer.from(bytes);
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value >>> 0;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

const numberField = (field: number, value: number): Buffer => packed([field * 8, value]);
const bytesField = (field: number, value: Buffer): Buffer =>
  Buffer.concat([packed([field * 8 + 2, value.length]), value]);
