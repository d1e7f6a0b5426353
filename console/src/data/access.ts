import { useQuery } from '@tanstack/react-query';
import { OPERATION } from '../api.ts';
import { readAll } from './readAll.ts';

export type Role = 'operador' | 'integrador' | 'gerente' | 'condutor';

export interface User {
  id: number;
  usuario: string;
  perfil: Role;
  empresa_id: number | null;
  condutor_id: number | null;
  ativo: boolean;
}

export interface ApiKey {
  id: number;
  descricao: string;
  criada_em: string;
  revogada_em: string | null;
}

export const useUsers = () =>
  useQuery({ queryKey: ['users'], queryFn: () => readAll<User>(`${OPERATION}/usuarios`) });

export const useApiKeys = () =>
  useQuery({ queryKey: ['keys'], queryFn: () => readAll<ApiKey>(`${OPERATION}/chaves`) });

/** Only their names, for choosing whose login it is. */
export const useDriverNames = () =>
  useQuery({
    queryKey: ['drivers', 'names'],
    queryFn: () => readAll<{ id: number; nome: string }>(`${OPERATION}/condutores`),
  });
