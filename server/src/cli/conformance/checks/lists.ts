import { PAYMENTS, STATUS_FILTERS } from '../answers.ts';
import type { Check } from '../check.ts';
import { expect } from '../deviation.ts';
import { dataOf, expectRefusal, type Json } from '../http.ts';
import type { World } from '../world.ts';

const consult = async (world: World, body: Json): Promise<Json[]> =>
  dataOf(await world.send({ method: 'POST', path: '/entregas/consultar', body })) as Json[];
const listed = async (world: World, query: string): Promise<Json[]> =>
  dataOf(await world.send({ method: 'GET', path: `/entregas/programadas${query}` })) as Json[];

/** The codes that a filter by this status may find: the query shows what awaits release as P, and on hold as A. */
const shownFor = (filter: string): string => (filter === 'L' ? 'P' : filter);

const filters: Check[] = [
  ...STATUS_FILTERS.map(
    (status): Check => ({
      section: '4.4',
      title: `the filter status_solicitacao ${status} finds only deliveries that show it`,
      async run(world) {
        const found = await consult(world, { status_solicitacao: status, limite: 50 });
        const wrong = found.find((each) => each.status_solicitacao !== shownFor(status));
        expect(!wrong, `delivery ${wrong?.id} has status ${wrong?.status_solicitacao}`);
      },
    }),
  ),
  ...PAYMENTS.map(
    (payment): Check => ({
      section: '4.4',
      title: `the filter tipo_pagamento ${payment} finds only deliveries paid so`,
      async run(world) {
        const found = await consult(world, { tipo_pagamento: payment, limite: 50 });
        const wrong = found.find((each) => each.tipo_pagamento !== payment);
        expect(!wrong, `delivery ${wrong?.id} has tipo_pagamento ${wrong?.tipo_pagamento}`);
      },
    }),
  ),
  {
    section: '4.4',
    title: 'the filter condutor_id finds only deliveries of that driver',
    async run(world) {
      const found = await consult(world, { condutor_id: 1, limite: 50 });
      const wrong = found.find((each) => each.condutor_id !== '1');
      expect(!wrong, `delivery ${wrong?.id} has condutor_id ${wrong?.condutor_id}`);
    },
  },
];

/** Both lists have pages of the same rules. */
const paged = [
  {
    section: '4.4',
    name: 'POST /entregas/consultar',
    id: 'id',
    page: (world: World, pagina: number, limite: number) => consult(world, { pagina, limite }),
    create: (world: World) => world.delivery(),
  },
  {
    section: '4.9',
    name: 'GET /entregas/programadas',
    id: 'id_mch_programada',
    page: (world: World, pagina: number, limite: number) =>
      listed(world, `?pagina=${pagina}&limite=${limite}`),
    create: (world: World) => world.scheduled(),
  },
] as const;

const pages: Check[] = paged.flatMap(({ section, name, id, page, create }) => {
  const atLeastThree = (world: World) =>
    world.shared(`three of ${name}`, async () => {
      for (let count = 0; count < 3; count += 1) await create(world);
    });
  return [
    {
      section,
      title: `${name} answers at most limite records`,
      async run(world: World) {
        await atLeastThree(world);
        const { length } = await page(world, 1, 2);
        expect(length === 2, `limite 2 answered ${length} records`);
      },
    },
    {
      section,
      title: `${name} shows no record on two pages`,
      async run(world: World) {
        await atLeastThree(world);
        const ids = [
          ...(await page(world, 1, 1)),
          ...(await page(world, 2, 1)),
          ...(await page(world, 3, 1)),
        ].map((each) => each[id]);
        expect(new Set(ids).size === 3, `pages 1, 2 and 3 with limite 1 show ${ids.join(', ')}`);
      },
    },
    {
      section,
      title: `${name} continues on page 2 where page 1 ended`,
      async run(world: World) {
        await atLeastThree(world);
        const whole = (await page(world, 1, 4)).map((each) => each[id]);
        const halves = [...(await page(world, 1, 2)), ...(await page(world, 2, 2))].map((each) => each[id]);
        expect(whole.join() === halves.join(), `in one page ${whole.join()}, in two ${halves.join()}`);
      },
    },
    {
      section,
      title: `${name} lists the newest first`,
      async run(world: World) {
        const created = await create(world);
        const [first] = await page(world, 1, 1);
        expect(first?.[id] === created, `created ${created}, the first is ${first?.[id]}`);
      },
    },
    {
      section,
      title: `${name} answers an empty page past the end`,
      async run(world: World) {
        const { length } = await page(world, 1_000_000, 100);
        expect(length === 0, `page 1000000 has ${length} records`);
      },
    },
    {
      section,
      title: `${name} takes a limite of 100`,
      async run(world: World) {
        expect((await page(world, 1, 100)).length <= 100, 'more than 100 records came');
      },
    },
  ];
});

const queries: Check[] = [
  'limite=0',
  'limite=-1',
  'limite=101',
  'limite=1.5',
  'limite=abc',
  'pagina=0',
  'pagina=-1',
  'pagina=abc',
].map((query) => ({
  section: '4.9',
  title: `GET /entregas/programadas?${query} is refused with 400, code 2`,
  async run(world) {
    const answer = await world.send({ method: 'GET', path: `/entregas/programadas?${query}` });
    expectRefusal(answer, { status: 400, code: 2, field: query.split('=')[0] });
  },
}));

const defaults: Check[] = [
  {
    section: '4.4',
    title: 'POST /entregas/consultar without a body is the first page',
    async run(world) {
      const bare = dataOf(await world.send({ method: 'POST', path: '/entregas/consultar' })) as Json[];
      const first = await consult(world, { pagina: 1, limite: 20 });
      expect(bare.length <= 20, `${bare.length} records came, 20 is the default`);
      expect(bare[0]?.id === first[0]?.id, `it begins with ${bare[0]?.id}, page 1 with ${first[0]?.id}`);
    },
  },
  {
    section: '4.9',
    title: 'GET /entregas/programadas without parameters is the first page',
    async run(world) {
      const [bare, first] = [await listed(world, ''), await listed(world, '?pagina=1&limite=20')];
      expect(
        bare[0]?.id_mch_programada === first[0]?.id_mch_programada,
        `it begins with ${bare[0]?.id_mch_programada}, page 1 with ${first[0]?.id_mch_programada}`,
      );
    },
  },
];

export const listChecks: readonly Check[] = [...filters, ...pages, ...queries, ...defaults];
