import Type from 'typebox';
import {
  type Coupon,
  type CouponValues,
  deleteCoupon,
  findCoupon,
  insertCoupon,
  listCoupons,
  updateCoupon,
} from '../../estimates/couponStore.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import { formatUtc, nullable } from '../../wire/values.ts';
import { register } from '../register.ts';
import { activeField, instantShown, recordId, requiredText } from '../wire/fields.ts';

const COMPANIES_MAX = 1_000;
const USES_MAX = 1_000_000;

const usesMax = (description: string) =>
  Type.Optional(
    nullable(
      Type.Integer({ minimum: 1, maximum: USES_MAX, description: `${description}; nulo: sem limite` }),
    ),
  );

const companies = Type.Array(recordId, {
  uniqueItems: true,
  maxItems: COMPANIES_MAX,
  description: 'empresas que podem usá-lo; vazio: todas, e também entregas sem empresa',
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
    codigo: requiredText(50),
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
  shown: Type.Object({
    id: recordId,
    codigo: Type.String(),
    percentual: Type.String(),
    gerador_cupom_id: Type.String(),
    valido_ate: nullable(instantShown),
    limite_usos: nullable(Type.Integer()),
    limite_usos_por_empresa: nullable(Type.Integer()),
    empresas: companies,
    usos: Type.Integer({ description: 'pedidos que o usam agora; os que não deram em nada não contam' }),
    ativo: Type.Boolean(),
  }),
  shownExample: { id: 2, ...example, usos: 37 },
  parse: (body): CouponValues => ({
    code: body.codigo.trim(),
    percent: body.percentual,
    generatorId: body.gerador_cupom_id ?? '',
    validUntil: body.valido_ate ? parseInstant(body.valido_ate) : null,
    usesMax: body.limite_usos ?? null,
    usesPerCompanyMax: body.limite_usos_por_empresa ?? null,
    companyIds: body.empresas ?? [],
    active: body.ativo ?? null,
  }),
  format: (coupon: Coupon) => ({
    id: coupon.id,
    codigo: coupon.code,
    percentual: coupon.percent,
    gerador_cupom_id: coupon.generatorId,
    valido_ate: coupon.validUntil && formatUtc(coupon.validUntil),
    limite_usos: coupon.usesMax,
    limite_usos_por_empresa: coupon.usesPerCompanyMax,
    empresas: [...coupon.companyIds],
    usos: coupon.uses,
    ativo: coupon.active,
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
