import { useQuery } from '@tanstack/react-query';
import { OPERATION } from '../api.ts';
import { readAll } from './readAll.ts';

export interface Driver {
  id: number;
  nome: string;
  telefone: string;
  veiculo: string;
  placa: string;
  cor: string | null;
  categorias: number[];
  /** The companies it works for; empty stands for all. */
  empresas: number[];
  disponivel: boolean;
  ativo: boolean;
  simulado: boolean;
}

export const useDrivers = (isWanted = true) =>
  useQuery({
    queryKey: ['drivers'],
    queryFn: () => readAll<Driver>(`${OPERATION}/condutores`),
    enabled: isWanted,
  });
