/**
 * A MapLibre style that asks no tile server for anything: a plain ground, the streets of the imported roads where
 * there are any, and on top of them what a page has to show, in the sources `areas`, `routes` and `points`.
 *
 * @import { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
 * @import { MapSettings } from '../installMap.ts'
 */
import { arrowLayer } from './streetArrows.js';

/** @typedef {'light' | 'dark'} Scheme */

const colors = {
  light: {
    ground: '#eceeec',
    water: '#b9d3e4',
    park: '#cfe3c6',
    parkName: '#3d6b3a',
    district: '#5d6472',
    street: '#ffffff',
    edge: '#d3d7d3',
    main: '#fff3d6',
    mainEdge: '#e0cfa4',
    name: '#565d5a',
    arrow: '#7b8580',
    halo: '#ffffff',
    area: '#0b6e4f',
    route: '#1d5fbf',
    routeEdge: '#ffffff',
    point: '#1d5fbf',
    pointEdge: '#ffffff',
    label: '#16191d',
  },
  dark: {
    ground: '#15191c',
    water: '#14293a',
    park: '#1b2b1e',
    parkName: '#86ab82',
    district: '#98a2b3',
    street: '#2b3237',
    edge: '#0d1012',
    main: '#3d4034',
    mainEdge: '#0d1012',
    name: '#a3adb3',
    arrow: '#828e95',
    halo: '#15191c',
    area: '#4fc39a',
    route: '#74a9f5',
    routeEdge: '#0d1012',
    point: '#74a9f5',
    pointEdge: '#0d1012',
    label: '#eceff2',
  },
};

/** Without a glyph server MapLibre writes with the fonts of the device. */
const FONT = ['system-ui'];

/** What a page puts on a map; every one a GeoJSON source that begins empty. */
export const OVERLAY_SOURCES = ['areas', 'routes', 'points'];

/**
 * @param {{ scheme: Scheme, streets: MapSettings['streets'] }} options
 * @returns {StyleSpecification}
 */
export function mapStyle({ scheme, streets }) {
  const over = overlay(scheme);
  return {
    version: 8,
    sources: { ...(streets && { streets: streetSource(streets) }), ...over.sources },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': colors[scheme].ground } },
      ...(streets ? [...groundLayers(scheme), ...streetLayers(scheme), ...placeLayers(scheme)] : []),
      ...over.layers,
    ],
  };
}

/**
 * The sources and layers of areas, routes and points, also for adding to a style from elsewhere. A feature's
 * `color` takes the place of the usual one, and a route's `width` too; a point's `label` is written beside it.
 *
 * @param {Scheme} scheme
 * @returns {{ sources: Record<string, SourceSpecification>, layers: LayerSpecification[] }}
 */
export function overlay(scheme) {
  const color = colors[scheme];
  return {
    sources: Object.fromEntries(
      OVERLAY_SOURCES.map((name) => [
        name,
        { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
      ]),
    ),
    layers: [
      {
        id: 'areas-ground',
        type: 'fill',
        source: 'areas',
        paint: { 'fill-color': colorOr(color.area), 'fill-opacity': 0.04 },
      },
      {
        id: 'areas-edge',
        type: 'line',
        source: 'areas',
        paint: {
          'line-color': colorOr(color.area),
          'line-width': 1.2,
          'line-opacity': 0.7,
          'line-dasharray': [4, 3],
        },
      },
      {
        id: 'routes-edge',
        type: 'line',
        source: 'routes',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': color.routeEdge, 'line-width': ['+', widthOr(4), 3] },
      },
      {
        id: 'routes',
        type: 'line',
        source: 'routes',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': colorOr(color.route), 'line-width': widthOr(4) },
      },
      {
        id: 'points',
        type: 'circle',
        source: 'points',
        paint: {
          'circle-radius': 7,
          'circle-color': colorOr(color.point),
          'circle-stroke-color': color.pointEdge,
          'circle-stroke-width': 2,
        },
      },
      {
        id: 'points-labels',
        type: 'symbol',
        source: 'points',
        layout: {
          'text-field': ['coalesce', ['get', 'label'], ''],
          'text-font': FONT,
          'text-size': 13,
          'text-anchor': 'left',
          'text-offset': [0.9, 0],
          'text-optional': true,
        },
        paint: { 'text-color': color.label, 'text-halo-color': color.halo, 'text-halo-width': 1.5 },
      },
    ],
  };
}

/**
 * @param {string} usual
 * @returns {import('maplibre-gl').ExpressionSpecification}
 */
const colorOr = (usual) => ['coalesce', ['get', 'color'], usual];

/**
 * @param {number} usual
 * @returns {import('maplibre-gl').ExpressionSpecification}
 */
const widthOr = (usual) => ['coalesce', ['get', 'width'], usual];

/**
 * @param {NonNullable<MapSettings['streets']>} streets
 * @returns {SourceSpecification}
 */
const streetSource = ({ tiles, zooms: [minzoom, maxzoom], bounds, origin }) => ({
  type: 'vector',
  // The worker that fetches them knows no page to which an address could be relative.
  tiles: [
    new URL(tiles, globalThis.location?.href ?? 'http://localhost').href
      .replace(/%7B/g, '{')
      .replace(/%7D/g, '}'),
  ],
  minzoom,
  maxzoom,
  bounds,
  attribution:
    origin === 'own'
      ? 'Cidade inventada, só para demonstração'
      : '<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noreferrer">© OpenStreetMap contributors</a>',
});

/** From the least to the widest, each with its width on the screen at zooms 12, 15 and 18. */
const WIDTHS = /** @type {const} */ ([
  ['lane', [0, 1.5, 7]],
  ['street', [0.6, 4, 16]],
  ['avenue', [1.2, 6, 22]],
  ['main', [2, 8, 26]],
  ['highway', [2.5, 9, 28]],
]);

/**
 * Water and parks, which only the city of the demonstration has.
 *
 * @param {Scheme} scheme
 * @returns {LayerSpecification[]}
 */
const groundLayers = (scheme) =>
  /** @type {const} */ (['park', 'water']).map((name) => ({
    id: `ground-${name}`,
    type: 'fill',
    source: 'streets',
    'source-layer': 'ground',
    filter: ['==', ['get', 'class'], name],
    paint: { 'fill-color': colors[scheme][name] },
  }));

/**
 * @param {Scheme} scheme
 * @returns {LayerSpecification[]}
 */
function placeLayers(scheme) {
  const color = colors[scheme];
  return [
    {
      id: 'places-parks',
      type: 'symbol',
      source: 'streets',
      'source-layer': 'places',
      minzoom: 13.5,
      filter: ['==', ['get', 'class'], 'park'],
      layout: { 'text-field': ['get', 'name'], 'text-font': FONT, 'text-size': 11.5, 'text-max-width': 7 },
      paint: { 'text-color': color.parkName, 'text-halo-color': color.park, 'text-halo-width': 1.2 },
    },
    {
      id: 'places-districts',
      type: 'symbol',
      source: 'streets',
      'source-layer': 'places',
      minzoom: 11,
      maxzoom: 15.5,
      filter: ['==', ['get', 'class'], 'district'],
      layout: {
        'text-field': ['upcase', ['get', 'name']],
        'text-font': FONT,
        'text-size': ['interpolate', ['linear'], ['zoom'], 12, 9.5, 15, 12.5],
        'text-letter-spacing': 0.12,
        'text-max-width': 8,
        'text-padding': 12,
      },
      paint: { 'text-color': color.district, 'text-halo-color': color.halo, 'text-halo-width': 1.6 },
    },
  ];
}

/**
 * @param {Scheme} scheme
 * @returns {LayerSpecification[]}
 */
function streetLayers(scheme) {
  const color = colors[scheme];
  const isWide = (/** @type {string} */ name) => name === 'main' || name === 'highway';
  const line = (
    /** @type {string} */ id,
    /** @type {string} */ name,
    /** @type {string} */ paint,
    /** @type {readonly number[]} */ [far, middle, near],
  ) =>
    /** @type {LayerSpecification} */ ({
      id,
      type: 'line',
      source: 'streets',
      'source-layer': 'streets',
      filter: ['==', ['get', 'class'], name],
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': paint,
        'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 12, far, 15, middle, 18, near],
      },
    });
  const edges = WIDTHS.map(([name, widths]) =>
    line(
      `streets-${name}-edge`,
      name,
      isWide(name) ? color.mainEdge : color.edge,
      widths.map((width) => width + 1.5),
    ),
  );
  const grounds = WIDTHS.map(([name, widths]) =>
    line(`streets-${name}`, name, isWide(name) ? color.main : color.street, widths),
  );
  return [
    ...edges,
    ...grounds,
    arrowLayer(color.arrow),
    {
      id: 'streets-names',
      type: 'symbol',
      source: 'streets',
      'source-layer': 'streets',
      minzoom: 13,
      filter: ['has', 'name'],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 320,
        'text-field': ['get', 'name'],
        'text-font': FONT,
        'text-size': ['match', ['get', 'class'], ['highway', 'main', 'avenue'], 12.5, 11.5],
        'text-max-angle': 30,
      },
      paint: { 'text-color': color.name, 'text-halo-color': color.halo, 'text-halo-width': 1.5 },
    },
  ];
}
