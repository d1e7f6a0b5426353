import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { client } from '../../support/client.ts';
import { dataFolder, runMalote, type Service, startService } from '../../support/maloteProcess.ts';

const folder = await dataFolder();

const asks = (service: Service) =>
  client(`${service.url}/api/v2/integracao`, { key: 'demo-chave', user: 'central', password: 'demo' }).get(
    '/entregas/bandeiras/areas-atuacao',
  );

const stop = async (service: Service) => {
  service.signal('SIGTERM');
  assert.equal((await service.ended).code, 0);
};

/** An address of this machine that other machines could reach, if it has one. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address && !address.internal && address.family === 'IPv4')?.address;

async function canConnect(service: Service, host: string): Promise<boolean> {
  const socket = connect({ host, port: Number(new URL(service.url).port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function assertServesOnly(service: Service, where: 'this machine' | 'everybody') {
  assert.equal(await canConnect(service, '127.0.0.1'), true);
  if (outside) assert.equal(await canConnect(service, outside), where === 'everybody', outside);
}

test('public logins are served on this machine only until they are removed, however the service is started', async () => {
  const first = await startService({ MALOTE_DATA: folder, MALOTE_DEMO: 'empty' });
  await assertServesOnly(first, 'this machine');
  await stop(first);

  const restarted = await startService({ MALOTE_DATA: folder, MALOTE_DEMO: 'off', HOST: '0.0.0.0' });
  assert.equal((await asks(restarted)).status, 200);
  await assertServesOnly(restarted, 'this machine');
  assert.match(restarted.stdout(), /HOST=0\.0\.0\.0 is not followed.*MALOTE_DEMO_EXPOSED=yes/);
  await stop(restarted);

  const recorded = { MALOTE_DATA: folder, HOST: '0.0.0.0', MALOTE_DEMO_EXPOSED: 'yes' };
  const exposed = await startService(recorded);
  await assertServesOnly(exposed, 'everybody');
  assert.match(exposed.stdout(), /everybody who reaches 0\.0\.0\.0 can use them/);

  const removed = await runMalote(['demo', 'remove'], { env: { MALOTE_DATA: folder } });
  assert.equal(removed.code, 0, removed.stderr);
  assert.match(removed.stdout, /^keys revoked: 3\nlogins disabled: .*central.*vizinha/m);
  assert.match(removed.stdout, /closed.*Central Demonstração/);
  assert.equal((await asks(exposed)).status, 401, 'also in a service that is running');
  await stop(exposed);

  const open = await startService({ MALOTE_DATA: folder });
  await assertServesOnly(open, 'everybody');
  assert.equal((await asks(open)).status, 401);
  assert.doesNotMatch(open.stdout(), /demo-chave|public keys/);
  await stop(open);

  const again = await runMalote(['demo', 'remove'], { env: { MALOTE_DATA: folder } });
  assert.equal(again.stdout, 'the database has no keys or passwords of the demonstration\n');
});

test('a central is created under a name that no other has', async () => {
  const create = (name: string) =>
    runMalote(['central', 'create', '--name', name, '--time-zone', 'America/Sao_Paulo'], {
      env: { MALOTE_DATA: folder },
    });
  const taken = await create('central demonstracao');
  assert.equal(taken.code, 1);
  assert.match(taken.stderr, /^malote: another central has this name/);
  const digits = await create('12');
  assert.equal(digits.code, 1);
  assert.match(digits.stderr, /^malote: the name of a central needs at least one letter/);
});
