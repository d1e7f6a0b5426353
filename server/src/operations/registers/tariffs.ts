import Type from 'typebox';
import {
  deleteTariff,
  findTariff,
  insertTariff,
  listTariffs,
  type PlacedTariff,
  type TariffValues,
  updateTariff,
} from '../../estimates/tariffStore.ts';
import { formatted } from '../../http/formats.ts';
import { centsToDecimal, decimalToCents } from '../../kernel/money.ts';
import { nullable } from '../../wire/answers.ts';
import { register } from '../register.ts';
import { optionalId, recordId, requiredText } from '../wire/fields.ts';
import { formatFactor, formatRate, parseRate } from '../wire/rates.ts';

const WINDOWS_MAX = 50;

const fare = formatted('fare', 'valor em texto, como 5.00');
const rate = formatted('rate', 'valor em texto, até 4 casas decimais, como 1.875');
const factor = formatted('factor', 'fator em texto, como 1.25');
const time = formatted('hour-minute', 'HH:MM no fuso da central');

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
  janelas: [{ dias: [5, 6], inicio: '22:00', fim: '02:00', fator: '1.3' }],
};

export const tariffEndpoints = register({
  path: '/tarifas',
  records: 'tariffs',
  tag: 'Operação: tarifas',
  nouns: { one: 'uma tarifa', all: 'as tarifas' },
  description:
    'Uma tarifa por categoria e área de atuação; sem área, vale onde a categoria não tem tarifa própria. O preço é ' +
    'bandeirada + km + minutos + paradas extras + retorno, vezes o fator do horário, com o mínimo. Das janelas ' +
    'de horário vale a primeira da lista; a que termina antes de começar passa da meia-noite.',
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
    windows: (body.janelas ?? []).map((one) => ({
      days: one.dias,
      from: one.inicio,
      to: one.fim,
      factor: one.fator,
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
    janelas: tariff.windows.map((one) => ({
      dias: [...one.days],
      inicio: one.from,
      fim: one.to,
      fator: formatFactor(one.factor),
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
