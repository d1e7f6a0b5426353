import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, type Json } from '../support/client.ts';
import { jpeg, png } from '../support/images.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, openDelivery } from '../support/steps.ts';

const malote = await startMalote();

test('a name that a driver sends as its Host reaches no other reader', async () => {
  const port = new URL(malote.url).port;
  const delivery = await openDelivery(malote, {}, 1);
  const driver = client(`http://localhost:${port}/api/v2/operacao`, {
    key: 'demo-chave',
    user: 'condutor1',
    password: 'demo',
  });
  assertOk(await malote.operator.post(`/entregas/${delivery.id}/aceitar`, { condutor_id: 1 }));
  assertOk(await driver.post(`/entregas/${delivery.id}/iniciar`));
  const stop = `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}`;
  const put = (kind: string, image: Buffer, type: string) =>
    driver.send(`${stop}/comprovantes/${kind}`, {
      method: 'PUT',
      body: new Uint8Array(image),
      headers: { 'content-type': type },
    });
  assertOk(await put('foto', jpeg(), 'image/jpeg'));
  assertOk(await driver.post(`${stop}/concluir`, {}));
  assertOk(await put('assinatura', png(), 'image/png'));
  const [stored] = await malote.db<{ texts: string }>`
    select string_agg(payload::text, ' ') as texts from events where central_id = 1 and delivery_id = ${delivery.id}`;
  assert.match(stored!.texts, /"token"/);
  assert.doesNotMatch(stored!.texts, /localhost|http/);
  const { eventos } = assertOk(await malote.manager.get(`/entregas/${delivery.id}/detalhes`)).body.data;
  const urls = eventos.flatMap(({ dados }: Json) => (dados.comprovantes ?? []).map(({ url }: Json) => url));
  assert.equal(urls.length, 2);
  for (const url of urls) {
    assert.ok(url.startsWith(`${malote.url}/comprovantes/`), url);
    assert.equal((await fetch(url)).status, 200);
  }
});
