import { GEOCODERS } from './geo/geocoding/geocoders.ts';
import { ENGINES } from './geo/routing/openRouters.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const integer = (fallback: number, min: number, max: number) =>
  ({ kind: 'integer', fallback, min, max }) as const;
const choice = <const Choices extends readonly string[]>(fallback: Choices[number], choices: Choices) =>
  ({ kind: 'choice', fallback, choices }) as const;
const url = (fallback?: string) => ({ kind: 'url', fallback, protocols: ['http:', 'https:'] }) as const;
const text = (fallback?: string) => ({ kind: 'text', fallback }) as const;
/** The fallback of `parent` is a folder within that of another setting. */
const folder = (fallback: string, parent?: 'MALOTE_DATA') => ({ kind: 'folder', fallback, parent }) as const;

/**
 * Every setting with its default and its limits. `readConfig` reads by this table, and docs/settings.md is generated
 * from it.
 */
export const settings = {
  PORT: integer(3000, 0, 65_535),
  HOST: text(),
  MALOTE_PUBLIC_URL: url(),
  MALOTE_TRUST_PROXY: { kind: 'networks' },
  MALOTE_METRICS_TOKEN: text(),
  MALOTE_LOG: choice('info', LOG_LEVELS),

  DATABASE_URL: { kind: 'url', fallback: undefined, protocols: ['postgres:', 'postgresql:'] },
  MALOTE_DATABASE_WAIT: integer(30, 0, 3600),
  MALOTE_POOL: integer(10, 1, 500),
  MALOTE_DATA: folder('./data'),
  MALOTE_BACKUPS: integer(7, 0, 1_000),
  MALOTE_BACKUP_FOLDER: folder('backups', 'MALOTE_DATA'),
  MALOTE_SECRET_KEY: { kind: 'keys' },

  MALOTE_STOP_NOTICE: integer(0, 0, 5),
  MALOTE_STOP_LIMIT: integer(10, 10, 600),

  MALOTE_DEMO: choice('full', ['full', 'friday', 'empty', 'off']),
  MALOTE_DEMO_EXPOSED: choice('no', ['yes', 'no']),
  MALOTE_DEMO_ORDERS: choice('on', ['on', 'off', 'rush']),
  MALOTE_COURIERS: choice('on', ['on', 'off']),

  MALOTE_ROUTING: choice('auto', ENGINES),
  MALOTE_ROADS: folder('roads', 'MALOTE_DATA'),
  MALOTE_VALHALLA_URL: url(),
  MALOTE_OSRM_URL: url(),
  MALOTE_SNAP_METRES: integer(500, 10, 20_000),

  MALOTE_GEOCODING: choice('auto', GEOCODERS),
  MALOTE_NOMINATIM_URL: url(),
  MALOTE_PHOTON_URL: url(),
  MALOTE_GOOGLE_KEY: text(),
  MALOTE_GOOGLE_URL: url('https://maps.googleapis.com/maps/api/geocode/json'),

  MALOTE_MAP_STYLE: url(),

  MALOTE_S3_ENDPOINT: url(),
  MALOTE_S3_BUCKET: text(),
  MALOTE_S3_ACCESS_KEY: text(),
  MALOTE_S3_SECRET_KEY: text(),
  MALOTE_S3_REGION: text('us-east-1'),
} as const;

export type Setting = keyof typeof settings;

/** The settings whose value is of this kind. */
export type SettingOf<Kind extends (typeof settings)[Setting]['kind']> = {
  [Name in Setting]: (typeof settings)[Name]['kind'] extends Kind ? Name : never;
}[Setting];

export type ChoiceOf<Name extends SettingOf<'choice'>> = (typeof settings)[Name]['choices'][number];
