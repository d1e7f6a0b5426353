import { useQuery } from '@tanstack/react-query';
import { type Answer, type Body, call } from '../api.ts';
import type { Position } from '../ui/map/mapPoint.ts';
import { type DeliveryDetail, type OpenDelivery, useOpenDeliveries } from './deliveries.ts';
import { type Scheduled, useScheduledList } from './scheduled.ts';

export type DeliveryGroupPreview = Answer<'operacao', 'POST /entregas/{id}/simular-agrupamento'>;

/** What is taken into a delivery on its way: others on their way, and scheduled ones. */
export interface Chosen {
  deliveries: readonly string[];
  scheduled: readonly string[];
}

/** The pickup is the same after rounding to 5 decimals. */
const samePlace = (one: Position, other: Position): boolean =>
  (['lat', 'lng'] as const).every((axis) => one[axis].toFixed(5) === other[axis].toFixed(5));

/** Those of the same company and pickup that could be taken in; the server has the last word. */
export function useGroupCandidates(delivery: DeliveryDetail) {
  const open = useOpenDeliveries();
  const awaiting = useScheduledList('A', delivery.empresa_id, 1);
  const isRunning = (one: OpenDelivery) =>
    one.status === 'E' &&
    one.id !== delivery.id &&
    one.empresa_id === delivery.empresa_id &&
    samePlace(one.partida, delivery.partida);
  const isWaiting = (one: Scheduled) =>
    (one.empresa?.id ?? null) === delivery.empresa_id && samePlace(one.coleta, delivery.partida);
  return {
    error: open.error ?? awaiting.error,
    isLoading: open.isLoading || awaiting.isLoading,
    deliveries: open.data?.filter(isRunning) ?? [],
    scheduled: awaiting.data?.filter(isWaiting) ?? [],
  };
}

/** Whether they may be grouped changes by itself, as stops are concluded and dispatches come nearer. */
const PREVIEW_AGAIN_MS = 15_000;

/** What taking these in would bring. Fails with the server's reason where it may not be. */
export const useDeliveryGroupPreview = (id: string, chosen: Chosen) =>
  useQuery({
    queryKey: ['grouping', 'delivery', id, chosen],
    queryFn: () =>
      call('operacao', 'POST /entregas/{id}/simular-agrupamento', { id, body: groupingBody(chosen) }),
    enabled: chosen.deliveries.length + chosen.scheduled.length > 0,
    refetchInterval: PREVIEW_AGAIN_MS,
  });

export const groupingBody = ({
  deliveries,
  scheduled,
}: Chosen): Body<'operacao', 'POST /entregas/{id}/simular-agrupamento'> => ({
  ...(scheduled.length && { programadas_agrupadas: scheduled.map(Number) }),
  ...(deliveries.length && { solicitacoes_agrupadas: deliveries.map(Number) }),
});
