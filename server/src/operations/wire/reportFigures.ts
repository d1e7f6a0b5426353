import Type, { type Static } from 'typebox';
import { percentile } from '../../reports/spread.ts';
import type { Measure, Tally } from '../../reports/tally.ts';
import { nullable } from '../../wire/values.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const seconds = nullable(Type.Integer({ minimum: 0 }));

const TimeSchema = Type.Object(
  { media: seconds, mediana: seconds, p90: seconds },
  { description: 'segundos; nulo onde não há entregas, ou onde só há a média' },
);

/** The figures of the deliveries of a period, a day, a company … */
export const FiguresSchema = Type.Object({
  encerradas: count('finalizadas, canceladas e não atendidas'),
  finalizadas: count('finalizadas'),
  com_prazo: count('finalizadas com ao menos uma parada entregue'),
  no_prazo: count('destas, as entregues até o prazo prometido ao abrir'),
  canceladas: count('canceladas'),
  nao_atendidas: count('para as quais não se achou entregador'),
  paradas_entregues: count('paradas entregues'),
  paradas_nao_entregues: count('paradas encerradas sem entrega'),
  agrupamentos: count('finalizadas que levaram outras consigo'),
  metros_economizados: Type.Integer({
    description: 'rotas separadas menos a rota conjunta dos agrupamentos finalizados',
  }),
  tempos: Type.Object({
    aceite: TimeSchema,
    coleta: TimeSchema,
    entrega: TimeSchema,
    total: TimeSchema,
  }),
});

export type Figures = Static<typeof FiguresSchema>;

const unlessByHour = (description: string) =>
  nullable(Type.Integer({ description: `${description}; nulo por hora` }));

/** The figures of a day, a weekday or an hour. Hours have no figures of stops and groupings. */
export const PointFiguresSchema = Type.Object({
  ...FiguresSchema.properties,
  paradas_entregues: unlessByHour('paradas entregues'),
  paradas_nao_entregues: unlessByHour('paradas encerradas sem entrega'),
  agrupamentos: unlessByHour('finalizadas que levaram outras consigo'),
  metros_economizados: unlessByHour('rotas separadas menos a rota conjunta dos agrupamentos finalizados'),
});

export type PointFigures = Static<typeof PointFiguresSchema>;

const MEDIAN = 0.5;
const NINE_OF_TEN = 0.9;

export function formatFigures(tally: Tally): Figures {
  const timeOf = (measure: Measure) => {
    const { count: times, seconds: sum, spread } = tally.times[measure];
    return {
      media: times === 0 ? null : Math.round(sum / times),
      mediana: percentile(spread, MEDIAN),
      p90: percentile(spread, NINE_OF_TEN),
    };
  };
  return {
    encerradas: tally.finished + tally.cancelled + tally.notAttended,
    finalizadas: tally.finished,
    com_prazo: tally.promised,
    no_prazo: tally.onTime,
    canceladas: tally.cancelled,
    nao_atendidas: tally.notAttended,
    paradas_entregues: tally.stopsDelivered,
    paradas_nao_entregues: tally.stopsFailed,
    agrupamentos: tally.grouped,
    metros_economizados: tally.savedMetres,
    tempos: {
      aceite: timeOf('accept'),
      coleta: timeOf('pickup'),
      entrega: timeOf('deliver'),
      total: timeOf('total'),
    },
  };
}

export const formatHourFigures = (tally: Tally): PointFigures => ({
  ...formatFigures(tally),
  paradas_entregues: null,
  paradas_nao_entregues: null,
  agrupamentos: null,
  metros_economizados: null,
});

export const figuresExample: Figures = {
  encerradas: 214,
  finalizadas: 201,
  com_prazo: 200,
  no_prazo: 182,
  canceladas: 9,
  nao_atendidas: 4,
  paradas_entregues: 268,
  paradas_nao_entregues: 3,
  agrupamentos: 12,
  metros_economizados: 48_200,
  tempos: {
    aceite: { media: 74, mediana: 62, p90: 140 },
    coleta: { media: 655, mediana: 610, p90: 1_080 },
    entrega: { media: 1_190, mediana: 1_105, p90: 1_960 },
    total: { media: 1_925, mediana: 1_840, p90: 2_760 },
  },
};
