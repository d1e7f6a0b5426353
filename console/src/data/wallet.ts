import { useQuery } from '@tanstack/react-query';
import { OPERATION, read } from '../api.ts';

export interface WalletEntry {
  id: number;
  tipo: 'recarga' | 'saque' | 'reserva' | 'estorno_reserva' | 'cobranca' | 'taxa_cancelamento';
  valor: string;
  saldo_apos: string;
  entrega_id: number | null;
  observacao: string | null;
  usuario_id: number | null;
  data_hora: string;
}

export interface Statement {
  empresa: { id: number; nome: string; cpf_cnpj: string };
  saldo: string;
  /** What waiting scheduled deliveries will take of it. */
  saldo_programadas: string;
  pode_recarregar: boolean;
  lancamentos: WalletEntry[];
}

export const STATEMENT_LIMIT = 50;

export const useStatement = (companyId: number, page: number) =>
  useQuery({
    queryKey: ['wallet', companyId, page],
    queryFn: () =>
      read<Statement>(`${OPERATION}/empresas/${companyId}/extrato?limite=${STATEMENT_LIMIT}&pagina=${page}`),
  });
