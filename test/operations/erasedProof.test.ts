import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import type { Client } from '../support/client.ts';
import { jpeg } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { stop } from '../support/orders.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;

const put = (who: Client, path: string) =>
  who.send(path, {
    method: 'PUT',
    body: new Uint8Array(jpeg()),
    headers: { 'content-type': 'image/jpeg' },
  });

test('after the data of its recipient was erased a stop takes no image any more', async () => {
  const phone = '51977770001';
  const paradas = [{ ...stop(0), telefone_cliente_parada: phone }];
  const { id, stopIds } = await openDelivery(malote, { paradas });
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: await newDriver(malote) }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  const path = `/entregas/${id}/paradas/${stopIds[0]}`;
  assertOk(await operator.post(`${path}/concluir`));
  assertOk(await put(operator, `${path}/comprovantes/foto`));
  await erasePerson(malote.app.deps, 1, { cpf: null, phone }, 'Tester');
  const shown = assertOk(await operator.get(`/entregas/${id}`)).body.data.paradas[0];
  assert.deepEqual(shown.comprovantes, []);
  for (const kind of ['foto', 'assinatura'])
    assertRefused(await put(operator, `${path}/comprovantes/${kind}`), 409, /foram apagados/);
});

test('a driver reads an image for 72 hours, and the central for as long as it is kept', async () => {
  const driver = malote.driver(1);
  const { id, stopIds } = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 }));
  assertOk(await driver.post(`/entregas/${id}/iniciar`));
  const photo = `/entregas/${id}/paradas/${stopIds[0]}/comprovantes/foto`;
  assertOk(await put(driver, photo));
  assertOk(await driver.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`));
  malote.clock.advance({ hours: 71 });
  assertOk(await driver.get(photo));
  malote.clock.advance({ hours: 2 });
  assertRefused(await driver.get(photo), 404, /./);
  assertOk(await operator.get(photo));
});
