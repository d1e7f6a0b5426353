import { useQuery } from '@tanstack/react-query';
import type { Position } from '../../../shared/map/mapPoint.ts';
import { type Answer, type Body, call, type Entry } from '../api.ts';
import { type DeliveryDetail, type OpenDelivery, useOpenDeliveries } from './deliveries.ts';

export type Scheduled = Entry<'operacao', 'GET /programadas'>;
export type Situation = Scheduled['situacao'];
export type ScheduledStop = Scheduled['paradas'][number];
export type ScheduledWithStory = Answer<'operacao', 'GET /programadas/{id}'>;
export type GroupPreview = Answer<'operacao', 'POST /programadas/{id}/simular-agrupamento'>;
export type Side = GroupPreview['antes'];
export type Merge = Entry<'operacao', 'GET /agrupamentos-automaticos'>;
export type Figures = Merge['antes'];
/** The parts that the previews of all groupings have in common. */
export type JointTrip = Pick<GroupPreview, 'antes' | 'depois' | 'coleta' | 'com_retorno' | 'trajeto'> & {
  paradas: Pick<GroupPreview['paradas'][number], 'id' | 'ordem' | 'lat' | 'lng'>[];
};
/** The route from the router, or else straight lines from stop to stop. */
export function jointLine(trip: JointTrip | undefined): [number, number][] {
  if (!trip) return [];
  if (trip.trajeto) return trip.trajeto.coordinates;
  const along = [trip.coleta, ...trip.paradas, ...(trip.com_retorno ? [trip.coleta] : [])];
  return along.map(({ lat, lng }) => [lng, lat]);
}

/** The fields of `data` depend on the type of the event. */
export type StoryEvent = Omit<ScheduledWithStory['historico'][number], 'data'> & {
  data: Record<string, unknown>;
};

export const SCHEDULED_LIMIT = 100;

/** Scheduled deliveries that await their dispatch, the next ones first. */
export const useAwaitingScheduled = (companyId: string | null, page: number) =>
  useQuery({
    queryKey: ['scheduled', 'awaiting', companyId, page],
    queryFn: () =>
      call('operacao', 'GET /programadas', {
        query: {
          situacao: 'A',
          limite: SCHEDULED_LIMIT,
          pagina: page,
          ...(companyId && { empresa_id: Number(companyId) }),
        },
      }),
  });

/** The latest scheduled deliveries whose dispatch failed. Read only if there are any. */
export const useFailedDispatches = (limit: number, areThere: boolean) =>
  useQuery({
    queryKey: ['scheduled', 'failed', limit],
    queryFn: () => call('operacao', 'GET /programadas', { query: { situacao: 'X', limite: limit } }),
    enabled: areThere,
  });

export const useScheduled = (id: string) =>
  useQuery({
    queryKey: ['scheduled', id],
    queryFn: () => call('operacao', 'GET /programadas/{id}', { id }),
  });

/** The preview is read periodically, because deliveries may not be grouped shortly before their dispatch. */
const PREVIEW_AGAIN_MS = 15_000;

/** Previews a grouping, in which the first delivery keeps its id. Fails with the server's reason if refused. */
export function useGroupPreview(chosen: readonly Scheduled[]) {
  const ids = chosen.map(({ id_mch_programada }) => id_mch_programada);
  // Read again when a chosen delivery has changed, but not when it is gone because it was grouped.
  const state = chosen.map(({ disparo_em, valor, paradas }) => [disparo_em, valor, paradas.length]);
  return useQuery({
    queryKey: ['grouping', ids, state],
    queryFn: () =>
      call('operacao', 'POST /programadas/{id}/simular-agrupamento', {
        id: ids[0]!,
        body: { programadas_agrupadas: ids.slice(1).map(Number) },
      }),
    enabled: ids.length > 1,
    refetchInterval: PREVIEW_AGAIN_MS,
  });
}

export const useMerges = (page: number, limit: number) =>
  useQuery({
    queryKey: ['scheduled', 'merges', page],
    queryFn: () =>
      call('operacao', 'GET /agrupamentos-automaticos', { query: { limite: limit, pagina: page } }),
  });

export type DeliveryGroupPreview = Answer<'operacao', 'POST /entregas/{id}/simular-agrupamento'>;

/** What is grouped into a running delivery: other running ones, and scheduled ones. */
export interface Chosen {
  deliveries: readonly string[];
  scheduled: readonly string[];
}

/** The pickup is the same after rounding to 5 decimals. */
const samePlace = (position: Position, other: Position): boolean =>
  (['lat', 'lng'] as const).every((axis) => position[axis].toFixed(5) === other[axis].toFixed(5));

/** Deliveries of the same company and pickup that may be grouped in. The server makes the decision. */
export function useGroupCandidates(delivery: DeliveryDetail) {
  const open = useOpenDeliveries();
  const awaiting = useAwaitingScheduled(delivery.empresa_id, 1);
  const isRunning = (openDelivery: OpenDelivery) =>
    openDelivery.status === 'E' &&
    openDelivery.id !== delivery.id &&
    openDelivery.empresa_id === delivery.empresa_id &&
    samePlace(openDelivery.partida, delivery.partida);
  const isWaiting = (scheduled: Scheduled) =>
    (scheduled.empresa?.id ?? null) === delivery.empresa_id && samePlace(scheduled.coleta, delivery.partida);
  return {
    error: open.error ?? awaiting.error,
    isLoading: open.isLoading || awaiting.isLoading,
    deliveries: open.data?.filter(isRunning) ?? [],
    scheduled: awaiting.data?.filter(isWaiting) ?? [],
  };
}

/** The preview is read periodically, because concluded stops and near dispatches prevent a grouping. */
const GROUP_PREVIEW_AGAIN_MS = 15_000;

/** Previews the grouping of these into the delivery. Fails with the server's reason if refused. */
export const useDeliveryGroupPreview = (id: string, chosen: Chosen) =>
  useQuery({
    queryKey: ['grouping', 'delivery', id, chosen],
    queryFn: () =>
      call('operacao', 'POST /entregas/{id}/simular-agrupamento', { id, body: groupingBody(chosen) }),
    enabled: chosen.deliveries.length + chosen.scheduled.length > 0,
    refetchInterval: GROUP_PREVIEW_AGAIN_MS,
  });

export const groupingBody = ({
  deliveries,
  scheduled,
}: Chosen): Body<'operacao', 'POST /entregas/{id}/simular-agrupamento'> => ({
  ...(scheduled.length && { programadas_agrupadas: scheduled.map(Number) }),
  ...(deliveries.length && { solicitacoes_agrupadas: deliveries.map(Number) }),
});
