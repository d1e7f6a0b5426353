import { useQuery } from '@tanstack/react-query';
import { OPERATION } from '../api.ts';
import { useIsOperator } from '../session.tsx';
import type { AreaShape } from '../ui/map/MapView.tsx';
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
