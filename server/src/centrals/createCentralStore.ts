import type { Tx } from '../postgres/database.ts';
import { refuseViolations } from '../postgres/refuseViolations.ts';
import { cancellationReasons } from './cancellationReasons.ts';
import { centralNameViolations } from './centralStore.ts';
import type { NewCentral } from './createCentral.ts';

export async function insertCentral(tx: Tx, { name, timeZone }: NewCentral): Promise<number> {
  const inserted = tx<{ id: number }>`
    insert into centrals (name, time_zone) values (${name}, ${timeZone}) returning id`;
  const [row] = await refuseViolations(inserted, centralNameViolations);
  return row!.id;
}

export async function insertReasons(tx: Tx, centralId: number): Promise<void> {
  await tx`
    insert into cancellation_reasons (central_id, id, name, name_en)
    select ${centralId}, ordinality, reason ->> 'pt', reason ->> 'en'
    from jsonb_array_elements(${JSON.stringify(cancellationReasons)}::jsonb) with ordinality as t(reason, ordinality)`;
}
