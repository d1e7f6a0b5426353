import type { Check } from '../check.ts';
import { expect, Unchecked } from '../deviation.ts';
import { dataOf, expectRefusal, expectSuccess } from '../http.ts';
import { UNKNOWN_ID } from '../operations.ts';
import { decimal, integer, number, object, oneOf, orNull, rulesOf } from '../shapes.ts';
import type { World } from '../world.ts';

const notInThisState = { status: 406, code: 0 };
const cancel = (id: string) => ({
  method: 'POST',
  path: `/entregas/${id}/cancelar`,
  body: { motivo_id: 6 },
});

/** A delivery that was cancelled. */
const cancelled = (world: World) =>
  world.shared('cancelled delivery', async () => {
    const id = await world.delivery({}, 2);
    expectSuccess(await world.send(cancel(id)));
    return id;
  });

const ofDeliveries: Check[] = [
  {
    section: '3.1',
    title: 'a cancelled delivery has status C, in the status and in the query',
    async run(world) {
      const id = await cancelled(world);
      const { status } = dataOf(await world.send({ method: 'GET', path: `/entregas/${id}/status` }));
      expect(status === 'C', `the status is ${status}`);
      const shown = dataOf(await world.send({ method: 'GET', path: `/entregas/${id}` }));
      expect(shown.status_solicitacao === 'C', `status_solicitacao is ${shown.status_solicitacao}`);
      expect(shown.data_hora_cancelamento !== null, 'data_hora_cancelamento is null');
    },
  },
  {
    section: '3.1',
    title: 'a cancelled delivery is not cancelled again: 406',
    async run(world) {
      expectRefusal(await world.send(cancel(await cancelled(world))), notInThisState);
    },
  },
  {
    section: '4.8',
    title: 'a reason that the central does not have is a 404',
    async run(world) {
      const id = await world.shared('delivery of a person', () => world.delivery());
      const answer = await world.send({ ...cancel(id), body: { motivo_id: 999_999 } });
      expectRefusal(answer, { status: 404, code: 0 });
    },
  },
  {
    section: '4.10',
    title: 'a delivery that is not finished has no receipt: 406',
    async run(world) {
      const path = `/entregas/${await cancelled(world)}/recibo`;
      expectRefusal(await world.send({ method: 'GET', path }), notInThisState);
    },
  },
  {
    section: '4.3',
    title: 'a cancelled delivery is not edited: 406',
    async run(world) {
      const request = { method: 'PUT', path: `/entregas/${await cancelled(world)}`, body: world.orderBody() };
      expectRefusal(await world.send(request), notInThisState);
    },
  },
  {
    section: '4.12',
    title: 'a stop of a cancelled delivery is not removed: 406, code 135',
    async run(world) {
      const id = await cancelled(world);
      const [stop] = dataOf(await world.send({ method: 'GET', path: `/entregas/${id}` })).paradas;
      const path = `/entregas/${id}/paradas/${stop.id}`;
      expectRefusal(await world.send({ method: 'DELETE', path }), { status: 406, code: 135 });
    },
  },
  {
    section: '4.12',
    title: 'the last stop of a delivery is not removed: code 33',
    async run(world) {
      const id = await world.shared('delivery of a person', () => world.delivery());
      const [stop] = dataOf(await world.send({ method: 'GET', path: `/entregas/${id}` })).paradas;
      const path = `/entregas/${id}/paradas/${stop.id}`;
      expectRefusal(await world.send({ method: 'DELETE', path }), { status: 409, code: 33 });
    },
  },
  {
    section: '4.12',
    title: 'a stop that is not of the delivery is a 404, code 136',
    async run(world) {
      const id = await world.shared('delivery of a person', () => world.delivery());
      const path = `/entregas/${id}/paradas/${UNKNOWN_ID}`;
      expectRefusal(await world.send({ method: 'DELETE', path }), { status: 404, code: 136 });
    },
  },
];

const shownScheduled = async (world: World, id: string) =>
  dataOf(await world.send({ method: 'GET', path: `/entregas/programadas/${id}` }));

const removal = object({
  status: oneOf('OK'),
  estimativa: orNull({ what: 'an object', fits: (value) => typeof value === 'object' }),
});
const removalEstimate = object({
  estimativa_km: number,
  estimativa_tempo_minutos: integer,
  estimativa_valor: decimal,
});

const ofScheduled: Check[] = [
  {
    section: '3.2',
    title: 'a new scheduled delivery is in situation A and has no id_mch',
    async run(world) {
      const shown = await shownScheduled(
        world,
        await world.shared('scheduled for lists', () => world.scheduled()),
      );
      expect(
        shown.situacao === 'A' && shown.id_mch === null,
        `situacao ${shown.situacao}, id_mch ${shown.id_mch}`,
      );
    },
  },
  {
    section: '4.15',
    title: 'a scheduled delivery in situation A is not cancelled: 406',
    async run(world) {
      const id = await world.scheduled();
      const answer = await world.send({ method: 'POST', path: `/entregas/programadas/${id}/cancelar` });
      if (answer.status === 200) throw new Unchecked('this central allows to cancel one that waits');
      expectRefusal(answer, notInThisState);
    },
  },
  {
    section: '4.3',
    title: 'an edit replaces the stops and keeps the id',
    async run(world) {
      const id = await world.scheduled({}, 2);
      const before = await shownScheduled(world, id);
      const path = `/entregas/programadas/${id}`;
      const { id_mch } = expectSuccess(
        await world.send({ method: 'PUT', path, body: world.editBody({}, 1) }),
      );
      expect(id_mch === Number(id), `id_mch is ${JSON.stringify(id_mch)} for the scheduled delivery ${id}`);
      const after = await shownScheduled(world, id);
      expect(after.paradas.length === 1, `${after.paradas.length} stops are left of one`);
      const kept = before.paradas.some((stop: { id: string }) => stop.id === after.paradas[0].id);
      expect(!kept, 'the stops were not created anew');
    },
  },
  {
    section: '4.3',
    title: 'an edit to a time that has passed is a 422',
    async run(world) {
      const id = await world.shared('scheduled for lists', () => world.scheduled());
      const body = world.editBody({ data: '01/01/2020', hora: '12:00:00' });
      const answer = await world.send({ method: 'PUT', path: `/entregas/programadas/${id}`, body });
      expectRefusal(answer, { status: 422, code: 0 });
    },
  },
  {
    section: '4.12',
    title: 'a stop of a scheduled delivery is removed, and the estimate is that of the others',
    async run(world) {
      const id = await world.scheduled({}, 2);
      const [stop] = (await shownScheduled(world, id)).paradas;
      const path = `/entregas/programadas/${id}/paradas/${stop.id}`;
      const body = expectSuccess(await world.send({ method: 'DELETE', path }));
      const rules = [
        ...rulesOf(removal, 'data').map((rule) => rule.check(body.data)),
        ...(body.data?.estimativa
          ? rulesOf(removalEstimate, 'data.estimativa').map((rule) => rule.check(body.data.estimativa))
          : []),
      ];
      const problem = rules.find((each) => each.problem !== undefined)?.problem;
      expect(problem === undefined, String(problem));
      expect(typeof body.message === 'string', 'message is missing');
      const left = (await shownScheduled(world, id)).paradas;
      expect(left.length === 1 && left[0].id !== stop.id, `${left.length} stops are left of two`);
    },
  },
  {
    section: '4.12',
    title: 'the last stop of a scheduled delivery is not removed: 409',
    async run(world) {
      const id = await world.shared('scheduled for lists', () => world.scheduled());
      const [stop] = (await shownScheduled(world, id)).paradas;
      const path = `/entregas/programadas/${id}/paradas/${stop.id}`;
      expectRefusal(await world.send({ method: 'DELETE', path }), { status: 409, code: 0 });
    },
  },
  {
    section: '4.12',
    title: 'a stop that is not of the scheduled delivery is a 404',
    async run(world) {
      const id = await world.shared('scheduled for lists', () => world.scheduled());
      const path = `/entregas/programadas/${id}/paradas/${UNKNOWN_ID}`;
      expectRefusal(await world.send({ method: 'DELETE', path }), { status: 404, code: 0 });
    },
  },
];

export const stateChecks: readonly Check[] = [...ofDeliveries, ...ofScheduled];
