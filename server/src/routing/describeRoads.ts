import type { Roads } from './roads.ts';

/** For a person at a terminal. */
export function describeRoads(roads: Roads | null): string {
  if (roads === null) return 'No roads are loaded. Load some with: malote roads import city.osm.pbf';
  const { source, bounds, tiles } = roads;
  return [
    `source   ${source.name}, ${megabytes(source.bytes)} MB, of ${source.modifiedAt}`,
    `bounds   ${bounds.south}, ${bounds.west} to ${bounds.north}, ${bounds.east} (latitude, longitude)`,
    `tiles    ${tiles.count}, ${megabytes(tiles.bytes)} MB`,
    `built    ${roads.builtAt} by ${roads.engine}`,
    `version  ${roads.version}`,
  ].join('\n');
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
