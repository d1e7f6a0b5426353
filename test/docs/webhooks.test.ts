import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deliveryFields, scheduledFields } from '../../server/src/wire/eventFields.ts';
import { eventTypes } from '../../server/src/wire/eventTypes.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));
/** Ids and status, which the table omits. */
const SHARED = new Set([...Object.keys(deliveryFields), ...Object.keys(scheduledFields)]);

for (const { name, data } of Object.values(eventTypes))
  test(`docs/webhooks.md names every field of ${name}`, () => {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
    assert.ok(row);
    const named = new Set([...row.matchAll(/`(\w+)/g)].map(([, field]) => field));
    const fields = Object.keys(data.properties).filter((field) => !SHARED.has(field));
    assert.deepEqual(
      fields.filter((field) => !named.has(field)),
      [],
    );
  });
