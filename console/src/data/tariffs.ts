import { useQuery } from '@tanstack/react-query';
import { OPERATION } from '../api.ts';
import { readAll } from './readAll.ts';

export interface TariffWindow {
  dias: number[];
  inicio: string;
  fim: string;
  fator: string;
}

export interface Tariff {
  id: number;
  nome: string;
  categoria_id: number;
  area_id: number | null;
  bandeirada: string;
  por_km: string;
  por_minuto: string;
  por_parada_extra: string;
  fator_retorno: string;
  minimo: string;
  janelas: TariffWindow[];
}

export const useTariffs = () =>
  useQuery({ queryKey: ['tariffs'], queryFn: () => readAll<Tariff>(`${OPERATION}/tarifas`) });

/** An estimate with its reasons; the lines add up to the value. */
export interface ExplainedEstimate {
  estimativa_valor: number;
  estimativa_minutos: number;
  estimativa_km: number;
  instante: string;
  area: { id: number; nome: string };
  categoria: { id: number; nome: string };
  tarifa: { id: number; nome: string };
  valor_original: string;
  linhas: { tipo: string; valor: string }[];
}
