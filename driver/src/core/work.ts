/** What `GET /condutores/{id}/trabalho` answers: everything that the app shows. */
export interface Work {
  /** The server's clock when it answered. */
  agora: string;
  versao: string;
  condutor: {
    id: string;
    nome: string;
    veiculo: string;
    placa: string;
    disponivel: boolean;
    categorias: { id: number; nome: string }[];
  };
  central: { nome: string; telefone_ajuda: string | null };
  regras: {
    comprovante: { foto: Wanted; assinatura: Wanted; nome: Wanted; codigo: boolean };
    falha: FailureRule;
  };
  ofertas: Offer[];
  /** The current one first, then those on hold. */
  corridas: Run[];
  ganhos: { hoje: Earnings; semana: Earnings } | null;
}

export type Wanted = 'nao' | 'opcional' | 'obrigatorio';
export type FailureRule = 'tentar_depois' | 'retornar' | 'deixar_no_fim';

export interface Place {
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string | null;
  cidade: string | null;
  uf: string | null;
  lat: number;
  lng: number;
}

export interface Offer {
  id_mch: string;
  expira_em: string | null;
  oferecida_em: string;
  coleta: Place;
  paradas: number;
  metros_ate_coleta: number | null;
  metros: number;
  segundos: number;
  ganho: string | null;
  com_retorno: boolean;
}

export interface Run {
  id_mch: string;
  /** Accepted, on hold until the one before ends, in progress. */
  status: 'A' | 'S' | 'E';
  empresa: string | null;
  observacao: string | null;
  com_retorno: boolean;
  coleta: Place;
  chegou_em: string | null;
  iniciada_em: string | null;
  ganho: string | null;
  metros: number;
  segundos: number;
  versao: string;
  paradas: Stop[];
}

export interface Stop extends Place {
  id: string;
  ordem: number;
  situacao: 'pendente' | 'concluida' | 'nao_entregue';
  numero_pedido: string | null;
  destinatario: string | null;
  telefone: string | null;
  observacao: string | null;
  valor_a_receber: string | null;
  forma_pagamento: string | null;
  exige_codigo: boolean;
  codigo_bloqueado: boolean;
  chegou_em: string | null;
  concluida_em: string | null;
  previsao: string | null;
  agrupada: boolean;
}

export interface Earnings {
  entregas: number;
  valor: string;
  dinheiro_a_entregar: string;
}
