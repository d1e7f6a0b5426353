import { useQuery } from '@tanstack/react-query';
import { call, OPERATION, read } from '../api.ts';
import { readAll } from './readAll.ts';

export type SettingValue = string | number | boolean;
export type Settings = Record<string, SettingValue>;

/** What the server's own description says of a setting: its kind, its limits, its default. */
export interface SettingSchema {
  type?: 'string' | 'integer' | 'boolean';
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: SettingValue;
  description?: string;
}

interface OpenApi {
  paths: Record<
    string,
    {
      put: {
        requestBody: { content: Record<string, { schema: { properties: Record<string, SettingSchema> } }> };
      };
    }
  >;
}

export const useSettings = () =>
  useQuery({ queryKey: ['settings'], queryFn: () => read<Settings>(`${OPERATION}/configuracoes`) });

/** From the same document that integrators read, so that a limit is told in one place. */
export const useSettingSchemas = () =>
  useQuery({
    queryKey: ['setting-schemas'],
    queryFn: async () => {
      const { paths } = await call<OpenApi>('GET', '/openapi.json');
      const body = paths[`${OPERATION}/configuracoes`]?.put.requestBody.content['application/json'];
      return body?.schema.properties ?? {};
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface Reason {
  id: number;
  nome: string;
  nome_en: string;
  ativo: boolean;
}

export const useReasons = () =>
  useQuery({
    queryKey: ['reasons'],
    queryFn: () => readAll<Reason>(`${OPERATION}/motivos-cancelamento`),
  });

export interface Coupon {
  id: number;
  codigo: string;
  percentual: string;
  gerador_cupom_id: string;
  valido_ate: string | null;
  limite_usos: number | null;
  limite_usos_por_empresa: number | null;
  /** Empty stands for all. */
  empresas: number[];
  usos: number;
  ativo: boolean;
}

export const useCoupons = () =>
  useQuery({ queryKey: ['coupons'], queryFn: () => readAll<Coupon>(`${OPERATION}/cupons`) });
