import assert from 'node:assert/strict';
import { test } from 'node:test';

const warnings: Error[] = [];
process.on('warning', (warning) => warnings.push(warning));

test('neither the start nor a request makes Node warn of anything', async () => {
  // Imported after the listener is set, so that it also sees warnings of loading the modules.
  const { startMalote } = await import('../support/malote.ts');
  const malote = await startMalote();
  await malote.central.post('/entregas/consultar');
  for (const path of ['/docs/', '/metrics', '/readyz', '/openapi.json']) await fetch(malote.url + path);
  await malote.app.close();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(warnings, []);
});
