import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, ask, INTEGRATION, OPERATION, PAGE_SIZE_MAX, read, readPages } from '../api.ts';
import type { OpenLetter, StatusLetter } from '../statuses.ts';
import type { Authored } from './author.ts';

export interface Place {
  endereco: string;
  bairro: string;
  lat: number;
  lng: number;
}

export interface OpenDelivery {
  id: string;
  status: OpenLetter;
  empresa_id: string | null;
  nome_cliente: string;
  categoria: string;
  condutor: { id: string; nome: string } | null;
  tipo_pagamento: string;
  valor_corrida: string;
  solicitada_em: string;
  previsao: string;
  atrasada: boolean;
  partida: Place;
  paradas: (Place & { id: string; concluida: boolean })[];
}

export interface Summary {
  agora: string;
  entregas: Record<OpenLetter, number>;
  atrasadas: number;
  programadas_aguardando: number;
  programadas_com_falha: number;
  webhooks_com_problema: number;
}

export interface FullPlace extends Place {
  complemento: string | null;
  referencia: string | null;
  cidade: string;
  estado: string;
}

export interface DetailStop extends FullPlace {
  id: string;
  ordem: number;
  pedida_com: string;
  numero_pedido: string | null;
  nome_cliente: string | null;
  telefone_cliente: string | null;
  observacao: string | null;
  valor_cobrar: string | null;
  concluida_em: string | null;
  codigo_bloqueado: boolean;
}

export interface DeliveryDetail {
  id: string;
  status: StatusLetter;
  atrasada: boolean;
  previsao: string | null;
  empresa_id: string | null;
  nome_cliente: string;
  telefone_cliente: string | null;
  categoria: { id: string; nome: string };
  tarifa: string;
  tipo_pagamento: string;
  com_retorno: boolean;
  observacao: string | null;
  codigo_cupom: string | null;
  desconto: string;
  valor: string;
  valor_original: string;
  taxa_cancelamento: string | null;
  km: string;
  minutos: number;
  km_percorridos: string;
  condutor: {
    id: string;
    nome: string;
    telefone: string;
    veiculo: string;
    placa: string;
    cor: string | null;
    simulado: boolean;
  } | null;
  condutor_especificado: boolean;
  id_mch_programada: string | null;
  agrupada_em: string | null;
  agrupadas: string[];
  motivo_cancelamento: { id: number; nome: string } | null;
  solicitada_em: string;
  aceita_em: string | null;
  chegou_em: string | null;
  iniciada_em: string | null;
  finalizada_em: string | null;
  partida: FullPlace;
  paradas: DetailStop[];
}

export interface PastEvent extends Authored {
  id: string;
  type: string;
  timestamp: string;
  data: {
    status?: StatusLetter;
    status_anterior?: StatusLetter | null;
    chegou_na_coleta?: boolean;
    condutor?: { id: string; nome: string } | null;
    parada?: { id: string; ordem?: number; numero_pedido: string };
    paradas_restantes?: number;
    sem_codigo_motivo?: string | null;
    agrupada_em?: string | null;
    entregas_agrupadas?: string[];
    programadas_agrupadas?: string[];
    entregas_retiradas?: string[];
    mudanca?: string;
    id?: string;
  };
}

export interface Offer {
  condutor: { id: string; nome: string };
  estado: 'aberta' | 'recusada' | 'expirada' | 'aceita' | 'retirada';
  oferecida_em: string;
  expira_em: string | null;
  encerrada_em: string | null;
}

export interface Line {
  linha: [number, number][];
  km: number;
  minutos: number;
}

export interface TrackingLink {
  parada_id: string;
  link_rastreio: string;
  codigo_confirmacao: number | null;
}

export interface Receipt {
  dados_solicitacao: {
    valor: string;
    valor_original: string;
    duracao: string;
    distancia: string;
    tarifa: string;
    desconto: number;
  };
}

/** As the query endpoint writes it, as far as lists show it. */
export interface ListedDelivery {
  id: string;
  status_solicitacao: StatusLetter;
  data_hora_solicitacao_utc: string;
  data_hora_finalizacao_utc: string | null;
  nome_cliente: string;
  empresa_id: string | null;
  valor_corrida: string;
  tipo_pagamento: string;
  categoria: string;
  condutor_id: string;
  nome_condutor: string;
  partida: { endereco: string; bairro: string };
  paradas: { id: string; endereco: string; bairro: string }[];
}

export interface DeliveryFilter {
  status_solicitacao?: string;
  tipo_pagamento?: string;
  condutor_id?: number;
  pagina: number;
  limite: number;
}

/** Read again now and then, because a delivery becomes late by itself. */
const LATENESS_MS = 30_000;

export const useSummary = () =>
  useQuery({
    queryKey: ['counts'],
    queryFn: () => read<Summary>(`${OPERATION}/resumo`),
    refetchInterval: LATENESS_MS,
  });

export const useOpenDeliveries = () =>
  useQuery({
    queryKey: ['deliveries', 'open'],
    queryFn: () => read<OpenDelivery[]>(`${OPERATION}/entregas/abertas`),
    refetchInterval: LATENESS_MS,
  });

export const useDeliveryList = (filter: DeliveryFilter) =>
  useQuery({
    queryKey: ['deliveries', 'list', filter],
    queryFn: () => ask<ListedDelivery[]>(`${INTEGRATION}/entregas/consultar`, filter),
    placeholderData: keepPreviousData,
  });

export const useDeliveryDetail = (id: string) =>
  useQuery({
    queryKey: ['delivery', id, 'sheet'],
    queryFn: () => read<DeliveryDetail>(`${OPERATION}/entregas/${id}`),
  });

interface History {
  eventos: PastEvent[];
  ofertas: Offer[];
}

export const useHistory = (id: string) =>
  useQuery({
    queryKey: ['delivery', id, 'history'],
    queryFn: async () => {
      const pages = await readPages<History>(
        (page) => read(`${OPERATION}/entregas/${id}/historico?pagina=${page}&limite=${PAGE_SIZE_MAX}`),
        ({ eventos, ofertas }) => Math.max(eventos.length, ofertas.length),
      );
      return {
        eventos: pages.flatMap(({ eventos }) => eventos),
        ofertas: pages.flatMap(({ ofertas }) => ofertas),
      };
    },
  });

export const useRoute = (id: string | null) =>
  useQuery({
    queryKey: ['delivery', id, 'route'],
    queryFn: () => read<{ rota: Line; restante: Line | null }>(`${OPERATION}/entregas/${id}/rota`),
    enabled: id !== null,
  });

export const useTrackingLinks = (id: string) =>
  useQuery({
    queryKey: ['links', id],
    queryFn: () => read<TrackingLink[]>(`${INTEGRATION}/entregas/${id}/links-rastreio`),
  });

export const useReceipt = (id: string, isFinished: boolean) =>
  useQuery({
    queryKey: ['delivery', id, 'receipt'],
    // One that was grouped has none of its own.
    queryFn: () =>
      read<Receipt>(`${INTEGRATION}/entregas/${id}/recibo`).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 406) return null;
        throw error;
      }),
    enabled: isFinished,
  });
