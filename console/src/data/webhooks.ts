import { useQuery } from '@tanstack/react-query';
import { type Body, call, type Entry, readAll } from '../api.ts';

export type Webhook = Entry<'integracao', 'GET /webhooks'>;
export type Sending = Entry<'integracao', 'GET /webhooks/{id}/envios'>;
export type EventType = Body<'integracao', 'POST /webhooks'>['tipos'][number];

export const EVENT_TYPES = [
  'entrega.status',
  'entrega.parada_chegada',
  'entrega.parada_concluida',
  'entrega.parada_nao_entregue',
  'entrega.parada_retomada',
  'entrega.comprovante',
  'entrega.posicao',
  'entrega.agrupada',
  'entrega.alterada',
  'entrega.condutor_alterado',
  'entrega.parada_removida',
  'programada.alterada',
  'programada.parada_removida',
  'programada.disparada',
  'programada.cancelada',
  'credito.lancado',
  'condutor.disponibilidade',
  'condutor.ajuda',
] as const satisfies readonly EventType[];

export const SENDINGS_LIMIT = 50;
/** No event reports webhook messages, so the log is polled while it is shown. */
const POLL_MS = 5_000;

export const useWebhooks = () =>
  useQuery({
    queryKey: ['webhooks'],
    queryFn: () => readAll((page) => call('integracao', 'GET /webhooks', page)),
    refetchInterval: POLL_MS,
  });

export const useSendings = (id: string, page: number) =>
  useQuery({
    queryKey: ['sendings', id, page],
    queryFn: () =>
      call('integracao', 'GET /webhooks/{id}/envios', {
        id,
        query: { limite: SENDINGS_LIMIT, pagina: page },
      }),
    refetchInterval: POLL_MS,
  });
