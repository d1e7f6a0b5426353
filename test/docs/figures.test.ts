import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DeliveryDetailSchema } from '../../server/src/contract/endpoints/deliveryDetail.ts';
import { RANGE_STARTS } from '../../server/src/reports/spread.ts';
import { DeliverySchema, StopSchema } from '../../server/src/wire/deliveryJson.ts';

const read = (page: string): string => readFileSync(join(import.meta.dirname, '../..', page), 'utf8');

test('docs/contract.md names every field of the details beyond those of the query', () => {
  const line = read('docs/contract.md')
    .split('\n')
    .find((each) => each.startsWith('- `GET /entregas/{id}/detalhes`'))!;
  const stop = DeliveryDetailSchema.properties.paradas.items.properties;
  const added = [
    ...Object.keys(DeliveryDetailSchema.properties).filter((field) => !(field in DeliverySchema.properties)),
    ...Object.keys(stop).filter((field) => !(field in StopSchema.properties)),
    ...Object.keys(stop.tentativas.items.properties),
  ];
  // A copy in UTC is not listed separately from its original.
  const named = new Set([...line.matchAll(/`(\w+)/g)].flatMap(([, field]) => [field, `${field}_utc`]));
  assert.deepEqual(
    added.filter((field) => !named.has(field)),
    [],
  );
});

test('docs/reports.md says how wide the ranges are that a time falls into', () => {
  const widest = (from: number, to: number): number =>
    Math.max(
      ...RANGE_STARTS.flatMap((start, index) =>
        start >= from && start < to ? [RANGE_STARTS[index + 1]! - start] : [],
      ),
    );
  const page = read('docs/reports.md');
  assert.ok(page.includes(`in ${RANGE_STARTS.length} ranges of seconds`));
  assert.ok(
    page.includes(
      `at most ${widest(0, 60)} seconds below a minute, ${widest(60, 1800) / 60} minutes below half an hour, ` +
        `${widest(1800, 3600) / 60} minutes below an hour and ${widest(3600, 5400) / 60} minutes below an hour and a half`,
    ),
  );
});
