import type { WantedTypeName } from './wire/eventTypes.ts';

/** What each event tells, for the reference. */
export const webhookSummaries: Readonly<Record<WantedTypeName, string>> = {
  'entrega.status': 'Uma entrega mudou de status',
  'entrega.parada_concluida': 'Uma parada foi concluída',
  'entrega.posicao': 'O condutor de uma entrega mudou de posição',
  'entrega.agrupada': 'Outras entregas foram agrupadas nesta',
  'programada.alterada': 'Uma entrega programada foi alterada',
  'programada.parada_removida': 'Uma parada saiu de uma entrega programada',
  'programada.disparada': 'Uma entrega programada foi disparada',
  'programada.cancelada': 'Uma entrega programada foi cancelada',
  'credito.lancado': 'Houve um lançamento na carteira de créditos',
};
