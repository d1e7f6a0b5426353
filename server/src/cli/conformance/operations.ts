import type { Request } from './http.ts';
import type { World } from './world.ts';

/** An operation of the contract with a request that its schema accepts. */
interface Operation {
  section: string;
  method: string;
  /** `{id}` is the record, `{parada_id}` a stop of it. */
  path: string;
  /** A valid body. */
  body?(world: World): unknown;
  query?(world: World): string;
}

/** No record has this id. */
export const UNKNOWN_ID = 999_999_999_999;

/** Contract 4, in its order. */
export const operations: readonly Operation[] = [
  {
    section: '4.1',
    method: 'POST',
    path: '/entregas/empresas/{id}/estimativas',
    body: (world) => world.estimateBody(),
  },
  {
    section: '4.2',
    method: 'POST',
    path: '/entregas/programadas/{id}/agrupar',
    body: () => ({ programadas_agrupadas: [UNKNOWN_ID - 1] }),
  },
  {
    section: '4.3',
    method: 'PUT',
    path: '/entregas/programadas/{id}',
    body: (world) => world.editBody(),
  },
  { section: '4.4', method: 'POST', path: '/entregas/consultar', body: () => ({}) },
  {
    section: '4.5',
    method: 'POST',
    path: '/entregas/empresas/creditos/recargas',
    body: () => ({ valor: 1, empresa: { tipo_identificacao: 'I', identificacao: 'conformance-unknown' } }),
  },
  {
    section: '4.6',
    method: 'POST',
    path: '/entregas/{id}/agrupar/programadas',
    body: () => ({ programadas_agrupadas: [UNKNOWN_ID - 1] }),
  },
  {
    section: '4.7',
    method: 'POST',
    path: '/entregas/{id}/agrupar',
    body: () => ({ solicitacoes_agrupadas: [UNKNOWN_ID - 1] }),
  },
  { section: '4.8', method: 'POST', path: '/entregas/{id}/cancelar', body: () => ({ motivo_id: 6 }) },
  { section: '4.9', method: 'GET', path: '/entregas/programadas' },
  { section: '4.10', method: 'GET', path: '/entregas/{id}/recibo' },
  { section: '4.11', method: 'GET', path: '/entregas/{id}/links-rastreio' },
  { section: '4.12', method: 'DELETE', path: '/entregas/programadas/{id}/paradas/{parada_id}' },
  { section: '4.13', method: 'GET', path: '/entregas/bandeiras/areas-atuacao' },
  {
    section: '4.14',
    method: 'GET',
    path: '/entregas/empresas/creditos/saldo',
    query: () => '?tipo_identificacao=I&identificacao=conformance-unknown',
  },
  { section: '4.15', method: 'POST', path: '/entregas/programadas/{id}/cancelar' },
  { section: '4.16', method: 'GET', path: '/entregas/{id}/status' },
];

export const requestOf = (
  { method, path, body, query }: Operation,
  world: World,
  ids: Readonly<Record<string, string | number>> = {},
): Request => ({
  method,
  path:
    path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? UNKNOWN_ID)) + (query?.(world) ?? ''),
  ...(body && { body: body(world) }),
});
