import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useToday } from '../../../shared/clock.ts';
import type { AreaShape, MapArea } from '../../../shared/map/MapView.tsx';
import { useLanguage } from '../../../shared/words.ts';
import { type Answer, call, type Entry, isRefusal, readAll, request } from '../api.ts';
import { useMay, useSession } from '../session.tsx';

export type User = Entry<'operacao', 'GET /usuarios'>;
export type Role = User['perfil'];
export type ApiKey = Entry<'operacao', 'GET /chaves'>;
export type Program = Entry<'operacao', 'GET /programas'>;
export type Driver = Entry<'operacao', 'GET /condutores'>;
export type Company = Entry<'operacao', 'GET /empresas'>;
export type Category = Entry<'operacao', 'GET /categorias'>;
export type Tariff = Entry<'operacao', 'GET /tarifas'>;
export type TariffWindow = Tariff['janelas'][number];
export type Reason = Entry<'operacao', 'GET /motivos-cancelamento'>;
export type Coupon = Entry<'operacao', 'GET /cupons'>;
export type Options = Answer<'operacao', 'GET /opcoes'>;
/** The server sends only polygons and multipolygons. */
export type Area = Omit<Entry<'operacao', 'GET /areas-atuacao'>, 'geometria'> & { geometria: AreaShape };

export const useUsers = () =>
  useQuery({
    queryKey: ['users'],
    queryFn: () => readAll((page) => call('operacao', 'GET /usuarios', page)),
  });

export const useApiKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: () => readAll((page) => call('operacao', 'GET /chaves', page)) });

/** Of the real side or of the test environment. */
export const usePrograms = (ambiente: 'real' | 'teste') =>
  useQuery({
    queryKey: ['programs', ambiente],
    queryFn: () =>
      readAll(({ query }) => call('operacao', 'GET /programas', { query: { ...query, ambiente } })),
  });

export const useDrivers = (isWanted = true) =>
  useQuery({
    queryKey: ['drivers'],
    queryFn: () => readAll((page) => call('operacao', 'GET /condutores', page)),
    enabled: useMay('registers-read') && isWanted,
  });

export const useCompanies = () =>
  useQuery({
    queryKey: ['companies'],
    queryFn: () => readAll((page) => call('operacao', 'GET /empresas', page)),
    enabled: useMay('registers-read'),
  });

/** Null: there is no such company. */
export const useCompany = (id: string) =>
  useQuery({
    queryKey: ['companies', id],
    queryFn: () =>
      call('operacao', 'GET /empresas/{id}', { id }).catch((error: unknown) => {
        if (isRefusal(error, 'company-not-found', 'invalid-input')) return null;
        throw error;
      }),
    enabled: useMay('registers-read'),
  });

export const useCategories = () =>
  useQuery({
    queryKey: ['categories'],
    queryFn: () => readAll((page) => call('operacao', 'GET /categorias', page)),
    enabled: useMay('registers-read'),
  });

export const useTariffs = () =>
  useQuery({
    queryKey: ['tariffs'],
    queryFn: () => readAll((page) => call('operacao', 'GET /tarifas', page)),
  });

export const useReasons = () =>
  useQuery({
    queryKey: ['reasons'],
    queryFn: () => readAll((page) => call('operacao', 'GET /motivos-cancelamento', page)),
  });

export const useCoupons = () =>
  useQuery({
    queryKey: ['coupons'],
    queryFn: () => readAll((page) => call('operacao', 'GET /cupons', page)),
  });

export const useAreas = () =>
  useQuery({
    queryKey: ['areas'],
    queryFn: async () => (await readAll((page) => call('operacao', 'GET /areas-atuacao', page))) as Area[],
    enabled: useMay('registers-read'),
  });

/** The list of drivers, filtered by name so that this driver is found in a long list, and selected. */
export const pathToDriver = (id: string, name: string): string =>
  `/condutores?${new URLSearchParams({ texto: name, sel: id })}`;

const NO_AREAS: readonly MapArea[] = [];

/** The areas for a map, for users who may read them. */
export function useMapAreas(): readonly MapArea[] {
  const { data } = useAreas();
  return useMemo(
    () => data?.map(({ id, nome, geometria }) => ({ id, name: nome, shape: geometria })) ?? NO_AREAS,
    [data],
  );
}

/** The choices of the forms; they change rarely. */
export const useOptions = () => {
  const language = useLanguage();
  return useQuery({
    queryKey: ['options', language],
    queryFn: () => call('operacao', 'GET /opcoes'),
    staleTime: 60_000,
  });
};

/** The corners of the area where the central works, for a map that has nothing else to show. */
export function cornersOf(limits: Options['limites'] | undefined): { lat: number; lng: number }[] {
  const [west, south, east, north] = limits ?? [];
  return west === undefined || south === undefined || east === undefined || north === undefined
    ? []
    : [
        { lng: west, lat: south },
        { lng: east, lat: north },
      ];
}

export type Statement = Answer<'operacao', 'GET /empresas/{id}/extrato'>;

/** The company and its balance. The entries are read separately, as a list. */
export const useStatement = (id: string) =>
  useQuery({
    queryKey: ['wallet', id],
    queryFn: () => call('operacao', 'GET /empresas/{id}/extrato', { id, query: { limite: 1 } }),
  });

/** The amounts due to a driver, with today's figures. */
export function useDriverEarnings(id: string) {
  const today = useToday(useSession().central.fuso_horario);
  return useQuery({
    queryKey: ['driver-account', id, today],
    queryFn: () => call('operacao', 'GET /condutores/{id}/ganhos', { id }),
  });
}

export type SettingValue = string | number | boolean | readonly string[];
/** By name, because the forms treat all settings alike. */
export type Settings = Record<string, SettingValue>;

/** The JSON Schema of a setting: its type, its limits, its default. */
export interface SettingSchema {
  type?: 'string' | 'integer' | 'boolean' | 'array';
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
  useQuery({
    queryKey: ['settings'],
    queryFn: async (): Promise<Settings> => call('operacao', 'GET /configuracoes'),
  });

/** From the OpenAPI document that integrators read, so that each limit is written once. */
export const useSettingSchemas = () =>
  useQuery({
    queryKey: ['setting-schemas'],
    queryFn: async () => {
      const { paths } = (await request('GET', '/openapi.json')) as OpenApi;
      const body = paths['/api/v2/operacao/configuracoes']?.put.requestBody.content['application/json'];
      return body?.schema.properties ?? {};
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
