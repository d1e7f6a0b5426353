/** The importance of a street, highest first; it decides from which zoom on the street is drawn. */
export const STREET_CLASSES = ['highway', 'main', 'avenue', 'street', 'lane'] as const;
export type StreetClass = (typeof STREET_CLASSES)[number];

export interface Street {
  class: StreetClass;
  name: string;
  /** lng, lat, lng, lat …, in the 100 nanodegrees of OpenStreetMap. */
  line: Int32Array;
}

export const UNITS_PER_DEGREE = 1e7;

const classOfHighway: Readonly<Record<string, StreetClass>> = {
  motorway: 'highway',
  motorway_link: 'highway',
  trunk: 'highway',
  trunk_link: 'highway',
  primary: 'main',
  primary_link: 'main',
  secondary: 'avenue',
  secondary_link: 'avenue',
  tertiary: 'avenue',
  tertiary_link: 'avenue',
  residential: 'street',
  unclassified: 'street',
  living_street: 'street',
  pedestrian: 'street',
  road: 'street',
  service: 'lane',
};

/** Undefined for what a courier does not drive on: paths, stairs, aisles of car parks, squares. */
export function classOf(tags: ReadonlyMap<string, string>): StreetClass | undefined {
  const highway = tags.get('highway');
  if (highway === undefined || tags.get('area') === 'yes') return undefined;
  if (highway === 'service' && tags.has('service')) return undefined;
  return classOfHighway[highway];
}

/** Cities and states are drawn from the first zoom at which they are visible. */
export const firstZoomOf: Readonly<Record<StreetClass, number>> = {
  highway: 7,
  main: 9,
  avenue: 11,
  street: 13,
  lane: 14,
};
/** Beyond this zoom its tiles are enlarged: they are exact to half a metre. */
export const STREETS_ZOOM_MAX = 14;
export const STREETS_ZOOM_MIN = 7;
/** Smaller maps show no names, so their tiles contain none. */
export const NAMES_ZOOM_MIN = 12;
