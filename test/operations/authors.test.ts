import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { formatEvent } from '../../server/src/api/json/eventTypes.ts';
import { startWebhooks } from '../../server/src/events/webhooks/webhookRounds.ts';
import { basic, type Client, client, type Json } from '../support/client.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { order, stop } from '../support/orders.ts';
import { openEventSource } from '../support/rawHttp.ts';
import { distributeOnce, mergeDue } from '../support/rounds.ts';
import { dispatchAll, failedDispatch, schedule } from '../support/scheduled.ts';
import { simulation } from '../support/simulation.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { startReceiver } from '../support/webhookReceiver.ts';

const written: string[] = [];
const log = new PassThrough();
log.on('data', (chunk) => void written.push(String(chunk)));
const malote = await startMalote({ allowPrivateWebhooks: true, log });
const { operator, central, manager, manager2, clock, db } = malote;

const login = (user: string, base = 'operacao'): Client =>
  client(`${malote.url}/api/v2/${base}`, { key: 'demo-chave', user, password: 'demo demo' });
const newUser = async (fields: Record<string, unknown>): Promise<number> =>
  assertOk(await operator.post('/usuarios', { senha: 'demo demo', ...fields })).body.data.id;
const demoLogin = (user: string): Client =>
  client(`${malote.url}/api/v2/operacao`, { key: 'demo-chave', user, password: 'demo' });

const SERVICE = null;
const by = (nome: string | null, perfil: string) => ({ nome, perfil });
const authors = (events: Json[]) => events.map(({ autor }) => autor);
const history = async (id: number, reader = operator): Promise<Json[]> =>
  assertOk(await reader.get(`/entregas/${id}/historico`)).body.data.eventos;
const scheduledStory = async (id: number, reader = operator): Promise<Json[]> =>
  assertOk(await reader.get(`/programadas/${id}`)).body.data.historico;

/** Some minutes after the clock's time, as the fields of an order. */
const inMinutes = (minutes: number) => {
  const local = clock.now().toZonedDateTimeISO('America/Sao_Paulo').add({ minutes });
  const [date, time] = [local.toPlainDate().toString(), local.toPlainTime().toString()];
  return { data: date.split('-').reverse().join('/'), hora: time.slice(0, 8) };
};

/** A delivery that the manager opened and João (login condutor1) has started. */
async function carriedByJoao(): Promise<{ id: number; stopIds: number[] }> {
  const delivery = await openDelivery(malote);
  assertOk(await operator.post(`/entregas/${delivery.id}/atribuir`, { condutor_id: 1 }));
  for (const step of ['aceitar', 'chegar', 'iniciar'])
    assertOk(await malote.driver(1).post(`/entregas/${delivery.id}/${step}`));
  return delivery;
}

const JOAO = by('João Silva', 'condutor');
const CENTRAL = by('central', 'operador');
const MANAGER = by('gerente', 'gerente');

test('every step of a delivery says who took it', async () => {
  const { id, stopIds } = await carriedByJoao();
  assertOk(await operator.post(`/entregas/${id}/paradas/${stopIds[0]}/concluir`, {}));
  assertOk(await malote.driver(1).post(`/entregas/${id}/finalizar`));
  // The conclusion of its last stop ended the delivery.
  assert.deepEqual(authors(await history(id)), [MANAGER, CENTRAL, JOAO, JOAO, JOAO, CENTRAL, CENTRAL]);
});

test('refusing, giving up, releasing and cancelling say it too', async () => {
  await malote.configure({ releaseRequired: true });
  const { id } = await openDelivery(malote);
  await malote.configure({ releaseRequired: false });
  assertOk(await operator.post(`/entregas/${id}/liberar`));
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 1 }));
  assertOk(await malote.driver(1).post(`/entregas/${id}/recusar`));
  assertOk(await operator.post(`/entregas/${id}/atribuir`, { condutor_id: 2 }));
  assertOk(await malote.driver(2).post(`/entregas/${id}/aceitar`));
  assertOk(await malote.driver(2).post(`/entregas/${id}/desistir`));
  assertOk(await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  const recorded = authors(await history(id));
  const second = recorded[5];
  assert.equal(second.perfil, 'condutor');
  assert.notDeepEqual(second, JOAO);
  assert.deepEqual(recorded, [MANAGER, CENTRAL, CENTRAL, JOAO, CENTRAL, second, second, MANAGER]);
});

test('a scheduled delivery says who ordered, edited, grouped and cancelled it', async () => {
  await newUser({ usuario: 'integra', perfil: 'integrador' });
  const integrator = login('integra', 'integracao');
  const grouper = await schedule(manager, inMinutes(120));
  const other = await schedule(integrator, { ...inMinutes(120), empresa_id: 1 }, 2);
  assertOk(await manager.put(`/entregas/programadas/${other}`, order(inMinutes(130), 2)));
  const [{ id: stopId }] = assertOk(await manager.get(`/entregas/programadas/${other}`)).body.data.paradas;
  assertOk(await integrator.delete(`/entregas/programadas/${other}/paradas/${stopId}`));
  assertOk(
    await central.post(`/entregas/programadas/${grouper}/agrupar`, { programadas_agrupadas: [other] }),
  );
  assertOk(await operator.post(`/programadas/${grouper}/cancelar`));
  const INTEGRATOR = by('integra', 'integrador');
  const story = await scheduledStory(other);
  assert.deepEqual(
    story.map(({ type, data, autor }) => [data.mudanca ?? type, autor]),
    [
      ['criada', INTEGRATOR],
      ['programada.parada_removida', MANAGER],
      ['programada.parada_removida', MANAGER],
      ['editada', MANAGER],
      ['programada.parada_removida', INTEGRATOR],
      ['agrupada', CENTRAL],
      ['programada.cancelada', CENTRAL],
    ],
  );
  assert.deepEqual(authors(await scheduledStory(grouper)), [MANAGER, CENTRAL, CENTRAL]);
});

test('requests grouped into a delivery in progress show who grouped them', async () => {
  const grouper = await carriedByJoao();
  const waiting = await schedule(manager, inMinutes(120));
  assertOk(
    await central.post(`/entregas/${grouper.id}/agrupar/programadas`, { programadas_agrupadas: [waiting] }),
  );
  assert.deepEqual((await history(grouper.id)).at(-1).autor, CENTRAL);
  assert.deepEqual((await scheduledStory(waiting)).at(-1).autor, CENTRAL);
});

test('nobody but the service dispatches, searches and fails', async () => {
  await db`update drivers set available = false where central_id = 1`;
  const id = await schedule(manager, inMinutes(10));
  clock.advance({ minutes: 11 });
  await dispatchAll(malote);
  await distributeOnce(malote.app.deps);
  const story = await scheduledStory(id);
  assert.deepEqual(authors(story), [MANAGER, SERVICE]);
  const dispatched = await history(Number(story[1].data.id_mch));
  assert.deepEqual(
    dispatched.filter(({ type }) => type === 'entrega.status').map(({ data, autor }) => [data.status, autor]),
    [
      ['D', SERVICE],
      ['P', SERVICE],
    ],
  );
  const failed = await scheduledStory(await failedDispatch(malote));
  assert.equal(failed.at(-1).data.mudanca, 'falha_no_disparo');
  assert.deepEqual(authors(failed), [by('gerente2', 'gerente'), SERVICE]);
});

test('nobody but the service merges', async () => {
  await malote.configure({ autoMerge: true, mergeSavingPercentMin: 1 });
  const [first, second] = [await schedule(manager, inMinutes(5)), await schedule(manager, inMinutes(6))];
  await mergeDue(malote.app.deps);
  await malote.configure({ autoMerge: false });
  assert.deepEqual(authors(await scheduledStory(first)), [MANAGER, SERVICE]);
  assert.deepEqual(authors(await scheduledStory(second)), [MANAGER, SERVICE]);
});

test('a simulated courier is the service, although its driver has a login', async () => {
  await malote.configure({ simulatedCouriers: true, simulationSpeed: 60 });
  await db`update drivers set available = true where central_id = 1`;
  const { id } = await openDelivery(malote);
  await simulation(malote).follow(id);
  await malote.configure({ simulatedCouriers: false });
  const [opened, ...rest] = await history(id);
  assert.deepEqual(opened.autor, MANAGER);
  assert.equal(rest.at(-1).data.status, 'F');
  assert.ok(rest.every(({ autor }) => autor === SERVICE));
});

test('a delivery that resumes because another company’s delivery ended names the service as author', async () => {
  const driverId = await newDriver(malote);
  const first = await openDelivery(malote);
  const { body } = assertOk(await manager2.post('/entregas', order({ paradas: [stop(3)] })));
  const second = Number(body.data.id_mch);
  for (const id of [first.id, second])
    assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await manager.post(`/entregas/${first.id}/cancelar`, { motivo_id: 2 }));
  const recorded = await history(second, demoLogin('gerente2'));
  assert.deepEqual(
    recorded.map(({ data, autor }) => [data.status, autor]),
    [
      ['D', by('gerente2', 'gerente')],
      ['S', by(null, 'operador')],
      ['A', SERVICE],
    ],
  );
});

test('a manager knows colleagues by name and everybody else by their role, an integrator all by their role', async () => {
  await newUser({ usuario: 'colega', perfil: 'gerente', empresa_id: 1 });
  const { id } = await carriedByJoao();
  assertOk(await login('colega', 'integracao').post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  const [someOperator, someDriver] = [by(null, 'operador'), by(null, 'condutor')];
  assert.deepEqual(authors(await history(id, demoLogin('gerente'))), [
    MANAGER,
    someOperator,
    ...[someDriver, someDriver, someDriver],
    by('colega', 'gerente'),
  ]);
  const integrator = authors(await history(id, login('integra')));
  assert.ok(integrator.every(({ nome }) => nome === null));
  assert.deepEqual(integrator.at(-1).perfil, 'gerente');
  assertRefused(await demoLogin('gerente2').get(`/entregas/${id}/historico`), 404, /não encontrada/);

  const waiting = await schedule(central, { ...inMinutes(120), empresa_id: 1 });
  assert.deepEqual(authors(await scheduledStory(waiting, demoLogin('gerente'))), [someOperator]);
  assertRefused(await demoLogin('gerente2').get(`/programadas/${waiting}`), 404, /não encontrada/);
});

test('webhooks, live updates, recipients and logs do not show the author', async (t) => {
  await newUser({ usuario: 'zuleica', perfil: 'operador' });
  const receiver = await startReceiver(t);
  assertOk(await central.post('/webhooks', { url: receiver.url, tipos: ['entrega.status'] }));
  const sending = startWebhooks(malote.app.deps, {
    formatEvent,
    allowPrivate: true,
    onError: (error) => assert.fail(String(error)),
  });
  t.after(() => sending.stop());
  const watched = await openEventSource(t, `${malote.url}/api/v2/operacao/eventos`, {
    'api-key': 'demo-chave',
    authorization: basic('central', 'demo'),
  });
  const { id } = await openDelivery(malote);
  const driverId = await newDriver(malote);
  assertOk(await login('zuleica').post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assert.deepEqual((await history(id)).at(-1).autor, by('zuleica', 'operador'));
  await waitUntil('both steps were sent', () => receiver.arrivals.length >= 2);
  await waitUntil('both steps were told', () => watched.messages.length >= 2);
  const [link] = assertOk(await central.get(`/entregas/${id}/links-rastreio`)).body.data;
  const page = await (await fetch(new URL(new URL(link.link_rastreio).pathname, malote.url))).text();
  const outside = [...receiver.arrivals.map(({ text }) => text), JSON.stringify(watched.messages), page];
  for (const text of [...outside, ...written]) assert.doesNotMatch(text, /zuleica|"autor"/i);
  assert.ok(written.length > 0);
});

test('a user with recorded actions cannot be deleted; disabled, it keeps its name in the history', async () => {
  const userId = await newUser({ usuario: 'rui', perfil: 'operador' });
  const { id } = await openDelivery(malote);
  const driverId = await newDriver(malote);
  assertOk(await login('rui').post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertRefused(await operator.delete(`/usuarios/${userId}`), 409, /em uso|depende/);
  assertOk(await operator.put(`/usuarios/${userId}`, { usuario: 'rui', perfil: 'operador', ativo: false }));
  assert.deepEqual((await history(id)).at(-1).autor, by('rui', 'operador'));
});

test('a login that is deleted while its request is under way has done nothing', async () => {
  const userId = await newUser({ usuario: 'ada', perfil: 'operador' });
  const { id } = await openDelivery(malote);
  const driverId = await newDriver(malote);
  const ada = login('ada');
  assertOk(await ada.get(`/entregas/${id}`));
  const asked = await db.begin(async (tx) => {
    await tx`select 1 from deliveries where central_id = 1 and id = ${id} for update`;
    const step = ada.post(`/entregas/${id}/aceitar`, { condutor_id: driverId });
    await waitUntil('the step waits', async () => (await countLockWaits(db)) > 0);
    assertOk(await operator.delete(`/usuarios/${userId}`));
    return [step];
  });
  assertRefused(await asked[0]!, 401, /usuário e\/ou senha inválidos/);
  assert.equal((await history(id)).length, 1);
});
