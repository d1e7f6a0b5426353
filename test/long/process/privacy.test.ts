import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../../support/client.ts';
import { runMalote, startService } from '../../support/maloteProcess.ts';
import { order } from '../../support/orders.ts';
import { startedFolder } from '../../support/startedFolder.ts';
import { assertOk } from '../../support/steps.ts';

const folder = await startedFolder();
const env = { MALOTE_DATA: folder, MALOTE_DEMO: 'empty', MALOTE_COURIERS: 'off' };
const service = await startService(env);
const manager = client(`${service.url}/api/v2/integracao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const privacy = (...args: string[]) => runMalote(['privacy', ...args], { env: { MALOTE_DATA: folder } });
const phone = ['--central', '1', '--phone', '+55 51 99999-0000'];

test('beside a running service: a recipient’s data is exported, and erased from what is over', async () => {
  const over = assertOk(await manager.post('/entregas', order())).body.data.id_mch;
  assertOk(await manager.post('/entregas', order()));
  assertOk(await manager.post(`/entregas/${over}/cancelar`, { motivo_id: 2 }));

  const exported = await privacy('export', ...phone);
  assert.deepEqual([exported.code, exported.stderr], [0, '']);
  assert.deepEqual(
    JSON.parse(exported.stdout).stops.map((stop: { recipient_name: string }) => stop.recipient_name),
    ['Cliente 1', 'Cliente 1'],
  );
  const erased = await privacy('erase', ...phone, '--by', 'Ana');
  assert.equal(erased.code, 0, erased.stderr);
  assert.match(erased.stdout, /removed from 0 deliveries, 0 scheduled deliveries, 1 stops and 0 notes/);
  assert.match(erased.stdout, /not touched, because they are still under way: 1; run this again/);
  assert.equal(JSON.parse((await privacy('export', ...phone)).stdout).stops.length, 1);
});

test('exactly one valid CPF or phone is required', async () => {
  for (const wrong of [[], ['--cpf', '123'], ['--cpf', '52998224725', '--phone', '51999990000']]) {
    const { code, stdout, stderr } = await privacy('erase', '--central', '1', ...wrong);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /--cpf/);
  }
  const nowhere = await privacy('erase', '--central', '99', '--cpf', '52998224725');
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /there is no central 99/);
});
