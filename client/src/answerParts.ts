// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

export type EstimarEntregaDados = {
  estimativa_valor: number;
  estimativa_minutos: number;
  estimativa_km: number;
  categoria_nome: string;
  tarifa_nome: string;
  partida: { lat: number; lng: number };
  desejado: { lat: number; lng: number };
};

export type Partida = {
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  /** decimal */
  lat: string;
  /** decimal */
  lng: string;
};

export type Desejado = {
  endereco: string;
  bairro: string;
  cidade: string;
  estado: string;
  /** decimal */
  lat: string;
  /** decimal */
  lng: string;
};

export type Estimativa = {
  estimativa_km: number;
  estimativa_tempo_minutos: number;
  estimativa_valor: string;
};

export type Data = {
  /** posição do item na requisição, a partir de 0 */
  indice: number;
  success: boolean;
  data?:
    | {
        id_mch: string;
        /** só com id_externo: se o pedido foi criado, já existia igual, ou foi editado */
        resultado?: 'criada' | 'repetida' | 'editada' | undefined;
      }
    | undefined;
  /** de um item recusado: o status HTTP de uma requisição só com ele */
  status?: number | undefined;
  /** de um item recusado: o tipo da recusa, como em X-Error-Kind */
  kind?: string | undefined;
  errors?: Array<{ code: number; message: string }> | undefined;
};

export type Data2 = {
  /** posição do item na requisição, a partir de 0 */
  indice: number;
  id: number;
  success: boolean;
  data?: { mensagem: string } | undefined;
  /** de um item recusado: o status HTTP de uma requisição só com ele */
  status?: number | undefined;
  /** de um item recusado: o tipo da recusa, como em X-Error-Kind */
  kind?: string | undefined;
  errors?: Array<{ code: number; message: string }> | undefined;
};

export type Comprovantes = {
  tipo: 'foto' | 'assinatura';
  /** link assinado da imagem; quem o tem a vê até expira_em. Em um webhook é só o caminho enquanto o serviço não tem endereço público configurado */
  url: string;
  /** ISO 8601 em UTC; depois disso, leia os detalhes da entrega */
  expira_em: string;
  /** image/jpeg, image/png ou image/webp */
  formato: string;
  largura: number;
  altura: number;
  /** quando foi feita, segundo o telefone; ISO 8601 em UTC */
  tirada_em: string;
  /** quando chegou à central; ISO 8601 em UTC */
  recebida_em: string;
};

export type AmbienteDeTesteDados = {
  /** é criado no primeiro uso de uma chave de teste */
  existe: boolean;
  /** o relógio do ambiente de teste, ISO 8601 em UTC */
  agora: string;
  /** quanto o relógio foi adiantado desde a última limpeza */
  adiantado_minutos: number;
};

export type ParadaDaEntrega = {
  id: string;
  endereco: string;
  complemento: string;
  bairro: string;
  cidade: string;
  uf: string;
  /** decimal */
  lat: string;
  /** decimal */
  lng: string;
  ordem: number;
  numero_pedido: string;
};

export type LugarDoRecibo = {
  endereco: string;
  bairro: string;
  cidade: string;
  estado: string;
  /** ISO 8601, UTC */
  data_hora: string;
};

export type TipoDeEvento = TipoAssinado | 'webhook.teste';
export type TipoAssinado =
  | 'entrega.status'
  | 'entrega.parada_chegada'
  | 'entrega.parada_concluida'
  | 'entrega.comprovante'
  | 'entrega.parada_nao_entregue'
  | 'entrega.parada_retomada'
  | 'entrega.posicao'
  | 'entrega.agrupada'
  | 'entrega.alterada'
  | 'entrega.condutor_alterado'
  | 'entrega.parada_removida'
  | 'programada.alterada'
  | 'programada.parada_removida'
  | 'programada.disparada'
  | 'programada.cancelada'
  | 'condutor.disponibilidade'
  | 'condutor.ajuda'
  | 'condutor.lancamento'
  | 'credito.lancado';

export type DadosDaEntrega = {
  id: string;
  data_hora_solicitacao: string;
  data_hora_solicitacao_utc: string;
  data_hora_chegada_local: string | null;
  data_hora_chegada_local_utc: string | null;
  data_hora_aceite: string | null;
  data_hora_aceite_utc: string | null;
  data_hora_finalizacao: string | null;
  data_hora_finalizacao_utc: string | null;
  data_hora_cancelamento: string | null;
  data_hora_cancelamento_utc: string | null;
  data_hora_pendencia: string | null;
  data_hora_pendencia_utc: string | null;
  status_solicitacao: 'D' | 'G' | 'A' | 'E' | 'F' | 'N' | 'C' | 'P';
  cliente_id: string;
  nome_passageiro: string;
  empresa_id: string | null;
  bandeira_chamada_id: string;
  bandeira_configuracao_id: string;
  distancia_coleta_km: string;
  valor_corrida: string;
  condutor_especificado: boolean;
  com_retorno: boolean;
  taxista_id: string;
  nome_taxista: string;
  telefone_taxista: string;
  veiculo: string;
  placa_veiculo: string;
  cor_veiculo: string | null;
  duracao_corrida: string;
  distancia_percorrida_km: string;
  data_hora_inicio: string | null;
  tipo_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
  desconto: string;
  tarifa: string;
  id_categoria: string;
  categoria: string;
  descricao_categoria: string;
  nome_cliente: string;
  cpf_cliente?: string | undefined;
  cnpj_cpf_empresa?: string | undefined;
  codigo_cupom?: string | undefined;
  gerador_cupom_id?: string | undefined;
  id_externo?: string | undefined;
  taxas_cancelamento: string | null;
  condutor_id: string;
  nome_condutor: string;
  telefone_condutor: string;
  telefone_condutor_internacional: string;
  partida: Partida;
  desejado: Desejado | null;
};

export type Entrega = DadosDaEntrega & { paradas: Array<ParadaDaEntrega> };

export type Programada = {
  id_mch_programada: string;
  situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
  situacao_formatada: 'Aguardando' | 'Distribuída' | 'Cancelada' | 'Agrupada' | 'Erro';
  data_previsao_disparo: string;
  hora_previsao_disparo: string;
  id_mch: string | null;
  observacao: string | null;
  empresa: { id: string | null; nome: string | null };
  categoria: { id: string; nome: string };
  valor: { estimado: string; prefixado: string | null };
  coleta: Desejado & { complemento: string; referencia: string };
  paradas: Array<{
    id: string;
    ordem: number;
    endereco: string;
    complemento: string | null;
    referencia: string | null;
    bairro: string;
    cidade: string;
    uf: string;
    /** decimal */
    lat: string;
    /** decimal */
    lng: string;
    numero_pedido: string;
    nome_cliente: string;
    telefone_cliente: string;
    observacao: string | null;
  }>;
  id_externo?: string | undefined;
};

export type Webhook = {
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: Array<TipoAssinado>;
  ativo: boolean;
  /** pausado: um dia inteiro de falhas; os eventos esperam até que seja reativado */
  estado: 'ativo' | 'falhando' | 'pausado' | 'inativo';
  /** falhas seguidas */
  falhas: number;
  falhando_desde: string | null;
  proxima_tentativa: string | null;
  pausado_em: string | null;
  segredo_anterior_ate: string | null;
  /** ISO 8601, UTC */
  criado_em: string;
};
