import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppState } from '../../web/driver/src/appState.ts';
import { createAppStore } from '../../web/driver/src/appStore.ts';
import { sampleEntry, sampleWork } from './samples.ts';

const initial = { work: null, view: null, entries: [], here: null } as unknown as AppState;
const here = { lat: -30.03, lng: -51.22, at: 0, accuracy: 5 };

test('a new position changes nothing but the position, so that no other screen is drawn again', () => {
  const store = createAppStore(initial);
  store.set({ work: sampleWork() });
  const before = store.state();
  assert.ok(before.view);
  store.set({ here });
  const { here: moved, ...after } = store.state();
  assert.deepEqual(moved, here);
  for (const [part, value] of Object.entries(after))
    assert.equal(value, before[part as keyof AppState], part);
});

test('new work and new entries change what is shown', () => {
  const store = createAppStore(initial);
  const work = sampleWork();
  store.set({ work });
  const { view } = store.state();
  store.set({ entries: [sampleEntry({ kind: 'arrive-pickup', deliveryId: '1' })] });
  assert.notEqual(store.state().view, view);
  store.set({ work: null });
  assert.equal(store.state().view, null);
});
