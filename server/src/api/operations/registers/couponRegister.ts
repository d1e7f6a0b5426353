import Type from 'typebox';
import {
  type Coupon,
  type CouponValues,
  deleteCoupon,
  findCoupon,
  insertCoupon,
  listCoupons,
  updateCoupon,
} from '../../../money/pricing/couponStore.ts';
import { plainIdentifier } from '../../../platform/kernel/plainName.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import { nullable } from '../../json/values.ts';
import { flag, id, instant, integer, lastInExample, list, text, view } from '../../json/view.ts';
import { register } from '../register.ts';
import { oneId } from '../wire/commonFields.ts';
import { activeField, nameText, sentId } from '../wire/fields.ts';

const COMPANIES_MAX = 1_000;
const USES_MAX = 1_000_000;

const usesMax = (description: string) =>
  Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: USES_MAX, description: `${description}; nulo: sem limite` }),
    ),
  );

const COMPANIES = 'empresas que podem usá-lo; vazio: todas, e também entregas sem empresa';

const companies = Type.Array(sentId(), {
  uniqueItems: true,
  maxItems: COMPANIES_MAX,
  description: COMPANIES,
});

const example = {
  codigo: 'BEMVINDO10',
  percentual: '10.00',
  gerador_cupom_id: '1',
  valido_ate: '2027-01-01T03:00:00Z',
  limite_usos: 500,
  limite_usos_por_empresa: 1,
  empresas: [],
  ativo: true,
};

export const couponEndpoints = register({
  path: '/cupons',
  permissions: { read: 'registers-read', write: 'tariffs' },
  audit: { subject: 'coupon', nameOf: ({ code }) => code },
  records: 'coupons',
  tag: 'Operação: cupons',
  nouns: { one: 'um cupom', all: 'os cupons' },
  description:
    'Maiúsculas e minúsculas do código não se distinguem. Um uso vale da criação do pedido, imediato ou programado, até ' +
    'que ele seja cancelado, não atendido ou falhe no disparo.',
  notFound: 'record-not-found',
  refusals: ['company-not-found'],
  body: Type.Object({
    codigo: nameText(50),
    percentual: formatted('percent', 'desconto em texto, como 10.00'),
    gerador_cupom_id: Type.Optional(Type.String({ maxLength: 50 })),
    valido_ate: Type.Optional(nullable(formatted('instant', 'ISO 8601; nulo: sem fim'))),
    limite_usos: usesMax('quantos pedidos podem usá-lo ao todo'),
    limite_usos_por_empresa: usesMax(
      'quantos pedidos de cada empresa podem usá-lo; sem empresa, de cada pessoa, pelo CPF',
    ),
    empresas: Type.Optional(companies),
    ativo: activeField,
  }),
  bodyExample: example,
  shown: lastInExample(
    view<Coupon>()({
      id: id((coupon) => coupon.id, '2'),
      codigo: text((coupon) => coupon.code, example.codigo),
      percentual: text((coupon) => coupon.percent, example.percentual),
      gerador_cupom_id: text((coupon) => coupon.generatorId, example.gerador_cupom_id),
      valido_ate: instant.orNull((coupon) => coupon.validUntil, example.valido_ate),
      limite_usos: integer.orNull((coupon) => coupon.usesMax, example.limite_usos),
      limite_usos_por_empresa: integer.orNull(
        (coupon) => coupon.usesPerCompanyMax,
        example.limite_usos_por_empresa,
      ),
      empresas: list(oneId, (coupon) => coupon.companyIds, { description: COMPANIES, example: [] }),
      usos: integer(
        (coupon) => coupon.uses,
        37,
        'pedidos que o usam agora; os que não deram em nada não contam',
      ),
      ativo: flag((coupon) => coupon.active, example.ativo),
    }),
    'usos',
  ),
  parse: (body): CouponValues => ({
    code: plainIdentifier(body.codigo),
    percent: body.percentual,
    generatorId: body.gerador_cupom_id ?? '',
    validUntil: body.valido_ate ? parseInstant(body.valido_ate) : null,
    usesMax: body.limite_usos ?? null,
    usesPerCompanyMax: body.limite_usos_por_empresa ?? null,
    companyIds: body.empresas ?? [],
    active: body.ativo ?? null,
  }),
  uniqueFields: { code: 'codigo' },
  store: {
    list: listCoupons,
    find: findCoupon,
    insert: insertCoupon,
    update: updateCoupon,
    remove: deleteCoupon,
  },
});
