import Type, { type Static } from 'typebox';
import type { ShareRule } from '../../estimates/share.ts';
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
} from '../../estimates/tariffStore.ts';
import { formatted } from '../../http/formats.ts';
import { centsToDecimal, decimalToCents } from '../../kernel/money.ts';
import type { Profile } from '../../routing/router.ts';
import { profileByCode, profileCode, shareKindByCode, shareKindCode } from '../../wire/codes.ts';
import { nullable } from '../../wire/values.ts';
import { register } from '../register.ts';
import {
  activeField,
  formatFactor,
  formatRate,
  optionalId,
  parseRate,
  recordId,
  requiredText,
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

const formatShare = (rule: ShareRule | null): Static<typeof shareShown> | null =>
  rule && {
    tipo: shareKindCode[rule.kind],
    percentual: rule.kind === 'percent' ? formatFactor(rule.percent) : null,
    fixo: rule.kind === 'table' ? centsToDecimal(rule.baseCents) : null,
    por_km: rule.kind === 'table' ? formatRate(rule.perKmCents) : null,
    por_parada: rule.kind === 'table' ? centsToDecimal(rule.perStopCents) : null,
  };

const body = Type.Object({
  nome: requiredText(),
  categoria_id: recordId,
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

const text = Type.String();
const textOrNull = nullable(text);
const shareShown = Type.Object({
  tipo: Type.Enum(Object.values(shareKindCode)),
  percentual: textOrNull,
  fixo: textOrNull,
  por_km: textOrNull,
  por_parada: textOrNull,
});
const shown = Type.Object({
  id: recordId,
  nome: text,
  categoria_id: recordId,
  area_id: nullable(recordId),
  bandeirada: text,
  por_km: text,
  por_minuto: text,
  por_parada_extra: text,
  fator_retorno: text,
  minimo: text,
  repasse: nullable(shareShown),
  janelas: Type.Array(
    Type.Object({ dias: Type.Array(Type.Integer()), inicio: text, fim: text, fator: text }),
  ),
});

const example = {
  nome: 'Moto no centro',
  categoria_id: 1,
  area_id: 2,
  bandeirada: '5.00',
  por_km: '1.85',
  por_minuto: '0.125',
  por_parada_extra: '2.50',
  fator_retorno: '0.5',
  minimo: '9.00',
  repasse: { tipo: shareKindCode.percent, percentual: '72.5', fixo: null, por_km: null, por_parada: null },
  janelas: [{ dias: [5, 6], inicio: '22:00', fim: '02:00', fator: '1.3' }],
};

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
  bodyExample: example,
  shown,
  shownExample: { id: 4, ...example },
  parse: (body): TariffValues => ({
    name: body.nome,
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
  format: (tariff: PlacedTariff) => ({
    id: tariff.id,
    nome: tariff.name,
    categoria_id: tariff.categoryId,
    area_id: tariff.areaId,
    bandeirada: centsToDecimal(tariff.baseCents),
    por_km: formatRate(tariff.perKmCents),
    por_minuto: formatRate(tariff.perMinuteCents),
    por_parada_extra: centsToDecimal(tariff.perExtraStopCents),
    fator_retorno: formatFactor(tariff.returnFactor),
    minimo: centsToDecimal(tariff.minimumCents),
    repasse: formatShare(tariff.share),
    janelas: tariff.windows.map((window) => ({
      dias: [...window.days],
      inicio: window.from,
      fim: window.to,
      fator: formatFactor(window.factor),
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

const profile = Type.Enum(Object.values(profileCode), { description: 'como o veículo usa as ruas' });

const categoryExample = {
  nome: 'Van',
  descricao: 'Entregas de van, até 800 kg',
  perfil: profileCode.car,
  ativa: true,
};

export const categoryEndpoints = register({
  path: '/categorias',
  permissions: { read: 'registers-read', write: 'tariffs' },
  audit: { subject: 'category', nameOf: ({ name }) => name },
  records: 'categories',
  tag: 'Operação: categorias',
  nouns: { one: 'uma categoria', all: 'as categorias' },
  notFound: 'category-not-found',
  body: Type.Object({
    nome: requiredText(100),
    descricao: Type.Optional(Type.String({ maxLength: 500 })),
    perfil: profile,
    ativa: activeField,
  }),
  bodyExample: categoryExample,
  shown: Type.Object({
    id: recordId,
    nome: Type.String(),
    descricao: Type.String(),
    perfil: profile,
    ativa: Type.Boolean(),
  }),
  shownExample: { id: 4, ...categoryExample },
  parse: (body): CategoryValues => ({
    name: body.nome.trim(),
    description: body.descricao ?? '',
    profile: profileByCode[body.perfil] as Profile,
    active: body.ativa ?? null,
  }),
  format: (category: Category) => ({
    id: category.id,
    nome: category.name,
    descricao: category.description,
    perfil: profileCode[category.profile],
    ativa: category.active,
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
