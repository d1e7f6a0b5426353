import { useQuery } from '@tanstack/react-query';
import { call, request } from '../api.ts';

export type SettingValue = string | number | boolean;
/** Forms go through all settings alike. */
export type Settings = Record<string, SettingValue>;

/** The JSON Schema of a setting: its type, its limits, its default. */
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
