import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask, INTEGRATION, OPERATION } from '../../api.ts';
import type { Line } from '../../data/deliveries.ts';
import { useSession } from '../../session.tsx';
import { type OrderDraft, positionOf, toEstimate } from './order.ts';

export interface EstimateAnswer {
  estimativa_valor: number;
  estimativa_minutos: number;
  estimativa_km: number;
  categoria_nome: string;
  tarifa_nome: string;
  /** Told to who runs the central. */
  valor_original?: string;
  area?: { id: number; nome: string };
  linhas?: { tipo: string; valor: string }[];
}

const PAUSE_MS = 400;

/** The value once it has stayed the same for a moment. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as Value;
}

/** What it would cost, as one types: with its reasons for who runs the central, as integrators see it otherwise. */
export function useEstimate(draft: OrderDraft) {
  const { perfil, empresa_id, central } = useSession();
  const companyId =
    perfil === 'gerente' ? empresa_id : draft.quem === 'empresa' ? Number(draft.empresa_id) || null : null;
  const isOperator = perfil === 'operador';
  const wanted = useSettled({
    body: toEstimate(draft, central.fuso_horario),
    companyId,
    coupon: draft.codigo_cupom.trim() || null,
  });
  return useQuery({
    queryKey: ['estimate', wanted],
    queryFn: () => {
      const { instante, ...body } = wanted.body!;
      return isOperator
        ? ask<EstimateAnswer>(`${OPERATION}/estimativas`, {
            ...body,
            empresa_id: wanted.companyId,
            codigo_cupom: wanted.coupon,
            ...(instante && { instante }),
          })
        : ask<EstimateAnswer>(`${INTEGRATION}/entregas/empresas/${wanted.companyId}/estimativas`, body);
    },
    enabled: wanted.body !== null && (isOperator || wanted.companyId !== null),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The way through the places typed so far. */
export function useDraftRoute({ partida, paradas, com_retorno, categoria_id }: OrderDraft) {
  const pickup = positionOf(partida);
  const stops = paradas.map(positionOf).filter((one) => one !== null);
  const points = pickup ? [pickup, ...stops, ...(com_retorno && stops.length ? [pickup] : [])] : [];
  const wanted = useSettled({ pontos: points, categoria_id: Number(categoria_id) || null });
  return useQuery({
    queryKey: ['draft-route', wanted],
    queryFn: () => ask<Line>(`${OPERATION}/rotas`, wanted),
    enabled: wanted.pontos.length > 1,
    placeholderData: keepPreviousData,
    retry: false,
  });
}
