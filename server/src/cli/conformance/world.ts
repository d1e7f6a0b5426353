import { setTimeout as sleep } from 'node:timers/promises';
import { CommandFailed } from '../command.ts';
import { Unchecked } from './deviation.ts';
import { type Answer, dataOf, type Json, type Login, type Request, type Send, sender } from './http.ts';

export interface Given {
  /** The base address, which ends in /api/v2/integracao. */
  base: string;
  login: Login;
  /** A manager of a company. */
  manager: Login | undefined;
  /** Two points that the central serves: the pickup and a destination near it. */
  pickup: readonly [lat: string, lng: string] | undefined;
  destination: readonly [lat: string, lng: string] | undefined;
  companyId: string | undefined;
  /** Whether credit may be topped up by one cent. */
  mayTopUp: boolean;
  /** How long to wait for the dispatch of a scheduled delivery. */
  waitSeconds: number;
}

/** What the checks share: logins, bodies, and records that were created for them. */
export interface World {
  given: Given;
  send: Send;
  /** Refuses with Unchecked where no manager was named. */
  asManager(): Send;
  companyId(): string;
  /** Names everything that this run creates. */
  mark: string;
  estimateBody(changes?: Json): Json;
  orderBody(changes?: Json, stops?: number): Json;
  editBody(changes?: Json, stops?: number): Json;
  /** Creates a delivery of a person and returns its id. */
  delivery(changes?: Json, stops?: number, send?: Send): Promise<string>;
  scheduled(changes?: Json, stops?: number, send?: Send): Promise<string>;
  /** Carries out once per run, whichever check asks first. */
  shared<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** An answer that several checks read, asked for once. */
  read(request: Request): Promise<Answer>;
  /** The central's local date and time, so many seconds after now by the server's clock. */
  localIn(seconds: number): Promise<{ data: string; hora: string }>;
  created: { deliveries: string[]; scheduled: string[] };
  cleanUp(): Promise<string[]>;
}

const HOURS_AHEAD = 48;
const SOON_SECONDS = 5;

/** Finds out what the checks need and creates the first delivery. */
export async function openWorld(given: Given): Promise<World> {
  const send = sender(given.base, given.login);
  const manager = given.manager && sender(given.base, given.manager);
  const mark = `conformance ${Date.now().toString(36)}`;
  const created: World['created'] = { deliveries: [], scheduled: [] };
  const owners = new Map<string, Send>();
  const results = new Map<string, Promise<unknown>>();
  const shared: World['shared'] = <Result>(name: string, work: () => Promise<Result>) => {
    const running = (results.get(name) as Promise<Result> | undefined) ?? work();
    results.set(name, running);
    return running;
  };
  const points = await findPoints(given, send);
  const person = { nome: `Teste ${mark}`, cpf: '52998224725', telefone: '51999990000' };

  const stopAt = (index: number): Json => ({
    endereco_parada: `Rua da Conformidade, ${index + 1}`,
    bairro_parada: 'Centro',
    lat_parada: points.destination[0],
    lng_parada: points.destination[1],
    nome_cliente_parada: `Teste ${index + 1}`,
    telefone_cliente_parada: '51999990000',
  });
  const base = (stops: number): Json => ({
    forma_pagamento: 'D',
    partida: {
      endereco: 'Rua da Conformidade, 100',
      bairro: 'Centro',
      lat: points.pickup[0],
      lng: points.pickup[1],
    },
    paradas: Array.from({ length: stops }, (_, index) => stopAt(index)),
  });
  const orderBody: World['orderBody'] = (changes = {}, stops = 1) => ({
    ...base(stops),
    cliente: person,
    observacao: mark,
    ...changes,
  });
  const create = async (path: string, body: Json, kept: string[], as: Send): Promise<string> => {
    const { id_mch } = dataOf(await as({ method: 'POST', path, body }));
    if (!/^\d+$/.test(String(id_mch))) throw new CommandFailed(`POST ${path} answered no id_mch`);
    kept.push(String(id_mch));
    owners.set(`${path} ${id_mch}`, as);
    return String(id_mch);
  };
  const localIn: World['localIn'] = async (seconds) => {
    const { aheadMs, offsetMs } = await shared('clock', () => readClock(send, delivery));
    const at = new Date(Date.now() + aheadMs + offsetMs + seconds * 1000).toISOString();
    return { data: at.slice(0, 10).split('-').reverse().join('/'), hora: at.slice(11, 19) };
  };
  const delivery: World['delivery'] = (changes, stops, as = send) =>
    create('/entregas', withoutPerson(orderBody(changes, stops), as, manager), created.deliveries, as);
  const tomorrow = (): Promise<Json> => shared('later', () => localIn(HOURS_AHEAD * 3600));
  const scheduled: World['scheduled'] = async (changes = {}, stops = 1, as = send) => {
    const body = withoutPerson({ ...orderBody({}, stops), ...(await tomorrow()), ...changes }, as, manager);
    return create('/entregas/programadas', body, created.scheduled, as);
  };
  let companyId = given.companyId;
  await delivery();
  const later = await tomorrow();
  if (manager && companyId === undefined) {
    const id = await delivery({}, 1, manager);
    companyId = String(dataOf(await manager({ method: 'GET', path: `/entregas/${id}` })).empresa_id);
  }
  companyId ??= await findCompany(send);

  return {
    given,
    send,
    mark,
    created,
    shared,
    orderBody,
    delivery,
    scheduled,
    localIn,
    asManager() {
      if (!manager) throw new Unchecked('name a company manager with --manager and --manager-password');
      return manager;
    },
    companyId() {
      if (companyId === undefined) throw new Unchecked('no company was found; name one with --company');
      return companyId;
    },
    estimateBody: (changes = {}) => ({
      endereco_partida: 'Rua da Conformidade, 100',
      bairro_partida: 'Centro',
      cidade_partida: 'Cidade',
      estado_partida: 'RS',
      lat_partida: Number(points.pickup[0]),
      lng_partida: Number(points.pickup[1]),
      endereco_desejado: 'Rua da Conformidade, 1',
      bairro_desejado: 'Centro',
      cidade_desejado: 'Cidade',
      estado_desejado: 'RS',
      lat_desejado: Number(points.destination[0]),
      lng_desejado: Number(points.destination[1]),
      ...changes,
    }),
    editBody: (changes = {}, stops = 1) => ({ ...base(stops), ...later, ...changes }),
    read: (request) => shared(JSON.stringify(request), () => send(request)),
    cleanUp: () =>
      cancelAll(
        created,
        (path, id) => owners.get(`${path} ${id}`) ?? send,
        async () => ({ ...base(1), ...(await localIn(SOON_SECONDS)) }),
        given.waitSeconds,
      ),
  };
}

/** A manager's own company is implied. */
function withoutPerson(body: Json, as: Send, manager: Send | undefined): Json {
  if (as !== manager) return body;
  const { cliente: _, ...rest } = body;
  return rest;
}

type Points = Record<'pickup' | 'destination', readonly [lat: string, lng: string]>;

/** The points of the latest delivery are served by the central; the options come first. */
async function findPoints({ pickup, destination }: Given, send: Send): Promise<Points> {
  if (pickup) return { pickup, destination: destination ?? pickup };
  const answer = await send({ method: 'POST', path: '/entregas/consultar', body: { limite: 1 } });
  if (answer.status !== 200)
    throw new CommandFailed(
      `the query of deliveries answered ${answer.status}: ${answer.text.slice(0, 200)}`,
    );
  const [latest] = dataOf(answer) as Json[];
  if (!latest?.paradas?.[0])
    throw new CommandFailed(
      'the central has no delivery to learn its region from: name a point with --pickup <lat,lng>',
    );
  const { partida, paradas } = latest;
  return { pickup: [partida.lat, partida.lng], destination: [paradas[0].lat, paradas[0].lng] };
}

async function findCompany(send: Send): Promise<string | undefined> {
  const found = dataOf(await send({ method: 'POST', path: '/entregas/consultar', body: { limite: 100 } }));
  return (found as Json[]).find(({ empresa_id }) => empresa_id !== null)?.empresa_id;
}

/** Learns the server's clock and the central's time zone from a delivery that was just created. */
async function readClock(
  send: Send,
  create: World['delivery'],
): Promise<{ aheadMs: number; offsetMs: number }> {
  const id = await create();
  const asked = Date.now();
  const data = dataOf(await send({ method: 'GET', path: `/entregas/${id}` }));
  const instant = Date.parse(data.data_hora_solicitacao_utc);
  const local = Date.parse(`${String(data.data_hora_solicitacao).replace(' ', 'T')}Z`);
  if (Number.isNaN(instant) || Number.isNaN(local))
    throw new CommandFailed('data_hora_solicitacao and its _utc copy are no times; see contract 2.1');
  return { aheadMs: instant - asked, offsetMs: local - instant };
}

/**
 * Cancels what this run created and returns what could not be cancelled. The contract does not cancel a scheduled
 * delivery that waits, so its dispatch is brought forward first.
 */
async function cancelAll(
  { deliveries, scheduled }: World['created'],
  ownerOf: (path: string, id: string) => Send,
  now: () => Promise<Json>,
  waitSeconds: number,
): Promise<string[]> {
  const path = '/entregas/programadas';
  const isWaiting = async (id: string): Promise<boolean> => {
    const shown = await ownerOf(path, id)({ method: 'GET', path: `${path}/${id}` });
    return shown.body?.data?.situacao === 'A';
  };
  const cancel = (id: string) => ownerOf(path, id)({ method: 'POST', path: `${path}/${id}/cancelar` });
  const waiting: string[] = [];
  for (const id of scheduled) {
    await cancel(id);
    if (!(await isWaiting(id))) continue;
    waiting.push(id);
    await ownerOf(path, id)({ method: 'PUT', path: `${path}/${id}`, body: await now() });
  }
  const left: string[] = [];
  const until = Date.now() + waitSeconds * 1000;
  for (const id of waiting) {
    while ((await isWaiting(id)) && Date.now() < until) await sleep(500);
    await cancel(id);
    if (await isWaiting(id)) left.push(`programada ${id}`);
  }
  for (const id of deliveries) {
    const request = { method: 'POST', path: `/entregas/${id}/cancelar`, body: { motivo_id: 6 } };
    const { status } = await ownerOf('/entregas', id)(request);
    if (status !== 200 && status !== 406) left.push(`entrega ${id}`);
  }
  return left;
}
