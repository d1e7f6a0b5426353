import { PbfReader } from 'pbf';

/** Coordinates in the 100 nanodegrees of OpenStreetMap. */
export interface OsmNode {
  id: number;
  lat: number;
  lng: number;
}

export interface OsmWay {
  tags: ReadonlyMap<string, string>;
  nodeIds: number[];
}

interface OsmBlock {
  strings: string[];
  groups: Uint8Array[];
  granularity: number;
  latOffset: number;
  lngOffset: number;
}

// Field numbers are those of OpenStreetMap's osmformat.proto.

function readBlock(bytes: Uint8Array): OsmBlock {
  const block: OsmBlock = { strings: [], groups: [], granularity: 100, latOffset: 0, lngOffset: 0 };
  return new PbfReader(bytes).readFields((field, into, pbf) => {
    if (field === 1) pbf.readMessage(readString, into.strings);
    else if (field === 2) into.groups.push(pbf.readBytes());
    else if (field === 17) into.granularity = pbf.readVarint();
    else if (field === 19) into.latOffset = pbf.readVarint(true);
    else if (field === 20) into.lngOffset = pbf.readVarint(true);
  }, block);
}

function readString(field: number, strings: string[], pbf: PbfReader): void {
  if (field === 1) strings.push(pbf.readString());
}

/** The nodes of a block, in both encodings of extracts: plain and dense. */
export function* nodesIn(bytes: Uint8Array): Generator<OsmNode> {
  const { groups, granularity, latOffset, lngOffset } = readBlock(bytes);
  const units = (offset: number, value: number) => Math.round((offset + granularity * value) / 100);
  const toNode = (id: number, lat: number, lng: number): OsmNode => ({
    id,
    lat: units(latOffset, lat),
    lng: units(lngOffset, lng),
  });
  for (const group of groups) {
    const pbf = new PbfReader(group);
    for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
      if (field === 1) {
        const node = pbf.readMessage(readNode, { id: 0, lat: 0, lng: 0 });
        yield toNode(node.id, node.lat, node.lng);
      } else if (field === 2) {
        const dense = pbf.readMessage(readDense, { ids: [], lats: [], lngs: [] });
        let [id, lat, lng] = [0, 0, 0];
        for (const [index, step] of dense.ids.entries()) {
          id += step;
          lat += dense.lats[index] ?? 0;
          lng += dense.lngs[index] ?? 0;
          yield toNode(id, lat, lng);
        }
      }
    }
  }
}

function readNode(field: number, node: OsmNode, pbf: PbfReader): void {
  if (field === 1) node.id = pbf.readSVarint();
  else if (field === 8) node.lat = pbf.readSVarint();
  else if (field === 9) node.lng = pbf.readSVarint();
}

/** Each value is the difference from the previous one. */
interface DenseNodes {
  ids: number[];
  lats: number[];
  lngs: number[];
}

function readDense(field: number, dense: DenseNodes, pbf: PbfReader): void {
  if (field === 1) pbf.readPackedSVarint(dense.ids);
  else if (field === 8) pbf.readPackedSVarint(dense.lats);
  else if (field === 9) pbf.readPackedSVarint(dense.lngs);
}

/** The ways of a block, streets and others. */
export function* waysIn(bytes: Uint8Array): Generator<OsmWay> {
  const { strings, groups } = readBlock(bytes);
  for (const group of groups) {
    const pbf = new PbfReader(group);
    for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
      if (field !== 3) continue;
      const way = pbf.readMessage(readWay, { keys: [], values: [], steps: [] });
      yield {
        tags: new Map(
          way.keys.map((key, index) => [strings[key] ?? '', strings[way.values[index] ?? 0] ?? '']),
        ),
        nodeIds: runningSum(way.steps),
      };
    }
  }
}

interface RawWay {
  keys: number[];
  values: number[];
  steps: number[];
}

function readWay(field: number, way: RawWay, pbf: PbfReader): void {
  if (field === 2) pbf.readPackedVarint(way.keys);
  else if (field === 3) pbf.readPackedVarint(way.values);
  else if (field === 8) pbf.readPackedSVarint(way.steps);
}

function runningSum(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => {
    sum += step;
    return sum;
  });
}
