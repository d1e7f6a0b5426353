import { useQuery } from '@tanstack/react-query';
import { INTEGRATION, read } from '../api.ts';
import { readAll } from './readAll.ts';

export interface Webhook {
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: string[];
  ativo: boolean;
  estado: 'ativo' | 'falhando' | 'pausado' | 'inativo';
  falhas: number;
  falhando_desde: string | null;
  proxima_tentativa: string | null;
  pausado_em: string | null;
  segredo_anterior_ate: string | null;
  criado_em: string;
}

export interface Sending {
  id: string;
  evento_id: string;
  tipo: string;
  entrega_id: string | null;
  programada_id: string | null;
  sequencia: number | null;
  ocorrido_em: string;
  estado: 'esperando' | 'entregue' | 'falhou' | 'descartado';
  tentativas: number;
  ultima_tentativa: string | null;
  proxima_tentativa: string | null;
  status_http: number | null;
  duracao_ms: number | null;
  resposta: string | null;
  erro: string | null;
  entregue_em: string | null;
  reenviado_em: string | null;
}

export const EVENT_TYPES = [
  'entrega.status',
  'entrega.parada_concluida',
  'entrega.posicao',
  'entrega.agrupada',
  'entrega.alterada',
  'entrega.parada_removida',
  'programada.alterada',
  'programada.parada_removida',
  'programada.disparada',
  'programada.cancelada',
  'credito.lancado',
] as const;

export const SENDINGS_LIMIT = 50;
/** No event tells of sendings, so the log is read again while it is looked at. */
const AGAIN_MS = 5_000;

export const useWebhooks = () =>
  useQuery({
    queryKey: ['webhooks'],
    queryFn: () => readAll<Webhook>(`${INTEGRATION}/webhooks`),
    refetchInterval: AGAIN_MS,
  });

export const useSendings = (id: string, page: number) =>
  useQuery({
    queryKey: ['sendings', id, page],
    queryFn: () =>
      read<Sending[]>(`${INTEGRATION}/webhooks/${id}/envios?limite=${SENDINGS_LIMIT}&pagina=${page}`),
    refetchInterval: AGAIN_MS,
  });
