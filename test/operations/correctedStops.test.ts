import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tidyUp } from '../../server/src/dispatch/rounds/tidyUp.ts';
import { loadAddresses } from '../support/addresses.ts';
import { client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, manager2 } = malote;
await loadAddresses(malote.app.deps);
await malote.configure({ acceptUnsureAddresses: true });
const driver = malote.driver(1);
const asManager = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const data = (answer: Parameters<typeof assertOk>[0]): Json => assertOk(answer).body.data;

const LONDON = { lat: 51.5074, lng: -0.1278 };
let number = 9000;

/** An address that no source knows exactly, and that no other test uses. */
const newStop = () => ({
  endereco_parada: `Avenida Ipiranga, ${++number}`,
  bairro_parada: 'Azenha',
  cidade_parada: 'Porto Alegre',
  estado_parada: 'RS',
});

type Stop = ReturnType<typeof newStop>;
const orderTo = (stop: Stop, login = manager) => login.post('/entregas', order({ paradas: [stop] }));

interface Carried {
  id: string;
  stopId: number;
  at: { lat: number; lng: number };
  path: string;
}

/** A delivery to the stop that driver 1 carries. */
async function carried(stop: Stop): Promise<Carried> {
  const { id_mch: id } = data(await orderTo(stop));
  const { paradas } = data(await operator.get(`/entregas/${id}`));
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assertOk(await driver.post(`/entregas/${id}/aceitar`, {}));
  assertOk(await driver.post(`/entregas/${id}/iniciar`, {}));
  const [{ id: stopId, lat, lng }] = paradas;
  return {
    id,
    stopId: Number(stopId),
    at: { lat, lng },
    path: `/entregas/${id}/paradas/${stopId}/corrigir-posicao`,
  };
}

const finish = async ({ id, stopId }: Carried) =>
  assertOk(await driver.post(`/entregas/${id}/paradas/${stopId}/concluir`, {}));

/** About 110 metres for each thousandth of a degree. */
const north = ({ lat, lng }: { lat: number; lng: number }, thousandths: number) => ({
  lat: lat + thousandths / 1_000,
  lng,
});

const isAt = async (position: { lat: number; lng: number }) =>
  assertOk(await driver.post('/condutores/1/posicao', position));

const located = async (stop: Stop) =>
  data(
    await operator.post('/enderecos/localizar', {
      endereco: stop.endereco_parada,
      bairro: stop.bairro_parada,
      cidade: stop.cidade_parada,
      estado: stop.estado_parada,
    }),
  );
const proposals = async (): Promise<Json[]> => data(await operator.get('/enderecos/propostas'));
const corrections = async (query = ''): Promise<Json[]> =>
  data(await operator.get(`/enderecos/correcoes${query}`));
const audit = async (kind: string): Promise<Json[]> =>
  data(await operator.get(`/auditoria?tipo=${kind}`)).alteracoes;

test('a driver at the door corrects the stop that it carries, and the next order is located there', async () => {
  const stop = newStop();
  const run = await carried(stop);
  const here = north(run.at, 1);
  assertRefused(await malote.driver(2).post(run.path, here), 404, /entrega não encontrada/);
  await isAt(here);
  const answer = data(await driver.post(run.path, here));
  assert.deepEqual([answer.lat, answer.fonte, answer.proposta], [here.lat, 'correction', false]);
  const after = data(await operator.get(`/entregas/${run.id}`));
  assert.equal(after.paradas[0].localizacao.conferir, false);
  assert.equal(after.paradas[0].lat, run.at.lat, 'the route stays');
  const { id_mch: next } = data(await orderTo(stop));
  const { paradas } = data(await operator.get(`/entregas/${next}`));
  assert.deepEqual([paradas[0].lat, paradas[0].localizacao.fonte], [here.lat, 'correction']);
  const [listed] = await corrections();
  assert.deepEqual(
    [listed.rua, listed.numero, listed.origem, listed.autor],
    ['Avenida Ipiranga', number, 'entregador', 'condutor1'],
  );
  const [entry] = await audit('endereco');
  assert.deepEqual(
    [entry.autor, entry.acao, entry.nome],
    ['condutor1', 'criado', `Avenida Ipiranga, ${number}`],
  );
  assert.deepEqual([entry.antes, entry.depois], [{}, here]);
  const missing = `/entregas/${run.id}/paradas/999999/corrigir-posicao`;
  assertRefused(await operator.post(missing, here), 404, /parada não encontrada/);
  await finish(run);
});

const withoutEffect: [what: string, propose: (run: Carried) => Promise<{ lat: number; lng: number }>][] = [
  [
    'far from the stop',
    async () => {
      await isAt(LONDON);
      return LONDON;
    },
  ],
  [
    'far from where the driver is',
    async ({ at }) => {
      await isAt(north(at, 20));
      return north(at, 1);
    },
  ],
  [
    'from a driver whose position is old',
    async ({ at }) => {
      await isAt(north(at, 1));
      malote.clock.advance({ minutes: 6 });
      return north(at, 1);
    },
  ],
  [
    'after the end',
    async (run) => {
      await isAt(run.at);
      await finish(run);
      return north(run.at, 1);
    },
  ],
  [
    'of an address that somebody corrected before',
    async (run) => {
      await isAt(run.at);
      assertOk(await operator.post(run.path, run.at));
      return north(run.at, 2);
    },
  ],
];

for (const [what, propose] of withoutEffect)
  test(`a driver's correction ${what} -> a proposal, and nothing moves`, async () => {
    const stop = newStop();
    const run = await carried(stop);
    const proposed = await propose(run);
    const before = await located(stop);
    const answer = data(await driver.post(run.path, proposed));
    assert.deepEqual([answer.lat, answer.proposta], [proposed.lat, true]);
    assert.deepEqual(await located(stop), before);
    assertOk(await orderTo(stop, manager2));
    const mine = (await proposals()).find(({ id_mch }) => id_mch === run.id);
    assert.deepEqual(
      [mine.endereco, mine.lat, mine.lng, mine.condutor.id],
      [stop.endereco_parada, proposed.lat, proposed.lng, '1'],
    );
    assert.equal((await audit('proposta_endereco'))[0].autor, 'condutor1');
    const { status } = data(await operator.get(`/entregas/${run.id}`));
    if (status !== 'F') await finish(run);
  });

test('the central accepts one proposal, rejects another, and undoes a correction', async () => {
  const [accepted, rejected] = [newStop(), newStop()];
  const proposed = [];
  for (const stop of [accepted, rejected]) {
    const run = await carried(stop);
    const place = north(run.at, 5);
    assert.equal(data(await driver.post(run.path, place)).proposta, true);
    await finish(run);
    proposed.push({ ...run, place });
  }
  const before = await located(rejected);
  const idOf = async ({ id }: Carried) => (await proposals()).find(({ id_mch }) => id_mch === id).id;
  const [first, second] = [await idOf(proposed[0]!), await idOf(proposed[1]!)];
  assertRefused(await asManager.get('/enderecos/propostas'), 403, /não tem permissão/);
  assertRefused(await driver.post(`/enderecos/propostas/${first}/aceitar`), 403, /não tem permissão/);

  assert.equal(
    data(await operator.post(`/enderecos/propostas/${first}/aceitar`)).lat,
    proposed[0]!.place.lat,
  );
  assert.equal((await located(accepted)).lat, proposed[0]!.place.lat);
  const [entry] = await audit('endereco');
  assert.deepEqual([entry.autor, entry.depois], ['central', proposed[0]!.place]);
  const [correction] = await corrections(`?texto=ipiranga ${number - 1}`);
  assert.deepEqual([correction.origem, correction.autor], ['entregador', 'condutor1']);

  assertOk(await operator.delete(`/enderecos/propostas/${second}`));
  assert.deepEqual(await located(rejected), before);
  const decided = [first, second];
  assert.deepEqual(
    (await proposals()).filter(({ id }) => decided.includes(id)),
    [],
  );
  assertRefused(await operator.delete(`/enderecos/propostas/${first}`), 404, /não encontrad/);

  assertOk(await operator.delete(`/enderecos/correcoes/${correction.id}`));
  assert.notEqual((await located(accepted)).fonte, 'correction');
  const [removal] = await audit('endereco');
  assert.deepEqual([removal.acao, removal.antes], ['excluido', proposed[0]!.place]);
  assertRefused(await operator.delete(`/enderecos/correcoes/${correction.id}`), 404, /não encontrad/);
});

test('what the desk corrects is recorded with its author and in the audit log', async () => {
  const address = { endereco: 'Travessa Nova, 7', bairro: 'Azenha', cidade: 'Porto Alegre', estado: 'RS' };
  for (const lat of [-30.041, -30.042])
    assertOk(await operator.post('/enderecos/correcoes', { ...address, lat, lng: -51.22 }));
  const [listed] = await corrections('?texto=travessa');
  assert.deepEqual([listed.lat, listed.origem, listed.autor], [-30.042, 'central', 'central']);
  const [changed] = await audit('endereco');
  assert.deepEqual([changed.antes, changed.depois], [{ lat: -30.041 }, { lat: -30.042 }]);
  const { id_mch: id } = data(await orderTo(newStop()));
  const [{ id: stopId, lng }] = data(await operator.get(`/entregas/${id}`)).paradas;
  const place = { lat: -30.05, lng };
  const check = { parada_id: Number(stopId), posicao: place };
  assertOk(await operator.post(`/entregas/${id}/conferir-endereco`, check));
  assert.deepEqual((await audit('endereco'))[0].depois, place);
});

test('a driver has a limited number of open proposals, and old ones are forgotten', async () => {
  const run = await carried(newStop());
  await finish(run);
  assertOk(await driver.post(run.path, LONDON));
  assertOk(await driver.post(run.path, north(LONDON, 1)));
  const mine = (await proposals()).filter(({ id_mch }) => id_mch === run.id);
  assert.deepEqual(
    mine.map(({ lat }) => lat),
    [north(LONDON, 1).lat],
    'one for each stop',
  );
  await malote.db`
    insert into address_proposals (central_id, id, delivery_id, stop_id, driver_id, line, lat, lng, metres, proposed_at)
    select 1, n, 1, -n, 1, 'Rua', 0, 0, 0, ${malote.clock.now()} from generate_series(1, 30) n`;
  assertOk(await driver.post(run.path, LONDON));
  assert.equal((await proposals()).length, 20);
  malote.clock.advance({ hours: 24 * 31 });
  assert.ok((await tidyUp(malote.app.deps)).proposals! > 0);
  assert.deepEqual(await proposals(), []);
});
