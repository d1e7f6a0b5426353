import type { Capacity } from '../../platform/kernel/load.ts';
import { raw, type Sql } from '../../platform/postgres/sql.ts';

/** SQL for a row of driver_capacities or category_capacities, which may be missing, as JSON of a `Capacity`. */
export const capacityJson = (row: string): Sql =>
  raw(`case when ${row}.central_id is not null then json_build_object('weightGrams', ${row}.weight_grams,
    'volumeMl', ${row}.volume_ml, 'packages', ${row}.packages, 'equipment', ${row}.equipment) end`);

/** The columns of a capacity in both tables. */
export const capacityRow = ({ weightGrams, volumeMl, packages, equipment }: Capacity) => ({
  weight_grams: weightGrams,
  volume_ml: volumeMl,
  packages,
  equipment,
});
