import { PbfWriter } from 'pbf';
import { TILE_EXTENT } from './tileGeometry.ts';

interface Feature {
  tags: number[];
  geometry: number[];
}

/**
 * One tile in the Mapbox Vector Tile format, version 2, with a single layer of lines. Each line carries text
 * properties; each text is stored once in the tile. Field numbers are those of vector_tile.proto.
 */
export class VectorTile {
  readonly #layer: string;
  readonly #features: Feature[] = [];
  readonly #keys = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(layer: string) {
    this.#layer = layer;
  }

  addLine(line: readonly number[], properties: Readonly<Record<string, string>>): void {
    const tags = Object.entries(properties).flatMap(([key, value]) => [
      numbered(this.#keys, key),
      numbered(this.#values, value),
    ]);
    this.#features.push({ tags, geometry: lineCommands(line) });
  }

  encode(): Uint8Array {
    const writer = new PbfWriter();
    writer.writeMessage(3, (tile: VectorTile, pbf) => tile.#writeLayer(pbf), this);
    return writer.finish();
  }

  #writeLayer(pbf: PbfWriter): void {
    pbf.writeVarintField(15, 2);
    pbf.writeStringField(1, this.#layer);
    for (const feature of this.#features) pbf.writeMessage(2, writeFeature, feature);
    for (const key of this.#keys.keys()) pbf.writeStringField(3, key);
    for (const value of this.#values.keys()) pbf.writeMessage(4, writeValue, value);
    pbf.writeVarintField(5, TILE_EXTENT);
  }
}

const LINE_STRING = 2;
const MOVE_TO = 1;
const LINE_TO = 2;

function writeFeature({ tags, geometry }: Feature, pbf: PbfWriter): void {
  pbf.writePackedVarint(2, tags);
  pbf.writeVarintField(3, LINE_STRING);
  pbf.writePackedVarint(4, geometry);
}

function writeValue(text: string, pbf: PbfWriter): void {
  pbf.writeStringField(1, text);
}

/** One move to the beginning, then one run of lines, each as the difference from the previous point. */
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

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;
