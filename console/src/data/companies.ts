import { useQuery } from '@tanstack/react-query';
import { OPERATION } from '../api.ts';
import { useIsOperator } from '../session.tsx';
import { readAll } from './readAll.ts';

export interface Company {
  id: number;
  nome: string;
  cpf_cnpj: string;
  telefone: string | null;
  numero_contrato: string | null;
  identificador: string | null;
  categoria_padrao_id: number | null;
  exige_liberacao: boolean;
  ativa: boolean;
}

/** All of them; only who runs the central may read the register. */
export const useCompanies = () =>
  useQuery({
    queryKey: ['companies'],
    queryFn: () => readAll<Company>(`${OPERATION}/empresas`),
    enabled: useIsOperator(),
  });
