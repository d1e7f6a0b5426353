import assert from 'node:assert/strict';
import { parseCnpj } from '../../server/src/platform/kernel/documents.ts';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import { type Client, client } from './client.ts';
import { everyEndpoint } from './everyEndpoint.ts';
import { png } from './images.ts';
import type { TestMalote } from './malote.ts';
import { order, scheduledOrder } from './orders.ts';
import { planned } from './plans.ts';
import { assertOk, newDriver } from './steps.ts';

/** Marks data that only company 1 may see, and data that only central 1 may see. */
export const COMPANY_SECRET = 'segredo-da-empresa';
export const CENTRAL_SECRET = 'segredo-da-central';

export type Ids = Record<string, number>;

export interface Belongings {
  /** Creates the resource that the path names, for company 1 of central 1, and returns the ids for the path. */
  idsFor(path: string): Promise<Ids>;
  delivery(login?: Client): Promise<Ids>;
  deliveryInProgress(): Promise<Ids>;
  scheduled(login?: Client): Promise<Ids>;
}

let serial = 0;

/** A valid CNPJ that no other record has. */
function newCnpj(): string {
  serial += 1;
  const base = String(20_000_000_000_000 + serial * 100).slice(0, 12);
  for (let digits = 0; digits < 100; digits += 1) {
    const cnpj = base + String(digits).padStart(2, '0');
    if (parseCnpj(cnpj)) return cnpj;
  }
  throw new Error('every base has its check digits');
}

export function belongings(malote: TestMalote): Belongings {
  const { manager, operator, db } = malote;
  const secretStop = (count: number) => ({
    observacao: COMPANY_SECRET,
    paradas: order({}, count).paradas.map((stop) => ({
      ...stop,
      endereco_parada: COMPANY_SECRET,
      numero_pedido: COMPANY_SECRET,
    })),
  });

  const delivery = async (login = manager, changes: Record<string, unknown> = {}): Promise<Ids> => {
    const { body } = assertOk(await login.post('/entregas', order({ ...secretStop(2), ...changes })));
    const id = Number(body.data.id_mch);
    const [stop] = await db<{ id: number }>`select id from stops where delivery_id = ${id} limit 1`;
    return { id, parada_id: stop!.id };
  };
  const deliveryInProgress = async (changes: Record<string, unknown> = {}): Promise<Ids> => {
    const ids = await delivery(manager, changes);
    const driverId = await newDriver(malote);
    await db`update drivers set name = ${COMPANY_SECRET} where central_id = 1 and id = ${driverId}`;
    assertOk(await operator.post(`/entregas/${ids.id}/aceitar`, { condutor_id: driverId }));
    assertOk(await operator.post(`/entregas/${ids.id}/iniciar`));
    return ids;
  };
  /** A delivery with proof images at a stop. */
  const provenStop = async (): Promise<Ids> => {
    const ids = await deliveryInProgress();
    for (const kind of ['foto', 'assinatura'])
      assertOk(
        await operator.send(`/entregas/${ids.id}/paradas/${ids.parada_id}/comprovantes/${kind}`, {
          method: 'PUT',
          body: png(),
          headers: { 'content-type': 'image/png' },
        }),
      );
    return ids;
  };
  /** A delivery with a failed stop that needs attention. */
  const failedStop = async (): Promise<Ids> => {
    const ids = await deliveryInProgress();
    const failure = { motivo: 'recusado', observacao: COMPANY_SECRET };
    assertOk(await operator.post(`/entregas/${ids.id}/paradas/${ids.parada_id}/falhar`, failure));
    return ids;
  };
  const scheduled = async (login = manager): Promise<Ids> => {
    const { body } = assertOk(await login.post('/entregas/programadas', scheduledOrder(secretStop(2))));
    const id = Number(body.data.id_mch);
    const [stop] = await db<{
      id: number;
    }>`select id from scheduled_stops where scheduled_id = ${id} limit 1`;
    return { id, parada_id: stop!.id };
  };
  const keyed = (path: string) => async (): Promise<Ids> => {
    serial += 1;
    const changes = { ...secretStop(2), id_externo: String(serial) };
    const body = path.endsWith('programadas') ? scheduledOrder(changes) : order(changes);
    assertOk(await manager.post(path, body));
    return { id_externo: serial };
  };
  const webhook = async (): Promise<Ids> => {
    const { body } = assertOk(
      await manager.post('/webhooks', { url: 'https://example.com/segredo', tipos: ['entrega.status'] }),
    );
    return { id: Number(body.data.id) };
  };
  const sending = async (): Promise<Ids> => {
    const { id } = await webhook();
    assertOk(await manager.post(`/webhooks/${id}/teste`));
    const [row] = await db<{ id: number }>`select id from webhook_messages where webhook_id = ${id}`;
    return { id: row!.id };
  };
  /** A new register entry, made from the example of its endpoint. */
  const entry = (path: string, unique: () => Record<string, unknown>) => async (): Promise<Ids> => {
    const created = everyEndpoint.find(
      ({ endpoint }) => endpoint.method === 'POST' && endpoint.path === path,
    )!;
    const example = created.endpoint.bodyExample as Record<string, unknown>;
    const { body } = assertOk(await operator.post(path, { ...example, ...unique() }));
    return { id: Number(body.data.id) };
  };
  const companyAddress = async (): Promise<Ids> => {
    const path = '/empresas/:id/enderecos';
    const { endpoint } = everyEndpoint.find(
      (each) => each.endpoint.method === 'POST' && each.endpoint.path === path,
    )!;
    const example = endpoint.bodyExample as Record<string, unknown>;
    const { body } = assertOk(await operator.post('/empresas/1/enderecos', { ...example, nome: called() }));
    return { id: 1, endereco_id: Number(body.data.at(-1).id) };
  };
  /** A driver with a signed-in phone. */
  const device = async (): Promise<Ids> => {
    const id = (await entry('/condutores', () => ({ nome: called() }))()).id!;
    const login = { usuario: called(), senha: 'senha-do-condutor', perfil: 'condutor', condutor_id: id };
    assertOk(await operator.post('/usuarios', login));
    const { body } = assertOk(await operator.post(`/condutores/${id}/convites`));
    const signedIn = await fetch(`${malote.url}/entregador/sessao`, {
      method: 'POST',
      headers: { 'x-malote-entregador': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ codigo: body.data.codigo, aparelho: CENTRAL_SECRET }),
    });
    assert.equal(signedIn.status, 200);
    const devices = assertOk(await operator.get(`/condutores/${id}/aparelhos`)).body.data;
    return { id, aparelho_id: Number(devices[0].id) };
  };
  const correction = async (): Promise<Ids> => {
    serial += 1;
    const endereco = `Rua ${CENTRAL_SECRET}, ${serial}`;
    assertOk(await operator.post('/enderecos/correcoes', { endereco, lat: -30.03, lng: -51.23 }));
    const { body } = assertOk(await operator.get('/enderecos/correcoes?limite=100'));
    return { id: body.data.find(({ numero }: { numero: number }) => numero === serial).id };
  };
  /** A position that a driver proposes, written as the command writes it. */
  const proposal = async (): Promise<Ids> => {
    const { id: deliveryId, parada_id: stopId } = await delivery();
    await db`
      insert into address_proposals (central_id, id, delivery_id, stop_id, driver_id, line, lat, lng, metres, proposed_at)
      values (1, ${stopId}, ${deliveryId}, ${stopId}, 1, ${`Rua ${called()}`}, -30.03, -51.23, 400, now())`;
    return { id: stopId! };
  };
  const called = () => `${CENTRAL_SECRET}-${++serial}`;

  const makers: [pattern: RegExp, make: () => Promise<Ids>][] = [
    [/^\/empresas\/:id\/enderecos\/:endereco_id/, companyAddress],
    // Paths on which a company's manager reads its own company.
    [/^\/(entregas\/)?empresas\/:id\//, async () => ({ id: 1 })],
    [/^\/(entregas\/)?programadas\/:id/, scheduled],
    [/^\/entregas\/externo\/:id_externo/, keyed('/entregas')],
    [/^\/entregas\/programadas\/externo\/:id_externo/, keyed('/entregas/programadas')],
    [/^\/entregas\/:id\/agrupar/, deliveryInProgress],
    [/^\/entregas\/:id\/paradas\/:parada_id\/(retomar|nova-entrega|resolver)/, failedStop],
    [/^\/entregas\/:id\/paradas\/:parada_id\/comprovantes/, provenStop],
    [/^\/enderecos\/correcoes\/:id/, correction],
    [/^\/enderecos\/propostas\/:id/, proposal],
    [/^\/entregas\/:id/, delivery],
    [/^\/webhooks\/envios\/:id/, sending],
    [/^\/webhooks\/:id/, webhook],
    [
      /^\/empresas\/:id/,
      entry('/empresas', () => ({
        nome: called(),
        cpf_cnpj: newCnpj(),
        telefone: `513333${1000 + ++serial}`,
        numero_contrato: called(),
        identificador: called(),
      })),
    ],
    [/^\/categorias\/:id/, entry('/categorias', () => ({ nome: called() }))],
    [
      /^\/tarifas\/:id/,
      async () => {
        const { id } = await entry('/categorias', () => ({ nome: called() }))();
        return entry('/tarifas', () => ({ nome: called(), categoria_id: id }))();
      },
    ],
    [/^\/areas-atuacao\/:id/, entry('/areas-atuacao', () => ({ nome: called() }))],
    [/^\/condutores\/:id\/(convites|aparelhos\/:aparelho_id)/, device],
    [/^\/condutores\/:id/, entry('/condutores', () => ({ nome: called() }))],
    [
      /^\/fechamentos\/:id/,
      async () => {
        const invoiced = await deliveryInProgress({ forma_pagamento: 'F' });
        const stops = await db<{ id: number }>`
          select id from stops where central_id = 1 and delivery_id = ${invoiced.id} order by position`;
        for (const stop of stops)
          assertOk(await operator.post(`/entregas/${invoiced.id}/paradas/${stop.id}/concluir`));
        const closed = await operator.post('/empresas/1/fechamentos', { ate: '2030-12-31' });
        return { id: Number(assertOk(closed).body.data.id) };
      },
    ],
    [
      /^\/visoes\/:id/,
      async () => {
        const side = client(`${malote.url}/api/v2/operacao`, {
          key: 'demo-chave',
          user: 'gerente',
          password: 'demo',
        });
        const view = {
          lista: 'entregas',
          nome: `${COMPANY_SECRET}-${++serial}`,
          filtros: 'status=F',
          compartilhada: true,
        };
        return { id: Number(assertOk(await side.post('/visoes', view)).body.data.id) };
      },
    ],
    [
      /^\/requisicoes\/:id/,
      async () => {
        // The central, or its sandbox.
        const made = await delivery();
        const [side] = await db<{ central_id: number }>`
          select central_id from deliveries where id = ${made.id!}`;
        const id = await newId(db, side!.central_id, 'request');
        await db`
          insert into api_requests (central_id, id, happened_at, user_id, company_id, proof, method, path, status, kind,
            duration_ms, request_id, content)
          select ${side!.central_id}, ${id}, ${malote.clock.now()}, u.id, 1, 'key', 'GET', ${`/${COMPANY_SECRET}`}, 404,
            'delivery-not-found', 3, ${`recorded-${id}`}, '{}'
          from users u where u.central_id = 1 and u.username = 'gerente'`;
        return { id };
      },
    ],
    [
      /^\/planos\/:id/,
      async () => {
        const { id } = await delivery();
        return { id: Number((await planned(operator, { entregas: [id] })).id) };
      },
    ],
    [/^\/usuarios\/:id/, entry('/usuarios', () => ({ usuario: called() }))],
    [/^\/chaves\/:id/, entry('/chaves', () => ({ descricao: called() }))],
    [
      /^\/ambiente-de-teste\/chaves\/:id/,
      entry('/ambiente-de-teste/chaves', () => ({ descricao: called() })),
    ],
    [/^\/programas\/:id/, entry('/programas', () => ({ descricao: called(), permissoes: ['watch'] }))],
    [/^\/cupons\/:id/, entry('/cupons', () => ({ codigo: called() }))],
    [/^\/motivos-cancelamento\/:id/, entry('/motivos-cancelamento', () => ({ nome: called() }))],
  ];

  return {
    delivery,
    deliveryInProgress,
    scheduled,
    idsFor(path) {
      const maker = makers.find(([pattern]) => pattern.test(path));
      assert.ok(maker, `nobody knows how to make what ${path} names: teach it to this file`);
      return maker[1]();
    },
  };
}
