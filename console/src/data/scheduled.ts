import { useQuery } from '@tanstack/react-query';
import { ask, OPERATION, read } from '../api.ts';
import type { Authored } from './author.ts';

export type Situation = 'A' | 'D' | 'C' | 'agrupado' | 'X';

export interface Place {
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  lat: number;
  lng: number;
}

export interface ScheduledStop extends Place {
  id: string;
  ordem: number;
  pedida_com: string;
  numero_pedido: string | null;
  id_externo: string | null;
  nome_cliente: string | null;
  telefone_cliente: string | null;
  observacao: string | null;
  valor_cobrar: string | null;
}

export interface Figures {
  minutos: number;
  km: number;
  valor: string;
}

export interface Scheduled extends Figures {
  id_mch_programada: string;
  situacao: Situation;
  disparo_em: string;
  pedida_em: string;
  empresa: { id: string; nome: string } | null;
  nome_cliente: string;
  categoria: { id: string; nome: string };
  tarifa: string;
  forma_pagamento: string;
  com_retorno: boolean;
  observacao: string | null;
  codigo_cupom: string | null;
  valor_original: string;
  estimativa_desatualizada: boolean;
  id_mch: string | null;
  agrupada_em: string | null;
  agrupada_automaticamente: boolean;
  agrupadas: string[];
  falha: string | null;
  coleta: Place;
  paradas: ScheduledStop[];
}

export interface StoryEvent extends Authored {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface ScheduledWithStory extends Scheduled {
  historico: StoryEvent[];
}

export interface Side extends Figures {
  viagens: number;
  paradas: number;
}

/** What a grouping would bring, whoever takes the others in. */
export interface JointTrip {
  antes: Side;
  depois: Side;
  paradas: { id: string; ordem: number; lat: number; lng: number }[];
  coleta: { lat: number; lng: number };
  com_retorno: boolean;
  trajeto: { type: 'LineString'; coordinates: [number, number][] } | null;
}

export interface GroupPreview extends JointTrip {
  id_mch_programada: string;
  disparo_em: string;
}

export interface Merge {
  id_mch_programada: string;
  empresa_id: string;
  pedidos: number;
  paradas: number;
  antes: Figures;
  depois: Figures;
  data_hora_utc: string;
}

export const SCHEDULED_LIMIT = 100;

export const useScheduledList = (situation: Situation, companyId: string | null, page: number) =>
  useQuery({
    queryKey: ['scheduled', 'list', situation, companyId, page],
    queryFn: () => {
      const query = new URLSearchParams({
        situacao: situation,
        limite: String(SCHEDULED_LIMIT),
        pagina: String(page),
        ...(companyId && { empresa_id: companyId }),
      });
      return read<Scheduled[]>(`${OPERATION}/programadas?${query}`);
    },
  });

/** The latest dispatches that failed and were not cancelled since; asked for when there are any. */
export const useFailedDispatches = (limit: number, areThere: boolean) =>
  useQuery({
    queryKey: ['scheduled', 'failed', limit],
    queryFn: () => read<Scheduled[]>(`${OPERATION}/programadas?situacao=X&limite=${limit}`),
    enabled: areThere,
  });

export const useScheduled = (id: string) =>
  useQuery({
    queryKey: ['scheduled', id],
    queryFn: () => read<ScheduledWithStory>(`${OPERATION}/programadas/${id}`),
  });

/** Whether they may be grouped changes by itself, as their dispatch comes nearer. */
const PREVIEW_AGAIN_MS = 15_000;

/** What grouping these would bring; the first keeps its id. Fails with the server's reason where they may not. */
export function useGroupPreview(chosen: readonly Scheduled[]) {
  const ids = chosen.map((one) => one.id_mch_programada);
  // Asked again when one of them changed, and not when they are gone because they were grouped.
  const state = chosen.map(({ disparo_em, valor, paradas }) => [disparo_em, valor, paradas.length]);
  return useQuery({
    queryKey: ['grouping', ids, state],
    queryFn: () =>
      ask<GroupPreview>(`${OPERATION}/programadas/${ids[0]}/simular-agrupamento`, {
        programadas_agrupadas: ids.slice(1).map(Number),
      }),
    enabled: ids.length > 1,
    refetchInterval: PREVIEW_AGAIN_MS,
  });
}

export const useMerges = (page: number, limit: number) =>
  useQuery({
    queryKey: ['scheduled', 'merges', page],
    queryFn: () => read<Merge[]>(`${OPERATION}/agrupamentos-automaticos?limite=${limit}&pagina=${page}`),
  });
