import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { safeSerializers } from '../api/http/safeLog.ts';
import { settingsDefaults } from '../centrals/central.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/kernel/clock.ts';
import { startRouters } from './startRouters.ts';

test('the log says why an estimate was made without the roads, and what to do', async () => {
  const lines: string[] = [];
  const log = pino({ serializers: safeSerializers }, { write: (line) => void lines.push(line) });
  const config = readConfig({ MALOTE_ROUTING: 'roads', MALOTE_ROADS: '/nowhere' });
  const routers = await startRouters(config, systemClock, log);
  try {
    const points = [
      { lat: -30.03, lng: -51.23 },
      { lat: -30.04, lng: -51.22 },
    ];
    await routers.forEstimates(settingsDefaults).matrix(points, 'car');
    assert.equal(lines.length, 1);
    assert.match(
      JSON.parse(lines[0]!).msg,
      /without the roads: no roads were imported yet: run "malote roads import/,
    );
  } finally {
    await routers.close();
  }
});
