import Type from 'typebox';
import { nullable } from '../../contract/wire/answers.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
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
import { register } from '../register.ts';
import { activeField, instantShown, recordId, requiredText } from '../wire/fields.ts';

const example = {
  codigo: 'BEMVINDO10',
  percentual: '10.00',
  gerador_cupom_id: '1',
  valido_ate: '2027-01-01T03:00:00Z',
  ativo: true,
};

export const couponRoutes = register({
  path: '/cupons',
  records: 'coupons',
  tag: 'Operação: cupons',
  nouns: { one: 'um cupom', all: 'os cupons' },
  description: 'Maiúsculas e minúsculas do código não se distinguem.',
  notFound: 'record-not-found',
  body: Type.Object({
    codigo: requiredText(50),
    percentual: formatted('percent', 'desconto em texto, como 10.00'),
    gerador_cupom_id: Type.Optional(Type.String({ maxLength: 50 })),
    valido_ate: Type.Optional(nullable(formatted('instant', 'ISO 8601; nulo: sem fim'))),
    ativo: activeField,
  }),
  bodyExample: example,
  shown: Type.Object({
    id: recordId,
    codigo: Type.String(),
    percentual: Type.String(),
    gerador_cupom_id: Type.String(),
    valido_ate: nullable(instantShown),
    ativo: Type.Boolean(),
  }),
  shownExample: { id: 2, ...example },
  parse: (body): CouponValues => ({
    code: body.codigo.trim(),
    percent: body.percentual,
    generatorId: body.gerador_cupom_id ?? '',
    validUntil: body.valido_ate ? parseInstant(body.valido_ate) : null,
    active: body.ativo ?? null,
  }),
  format: (coupon: Coupon) => ({
    id: coupon.id,
    codigo: coupon.code,
    percentual: coupon.percent,
    gerador_cupom_id: coupon.generatorId,
    valido_ate: coupon.validUntil && formatUtc(coupon.validUntil),
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
