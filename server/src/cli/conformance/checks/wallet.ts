import type { Check } from '../check.ts';
import { expect, Unchecked } from '../deviation.ts';
import { dataOf, expectRefusal } from '../http.ts';
import type { World } from '../world.ts';
import { identificationOf } from './fields.ts';

const CENT = 0.01;

const topUp = (world: World) =>
  world.shared('a top-up', async () => {
    if (!world.given.mayTopUp) throw new Unchecked('allow a top-up of one cent with --top-up');
    const { type, value } = await identificationOf(world);
    const query = `tipo_identificacao=${type}&identificacao=${encodeURIComponent(value)}`;
    const balance = async () =>
      dataOf(await world.send({ method: 'GET', path: `/entregas/empresas/creditos/saldo?${query}` })).saldo;
    const before = await balance();
    const data = dataOf(
      await world.send({
        method: 'POST',
        path: '/entregas/empresas/creditos/recargas',
        body: {
          valor: CENT,
          observacao: world.mark,
          empresa: { tipo_identificacao: type, identificacao: value },
        },
      }),
    );
    return { data, before, after: await balance() };
  });

export const walletChecks: readonly Check[] = [
  {
    section: '4.5',
    title: 'a top-up answers registro_id as a string',
    async run(world) {
      const { data } = await topUp(world);
      expect(typeof data.registro_id === 'string', `registro_id is ${JSON.stringify(data.registro_id)}`);
    },
  },
  {
    section: '4.5',
    title: 'a top-up raises the balance by exactly its amount',
    async run(world) {
      const { before, after } = await topUp(world);
      expect(Math.round((after - before) * 100) === 1, `from ${before} to ${after} by ${CENT}`);
    },
  },
  {
    section: '4.5',
    title: 'a manager does not top up its company unless the central allows it: 403',
    async run(world) {
      const { type, value } = await identificationOf(world);
      const asManager = world.asManager();
      if (!world.given.mayTopUp) throw new Unchecked('allow a top-up of one cent with --top-up');
      const answer = await asManager({
        method: 'POST',
        path: '/entregas/empresas/creditos/recargas',
        body: { valor: CENT, empresa: { tipo_identificacao: type, identificacao: value } },
      });
      if (answer.status === 200) throw new Unchecked('this central allows managers to top up');
      expectRefusal(answer, { status: 403, code: 0 });
    },
  },
];
