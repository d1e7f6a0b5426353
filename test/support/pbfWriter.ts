import { deflateSync } from 'node:zlib';

/** As much of OpenStreetMap's data model as a street map needs. */
export interface OsmMap {
  nodes: { id: number; lat: number; lng: number; tags?: Record<string, string> }[];
  ways: { id: number; nodes: number[]; tags: Record<string, string> }[];
}

/** Coordinates are whole multiples of 100 nanodegrees, the format's default granularity. */
const UNITS_PER_DEGREE = 1e7;

/** The map as an .osm.pbf file: one header blob and one data blob, deflated, with dense nodes. */
export function writePbf(map: OsmMap, { bounds = true }: { bounds?: boolean } = {}): Buffer {
  return Buffer.concat([blob('OSMHeader', header(map, bounds)), blob('OSMData', primitiveBlock(map))]);
}

function header(map: OsmMap, bounds: boolean): Buffer {
  return Buffer.concat([
    ...(bounds && map.nodes.length > 0 ? [bytesField(1, boundingBox(map))] : []),
    textField(4, 'OsmSchema-V0.6'),
    textField(4, 'DenseNodes'),
    textField(16, 'malote tests'),
  ]);
}

function boundingBox({ nodes }: OsmMap): Buffer {
  const nanodegrees = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE) * 100;
  const lats = nodes.map(({ lat }) => nanodegrees(lat));
  const lngs = nodes.map(({ lng }) => nanodegrees(lng));
  return Buffer.concat(
    [Math.min(...lngs), Math.max(...lngs), Math.max(...lats), Math.min(...lats)].map((side, index) =>
      varintField(index + 1, zigzag(side)),
    ),
  );
}

function primitiveBlock({ nodes, ways }: OsmMap): Buffer {
  // The first string is reserved as a delimiter.
  const strings = [
    '',
    ...new Set([...nodes, ...ways].flatMap(({ tags }) => Object.entries(tags ?? {}).flat())),
  ];
  const indexOf = new Map(strings.map((text, index) => [text, index]));
  const packed = (texts: string[]) => Buffer.concat(texts.map((text) => varint(indexOf.get(text)!)));

  const dense = Buffer.concat([
    bytesField(1, deltas(nodes.map(({ id }) => id))),
    bytesField(8, deltas(nodes.map(({ lat }) => Math.round(lat * UNITS_PER_DEGREE)))),
    bytesField(9, deltas(nodes.map(({ lng }) => Math.round(lng * UNITS_PER_DEGREE)))),
    // Keys and values in turn; a 0 ends each node's.
    ...(nodes.some(({ tags }) => tags)
      ? [
          bytesField(
            10,
            Buffer.concat(
              nodes.flatMap(({ tags }) => [packed(Object.entries(tags ?? {}).flat()), varint(0)]),
            ),
          ),
        ]
      : []),
  ]);
  const way = ({ id, nodes: refs, tags }: OsmMap['ways'][number]) =>
    Buffer.concat([
      varintField(1, id),
      bytesField(2, packed(Object.keys(tags))),
      bytesField(3, packed(Object.values(tags))),
      bytesField(8, deltas(refs)),
    ]);

  return Buffer.concat([
    bytesField(1, Buffer.concat(strings.map((text) => textField(1, text)))),
    ...(nodes.length > 0 ? [bytesField(2, bytesField(2, dense))] : []),
    ...(ways.length > 0 ? [bytesField(2, Buffer.concat(ways.map((one) => bytesField(3, way(one)))))] : []),
  ]);
}

/** A blob's header says its type and size, and is itself preceded by its size in four bytes. */
function blob(type: 'OSMHeader' | 'OSMData', content: Buffer): Buffer {
  const body = Buffer.concat([varintField(2, content.length), bytesField(3, deflateSync(content))]);
  const head = Buffer.concat([textField(1, type), varintField(3, body.length)]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(head.length);
  return Buffer.concat([size, head, body]);
}

const deltas = (numbers: number[]): Buffer =>
  Buffer.concat(numbers.map((number, index) => varint(zigzag(number - (numbers[index - 1] ?? 0)))));

const varintField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)]);

const bytesField = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);

const textField = (field: number, value: string): Buffer => bytesField(field, Buffer.from(value));

// Arithmetic instead of bit operations: coordinates in nanodegrees exceed 32 bits.
const zigzag = (value: number): number => (value >= 0 ? value * 2 : -value * 2 - 1);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}
