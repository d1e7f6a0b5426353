import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { OPERATION } from '../api.ts';
import { useIsOperator } from '../session.tsx';
import type { AreaShape, MapArea } from '../ui/map/MapView.tsx';
import { readAll } from './readAll.ts';

export interface Area {
  id: number;
  nome: string;
  padrao: boolean;
  geometria: AreaShape;
}

export const useAreas = () =>
  useQuery({
    queryKey: ['areas'],
    queryFn: () => readAll<Area>(`${OPERATION}/areas-atuacao`),
    enabled: useIsOperator(),
  });

const NONE: readonly MapArea[] = [];

/** For maps, as far as one may see the areas. */
export function useMapAreas(): readonly MapArea[] {
  const { data } = useAreas();
  return useMemo(
    () => data?.map(({ id, nome, geometria }) => ({ id: String(id), name: nome, shape: geometria })) ?? NONE,
    [data],
  );
}
