import { useQuery } from '@tanstack/react-query';
import { type Body, call, type Entry, readAll } from '../api.ts';

export type Webhook = Entry<'integracao', 'GET /webhooks'>;
export type Sending = Entry<'integracao', 'GET /webhooks/{id}/envios'>;
export type EventType = Body<'integracao', 'POST /webhooks'>['tipos'][number];

/** The name of each event type, in the order of the form. */
const eventWords: Record<EventType, { pt: string; en: string }> = {
  'entrega.status': { pt: 'Mudança de status', en: 'Change of status' },
  'entrega.parada_chegada': { pt: 'Chegada a uma parada', en: 'Arrival at a stop' },
  'entrega.parada_concluida': { pt: 'Parada concluída', en: 'Stop concluded' },
  'entrega.parada_nao_entregue': { pt: 'Parada não entregue', en: 'Stop not delivered' },
  'entrega.parada_retomada': { pt: 'Parada retomada', en: 'Stop taken up again' },
  'entrega.comprovante': { pt: 'Comprovante recebido depois', en: 'Proof received later' },
  'entrega.posicao': { pt: 'Posição do entregador', en: 'Position of the driver' },
  'entrega.agrupada': { pt: 'Entregas agrupadas', en: 'Deliveries grouped' },
  'entrega.alterada': { pt: 'Entrega alterada', en: 'Delivery changed' },
  'entrega.condutor_alterado': { pt: 'Troca de entregador', en: 'Change of driver' },
  'entrega.parada_removida': { pt: 'Parada removida', en: 'Stop removed' },
  'programada.alterada': { pt: 'Programada alterada', en: 'Scheduled one changed' },
  'programada.parada_removida': {
    pt: 'Parada de programada removida',
    en: 'Stop of a scheduled one removed',
  },
  'programada.disparada': { pt: 'Saída de programada', en: 'Scheduled one dispatched' },
  'programada.cancelada': { pt: 'Programada cancelada', en: 'Scheduled one cancelled' },
  'credito.lancado': { pt: 'Lançamento de créditos', en: 'Entry of credits' },
  'condutor.disponibilidade': { pt: 'Disponibilidade do entregador', en: 'Availability of the driver' },
  'condutor.lancamento': { pt: 'Lançamento na conta do entregador', en: 'Entry in a driver’s account' },
  'condutor.ajuda': { pt: 'Pedido de ajuda do entregador', en: 'Driver’s call for help' },
};

/** The plain test event, which is sent on request and cannot be chosen for a webhook. */
export const TEST_TYPE = 'webhook.teste';
export type TestType = EventType | typeof TEST_TYPE;
const TEST_WORDS = { pt: 'Teste', en: 'Test' };

/** Covers the test event too. */
export const wordsOfEvent = (type: Sending['tipo']): { pt: string; en: string } =>
  type === TEST_TYPE ? TEST_WORDS : eventWords[type];

export const isEventType = (text: string): text is EventType => Object.hasOwn(eventWords, text);

export const EVENT_TYPES = Object.keys(eventWords) as readonly EventType[];

/** An example that was sent as a test: it is about nothing. */
export const isExample = ({ tipo, entrega_id, programada_id }: Sending): boolean =>
  /^(entrega|programada)\./.test(tipo) && entrega_id === null && programada_id === null;

export const SENDINGS_LIMIT = 25;
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
