import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { Demands } from './demands.ts';

/*
 * A stop with demands has a row of stop_demands under its id, which it keeps through dispatch and grouping. So only what
 * creates, edits or deletes stops writes here, under the lock of the request that carries them.
 */

const TYPES = {
  ready_at: 'timestamptz',
  pickup_seconds: 'integer',
  equipment: 'text[]',
  priority: 'smallint',
  window_from: 'timestamptz',
  window_until: 'timestamptz',
  window_is_hard: 'boolean',
  service_seconds: 'integer',
  weight_grams: 'integer',
  volume_ml: 'integer',
  packages: 'integer',
} as const;
const COLUMNS = raw(Object.keys(TYPES).join(', '));
const TYPED = raw(
  Object.entries(TYPES)
    .map(([column, type]) => `${column} ${type}`)
    .join(', '),
);

/** The columns of a row of stop_demands as `demanded`, which may be missing, for `toDemands`. */
export const DEMANDED = raw(
  [
    'demanded.stop_id is not null as is_demanding',
    ...Object.keys(TYPES).map((column) => `demanded.${column}`),
  ].join(', '),
);

export type DemandedRow = { [Field in keyof Demands]: Demands[Field] | null } & { isDemanding: boolean };

/** The fields of a row with `DEMANDED`, with its demands instead of their columns. */
export function withDemands<Row extends DemandedRow>({
  isDemanding,
  readyAt,
  pickupSeconds,
  equipment,
  priority,
  windowFrom,
  windowUntil,
  windowIsHard,
  serviceSeconds,
  weightGrams,
  volumeMl,
  packages,
  ...row
}: Row) {
  const demands: Demands | null = isDemanding
    ? {
        readyAt,
        pickupSeconds,
        equipment,
        priority,
        windowFrom,
        windowUntil,
        windowIsHard: windowIsHard ?? false,
        serviceSeconds,
        weightGrams,
        volumeMl,
        packages,
      }
    : null;
  return { ...row, demands };
}

/** Demands as JSON; instants are ISO 8601 texts, in any zone. */
export type DemandsJson = {
  [Field in keyof Demands]: Temporal.Instant extends Demands[Field] ? string | null : Demands[Field];
};

/** SQL for the demands of a stop as `DemandsJson`; null where it has none. */
export const demandsJson = (centralId: number, stopId = sql`s.id`): Sql => sql`(
  select json_build_object('readyAt', n.ready_at, 'pickupSeconds', n.pickup_seconds, 'equipment', n.equipment,
    'priority', n.priority, 'windowFrom', n.window_from, 'windowUntil', n.window_until,
    'windowIsHard', n.window_is_hard, 'serviceSeconds', n.service_seconds, 'weightGrams', n.weight_grams,
    'volumeMl', n.volume_ml, 'packages', n.packages)
  from stop_demands n where n.central_id = ${centralId} and n.stop_id = ${stopId})`;

const toInstant = (text: string | null) => (text === null ? null : Temporal.Instant.from(text));

export const readDemands = (json: DemandsJson | null): Demands | null =>
  json && {
    ...json,
    readyAt: toInstant(json.readyAt),
    windowFrom: toInstant(json.windowFrom),
    windowUntil: toInstant(json.windowUntil),
  };

interface Demanding {
  demands: Demands | null;
}

/** The demands of those of the stops that have any, with as many ids as stops, as rows for `insertDemandRows`. */
export const toDemandRows = (stops: readonly Demanding[], ids: readonly number[]) =>
  stops.flatMap(({ demands }, index) =>
    demands === null
      ? []
      : {
          stop_id: ids[index]!,
          ready_at: demands.readyAt ?? undefined,
          pickup_seconds: demands.pickupSeconds ?? undefined,
          equipment: demands.equipment ?? undefined,
          priority: demands.priority ?? undefined,
          window_from: demands.windowFrom ?? undefined,
          window_until: demands.windowUntil ?? undefined,
          window_is_hard: demands.windowIsHard,
          service_seconds: demands.serviceSeconds ?? undefined,
          weight_grams: demands.weightGrams ?? undefined,
          volume_ml: demands.volumeMl ?? undefined,
          packages: demands.packages ?? undefined,
        },
  );

export type DemandRow = ReturnType<typeof toDemandRows>[number];

/** With a column instead of a value for the central, that is read from each row. */
const insertDemandRows = (centralId: number | Sql, rows: readonly DemandRow[]): Sql => sql`
  insert into stop_demands (central_id, stop_id, ${COLUMNS})
  select ${centralId}::bigint, stop_id, ${COLUMNS}
  from json_to_recordset(${JSON.stringify(rows)}::json) as given (central_id bigint, stop_id bigint, ${TYPED})`;

/** A further part of a statement with `with`; nothing where no stop demands anything. */
export const andDemandRows = (centralId: number | Sql, rows: readonly DemandRow[]): Sql =>
  rows.length === 0 ? sql`` : sql`, new_demands as (${insertDemandRows(centralId, rows)})`;

export async function insertDemands(
  tx: Tx,
  centralId: number,
  stops: readonly Demanding[],
  ids: readonly number[],
): Promise<void> {
  const rows = toDemandRows(stops, ids);
  if (rows.length > 0) await tx.write`${insertDemandRows(centralId, rows)}`;
}

/**
 * Moves what is promised for the open stops of deliveries: the end of the window or, without one, the promise of the
 * delivery. A window stays open for a minute. The caller holds the locks of the deliveries.
 */
export async function moveWindows(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  minutes: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.write`
    insert into stop_demands (central_id, stop_id, window_until)
    select ${centralId}, s.id, coalesce(n.window_until, d.promised_at, ${now}) + make_interval(mins => ${minutes}::integer)
    from deliveries d
    join stops s on s.central_id = ${centralId} and s.delivery_id = d.id and s.concluded_at is null
    left join stop_demands n on n.central_id = ${centralId} and n.stop_id = s.id
    where d.central_id = ${centralId} and d.id = any(${deliveryIds}::bigint[])
    on conflict (central_id, stop_id) do update set
      window_until = greatest(excluded.window_until, stop_demands.window_from + interval '1 minute')`;
}

export async function deleteDemands(tx: Tx, centralId: number, stopIds: readonly number[]): Promise<void> {
  if (stopIds.length === 0) return;
  await tx.write`
    delete from stop_demands where central_id = ${centralId} and stop_id = any(${stopIds}::bigint[])`;
}

/**
 * Whether the central has any demands, as SQL that is evaluated once for a statement: where it has none, nothing more is
 * looked up.
 */
export const hasDemands = (centralId: number): Sql =>
  sql`(select exists (select from stop_demands where central_id = ${centralId}))`;
