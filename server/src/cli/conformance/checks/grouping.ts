import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { expect, Unchecked } from '../deviation.ts';
import { dataOf, expectRefusal, expectSuccess, type Json } from '../http.ts';
import { UNKNOWN_ID } from '../operations.ts';
import type { World } from '../world.ts';

const group = (world: World, grouper: string, others: readonly (string | number)[]) =>
  world.send({
    method: 'POST',
    path: `/entregas/programadas/${grouper}/agrupar`,
    body: { programadas_agrupadas: others.map(Number) },
  });
const shown = async (world: World, id: string): Promise<Json> =>
  dataOf(await world.send({ method: 'GET', path: `/entregas/programadas/${id}` }));

/** Two scheduled deliveries that were grouped, the first being the grouper. */
const grouped = (world: World) =>
  world.shared('a grouping', async () => {
    const [grouper, other] = [await world.scheduled(), await world.scheduled()];
    const answer = await group(world, grouper, [grouper, other, other]);
    return { grouper, other, answer };
  });

const waiting = (world: World) => world.shared('scheduled for lists', () => world.scheduled());

const ofScheduled: Check[] = [
  {
    section: '4.2',
    title: 'scheduled deliveries are grouped; the own id and repeated ones are harmless',
    async run(world) {
      const { answer } = await grouped(world);
      const { message } = expectSuccess(answer);
      expect(typeof message === 'string' && message !== '', 'message is missing');
    },
  },
  {
    section: '4.2',
    title: 'the grouper keeps its id and situation, and receives the stops',
    async run(world) {
      const { grouper } = await grouped(world);
      const { situacao, paradas } = await shown(world, grouper);
      expect(situacao === 'A' && paradas.length === 2, `situacao ${situacao} with ${paradas.length} stops`);
    },
  },
  {
    section: '3.2',
    title: 'a grouped scheduled delivery becomes agrupado',
    async run(world) {
      const { situacao } = await shown(world, (await grouped(world)).other);
      expect(situacao === 'agrupado', `situacao is ${situacao}`);
    },
  },
  {
    section: '7.2',
    title: 'one that was grouped already is not grouped again: 406',
    async run(world) {
      const { other } = await grouped(world);
      expectRefusal(await group(world, await waiting(world), [other]), { status: 406, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'fewer than 2 orders in total are a 409',
    async run(world) {
      const id = await waiting(world);
      expectRefusal(await group(world, id, [id, id]), { status: 409, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'a listed one that the central does not have is a 404',
    async run(world) {
      expectRefusal(await group(world, await waiting(world), [UNKNOWN_ID]), { status: 404, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'a 404 comes before a 406',
    async run(world) {
      const { other } = await grouped(world);
      expectRefusal(await group(world, other, [UNKNOWN_ID]), { status: 404, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'another pickup is a 422',
    async run(world) {
      const { partida, paradas } = world.orderBody();
      const lat = Number(paradas[0].lat_parada);
      const lng = Number(paradas[0].lng_parada);
      if (lat === Number(partida.lat) && lng === Number(partida.lng))
        throw new Unchecked('only one point is known; name another with --destination');
      const moved = await world.scheduled({ partida: { ...partida, lat: String(lat), lng: String(lng) } });
      expectRefusal(await group(world, await waiting(world), [moved]), { status: 422, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'scheduled deliveries of different companies are a 422',
    async run(world) {
      const ofCompany = await world.scheduled({}, 1, world.asManager());
      expectRefusal(await group(world, await waiting(world), [ofCompany]), { status: 422, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'more than 10 stops are a 400, code 0, whose message has the maximum and the count',
    async run(world) {
      const [large, small] = [await world.scheduled({}, 10), await world.scheduled()];
      const answer = await group(world, large, [small]);
      expectRefusal(answer, { status: 400, code: 0 });
      const { message } = answer.body.errors[0];
      expect(/\b10\b/.test(message) && /\b11\b/.test(message), `the message is "${message}"`);
    },
  },
  {
    section: '7.2',
    title: 'less than 60 seconds to dispatch are a 422',
    async run(world) {
      const soon = await world.scheduled(await world.localIn(45));
      expectRefusal(await group(world, await waiting(world), [soon]), { status: 422, code: 0 });
    },
  },
];

const intoDeliveries: Check[] = [
  ['4.6', 'agrupar/programadas', 'programadas_agrupadas', waiting],
  ['4.7', 'agrupar', 'solicitacoes_agrupadas', (world: World) => world.delivery()],
].flatMap(([section, action, field, other]) => {
  const send = async (world: World, ids: readonly unknown[]) => {
    const id = await world.shared('delivery of a person', () => world.delivery());
    const path = `/entregas/${id}/${action as string}`;
    return world.send({ method: 'POST', path, body: { [field as string]: ids } });
  };
  return [
    {
      section: section as string,
      title: `POST /entregas/{id}/${action} into a delivery that is not in progress is a 406`,
      async run(world: World) {
        const id = await (other as (world: World) => Promise<string>)(world);
        expectRefusal(await send(world, [Number(id)]), { status: 406, code: 0 });
      },
    },
    {
      section: section as string,
      title: `POST /entregas/{id}/${action} of one that the central does not have is a 404`,
      async run(world: World) {
        expectRefusal(await send(world, [UNKNOWN_ID]), { status: 404, code: 0 });
      },
    },
  ];
});

/** The life of one scheduled delivery, from its dispatch to its cancellation. */
interface Life {
  id: string;
  deliveryId: string;
}

const LEAD_SECONDS = 8;
const POLL_MS = 500;

const dispatched = (world: World): Promise<Life> =>
  world.shared('a dispatched one', async () => {
    const id = await world.scheduled(await world.localIn(LEAD_SECONDS), 2);
    const until = Date.now() + world.given.waitSeconds * 1000;
    for (;;) {
      const { situacao, id_mch } = await shown(world, id);
      if (situacao === 'D') return { id, deliveryId: String(id_mch) };
      expect(situacao === 'A', `situacao became ${situacao}`);
      if (Date.now() > until)
        throw new Unchecked(`not dispatched within ${world.given.waitSeconds} s; see --wait`);
      await sleep(POLL_MS);
    }
  });

const ended = (world: World) =>
  world.shared('the end of the dispatched one', async () => {
    const life = await dispatched(world);
    const path = `/entregas/programadas/${life.id}/cancelar`;
    return { ...life, answer: await world.send({ method: 'POST', path }) };
  });

const life: Check[] = [
  {
    section: '3.2',
    title: 'a scheduled delivery is dispatched at its time: situation D, with the id of a new delivery',
    async run(world) {
      const { deliveryId } = await dispatched(world);
      expect(/^\d+$/.test(deliveryId), `id_mch is ${deliveryId}`);
      const path = `/entregas/${deliveryId}`;
      const { id, paradas } = dataOf(await world.send({ method: 'GET', path }));
      expect(id === deliveryId && paradas.length === 2, `delivery ${id} has ${paradas.length} stops of two`);
    },
  },
  {
    section: '4.3',
    title: 'a dispatched one is not edited: 406',
    async run(world) {
      const path = `/entregas/programadas/${(await dispatched(world)).id}`;
      const answer = await world.send({ method: 'PUT', path, body: world.editBody() });
      expectRefusal(answer, { status: 406, code: 0 });
    },
  },
  {
    section: '4.12',
    title: 'no stop of a dispatched one is removed: 406',
    async run(world) {
      const { id } = await dispatched(world);
      const [stop] = (await shown(world, id)).paradas;
      if (!stop) throw new Unchecked('a dispatched one shows no stops');
      const path = `/entregas/programadas/${id}/paradas/${stop.id}`;
      const answer = await world.send({ method: 'DELETE', path });
      expectRefusal(answer, { status: 406, code: 0 });
    },
  },
  {
    section: '7.2',
    title: 'a dispatched one is not grouped: 406',
    async run(world) {
      const { id } = await dispatched(world);
      expectRefusal(await group(world, await waiting(world), [id]), { status: 406, code: 0 });
    },
  },
  {
    section: '4.15',
    title: 'a dispatched one is cancelled, with its id as a number and a message',
    async run(world) {
      const { id, answer } = await ended(world);
      const data = dataOf(answer);
      expect(
        data.id_mch_programada === Number(id),
        `id_mch_programada is ${JSON.stringify(data.id_mch_programada)}`,
      );
      expect(typeof data.mensagem === 'string', `mensagem is ${JSON.stringify(data.mensagem)}`);
    },
  },
  {
    section: '3.2',
    title: 'a cancelled one is in situation C, and its delivery is cancelled too',
    async run(world) {
      const { id, deliveryId } = await ended(world);
      const { situacao } = await shown(world, id);
      const { status } = dataOf(await world.send({ method: 'GET', path: `/entregas/${deliveryId}/status` }));
      expect(situacao === 'C' && status === 'C', `situacao ${situacao}, status ${status}`);
    },
  },
  {
    section: '4.15',
    title: 'a cancelled one is not cancelled again: 406',
    async run(world) {
      const path = `/entregas/programadas/${(await ended(world)).id}/cancelar`;
      expectRefusal(await world.send({ method: 'POST', path }), { status: 406, code: 0 });
    },
  },
  {
    section: '4.3',
    title: 'a cancelled one is not edited: 406',
    async run(world) {
      const path = `/entregas/programadas/${(await ended(world)).id}`;
      const answer = await world.send({ method: 'PUT', path, body: world.editBody() });
      expectRefusal(answer, { status: 406, code: 0 });
    },
  },
];

export const groupingChecks: readonly Check[] = [...ofScheduled, ...intoDeliveries, ...life];
