import type { NamedPlace, PlanNames } from '../../../dispatch/plans/namesStore.ts';
import {
  type LeftOut,
  type PlanFigures,
  type PlanRecord,
  type StoredPlan,
  type StoredRoute,
  type StoredStop,
  UNDO_SECONDS,
} from '../../../dispatch/plans/plan.ts';
import type { Language } from '../../http/envelope.ts';
import { code, flag, id, instant, integer, list, number, one, text, view } from '../../json/view.ts';
import { namedDriver, oneId, positionFields, shortPlaceFields } from './commonFields.ts';
import { codesOf, leftOutText, leftOutWords } from './planWords.ts';

/** What showing a plan needs besides its record. */
export interface PlanReader {
  names: PlanNames;
  language: Language;
  timeZone: string;
  /** Deliveries that the plan has given to a driver. */
  applied: ReadonlySet<number>;
}

export const planStateCode = { running: 'calculando', ready: 'pronto', failed: 'falhou' } as const;
const planPhaseCode = { reading: 'lendo', ways: 'caminhos', searching: 'procurando' } as const;

const instantOf = (seconds: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(seconds) * 1000);

const stopKindCode = { pickup: 'coleta', stop: 'parada', return: 'retorno' } as const;
const UNKNOWN: NamedPlace = { address: '', district: '', lat: 0, lng: 0 };

const placeOf = ({ kind, stopId, deliveryId }: StoredStop, { names }: PlanReader): NamedPlace =>
  (kind === 'stop' && stopId !== null ? names.stops.get(stopId) : names.pickups.get(deliveryId)) ?? UNKNOWN;

const shownPlace = {
  ...shortPlaceFields({ endereco: 'Avenida Ipiranga, 1200', bairro: 'Azenha' }),
  ...positionFields({ lat: -30.0468, lng: -51.2171 }),
};
type PlaceField = keyof typeof shownPlace;
const placeFields = Object.fromEntries(
  Object.entries(shownPlace).map(([name, field]) => [
    name,
    {
      ...field,
      show: (stop: StoredStop, reader: PlanReader) =>
        field.show(placeOf(stop, reader) as never, reader as never),
    },
  ]),
) as unknown as {
  [Name in PlaceField]: (typeof shownPlace)[Name] & { show(stop: StoredStop, reader: PlanReader): never };
};

const stopShown = view<StoredStop, PlanReader>()({
  tipo: code(stopKindCode)((stop) => stop.kind, 'parada'),
  entrega: id((stop) => stop.deliveryId, '1042'),
  parada: id.orNull((stop) => stop.stopId, '2077', 'nula na coleta e no retorno'),
  fixa: flag((stop) => stop.isFixed, false, 'o entregador já a tinha: não faz parte do que o plano muda'),
  ...placeFields,
  chega_em: instant((stop) => instantOf(stop.arriveAt), '2026-11-16T15:18:00Z'),
  comeca_em: instant((stop) => instantOf(stop.beginAt), '2026-11-16T15:18:00Z'),
  sai_em: instant((stop) => instantOf(stop.leaveAt), '2026-11-16T15:21:00Z'),
  prometida_ate: instant.orNull(
    (stop) => (stop.dueAt === null ? null : instantOf(stop.dueAt)),
    '2026-11-16T15:40:00Z',
  ),
  atraso: integer((stop) => stop.lateSeconds, 0, 'segundos'),
  a_bordo: integer((stop) => stop.aboard, 0, 'entregas que o entregador leva depois da parada'),
});

const routeShown = view<StoredRoute, PlanReader>()({
  condutor: one(namedDriver, ({ driverId }, { names }) => ({
    id: driverId,
    name: names.drivers.get(driverId) ?? '',
  })),
  sai_em: instant((route) => instantOf(route.leaveAt), '2026-11-16T15:02:00Z'),
  termina_em: instant((route) => instantOf(route.endAt), '2026-11-16T15:42:00Z'),
  segundos: integer((route) => route.travelSeconds, 1260, 'no caminho, sem o tempo nas paradas'),
  metros: integer((route) => route.metres, 8200, 'metros'),
  atraso: integer((route) => route.lateSeconds, 0, 'segundos, somados'),
  entregas: list(oneId, (route) => route.orders.map(({ deliveryId }) => deliveryId), {
    description: 'o que o plano dá a este entregador, na ordem em que leva; vazia: só o que ele já tinha',
  }),
  paradas: list(stopShown, (route) => route.stops),
  aplicada: flag(
    (route, { applied }) =>
      route.orders.length > 0 && route.orders.every(({ deliveryId }) => applied.has(deliveryId)),
    false,
  ),
});

const leftOutShown = view<LeftOut, PlanReader>()({
  entrega: id((left) => left.deliveryId, '1050'),
  motivo: code(codesOf(leftOutWords))((left) => left.reason, 'todos_ocupados'),
  texto: text(leftOutText, 'as outras paradas não deixam lugar para ela até 20:10'),
});

const figuresShown = (example: { atraso: number; segundos: number }) =>
  view<PlanFigures>()({
    atraso: integer((figures) => figures.lateSeconds, example.atraso, 'segundos, somados'),
    atrasadas: integer((figures) => figures.late, 2, 'entregas que chegariam atrasadas'),
    segundos: integer((figures) => figures.travelSeconds, example.segundos, 'dos entregadores no caminho'),
    metros: integer((figures) => figures.metres, 41_300, 'metros'),
    entregadores: integer((figures) => figures.drivers, 4, 'com ao menos uma parada'),
    fora: integer((figures) => figures.leftOut, 0, 'entregas sem lugar'),
  });

const planShown = view<StoredPlan, PlanReader>()({
  rotas: list(routeShown, (plan) => plan.routes),
  fora: list(leftOutShown, (plan) => plan.leftOut),
  antes: one(figuresShown({ atraso: 5400, segundos: 9800 }), (plan) => plan.before, {
    description:
      'as mesmas entregas uma a uma, a que espera há mais tempo primeiro, para quem chegaria antes',
  }),
  depois: one(figuresShown({ atraso: 600, segundos: 7100 }), (plan) => plan.after),
  custo: number((plan) => Math.round(plan.cost * 10) / 10, 20_110.5, 'pelos pesos, em segundos de caminho'),
  iteracoes: integer((plan) => plan.iterations, 48_211),
});

const headFields = {
  id: id((plan: PlanRecord) => plan.id, '17'),
  estado: code(planStateCode)((plan: PlanRecord) => plan.state, 'pronto'),
  fase: code(planPhaseCode).orNull((plan: PlanRecord) => plan.phase, null),
  progresso: integer((plan: PlanRecord) => plan.progress, 100, 'de 0 a 100'),
  custo_ate_agora: number.orNull((plan: PlanRecord) => plan.bestCost, 20_110.5, 'do melhor plano encontrado'),
  entregas: integer.orNull((plan: PlanRecord) => plan.given, 2, 'quantas dá a entregadores'),
  automatico: flag((plan: PlanRecord) => plan.isAutomatic, false, 'feito pelo planejamento contínuo'),
  criado_em: instant((plan: PlanRecord) => plan.createdAt, '2026-11-16T15:00:00Z'),
  pronto_em: instant.orNull((plan: PlanRecord) => plan.readyAt, '2026-11-16T15:00:04Z'),
  segundos: integer((plan: PlanRecord) => plan.wish.seconds, 3),
  semente: integer((plan: PlanRecord) => plan.wish.seed, 1),
  aplicado_em: instant.orNull((plan: PlanRecord) => plan.appliedAt, null),
  desfazer_ate: instant.orNull(
    ({ appliedAt, applied }: PlanRecord) =>
      appliedAt && applied.some(({ isUndone }) => !isUndone)
        ? appliedAt.add({ seconds: UNDO_SECONDS })
        : null,
    null,
  ),
  desfeito_em: instant.orNull((plan: PlanRecord) => plan.undoneAt, null),
};

/** A plan in the list, and in a message about its progress. */
export const planHead = view<PlanRecord>()(headFields);

export const planRead = view<PlanRecord, PlanReader>()({
  ...headFields,
  plano: one.orNull(planShown, (record: PlanRecord) => record.plan),
});
