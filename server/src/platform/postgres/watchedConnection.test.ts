import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { testDatabase } from '../../../../test/support/database.ts';
import { faultyProxy } from '../../../../test/support/faultyProxy.ts';
import { WatchedClient, watched } from './watchedConnection.ts';

const SILENCE_MS = 300;
const connection = await testDatabase();

test('a connection without a pending statement stays open however long it is idle', async () => {
  const client = new WatchedClient(watched(connection, SILENCE_MS));
  await client.connect();
  await client.query('select 1');
  const socket = client.connection.stream as Socket;
  await once(socket, 'timeout');
  assert.equal(socket.timeout, SILENCE_MS, 'no other limit was set');
  assert.equal((await client.query('select 1')).rowCount, 1);
  await client.end();
});

test('a connection is closed when a later statement gets no answer', async () => {
  const proxy = await faultyProxy(connection);
  const client = new WatchedClient(watched(proxy.connection, SILENCE_MS));
  client.on('error', () => undefined);
  await client.connect();
  await client.query('select 1');
  await once(client.connection.stream as Socket, 'timeout');
  await client.query('select 1');
  proxy.dropOpen();
  await assert.rejects(client.query('select 1'), { code: 'ETIMEDOUT' });
});
