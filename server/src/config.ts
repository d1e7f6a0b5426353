import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { ObjectStoreConfig } from './deliveries/proof/objectStore.ts';
import type { GeocodingConfig } from './geo/geocoding/geocoders.ts';
import type { RoutingConfig } from './geo/routing/openRouters.ts';
import { parseSecretKey, SECRET_KEY_BYTES } from './platform/kernel/secretBox.ts';
import { type ChoiceOf, type Setting, type SettingOf, settings } from './settings.ts';

/** `rush`: as many orders as the couriers can carry, at any hour. */
export type DemoOrders = ChoiceOf<'MALOTE_DEMO_ORDERS'>;

/** The whole configuration, read once from the environment. */
export interface Config {
  port: number;
  /** Absent: decided by the contents of the database; see cli/whereToListen.ts. */
  host: string | undefined;
  /** Explicit permission: other machines may use the demonstration's public logins. */
  demoExposed: boolean;
  /** Absent: the embedded server, in `dataFolder`. */
  databaseUrl: string | undefined;
  /** How long a service waits at its start for a database that does not answer yet. */
  databaseWaitSeconds: number;
  dataFolder: string;
  poolSize: number;
  /** The contents of the embedded database after its first start. */
  demo: ChoiceOf<'MALOTE_DEMO'>;
  couriers: boolean;
  /** Whether the demonstration keeps ordering by itself. */
  demoOrders: DemoOrders;
  publicUrl: string | undefined;
  trustProxy: string[] | undefined;
  metricsToken: string | undefined;
  /** Encrypt stored secrets: the first key encrypts, every key decrypts. */
  secretKeys: Buffer[];
  /** How long /readyz answers 503 before the service ends, so that load balancers stop sending requests. */
  stopNoticeSeconds: number;
  /** After a stop signal the process ends in this time in any case. */
  stopLimitSeconds: number;
  /** Daily backups of the embedded database: how many are kept, and where. */
  backups: { kept: number; folder: string };
  routing: RoutingConfig;
  geocoding: GeocodingConfig;
  /** Where images of proof are moved to. Absent: they stay in the database. */
  objectStore: ObjectStoreConfig | undefined;
  /** The style of maps in pages. Absent: the built-in style, which contacts no other server. */
  mapStyle: string | undefined;
  /** Absent: chosen by whether the output is a terminal. */
  logLevel: string | undefined;
}

export class BadConfig extends Error {
  override name = 'BadConfig';
  constructor(mistakes: readonly string[]) {
    super(`the configuration has mistakes:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
  }
}

const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];
/** An address, or a network like 10.0.0.0/8. */
function isNetwork(entry: string): boolean {
  const [, address = entry, length] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)]!;
  return longest > 0 && (length === undefined || (Number(length) >= 1 && Number(length) <= longest));
}

/** Reports all mistakes together. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const mistakes: string[] = [];
  const value = (name: Setting) => environment[name]?.trim() || undefined;
  const integer = (name: SettingOf<'integer'>): number => {
    const { fallback, min, max } = settings[name];
    const text = value(name);
    if (text === undefined) return fallback;
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    mistakes.push(`${name} is "${text}", but must be a whole number from ${min} to ${max}`);
    return fallback;
  };
  const oneOf = <Name extends SettingOf<'choice'>>(name: Name): ChoiceOf<Name> => {
    const { fallback, choices }: { fallback: ChoiceOf<Name>; choices: readonly ChoiceOf<Name>[] } =
      settings[name];
    const text = value(name) ?? fallback;
    const choice = choices.find((allowed) => allowed === text);
    if (choice === undefined)
      mistakes.push(`${name} is "${text}", but must be one of: ${choices.join(', ')}`);
    return choice ?? fallback;
  };
  const url = (name: SettingOf<'url'>): string | undefined => {
    const { protocols, fallback } = settings[name];
    const text = value(name);
    if (text === undefined) return fallback;
    const beginnings = protocols.map((protocol) => `${protocol}//`);
    // The value is not quoted: it may contain a password.
    if (!beginnings.some((beginning) => text.toLowerCase().startsWith(beginning)))
      mistakes.push(`${name} must be an address that begins with ${beginnings.join(' or ')}`);
    else if (!URL.canParse(text))
      mistakes.push(
        `${name} is not a valid address; in a user name or password write / ? # % @ as %2F %3F %23 %25 %40`,
      );
    return text;
  };

  const folder = (name: SettingOf<'folder'>): string => {
    const { fallback, parent } = settings[name];
    return resolve(value(name) ?? (parent ? join(folder(parent), fallback) : fallback));
  };

  const networks = (name: SettingOf<'networks'>): string[] | undefined => {
    const given = value(name)
      ?.split(',')
      .map((entry) => entry.trim());
    for (const entry of given ?? [])
      if (!isNetwork(entry) && !NETWORK_NAMES.includes(entry))
        mistakes.push(
          `${name} names "${entry}", but takes addresses, networks like 10.0.0.0/8, or ${NETWORK_NAMES.join(', ')}`,
        );
    return given;
  };

  const keys = (name: SettingOf<'keys'>): Buffer[] => {
    const given =
      value(name)
        ?.split(',')
        .map((text) => parseSecretKey(text.trim())) ?? [];
    // Never the value itself.
    if (given.includes(undefined))
      mistakes.push(
        `${name} must be ${SECRET_KEY_BYTES} random bytes in base64 or hexadecimal, or several of them separated by commas`,
      );
    return given.filter((key) => key !== undefined);
  };

  const routing: RoutingConfig = {
    engine: oneOf('MALOTE_ROUTING'),
    folder: folder('MALOTE_ROADS'),
    valhallaUrl: url('MALOTE_VALHALLA_URL'),
    osrmUrl: url('MALOTE_OSRM_URL'),
    snapMetres: integer('MALOTE_SNAP_METRES'),
  };
  for (const engine of ['valhalla', 'osrm'] as const)
    if (routing.engine === engine && !routing[`${engine}Url`])
      mistakes.push(
        `MALOTE_ROUTING is "${engine}", so MALOTE_${engine.toUpperCase()}_URL must name its address`,
      );
  const geocoding: GeocodingConfig = {
    geocoder: oneOf('MALOTE_GEOCODING'),
    nominatimUrl: url('MALOTE_NOMINATIM_URL'),
    photonUrl: url('MALOTE_PHOTON_URL'),
    googleUrl: url('MALOTE_GOOGLE_URL'),
    googleKey: value('MALOTE_GOOGLE_KEY'),
  };
  for (const service of ['nominatim', 'photon'] as const)
    if (geocoding.geocoder === service && !geocoding[`${service}Url`])
      mistakes.push(
        `MALOTE_GEOCODING is "${service}", so MALOTE_${service.toUpperCase()}_URL must name its address`,
      );
  if (geocoding.geocoder === 'google' && !geocoding.googleKey)
    mistakes.push('MALOTE_GEOCODING is "google", so MALOTE_GOOGLE_KEY must hold its key');
  const objectStore = {
    endpoint: url('MALOTE_S3_ENDPOINT')?.replace(/\/+$/, ''),
    bucket: value('MALOTE_S3_BUCKET'),
    region: value('MALOTE_S3_REGION') ?? settings.MALOTE_S3_REGION.fallback,
    accessKey: value('MALOTE_S3_ACCESS_KEY'),
    secretKey: value('MALOTE_S3_SECRET_KEY'),
  };
  const namesOfStore = {
    endpoint: 'MALOTE_S3_ENDPOINT',
    bucket: 'MALOTE_S3_BUCKET',
    accessKey: 'MALOTE_S3_ACCESS_KEY',
    secretKey: 'MALOTE_S3_SECRET_KEY',
  } as const;
  const isAnyOfStoreSet = Object.values(namesOfStore).some((name) => value(name) !== undefined);
  if (isAnyOfStoreSet)
    for (const [part, name] of Object.entries(namesOfStore))
      if (!objectStore[part as keyof typeof namesOfStore])
        mistakes.push(`${name} is missing: an object store needs ${Object.values(namesOfStore).join(', ')}`);
  if (objectStore.bucket && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(objectStore.bucket))
    mistakes.push('MALOTE_S3_BUCKET is not the name of a bucket');
  const databaseUrl = url('DATABASE_URL');
  const publicUrl = url('MALOTE_PUBLIC_URL')?.replace(/\/+$/, '');
  // Paths are appended to it.
  if (publicUrl && /[?#@]/.test(publicUrl))
    mistakes.push('MALOTE_PUBLIC_URL must have no user name, no password and nothing after its path');
  if (databaseUrl && value('MALOTE_BACKUPS') !== undefined)
    mistakes.push('MALOTE_BACKUPS is for the embedded database; with DATABASE_URL use pg_dump');
  // No default credentials are ever created in a production database.
  const demo = databaseUrl ? 'off' : oneOf('MALOTE_DEMO');
  const config: Config = {
    port: integer('PORT'),
    host: value('HOST'),
    demoExposed: oneOf('MALOTE_DEMO_EXPOSED') === 'yes',
    databaseUrl,
    databaseWaitSeconds: integer('MALOTE_DATABASE_WAIT'),
    dataFolder: folder('MALOTE_DATA'),
    backups: {
      kept: databaseUrl ? 0 : integer('MALOTE_BACKUPS'),
      folder: folder('MALOTE_BACKUP_FOLDER'),
    },
    routing,
    geocoding,
    poolSize: integer('MALOTE_POOL'),
    demo,
    couriers: oneOf('MALOTE_COURIERS') === 'on',
    demoOrders: oneOf('MALOTE_DEMO_ORDERS'),
    publicUrl,
    trustProxy: networks('MALOTE_TRUST_PROXY'),
    objectStore: isAnyOfStoreSet ? (objectStore as ObjectStoreConfig) : undefined,
    mapStyle: url('MALOTE_MAP_STYLE'),
    metricsToken: value('MALOTE_METRICS_TOKEN'),
    secretKeys: keys('MALOTE_SECRET_KEY'),
    stopNoticeSeconds: integer('MALOTE_STOP_NOTICE'),
    stopLimitSeconds: integer('MALOTE_STOP_LIMIT'),
    logLevel: value('MALOTE_LOG') === undefined ? undefined : oneOf('MALOTE_LOG'),
  };
  if (mistakes.length) throw new BadConfig(mistakes);
  return config;
}
