import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removePersonalData } from '../../server/src/deliveries/deliveries/deliveryPersonalDataStore.ts';
import { type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { balanceCents, setBalance } from '../support/rows.ts';
import { assertOk, assertRefused, deliveryIn, openDelivery } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, key = 'demo-chave'): Client =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const waiting = async (who: Client = operator): Promise<string[]> =>
  assertOk(await who.get('/nao-atendidas')).body.data.map(({ id_mch }: Json) => id_mch);
const again = (id: number, who: Client = operator) => who.post(`/entregas/${id}/pedir-de-novo`);
const detail = async (id: number | string): Promise<Json> =>
  assertOk(await operator.get(`/entregas/${id}`)).body.data;

test('a delivery that was not attended is ordered again once, and then waits for nobody', async () => {
  const { id } = await deliveryIn(malote, 'not_attended', 2);
  assert.deepEqual(await waiting(), [String(id)]);
  assert.deepEqual(await waiting(login('gerente')), [String(id)]);
  assert.deepEqual(await waiting(login('vizinha', 'demo-vizinha')), []);
  const answers = await Promise.all([again(id), again(id), again(id)]);
  const [done, ...refused] = answers.toSorted((a, b) => a.status - b.status);
  const { id_mch, nova_entrega } = assertOk(done!).body.data;
  assert.equal(id_mch, String(id));
  for (const answer of refused) assertRefused(answer, 406, /pedida de novo/);
  assert.deepEqual(await waiting(), []);
  const [before, after] = [await detail(id), await detail(nova_entrega)];
  assert.equal(before.pedida_de_novo_como, nova_entrega);
  assert.equal(after.pedida_de_novo_como, null);
  assert.equal(after.status, 'D');
  const places = ({ paradas }: Json) =>
    paradas.map(({ endereco, nome_cliente }: Json) => [endereco, nome_cliente]);
  assert.deepEqual(places(after), places(before));
  assert.deepEqual(after.partida, before.partida);
});

test("what is not over, was finished or is another central's is not ordered again", async () => {
  const { id } = await openDelivery(malote);
  assertRefused(await again(id), 406, /pedida de novo/);
  const finished = await deliveryIn(malote, 'finished');
  assertRefused(await again(finished.id), 406, /pedida de novo/);
  const lost = await deliveryIn(malote, 'not_attended');
  assertRefused(await again(lost.id, login('vizinha', 'demo-vizinha')), 404, /não encontrada/);
  assert.equal((await detail(lost.id)).pedida_de_novo_como, null);
});

test('without balance nothing is ordered, and the delivery keeps waiting', async () => {
  await setBalance(malote, 100_000);
  const { id } = await deliveryIn(malote, 'not_attended');
  await malote.db`update deliveries set payment = 'credit_wallet' where central_id = 1 and id = ${id}`;
  await setBalance(malote, 0);
  assertRefused(await again(id), 422, /saldo/i);
  assert.ok((await waiting()).includes(String(id)));
  await setBalance(malote, 100_000);
  assertOk(await again(id));
  assert.ok((await balanceCents(malote)) < 100_000);
});

test('after half a day it is a matter of the lists', async () => {
  const { id } = await deliveryIn(malote, 'not_attended');
  assert.ok((await waiting()).includes(String(id)));
  malote.clock.advance({ hours: 12, minutes: 1 });
  assert.deepEqual(await waiting(), []);
});

const dismiss = (id: number, motivo: string, who: Client = operator) =>
  who.post(`/entregas/${id}/dispensar`, { motivo });

test('a delivery that was not attended is dismissed once, with a reason that its history tells', async () => {
  const { id } = await deliveryIn(malote, 'not_attended');
  assert.ok((await waiting()).includes(String(id)));
  const reasons = ['O cliente mandou buscar', 'Perdeu o sentido'];
  const answers = await Promise.all(reasons.map((reason) => dismiss(id, reason)));
  const winner = answers.findIndex(({ status }) => status === 200);
  assertOk(answers[winner]!);
  assertRefused(answers[1 - winner]!, 406, /dispensada/);
  assert.ok(!(await waiting()).includes(String(id)));
  assert.ok(!(await waiting(login('gerente'))).includes(String(id)));
  const { dispensada, status } = await detail(id);
  assert.equal(status, 'N');
  assert.deepEqual(dispensada, {
    motivo: reasons[winner],
    em: malote.clock.now().toString({ smallestUnit: 'second' }),
    autor: 'central',
  });
  const seenByManager = assertOk(await login('gerente').get(`/entregas/${id}`)).body.data;
  assert.equal(seenByManager.dispensada, null, 'the reason is the central’s own');
  const { eventos } = assertOk(await operator.get(`/entregas/${id}/historico`)).body.data;
  const { type, data, autor } = eventos.at(-1);
  assert.deepEqual([type, data.mudanca, autor.nome], ['entrega.alterada', 'dispensada', 'central']);
  assert.doesNotMatch(JSON.stringify(data), /buscar|sentido/);
});

test('a dismissed delivery may be ordered again; one that was ordered again is not dismissed', async () => {
  const { id } = await deliveryIn(malote, 'not_attended');
  assertOk(await dismiss(id, 'Engano'));
  assertOk(await again(id));
  const other = await deliveryIn(malote, 'not_attended');
  assertOk(await again(other.id));
  assertRefused(await dismiss(other.id, 'Tarde'), 406, /dispensada/);
});

test('only what was not attended is dismissed, by the desk of its central', async () => {
  const { id } = await openDelivery(malote);
  assertRefused(await dismiss(id, 'x'), 406, /dispensada/);
  const lost = await deliveryIn(malote, 'not_attended');
  assertRefused(await dismiss(lost.id, 'x', login('vizinha', 'demo-vizinha')), 404, /não encontrada/);
  assertRefused(await dismiss(lost.id, 'x', malote.driver(1)), 403, /permissão/);
  assert.equal((await dismiss(lost.id, '  ')).status, 400);
  assert.ok((await waiting()).includes(String(lost.id)));
});

test('the reason goes with the personal data of its delivery', async () => {
  const { id } = await deliveryIn(malote, 'not_attended');
  assertOk(await dismiss(id, 'Dona Quitéria desistiu'));
  await malote.db.begin((tx) => removePersonalData(tx, 1, [id], malote.clock.now()));
  assert.equal((await detail(id)).dispensada.motivo, '');
});
