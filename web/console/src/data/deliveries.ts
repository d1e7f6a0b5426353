import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { OpenLetter, StatusLetter } from '../../../shared/statuses.ts';
import { type Answer, call, type Entry, isRefusal, readPages } from '../api.ts';
import { useRefresh } from '../form.ts';

export type Summary = Answer<'operacao', 'GET /resumo'>;
/** A delivery whose status is an open one. */
export type OpenDelivery = Entry<'operacao', 'GET /entregas/abertas'> & { status: OpenLetter };
export type DeliveryDetail = Answer<'operacao', 'GET /entregas/{id}'>;
export type DetailStop = DeliveryDetail['paradas'][number];
type Attempt = DetailStop['tentativas'][number];
export type FailureReason = Attempt['motivo'];
export type FailureDecision = Attempt['decisao'];
export type FullPlace = DeliveryDetail['partida'];

type History = Answer<'operacao', 'GET /entregas/{id}/historico'>;
export type Offer = History['ofertas'][number];
/** The author of an event: null is the service itself; without it the author is not known. */
export type Authored = Pick<History['eventos'][number], 'autor'>;
/** The fields of `data` depend on the type of the event. These are the ones that the timeline shows. */
export type PastEvent = Omit<History['eventos'][number], 'data'> & {
  data: {
    status?: StatusLetter;
    status_anterior?: StatusLetter | null;
    chegou_na_coleta?: boolean;
    condutor?: { id: string; nome: string } | null;
    parada?: { id: string; ordem?: number; numero_pedido: string };
    paradas_restantes?: number;
    sem_codigo_motivo?: string | null;
    valor_recebido_motivo?: string | null;
    motivo?: FailureReason;
    decisao?: FailureDecision;
    tentativa?: number;
    agrupada_em?: string | null;
    entregas_agrupadas?: string[];
    programadas_agrupadas?: string[];
    entregas_retiradas?: string[];
    mudanca?: string;
    id?: string;
  };
};

/** Polled, because a delivery becomes late without an event. */
const LATENESS_MS = 30_000;

export const useSummary = () =>
  useQuery({
    queryKey: ['counts'],
    queryFn: () => call('operacao', 'GET /resumo'),
    refetchInterval: LATENESS_MS,
  });

export const useOpenDeliveries = () =>
  useQuery({
    queryKey: ['deliveries', 'open'],
    queryFn: async () => (await call('operacao', 'GET /entregas/abertas')) as OpenDelivery[],
    refetchInterval: LATENESS_MS,
  });

/** Stops that were not delivered and are not resolved. */
export const useFailures = (enabled: boolean) =>
  useQuery({
    queryKey: ['counts', 'failures'],
    queryFn: () => call('operacao', 'GET /falhas'),
    enabled,
    refetchInterval: LATENESS_MS,
  });

export const useDeliveryDetail = (id: string) =>
  useQuery({
    queryKey: ['delivery', id, 'detail'],
    queryFn: () => call('operacao', 'GET /entregas/{id}', { id }),
  });

export const useHistory = (id: string) =>
  useQuery({
    queryKey: ['delivery', id, 'history'],
    queryFn: async () => {
      const pages = await readPages(
        (query) => call('operacao', 'GET /entregas/{id}/historico', { id, query }),
        ({ eventos, ofertas }) => Math.max(eventos.length, ofertas.length),
      );
      return {
        eventos: pages.flatMap(({ eventos }) => eventos as PastEvent[]),
        ofertas: pages.flatMap(({ ofertas }) => ofertas),
      };
    },
  });

export const useRoute = (id: string | null) =>
  useQuery({
    queryKey: ['delivery', id, 'route'],
    queryFn: () => call('operacao', 'GET /entregas/{id}/rota', { id: id! }),
    enabled: id !== null,
  });

export const useTrackingLinks = (id: string) =>
  useQuery({
    queryKey: ['links', id],
    queryFn: () => call('integracao', 'GET /entregas/{id}/links-rastreio', { id }),
  });

export const useReceipt = (id: string, isFinished: boolean) =>
  useQuery({
    queryKey: ['delivery', id, 'receipt'],
    // A delivery that was grouped into another has no receipt of its own.
    queryFn: () =>
      call('integracao', 'GET /entregas/{id}/recibo', { id }).catch((error: unknown) => {
        if (isRefusal(error, 'receipt-of-grouper', 'not-finished')) return null;
        throw error;
      }),
    enabled: isFinished,
  });

/** A driver at work: available, carrying something, or seen not long ago. */
export type DriverAtWork = Entry<'operacao', 'GET /condutores/posicoes'>;

/** A position as the live stream sends it. */
export interface LivePosition {
  condutor_id: string;
  lat: number;
  lng: number;
  em: string;
}

const KEY = ['positions'];

/** Polled, because the time at which a driver becomes free changes without an event. */
const FREE_MS = 60_000;

export const usePositions = () =>
  useQuery({
    queryKey: KEY,
    queryFn: () => call('operacao', 'GET /condutores/posicoes'),
    refetchInterval: FREE_MS,
  });

/** Moves a driver on the map. Returns false if the driver is not known yet and has to be read first. */
export function movePosition(queries: QueryClient, { condutor_id, lat, lng, em }: LivePosition): boolean {
  const known = queries.getQueryData<DriverAtWork[]>(KEY);
  // No positions are shown at the moment.
  if (!known) return true;
  if (!known.some((driver) => driver.condutor_id === condutor_id)) return false;
  queries.setQueryData<DriverAtWork[]>(
    KEY,
    known.map((driver) =>
      driver.condutor_id === condutor_id ? { ...driver, posicao: { lat, lng, em } } : driver,
    ),
  );
  return true;
}

/** The first parts of the keys of all queries that show deliveries. */
export const SHOWING_DELIVERIES = ['delivery', 'deliveries', 'counts', 'positions'];

/** Reads everything that shows deliveries again, and then says what was done. */
export const useRefreshDelivery = (): ((done: string) => Promise<void>) => useRefresh(...SHOWING_DELIVERIES);
