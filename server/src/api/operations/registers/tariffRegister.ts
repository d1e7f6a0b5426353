import Type, { type Static } from 'typebox';
import type { Profile } from '../../../geo/routing/router.ts';
import type { ShareRule } from '../../../money/pricing/share.ts';
import {
  type Category,
  type CategoryValues,
  deleteCategory,
  deleteTariff,
  findCategory,
  findTariff,
  insertCategory,
  insertTariff,
  listCategories,
  listTariffs,
  type PlacedTariff,
  type TariffValues,
  updateCategory,
  updateTariff,
} from '../../../money/pricing/tariffStore.ts';
import { decimalToCents } from '../../../platform/kernel/money.ts';
import { plainName } from '../../../platform/kernel/plainName.ts';
import { formatted } from '../../http/formats.ts';
import { profileByCode, profileCode, shareKindByCode, shareKindCode } from '../../json/codes.ts';
import { nullable } from '../../json/values.ts';
import { cents, code, flag, id, integer, kind, list, one, text, view } from '../../json/view.ts';
import { register } from '../register.ts';
import { capacityBody, capacityIfKnown, parseCapacity } from '../wire/capacityFields.ts';
import {
  activeField,
  formatFactor,
  formatRate,
  nameText,
  optionalId,
  parseRate,
  sentId,
} from '../wire/fields.ts';

const WINDOWS_MAX = 50;

const fare = formatted('fare', 'valor em texto, como 5.00');
const rate = formatted('rate', 'valor em texto, até 4 casas decimais, como 1.875');
const factor = formatted('factor', 'fator em texto, como 1.25');
const time = formatted('hour-minute', 'HH:MM no fuso da central');

const share = Type.Object(
  {
    tipo: Type.Enum(Object.values(shareKindCode)),
    percentual: Type.Optional(
      nullable(formatted('percent', 'do preço antes do cupom, para o tipo percentual')),
    ),
    fixo: Type.Optional(nullable(fare)),
    por_km: Type.Optional(nullable(rate)),
    por_parada: Type.Optional(nullable(fare)),
  },
  {
    description: 'o que o entregador ganha; nulo: o que dizem as configurações da central',
    check: ({ tipo, percentual }: Readonly<Record<string, unknown>>) =>
      tipo === shareKindCode.percent && (percentual === undefined || percentual === null)
        ? [{ field: 'percentual', pt: 'é obrigatório para este tipo', en: 'is required for this kind' }]
        : [],
  },
);

function parseShare(given: Static<typeof share> | null | undefined): ShareRule | null {
  if (!given) return null;
  const kind = shareKindByCode[given.tipo];
  if (kind === 'none') return { kind };
  if (kind === 'percent') return { kind, percent: given.percentual! };
  return {
    kind,
    baseCents: decimalToCents(given.fixo ?? '0')!,
    perKmCents: parseRate(given.por_km ?? '0'),
    perStopCents: decimalToCents(given.por_parada ?? '0')!,
  };
}

const body = Type.Object({
  nome: nameText(),
  categoria_id: sentId(),
  area_id: optionalId,
  bandeirada: fare,
  por_km: rate,
  por_minuto: rate,
  por_parada_extra: fare,
  fator_retorno: factor,
  minimo: fare,
  repasse: Type.Optional(nullable(share)),
  janelas: Type.Optional(
    Type.Array(
      Type.Object({
        dias: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
          minItems: 1,
          maxItems: 7,
          uniqueItems: true,
          description: '1 segunda-feira a 7 domingo',
        }),
        inicio: time,
        fim: time,
        fator: factor,
      }),
      { maxItems: WINDOWS_MAX },
    ),
  ),
});

const rateShown = kind(Type.String, formatRate);
const factorShown = kind(Type.String, formatFactor);

const shareShown = view<ShareRule>()({
  tipo: code(shareKindCode)((rule) => rule.kind, 'percentual'),
  percentual: factorShown.orNull((rule) => (rule.kind === 'percent' ? rule.percent : null), '72.5'),
  fixo: cents.orNull((rule) => (rule.kind === 'table' ? rule.baseCents : null), null),
  por_km: rateShown.orNull((rule) => (rule.kind === 'table' ? rule.perKmCents : null), null),
  por_parada: cents.orNull((rule) => (rule.kind === 'table' ? rule.perStopCents : null), null),
});

const windowShown = view<PlacedTariff['windows'][number]>()({
  dias: list(
    integer((day: number) => day, 5),
    (window) => window.days,
    { example: [5, 6] },
  ),
  inicio: text((window) => window.from, '22:00'),
  fim: text((window) => window.to, '02:00'),
  fator: factorShown((window) => window.factor, '1.3'),
});

const shown = view<PlacedTariff>()({
  id: id((tariff) => tariff.id, '4'),
  nome: text((tariff) => tariff.name, 'Moto no centro'),
  categoria_id: id((tariff) => tariff.categoryId, '1'),
  area_id: id.orNull((tariff) => tariff.areaId, '2'),
  bandeirada: cents((tariff) => tariff.baseCents, '5.00'),
  por_km: rateShown((tariff) => tariff.perKmCents, '1.85'),
  por_minuto: rateShown((tariff) => tariff.perMinuteCents, '0.125'),
  por_parada_extra: cents((tariff) => tariff.perExtraStopCents, '2.50'),
  fator_retorno: factorShown((tariff) => tariff.returnFactor, '0.5'),
  minimo: cents((tariff) => tariff.minimumCents, '9.00'),
  repasse: one.orNull(shareShown, (tariff) => tariff.share),
  janelas: list(windowShown, (tariff) => tariff.windows),
});

const { id: _id, ...shownExample } = shown.example;
const bodyExample = { ...shownExample, categoria_id: 1, area_id: 2 };

export const tariffEndpoints = register({
  path: '/tarifas',
  permissions: { read: 'registers-read', write: 'tariffs' },
  audit: { subject: 'tariff', nameOf: ({ name }) => name },
  records: 'tariffs',
  tag: 'Operação: tarifas',
  nouns: { one: 'uma tarifa', all: 'as tarifas' },
  description:
    'Uma tarifa por categoria e área de atuação; sem área, vale onde a categoria não tem tarifa própria. O preço é ' +
    'bandeirada + km + minutos + paradas extras + retorno, vezes o fator do horário, com o mínimo. Das janelas ' +
    'de horário vale a primeira da lista; a que termina antes de começar passa da meia-noite. `repasse` é o que o ' +
    'entregador ganha: um percentual do preço antes do cupom, ou fixo + por km + por parada.',
  notFound: 'record-not-found',
  refusals: ['category-not-found', 'area-not-found'],
  body,
  bodyExample,
  shown,
  parse: (body): TariffValues => ({
    name: plainName(body.nome),
    categoryId: body.categoria_id,
    areaId: body.area_id ?? null,
    baseCents: decimalToCents(body.bandeirada)!,
    perKmCents: parseRate(body.por_km),
    perMinuteCents: parseRate(body.por_minuto),
    perExtraStopCents: decimalToCents(body.por_parada_extra)!,
    returnFactor: body.fator_retorno,
    minimumCents: decimalToCents(body.minimo)!,
    share: parseShare(body.repasse),
    windows: (body.janelas ?? []).map((janela) => ({
      days: janela.dias,
      from: janela.inicio,
      to: janela.fim,
      factor: janela.fator,
    })),
  }),
  uniqueFields: { area: 'categoria_id, area_id' },
  store: {
    list: listTariffs,
    find: findTariff,
    insert: insertTariff,
    update: updateTariff,
    remove: deleteTariff,
  },
});

const CAPACITY = 'o que leva um veículo da categoria, quando não se sabe o que leva o do entregador';
const category = view<Category>()({
  id: id((each) => each.id, '4'),
  nome: text((each) => each.name, 'Van'),
  descricao: text((each) => each.description, 'Entregas de van, até 800 kg'),
  perfil: code(profileCode, 'como o veículo usa as ruas')((each) => each.profile, 'carro'),
  ativa: flag((each) => each.active, true),
  capacidade: capacityIfKnown(`${CAPACITY}; ausente: não se sabe`),
});
const { id: _categoryId, capacidade: _capacity, ...categoryExample } = category.example;

export const categoryEndpoints = register({
  path: '/categorias',
  permissions: { read: 'registers-read', write: 'tariffs' },
  audit: { subject: 'category', nameOf: ({ name }) => name },
  records: 'categories',
  tag: 'Operação: categorias',
  nouns: { one: 'uma categoria', all: 'as categorias' },
  notFound: 'category-not-found',
  body: Type.Object({
    nome: nameText(100),
    descricao: Type.Optional(Type.String({ maxLength: 500 })),
    perfil: category.schema.properties.perfil,
    ativa: activeField,
    capacidade: capacityBody(`${CAPACITY}; vazio: não se sabe; ausente: fica como está`),
  }),
  bodyExample: categoryExample,
  shown: category,
  parse: (body): CategoryValues => ({
    name: plainName(body.nome),
    description: body.descricao ?? '',
    profile: profileByCode[body.perfil] as Profile,
    active: body.ativa ?? null,
    capacity: parseCapacity(body.capacidade),
  }),
  uniqueFields: { name: 'nome' },
  store: {
    list: listCategories,
    find: findCategory,
    insert: insertCategory,
    update: updateCategory,
    remove: deleteCategory,
  },
});
