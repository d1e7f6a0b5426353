const SILENT = { type: '' };

/** Larger than any of our requests: callers limit them, not the engine. */
const LIMITS = {
  max_distance: 5_000_000,
  max_locations: 200,
  max_matrix_distance: 5_000_000,
  max_matrix_location_pairs: 10_000,
};

/**
 * Memory for tiles per thread. A city needs a hundredth of it; tiles of a country are sometimes read again from
 * disk.
 */
const TILE_CACHE_BYTES = 256_000_000;

/**
 * The configuration that the engine's Python script would write, without Python. Half of it is required at start
 * by services that we do not offer.
 */
export const valhallaConfig = (tiles: string): object => ({
  mjolnir: { tile_dir: tiles, max_cache_size: TILE_CACHE_BYTES, logging: SILENT },
  loki: {
    actions: ['locate', 'route', 'sources_to_targets'],
    // It would fail a whole matrix for one point in another region instead of leaving its cells null.
    use_connectivity: false,
    service_defaults: {
      radius: 0,
      // A point beside a yard that is not connected to the roads belongs to the next real street.
      minimum_reachability: 50,
      search_cutoff: 35_000,
      node_snap_tolerance: 5,
      street_side_tolerance: 5,
      street_side_max_distance: 1000,
      heading_tolerance: 60,
    },
    logging: SILENT,
  },
  thor: { logging: SILENT },
  odin: { logging: SILENT },
  meili: {
    mode: 'auto',
    customizable: [],
    default: {
      sigma_z: 4.07,
      beta: 3,
      max_route_distance_factor: 5,
      max_route_time_factor: 5,
      max_search_radius: 100,
      breakage_distance: 2000,
      interpolation_distance: 10,
      search_radius: 50,
      gps_accuracy: 5,
      geometry: false,
      route: true,
      turn_penalty_factor: 0,
    },
    grid: { size: 500, cache_size: 1000 },
    logging: SILENT,
  },
  service_limits: {
    motorcycle: LIMITS,
    auto: LIMITS,
    bicycle: LIMITS,
    pedestrian: { ...LIMITS, min_transit_walking_distance: 1, max_transit_walking_distance: 10_000 },
    isochrone: {
      max_contours: 1,
      max_time_contour: 1,
      max_distance_contour: 1,
      max_locations: 1,
      max_distance: 1,
    },
    trace: {
      max_distance: 1,
      max_shape: 1,
      max_gps_accuracy: 1,
      max_search_radius: 1,
      max_alternates: 0,
      max_alternates_shape: 1,
    },
    skadi: { max_shape: 1, min_resample: 10 },
    max_exclude_locations: 0,
    max_exclude_polygons_length: 0,
    max_reachability: 100,
    max_radius: 200,
    max_alternates: 0,
  },
});

/** For the tile builder. It works without what it cannot find: countries, time zones, elevation, transit. */
export const tileBuilderConfig = (tiles: string): object => ({
  mjolnir: {
    tile_dir: tiles,
    hierarchy: true,
    shortcuts: true,
    include_driveways: true,
    include_bicycle: true,
    include_pedestrian: true,
    include_driving: true,
    reclassify_links: true,
    data_processing: {
      infer_internal_intersections: true,
      infer_turn_channels: true,
      apply_country_overrides: true,
      use_admin_db: false,
      grid_divisions_within_tile: 32,
    },
    logging: { type: 'std_out', color: false },
  },
});

/** Shown to the person who runs Malote: the message must say what to do. */
export class RoadsError extends Error {
  override name = 'RoadsError';
}

/** System libraries that the engine requires. Its package does not contain them, and small systems lack them. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'libbsd.so.0': 'Debian, Ubuntu: apt-get install libbsd0; Fedora: dnf install libbsd',
  'libcrypt.so.1': 'Debian, Ubuntu: apt-get install libcrypt1; Fedora: dnf install libxcrypt-compat',
};

/** What to install, if this is the system's loader naming a library that it did not find. */
export function missingLibrary(complaint: string): string | undefined {
  const missing = /shared libraries: ([^\s:]+)/.exec(complaint)?.[1];
  if (missing === undefined) return undefined;
  const how = LIBRARIES[missing];
  return `Real roads need ${missing}, which this system lacks. Install it${how ? ` (${how})` : ''}, then try again.`;
}
