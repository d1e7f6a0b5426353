import { useQuery } from '@tanstack/react-query';
import { OPERATION } from '../api.ts';
import { useIsOperator } from '../session.tsx';
import { readAll } from './readAll.ts';

export interface Category {
  id: number;
  nome: string;
  descricao: string;
  perfil: 'moto' | 'carro' | 'bicicleta';
  ativa: boolean;
}

export const useCategories = () =>
  useQuery({
    queryKey: ['categories'],
    queryFn: () => readAll<Category>(`${OPERATION}/categorias`),
    enabled: useIsOperator(),
  });
