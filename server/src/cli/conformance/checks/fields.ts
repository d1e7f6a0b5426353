import { areas, delivery, estimate, links, receipt, STATUSES, scheduled, TIMES } from '../answers.ts';
import type { Check } from '../check.ts';
import { Deviation, expect, Unchecked } from '../deviation.ts';
import { dataOf, type Json } from '../http.ts';
import { boolean, filled, integer, list, number, object, oneOf, rulesOf, type Shape } from '../shapes.ts';
import type { World } from '../world.ts';

/** An answer whose fields are checked one by one. */
interface FieldTable {
  section: string;
  name: string;
  shape: Shape;
  data(world: World): Promise<Json>;
}

const consulted = async (world: World): Promise<Json> => {
  await world.shared('with return', () => world.delivery({ com_retorno: true }));
  return dataOf(await world.read({ method: 'POST', path: '/entregas/consultar', body: { limite: 100 } }));
};

const tables: readonly FieldTable[] = [
  {
    section: '2.1',
    name: 'POST /entregas/consultar',
    shape: list(delivery),
    data: consulted,
  },
  {
    section: '2.2',
    name: 'GET /entregas/programadas',
    shape: list(scheduled),
    async data(world) {
      await world.shared('scheduled for lists', () => world.scheduled());
      return dataOf(await world.read({ method: 'GET', path: '/entregas/programadas?limite=100' }));
    },
  },
  {
    section: '4.1',
    name: 'the estimate',
    shape: estimate,
    async data(world) {
      const path = `/entregas/empresas/${world.companyId()}/estimativas`;
      return dataOf(await world.read({ method: 'POST', path, body: world.estimateBody() }));
    },
  },
  {
    section: '4.10',
    name: 'the receipt',
    shape: receipt,
    async data(world) {
      const finished = await findFinished(world);
      return dataOf(await world.read({ method: 'GET', path: `/entregas/${finished.id}/recibo` }));
    },
  },
  {
    section: '4.11',
    name: 'the tracking links',
    shape: links,
    async data(world) {
      const id = await world.shared('delivery for links', () => world.delivery({}, 2));
      return dataOf(await world.read({ method: 'GET', path: `/entregas/${id}/links-rastreio` }));
    },
  },
  {
    section: '4.13',
    name: 'the operating areas',
    shape: areas,
    data: async (world) =>
      dataOf(await world.read({ method: 'GET', path: '/entregas/bandeiras/areas-atuacao' })),
  },
  {
    section: '4.16',
    name: 'the status',
    shape: object({ status: oneOf(...STATUSES) }),
    async data(world) {
      const id = await world.shared('delivery for status', () => world.delivery());
      return dataOf(await world.read({ method: 'GET', path: `/entregas/${id}/status` }));
    },
  },
  {
    section: '4.8',
    name: 'the answer to a cancellation',
    shape: object({ success: boolean, message: filled }),
    async data(world) {
      return world.shared('a cancellation', async () => {
        const id = await world.delivery();
        const path = `/entregas/${id}/cancelar`;
        return (await world.send({ method: 'POST', path, body: { motivo_id: 6 } })).body;
      });
    },
  },
  {
    section: '4.3',
    name: 'the answer to an edit',
    shape: object({ success: boolean, id_mch: integer }),
    async data(world) {
      return world.shared('an edit', async () => {
        const id = await world.scheduled();
        const path = `/entregas/programadas/${id}`;
        return (await world.send({ method: 'PUT', path, body: world.editBody() })).body;
      });
    },
  },
  {
    section: '4.14',
    name: 'the balance',
    shape: object({ saldo: number }),
    async data(world) {
      const { type, value } = await identificationOf(world);
      const query = `tipo_identificacao=${type}&identificacao=${encodeURIComponent(value)}`;
      return dataOf(await world.read({ method: 'GET', path: `/entregas/empresas/creditos/saldo?${query}` }));
    },
  },
];

async function findFinished(world: World): Promise<Json> {
  const found = dataOf(
    await world.read({
      method: 'POST',
      path: '/entregas/consultar',
      body: { status_solicitacao: 'F', limite: 100 },
    }),
  ) as Json[];
  // A delivery that was grouped into another has no receipt of its own; its price has moved.
  const finished = found.find(({ valor_corrida }) => valor_corrida !== '0.00');
  if (!finished) throw new Unchecked('the central has no finished delivery');
  return finished;
}

/** By the document that a delivery of the company shows. */
export async function identificationOf(world: World): Promise<{ type: 'F' | 'J'; value: string }> {
  const ofCompany = ((await consulted(world)) as Json[]).find(
    ({ empresa_id, cnpj_cpf_empresa }) => empresa_id === world.companyId() && cnpj_cpf_empresa,
  );
  if (!ofCompany) throw new Unchecked('no listed delivery shows the document of the company');
  const value = String(ofCompany.cnpj_cpf_empresa);
  return { type: value.replace(/[^0-9A-Za-z]/g, '').length === 11 ? 'F' : 'J', value };
}

const fields: Check[] = tables.flatMap(({ section, name, shape, data }) =>
  rulesOf(shape, 'data').map((rule) => ({
    section,
    title: `${name}: ${rule.path} is ${rule.what}`,
    async run(world: World) {
      const { count, problem } = rule.check(await data(world));
      if (problem !== undefined) throw new Deviation(problem);
      if (count === 0) throw new Unchecked('nothing listed has this field');
    },
  })),
);

const times: Check[] = TIMES.map((name) => ({
  section: '2.1',
  title: `${name} and ${name}_utc are null together, and every pair is apart by the time zone`,
  async run(world) {
    const offsets = ((await consulted(world)) as Json[]).map((each) => {
      const [local, utc] = [each[name], each[`${name}_utc`]];
      expect((local === null) === (utc === null), `delivery ${each.id}: ${local} beside ${utc}`);
      return local === null ? undefined : Date.parse(`${local.replace(' ', 'T')}Z`) - Date.parse(utc);
    });
    const known = offsets.filter((offset) => offset !== undefined);
    if (known.length === 0) throw new Unchecked('nothing listed has this time');
    for (const offset of known)
      expect(
        offset % QUARTER_HOUR_MS === 0 && Math.abs(offset) <= DAY_MS,
        `the pair is ${offset / 1000} s apart, which is no time zone`,
      );
  },
}));

const QUARTER_HOUR_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

const relations: Check[] = [
  {
    section: '2.1',
    title: 'desejado is null exactly where com_retorno is false',
    async run(world) {
      for (const each of (await consulted(world)) as Json[])
        expect(
          (each.desejado === null) === (each.com_retorno === false),
          `delivery ${each.id} has com_retorno ${each.com_retorno} and desejado ${JSON.stringify(each.desejado)}`,
        );
    },
  },
  {
    section: '2.3',
    title: 'the stops of a delivery are numbered from 0',
    async run(world) {
      const id = await world.shared('delivery for links', () => world.delivery({}, 2));
      const { paradas } = dataOf(await world.read({ method: 'GET', path: `/entregas/${id}` }));
      const order = (paradas as Json[]).map(({ ordem }) => ordem).toSorted((a, b) => a - b);
      expect(order.join() === '0,1', `two stops have ordem ${order.join()}`);
    },
  },
  {
    section: '4.11',
    title: 'every stop has a link of its own',
    async run(world) {
      const id = await world.shared('delivery for links', () => world.delivery({}, 2));
      const found = dataOf(await world.read({ method: 'GET', path: `/entregas/${id}/links-rastreio` }));
      expect(found.length === 2, `two stops have ${found.length} links`);
      expect(
        found[0].link_rastreio !== found[1].link_rastreio && found[0].parada_id !== found[1].parada_id,
        'two stops share a link or an id',
      );
    },
  },
  {
    section: '4.13',
    title: 'exactly one operating area is the default',
    async run(world) {
      const found = dataOf(await world.read({ method: 'GET', path: '/entregas/bandeiras/areas-atuacao' }));
      const count = (found as Json[]).filter(({ padrao }) => padrao === true).length;
      expect(found.length === 0 || count === 1, `${count} areas have padrao true`);
    },
  },
  {
    section: '4.10',
    title: 'valor of a receipt is not above valor_original',
    async run(world) {
      const finished = await findFinished(world);
      const { dados_solicitacao: given } = dataOf(
        await world.read({ method: 'GET', path: `/entregas/${finished.id}/recibo` }),
      );
      expect(
        Number(given.valor) <= Number(given.valor_original),
        `valor ${given.valor} is above valor_original ${given.valor_original}`,
      );
    },
  },
];

export const fieldChecks: readonly Check[] = [...fields, ...times, ...relations];
