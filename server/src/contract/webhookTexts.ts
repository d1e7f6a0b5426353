import type { WebhookText } from '../http/openapiWebhooks.ts';
import { type EventTypeName, eventTypeName } from '../wire/eventBody.ts';
import { eventExamples, eventSchemas } from '../wire/eventSchemas.ts';

const summaries: Readonly<Record<EventTypeName, string>> = {
  'entrega.status': 'Uma entrega mudou de status',
  'entrega.parada_concluida': 'Uma parada foi concluída',
  'entrega.posicao': 'O condutor de uma entrega mudou de posição',
  'entrega.agrupada': 'Outras entregas foram agrupadas nesta',
  'entrega.alterada': 'Uma entrega foi editada',
  'entrega.parada_removida': 'Uma parada saiu de uma entrega',
  'programada.alterada': 'Uma entrega programada foi alterada',
  'programada.parada_removida': 'Uma parada saiu de uma entrega programada',
  'programada.disparada': 'Uma entrega programada foi disparada',
  'programada.cancelada': 'Uma entrega programada foi cancelada',
  'credito.lancado': 'Houve um lançamento na carteira de créditos',
  'webhook.teste': 'O evento de teste que foi pedido',
};

/** What each event tells, for the reference. */
export const webhookTexts: Readonly<Record<string, WebhookText>> = Object.fromEntries(
  Object.values(eventTypeName).map((name) => [
    name,
    { summary: summaries[name], data: eventSchemas[name], example: eventExamples[name] },
  ]),
);
