import type { Check } from '../check.ts';
import { expect } from '../deviation.ts';
import { dataOf, expectRefusal, type Json } from '../http.ts';
import type { World } from '../world.ts';

const estimate = async (world: World, changes: Json = {}) =>
  world.send({
    method: 'POST',
    path: `/entregas/empresas/${world.companyId()}/estimativas`,
    body: world.estimateBody(changes),
  });

const SCHEMES = ['F', 'J', 'T', 'C', 'I'] as const;
/** No company has these; those of F and J have right check digits. */
const UNKNOWN: Record<(typeof SCHEMES)[number], string> = {
  F: '39053344705',
  J: '11444777000161',
  T: '11900000001',
  C: 'conformance-unknown',
  I: 'conformance-unknown',
};
const MALFORMED: Partial<Record<(typeof SCHEMES)[number], string>> = {
  F: '11111111112',
  J: '11444777000162',
  T: '123',
};

const balanceOf = (type: string, value: string) => ({
  method: 'GET',
  path: `/entregas/empresas/creditos/saldo?tipo_identificacao=${type}&identificacao=${value}`,
});
const topUpOf = (tipo_identificacao: string, identificacao: string) => ({
  method: 'POST',
  path: '/entregas/empresas/creditos/recargas',
  body: { valor: 0.01, empresa: { tipo_identificacao, identificacao } },
});

const identifications: Check[] = SCHEMES.flatMap((type) => {
  const malformed = MALFORMED[type];
  return [
    ...[
      { section: '4.14', name: 'the balance', request: balanceOf(type, UNKNOWN[type]) },
      { section: '4.5', name: 'a top-up', request: topUpOf(type, UNKNOWN[type]) },
    ].map(
      ({ section, name, request }): Check => ({
        section,
        title: `${name} of a company that is not there, by ${type}, is a 404`,
        async run({ send }) {
          expectRefusal(await send(request), { status: 404, code: 0 });
        },
      }),
    ),
    ...(malformed === undefined
      ? []
      : [
          { section: '4.14', name: 'the balance', request: balanceOf(type, malformed) },
          { section: '4.5', name: 'a top-up', request: topUpOf(type, malformed) },
        ].map(
          ({ section, name, request }): Check => ({
            section,
            title: `${name} by a malformed value of ${type} is a 400, code 2`,
            async run({ send }) {
              expectRefusal(await send(request), { status: 400, code: 2 });
            },
          }),
        )),
  ];
});

const balances: Check[] = (
  [
    ['without tipo_identificacao', '?identificacao=1'],
    ['without identificacao', '?tipo_identificacao=I'],
    ['with an unknown tipo_identificacao', '?tipo_identificacao=Z&identificacao=1'],
  ] as const
).map(([title, query]) => ({
  section: '4.14',
  title: `the balance ${title} is a 400, code 2`,
  async run({ send }) {
    const answer = await send({ method: 'GET', path: `/entregas/empresas/creditos/saldo${query}` });
    expectRefusal(answer, { status: 400, code: 2 });
  },
}));

export const estimateChecks: readonly Check[] = [
  {
    section: '4.1',
    title: 'the same estimate has the same price',
    async run(world) {
      const [first, second] = [dataOf(await estimate(world)), dataOf(await estimate(world))];
      expect(
        first.estimativa_valor === second.estimativa_valor,
        `${first.estimativa_valor} and ${second.estimativa_valor}`,
      );
    },
  },
  {
    section: '4.1',
    title: 'a price has at most two decimals',
    async run(world) {
      const { estimativa_valor: price } = dataOf(await estimate(world));
      expect(Number(Number(price).toFixed(2)) === price, `the price is ${price}`);
    },
  },
  {
    section: '4.1',
    title: 'a return makes the way longer',
    async run(world) {
      const there = dataOf(await estimate(world));
      const back = dataOf(await estimate(world, { com_retorno: true }));
      const isLonger = back.estimativa_km > there.estimativa_km || there.estimativa_km === 0;
      expect(isLonger, `${there.estimativa_km} km there, ${back.estimativa_km} km there and back`);
    },
  },
  {
    section: '4.1',
    title: 'stops are separated by |, and a trailing | is allowed',
    async run(world) {
      const { lat_desejado: lat, lng_desejado: lng } = world.estimateBody();
      dataOf(await estimate(world, { latlng_paradas: `${lat},${lng}|` }));
    },
  },
  {
    section: '4.1',
    title: 'a point in the ocean is outside every operating area: 422',
    async run(world) {
      expectRefusal(await estimate(world, { lat_desejado: 0, lng_desejado: 0 }), { status: 422, code: 0 });
    },
  },
  {
    section: '4.1',
    title: 'a category that the central does not have is a 404',
    async run(world) {
      expectRefusal(await estimate(world, { categoria_id: 999_999 }), { status: 404, code: 0 });
    },
  },
  ...balances,
  ...identifications,
];
