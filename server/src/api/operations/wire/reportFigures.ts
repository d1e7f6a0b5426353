import Type, { type Static } from 'typebox';
import { percentile } from '../../../insight/reports/spread.ts';
import type { Measure, Tally } from '../../../insight/reports/tally.ts';
import { integer, kind, one, view } from '../../json/view.ts';

export const count = kind(
  (options) => Type.Integer({ minimum: 0, ...options }),
  (value: number) => value,
);

const MEDIAN = 0.5;
const NINE_OF_TEN = 0.9;

const time = view<Tally['times'][Measure]>()({
  media: count.orNull(({ count, seconds }) => (count === 0 ? null : Math.round(seconds / count)), null),
  mediana: count.orNull(({ spread }) => percentile(spread, MEDIAN), null),
  p90: count.orNull(({ spread }) => percentile(spread, NINE_OF_TEN), null),
});
const described = one(time, (times: Tally['times'][Measure]) => times, {
  description: 'segundos; nulo onde não há entregas, ou onde só há a média',
});
const timeOf = (measure: Measure, example: typeof time.example) =>
  one(described, (tally: Tally) => tally.times[measure], { example });

const times = view<Tally>()({
  aceite: timeOf('accept', { media: 74, mediana: 62, p90: 140 }),
  coleta: timeOf('pickup', { media: 655, mediana: 610, p90: 1_080 }),
  entrega: timeOf('deliver', { media: 1_190, mediana: 1_105, p90: 1_960 }),
  total: timeOf('total', { media: 1_925, mediana: 1_840, p90: 2_760 }),
});

interface Tallied {
  tally: Tally;
}

/** The figures of the deliveries of a period, a day, a company … */
export const figureFields = {
  encerradas: count(
    ({ tally }: Tallied) => tally.finished + tally.cancelled + tally.notAttended,
    214,
    'finalizadas, canceladas e não atendidas',
  ),
  finalizadas: count(({ tally }: Tallied) => tally.finished, 201, 'finalizadas'),
  com_prazo: count(
    ({ tally }: Tallied) => tally.promised,
    200,
    'finalizadas com ao menos uma parada entregue',
  ),
  no_prazo: count(
    ({ tally }: Tallied) => tally.onTime,
    182,
    'destas, as entregues até o prazo prometido ao abrir',
  ),
  canceladas: count(({ tally }: Tallied) => tally.cancelled, 9, 'canceladas'),
  nao_atendidas: count(({ tally }: Tallied) => tally.notAttended, 4, 'para as quais não se achou entregador'),
  paradas_entregues: count(({ tally }: Tallied) => tally.stopsDelivered, 268, 'paradas entregues'),
  paradas_nao_entregues: count(
    ({ tally }: Tallied) => tally.stopsFailed,
    3,
    'paradas encerradas sem entrega',
  ),
  agrupamentos: count(({ tally }: Tallied) => tally.grouped, 12, 'finalizadas que levaram outras consigo'),
  metros_economizados: integer(
    ({ tally }: Tallied) => tally.savedMetres,
    48_200,
    'rotas separadas menos a rota conjunta dos agrupamentos finalizados',
  ),
  tempos: one(times, ({ tally }: Tallied) => tally),
};

/** Hours have no figures of stops and groupings. */
interface PointTally extends Tallied {
  isHour: boolean;
}

const unlessByHour = (
  figure: keyof Tally & ('stopsDelivered' | 'stopsFailed' | 'grouped' | 'savedMetres'),
  example: number,
  description: string,
) =>
  integer.orNull(
    ({ tally, isHour }: PointTally) => (isHour ? null : tally[figure]),
    example,
    `${description}; nulo por hora`,
  );

/** The figures of a day, a weekday or an hour. */
export const pointFields = {
  ...figureFields,
  paradas_entregues: unlessByHour('stopsDelivered', 268, 'paradas entregues'),
  paradas_nao_entregues: unlessByHour('stopsFailed', 3, 'paradas encerradas sem entrega'),
  agrupamentos: unlessByHour('grouped', 12, 'finalizadas que levaram outras consigo'),
  metros_economizados: unlessByHour(
    'savedMetres',
    48_200,
    'rotas separadas menos a rota conjunta dos agrupamentos finalizados',
  ),
};

export const pointFigures = view<PointTally>()(pointFields);
export type PointFigures = Static<typeof pointFigures.schema>;
