// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

import type { CallOptions, Id, Request } from './request.ts';

export type EstimarEntregaCorpo = {
  endereco_partida: string;
  bairro_partida: string;
  cidade_partida: string;
  /** sigla do estado */
  estado_partida: string;
  endereco_desejado: string;
  bairro_desejado: string;
  cidade_desejado: string;
  /** sigla do estado */
  estado_desejado: string;
  lat_partida: number;
  lng_partida: number;
  lat_desejado: number;
  lng_desejado: number;
  /** paradas antes do destino, na ordem da visita: lat,lng|lat,lng */
  latlng_paradas?: string | undefined;
  categoria_id?: number | undefined;
  categoria_nome?: string | undefined;
  com_retorno?: boolean | undefined;
};

export type EstimarEntregaResposta = {
  estimativa_valor: number;
  estimativa_minutos: number;
  estimativa_km: number;
  categoria_nome: string;
  tarifa_nome: string;
  partida: {
    lat: number;
    lng: number;
  };
  desejado: {
    lat: number;
    lng: number;
  };
};

export type AgruparProgramadasCorpo = {
  /** entregas programadas a agrupar */
  programadas_agrupadas: Array<number>;
};

export type AgruparProgramadasResposta = {
  message: string;
};

export type EditarProgramadaCorpo = {
  /** data do disparo, DD/MM/AAAA */
  data: string;
  /** hora do disparo, HH:MM:SS */
  hora: string;
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: {
    endereco: string;
    bairro: string;
    /** latitude decimal em texto */
    lat: string;
    /** longitude decimal em texto */
    lng: string;
    complemento?: string | null | undefined;
    cidade?: string | null | undefined;
    estado?: string | null | undefined;
    referencia?: string | null | undefined;
  };
  paradas: Array<{
    endereco_parada: string;
    bairro_parada: string;
    /** latitude decimal em texto */
    lat_parada: string;
    /** longitude decimal em texto */
    lng_parada: string;
    nome_cliente_parada?: string | null | undefined;
    telefone_cliente_parada?: string | null | undefined;
    complemento_parada?: string | null | undefined;
    cidade_parada?: string | null | undefined;
    estado_parada?: string | null | undefined;
    referencia_parada?: string | null | undefined;
    observacao_parada?: string | null | undefined;
    numero_pedido?: string | null | undefined;
    id_externo?: string | null | undefined;
    valor_cobrar?: number | string | null | undefined;
  }>;
};

export type EditarProgramadaResposta = {
  id_mch: number;
};

export type ObterProgramadaResposta = {
  id_mch_programada: string;
  situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
  situacao_formatada: 'Aguardando' | 'Distribuída' | 'Cancelada' | 'Agrupada' | 'Erro';
  data_previsao_disparo: string;
  hora_previsao_disparo: string;
  id_mch: string | null;
  observacao: string | null;
  empresa: {
    id: string | null;
    nome: string | null;
  };
  categoria: {
    id: string;
    nome: string;
  };
  valor: {
    estimado: string;
    prefixado: string | null;
  };
  coleta: {
    endereco: string;
    complemento: string;
    referencia: string;
    bairro: string;
    cidade: string;
    estado: string;
    lat: string;
    lng: string;
  };
  paradas: Array<{
    id: string;
    ordem: number;
    endereco: string;
    complemento: string | null;
    referencia: string | null;
    bairro: string;
    cidade: string;
    uf: string;
    lat: string;
    lng: string;
    numero_pedido: string;
    nome_cliente: string;
    telefone_cliente: string;
    observacao: string | null;
  }>;
};

export type ConsultarEntregasCorpo = {
  /** página, a partir de 1 */
  pagina?: number | undefined;
  /** registros por página; padrão 20 */
  limite?: number | undefined;
  status_solicitacao?: 'D' | 'G' | 'A' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L' | undefined;
  tipo_pagamento?: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | undefined;
  condutor_id?: number | undefined;
};

export type ConsultarEntregasResposta = Array<{
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
  taxas_cancelamento: string | null;
  paradas: Array<{
    id: string;
    endereco: string;
    complemento: string;
    bairro: string;
    cidade: string;
    uf: string;
    lat: string;
    lng: string;
    ordem: number;
    numero_pedido: string;
  }>;
  condutor_id: string;
  nome_condutor: string;
  telefone_condutor: string;
  telefone_condutor_internacional: string;
  partida: {
    endereco: string;
    complemento: string | null;
    referencia: string | null;
    bairro: string;
    cidade: string;
    estado: string;
    lat: string;
    lng: string;
  };
  desejado: {
    endereco: string;
    bairro: string;
    cidade: string;
    estado: string;
    lat: string;
    lng: string;
  } | null;
}>;

export type RecarregarCreditosCorpo = {
  valor: number;
  observacao?: string | null | undefined;
  empresa: {
    /** F CPF, J CNPJ, T telefone, C número do contrato, I identificador */
    tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
    /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
    identificacao: string;
  };
};

export type RecarregarCreditosResposta = {
  registro_id: string;
};

export type AgruparProgramadasEmEntregaCorpo = {
  /** entregas programadas a agrupar */
  programadas_agrupadas: Array<number>;
  /** entregas em andamento a agrupar também */
  solicitacoes_agrupadas?: Array<number> | undefined;
};

export type AgruparProgramadasEmEntregaResposta = {
  message: string;
};

export type AgruparEntregasCorpo = {
  /** entregas em andamento a agrupar */
  solicitacoes_agrupadas: Array<number>;
};

export type AgruparEntregasResposta = {
  message: string;
};

export type CancelarEntregaCorpo = {
  /** motivo do cancelamento */
  motivo_id: number;
};

export type CancelarEntregaResposta = {
  message: string;
};

export type ListarProgramadasConsulta = {
  /** página, a partir de 1 */
  pagina?: number | undefined;
  /** registros por página; padrão 20 */
  limite?: number | undefined;
};

export type ListarProgramadasResposta = Array<{
  id_mch_programada: string;
  situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
  situacao_formatada: 'Aguardando' | 'Distribuída' | 'Cancelada' | 'Agrupada' | 'Erro';
  data_previsao_disparo: string;
  hora_previsao_disparo: string;
  id_mch: string | null;
  observacao: string | null;
  empresa: {
    id: string | null;
    nome: string | null;
  };
  categoria: {
    id: string;
    nome: string;
  };
  valor: {
    estimado: string;
    prefixado: string | null;
  };
  coleta: {
    endereco: string;
    complemento: string;
    referencia: string;
    bairro: string;
    cidade: string;
    estado: string;
    lat: string;
    lng: string;
  };
  paradas: Array<{
    id: string;
    ordem: number;
    endereco: string;
    complemento: string | null;
    referencia: string | null;
    bairro: string;
    cidade: string;
    uf: string;
    lat: string;
    lng: string;
    numero_pedido: string;
    nome_cliente: string;
    telefone_cliente: string;
    observacao: string | null;
  }>;
}>;

export type CriarProgramadaCorpo = {
  /** data do disparo, DD/MM/AAAA */
  data: string;
  /** hora do disparo, HH:MM:SS */
  hora: string;
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: {
    endereco: string;
    bairro: string;
    /** latitude decimal em texto */
    lat: string;
    /** longitude decimal em texto */
    lng: string;
    complemento?: string | null | undefined;
    cidade?: string | null | undefined;
    estado?: string | null | undefined;
    referencia?: string | null | undefined;
  };
  paradas: Array<{
    endereco_parada: string;
    bairro_parada: string;
    /** latitude decimal em texto */
    lat_parada: string;
    /** longitude decimal em texto */
    lng_parada: string;
    nome_cliente_parada?: string | null | undefined;
    telefone_cliente_parada?: string | null | undefined;
    complemento_parada?: string | null | undefined;
    cidade_parada?: string | null | undefined;
    estado_parada?: string | null | undefined;
    referencia_parada?: string | null | undefined;
    observacao_parada?: string | null | undefined;
    numero_pedido?: string | null | undefined;
    id_externo?: string | null | undefined;
    valor_cobrar?: number | string | null | undefined;
  }>;
  empresa_id?: number | null | undefined;
  cliente?:
    | {
        nome: string;
        cpf: string;
        telefone?: string | null | undefined;
      }
    | undefined;
  categoria_id?: number | undefined;
  categoria_nome?: string | undefined;
  com_retorno?: boolean | undefined;
  observacao?: string | null | undefined;
  codigo_cupom?: string | null | undefined;
};

export type CriarProgramadaResposta = {
  id_mch: string;
};

export type ObterReciboResposta = {
  id_mch: string;
  condutor: {
    nome: string;
    telefone: string;
    modelo: string;
    placa: string;
  };
  dados_solicitacao: {
    /** valor líquido, com o desconto do cupom */
    valor: string;
    /** valor bruto, antes do desconto */
    valor_original: string;
    /** HH:MM:SS do início à finalização */
    duracao: string;
    /** km percorridos */
    distancia: string;
    tarifa: string;
    id_categoria: string;
    categoria: string;
    descricao_categoria: string;
    /** percentual de desconto; 0 sem cupom */
    desconto: number;
    tipo_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
  };
  empresa: {
    empresa_id: string | null;
    nome: string | null;
    cpf: string | null;
  };
  partida: {
    endereco: string;
    bairro: string;
    cidade: string;
    estado: string;
    /** ISO 8601, UTC */
    data_hora: string;
  };
  desejado: {
    endereco: string;
    bairro: string;
    cidade: string;
    estado: string;
    /** ISO 8601, UTC */
    data_hora: string;
  };
};

export type ObterLinksRastreioResposta = Array<{
  parada_id: string;
  link_rastreio: string;
  codigo_confirmacao: number | null;
}>;

export type RemoverParadaProgramadaResposta = {
  data: {
    status: 'OK';
    estimativa: {
      estimativa_km: number;
      estimativa_tempo_minutos: number;
      estimativa_valor: string;
    } | null;
  };
  message: string;
};

export type ListarAreasAtuacaoResposta = Array<{
  id: number;
  nome: string;
  padrao: boolean;
}>;

export type ObterSaldoConsulta = {
  /** F CPF, J CNPJ, T telefone, C número do contrato, I identificador */
  tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
  /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
  identificacao: string;
};

export type ObterSaldoResposta = {
  saldo: number;
};

export type CancelarProgramadaResposta = {
  id_mch_programada: number;
  mensagem: string;
};

export type ObterStatusResposta = {
  status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
};

export type CriarEntregaCorpo = {
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: {
    endereco: string;
    bairro: string;
    /** latitude decimal em texto */
    lat: string;
    /** longitude decimal em texto */
    lng: string;
    complemento?: string | null | undefined;
    cidade?: string | null | undefined;
    estado?: string | null | undefined;
    referencia?: string | null | undefined;
  };
  paradas: Array<{
    endereco_parada: string;
    bairro_parada: string;
    /** latitude decimal em texto */
    lat_parada: string;
    /** longitude decimal em texto */
    lng_parada: string;
    nome_cliente_parada?: string | null | undefined;
    telefone_cliente_parada?: string | null | undefined;
    complemento_parada?: string | null | undefined;
    cidade_parada?: string | null | undefined;
    estado_parada?: string | null | undefined;
    referencia_parada?: string | null | undefined;
    observacao_parada?: string | null | undefined;
    numero_pedido?: string | null | undefined;
    id_externo?: string | null | undefined;
    valor_cobrar?: number | string | null | undefined;
  }>;
  empresa_id?: number | null | undefined;
  cliente?:
    | {
        nome: string;
        cpf: string;
        telefone?: string | null | undefined;
      }
    | undefined;
  categoria_id?: number | undefined;
  categoria_nome?: string | undefined;
  com_retorno?: boolean | undefined;
  observacao?: string | null | undefined;
  codigo_cupom?: string | null | undefined;
};

export type CriarEntregaResposta = {
  id_mch: string;
};

export type ObterEntregaResposta = {
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
  taxas_cancelamento: string | null;
  paradas: Array<{
    id: string;
    endereco: string;
    complemento: string;
    bairro: string;
    cidade: string;
    uf: string;
    lat: string;
    lng: string;
    ordem: number;
    numero_pedido: string;
  }>;
  condutor_id: string;
  nome_condutor: string;
  telefone_condutor: string;
  telefone_condutor_internacional: string;
  partida: {
    endereco: string;
    complemento: string | null;
    referencia: string | null;
    bairro: string;
    cidade: string;
    estado: string;
    lat: string;
    lng: string;
  };
  desejado: {
    endereco: string;
    bairro: string;
    cidade: string;
    estado: string;
    lat: string;
    lng: string;
  } | null;
};

export type ObterPosicaoCondutorResposta = {
  lat_condutor: string | null;
  lng_condutor: string | null;
};

export type ListarWebhooksConsulta = {
  /** página, a partir de 1 */
  pagina?: number | undefined;
  /** registros por página; padrão 20 */
  limite?: number | undefined;
};

export type ListarWebhooksResposta = Array<{
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: Array<
    | 'entrega.status'
    | 'entrega.parada_concluida'
    | 'entrega.posicao'
    | 'entrega.agrupada'
    | 'programada.alterada'
    | 'programada.parada_removida'
    | 'programada.disparada'
    | 'programada.cancelada'
    | 'credito.lancado'
  >;
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
}>;

export type CriarWebhookCorpo = {
  /** endereço https que recebe os eventos */
  url: string;
  /** tipos de evento que interessam */
  tipos: Array<
    | 'entrega.status'
    | 'entrega.parada_concluida'
    | 'entrega.posicao'
    | 'entrega.agrupada'
    | 'programada.alterada'
    | 'programada.parada_removida'
    | 'programada.disparada'
    | 'programada.cancelada'
    | 'credito.lancado'
  >;
};

export type CriarWebhookResposta = {
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: Array<
    | 'entrega.status'
    | 'entrega.parada_concluida'
    | 'entrega.posicao'
    | 'entrega.agrupada'
    | 'programada.alterada'
    | 'programada.parada_removida'
    | 'programada.disparada'
    | 'programada.cancelada'
    | 'credito.lancado'
  >;
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
  segredo: string | null;
};

export type ObterWebhookResposta = {
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: Array<
    | 'entrega.status'
    | 'entrega.parada_concluida'
    | 'entrega.posicao'
    | 'entrega.agrupada'
    | 'programada.alterada'
    | 'programada.parada_removida'
    | 'programada.disparada'
    | 'programada.cancelada'
    | 'credito.lancado'
  >;
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

export type AlterarWebhookCorpo = {
  /** endereço https que recebe os eventos */
  url?: string | undefined;
  /** tipos de evento que interessam */
  tipos?:
    | Array<
        | 'entrega.status'
        | 'entrega.parada_concluida'
        | 'entrega.posicao'
        | 'entrega.agrupada'
        | 'programada.alterada'
        | 'programada.parada_removida'
        | 'programada.disparada'
        | 'programada.cancelada'
        | 'credito.lancado'
      >
    | undefined;
  ativo?: boolean | undefined;
};

export type AlterarWebhookResposta = {
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: Array<
    | 'entrega.status'
    | 'entrega.parada_concluida'
    | 'entrega.posicao'
    | 'entrega.agrupada'
    | 'programada.alterada'
    | 'programada.parada_removida'
    | 'programada.disparada'
    | 'programada.cancelada'
    | 'credito.lancado'
  >;
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

export type ExcluirWebhookResposta = {
  message: string;
};

export type TrocarSegredoWebhookResposta = {
  id: string;
  segredo: string | null;
  /** ISO 8601, UTC */
  segredo_anterior_ate: string;
};

export type TestarWebhookResposta = {
  envio_id: string;
};

export type ListarEnviosConsulta = {
  /** página, a partir de 1 */
  pagina?: number | undefined;
  /** registros por página; padrão 20 */
  limite?: number | undefined;
};

export type ListarEnviosResposta = Array<{
  id: string;
  /** o webhook-id do evento, igual em toda tentativa */
  evento_id: string;
  tipo:
    | 'entrega.status'
    | 'entrega.parada_concluida'
    | 'entrega.posicao'
    | 'entrega.agrupada'
    | 'programada.alterada'
    | 'programada.parada_removida'
    | 'programada.disparada'
    | 'programada.cancelada'
    | 'credito.lancado'
    | 'webhook.teste';
  entrega_id: string | null;
  programada_id: string | null;
  sequencia: number | null;
  /** ISO 8601, UTC */
  ocorrido_em: string;
  estado: 'esperando' | 'entregue' | 'falhou' | 'descartado';
  tentativas: number;
  ultima_tentativa: string | null;
  proxima_tentativa: string | null;
  status_http: number | null;
  duracao_ms: number | null;
  resposta: string | null;
  erro: string | null;
  entregue_em: string | null;
  reenviado_em: string | null;
}>;

export type ReenviarEnvioResposta = {
  id: string;
  estado: 'esperando';
};

export type ReenviarEnviosCorpo = {
  /** ISO 8601 com fuso */
  de: string;
  /** ISO 8601 com fuso */
  ate: string;
  /** apenas os que falharam; padrão false */
  somente_falhas?: boolean | undefined;
};

export type ReenviarEnviosResposta = {
  reenviados: number;
};

/** One method for each operation of the integration interface; how it is sent is decided elsewhere. */

export abstract class Operations {
  protected abstract send(request: Request, options?: CallOptions): Promise<unknown>;

  /** Estimar uma entrega para uma empresa (contrato 4.1). */
  async estimarEntrega(
    id: Id,
    corpo: EstimarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<EstimarEntregaResposta> {
    return (await this.send(
      {
        method: 'POST',
        path: `/entregas/empresas/${encodeURIComponent(id)}/estimativas`,
        body: corpo,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as EstimarEntregaResposta;
  }

  /** Agrupar programadas em uma programada (contrato 4.2). */
  async agruparProgramadas(
    id: Id,
    corpo: AgruparProgramadasCorpo,
    opcoes?: CallOptions,
  ): Promise<AgruparProgramadasResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/programadas/${encodeURIComponent(id)}/agrupar`, body: corpo },
      opcoes,
    )) as AgruparProgramadasResposta;
  }

  /** Editar uma entrega programada (substituição total) (contrato 4.3). */
  async editarProgramada(
    id: Id,
    corpo: EditarProgramadaCorpo,
    opcoes?: CallOptions,
  ): Promise<EditarProgramadaResposta> {
    return (await this.send(
      { method: 'PUT', path: `/entregas/programadas/${encodeURIComponent(id)}`, body: corpo },
      opcoes,
    )) as EditarProgramadaResposta;
  }

  /** Ler uma entrega programada. */
  async obterProgramada(id: Id, opcoes?: CallOptions): Promise<ObterProgramadaResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/programadas/${encodeURIComponent(id)}`, isData: true, isRead: true },
      opcoes,
    )) as ObterProgramadaResposta;
  }

  /** Consultar entregas (contrato 4.4). */
  async consultarEntregas(
    corpo: ConsultarEntregasCorpo = {},
    opcoes?: CallOptions,
  ): Promise<ConsultarEntregasResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/consultar`, body: corpo, isData: true, isRead: true },
      opcoes,
    )) as ConsultarEntregasResposta;
  }

  /** Recarregar créditos de uma empresa (contrato 4.5). */
  async recarregarCreditos(
    corpo: RecarregarCreditosCorpo,
    opcoes?: CallOptions,
  ): Promise<RecarregarCreditosResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/empresas/creditos/recargas`, body: corpo, isData: true },
      opcoes,
    )) as RecarregarCreditosResposta;
  }

  /** Agrupar programadas em uma entrega em andamento (contrato 4.6). */
  async agruparProgramadasEmEntrega(
    id: Id,
    corpo: AgruparProgramadasEmEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<AgruparProgramadasEmEntregaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/${encodeURIComponent(id)}/agrupar/programadas`, body: corpo },
      opcoes,
    )) as AgruparProgramadasEmEntregaResposta;
  }

  /** Agrupar entregas em andamento (contrato 4.7). */
  async agruparEntregas(
    id: Id,
    corpo: AgruparEntregasCorpo,
    opcoes?: CallOptions,
  ): Promise<AgruparEntregasResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/${encodeURIComponent(id)}/agrupar`, body: corpo },
      opcoes,
    )) as AgruparEntregasResposta;
  }

  /** Cancelar uma entrega (contrato 4.8). */
  async cancelarEntrega(
    id: Id,
    corpo: CancelarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<CancelarEntregaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/${encodeURIComponent(id)}/cancelar`, body: corpo },
      opcoes,
    )) as CancelarEntregaResposta;
  }

  /** Listar entregas programadas (contrato 4.9). */
  async listarProgramadas(
    consulta: ListarProgramadasConsulta = {},
    opcoes?: CallOptions,
  ): Promise<ListarProgramadasResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/programadas`, query: consulta, isData: true, isRead: true },
      opcoes,
    )) as ListarProgramadasResposta;
  }

  /** Programar uma entrega. */
  async criarProgramada(corpo: CriarProgramadaCorpo, opcoes?: CallOptions): Promise<CriarProgramadaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/programadas`, body: corpo, isData: true },
      opcoes,
    )) as CriarProgramadaResposta;
  }

  /** Obter o recibo (contrato 4.10). */
  async obterRecibo(id: Id, opcoes?: CallOptions): Promise<ObterReciboResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}/recibo`, isData: true, isRead: true },
      opcoes,
    )) as ObterReciboResposta;
  }

  /** Obter os links de rastreio (contrato 4.11). */
  async obterLinksRastreio(id: Id, opcoes?: CallOptions): Promise<ObterLinksRastreioResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/links-rastreio`,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as ObterLinksRastreioResposta;
  }

  /** Excluir uma parada de uma entrega programada (contrato 4.12). */
  async removerParadaProgramada(
    id: Id,
    paradaId: Id,
    opcoes?: CallOptions,
  ): Promise<RemoverParadaProgramadaResposta> {
    return (await this.send(
      {
        method: 'DELETE',
        path: `/entregas/programadas/${encodeURIComponent(id)}/paradas/${encodeURIComponent(paradaId)}`,
      },
      opcoes,
    )) as RemoverParadaProgramadaResposta;
  }

  /** Listar as áreas de atuação da central (contrato 4.13). */
  async listarAreasAtuacao(opcoes?: CallOptions): Promise<ListarAreasAtuacaoResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/bandeiras/areas-atuacao`, isData: true, isRead: true },
      opcoes,
    )) as ListarAreasAtuacaoResposta;
  }

  /** Consultar o saldo de créditos de uma empresa (contrato 4.14). */
  async obterSaldo(consulta: ObterSaldoConsulta, opcoes?: CallOptions): Promise<ObterSaldoResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/entregas/empresas/creditos/saldo`,
        query: consulta,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as ObterSaldoResposta;
  }

  /** Cancelar uma entrega programada (contrato 4.15). */
  async cancelarProgramada(id: Id, opcoes?: CallOptions): Promise<CancelarProgramadaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/programadas/${encodeURIComponent(id)}/cancelar`, isData: true },
      opcoes,
    )) as CancelarProgramadaResposta;
  }

  /** Consultar o status (contrato 4.16). */
  async obterStatus(id: Id, opcoes?: CallOptions): Promise<ObterStatusResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}/status`, isData: true, isRead: true },
      opcoes,
    )) as ObterStatusResposta;
  }

  /** Abrir uma entrega imediata. */
  async criarEntrega(corpo: CriarEntregaCorpo, opcoes?: CallOptions): Promise<CriarEntregaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas`, body: corpo, isData: true },
      opcoes,
    )) as CriarEntregaResposta;
  }

  /** Ler uma entrega. */
  async obterEntrega(id: Id, opcoes?: CallOptions): Promise<ObterEntregaResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}`, isData: true, isRead: true },
      opcoes,
    )) as ObterEntregaResposta;
  }

  /** Consultar a posição do condutor. */
  async obterPosicaoCondutor(id: Id, opcoes?: CallOptions): Promise<ObterPosicaoCondutorResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/condutor/posicao`,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as ObterPosicaoCondutorResposta;
  }

  /** Listar webhooks. */
  async listarWebhooks(
    consulta: ListarWebhooksConsulta = {},
    opcoes?: CallOptions,
  ): Promise<ListarWebhooksResposta> {
    return (await this.send(
      { method: 'GET', path: `/webhooks`, query: consulta, isData: true, isRead: true },
      opcoes,
    )) as ListarWebhooksResposta;
  }

  /** Cadastrar um webhook. */
  async criarWebhook(corpo: CriarWebhookCorpo, opcoes?: CallOptions): Promise<CriarWebhookResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks`, body: corpo, isData: true },
      opcoes,
    )) as CriarWebhookResposta;
  }

  /** Ler um webhook e seu estado. */
  async obterWebhook(id: Id, opcoes?: CallOptions): Promise<ObterWebhookResposta> {
    return (await this.send(
      { method: 'GET', path: `/webhooks/${encodeURIComponent(id)}`, isData: true, isRead: true },
      opcoes,
    )) as ObterWebhookResposta;
  }

  /** Alterar, desativar ou reativar um webhook. */
  async alterarWebhook(
    id: Id,
    corpo: AlterarWebhookCorpo = {},
    opcoes?: CallOptions,
  ): Promise<AlterarWebhookResposta> {
    return (await this.send(
      { method: 'PUT', path: `/webhooks/${encodeURIComponent(id)}`, body: corpo, isData: true },
      opcoes,
    )) as AlterarWebhookResposta;
  }

  /** Excluir um webhook. */
  async excluirWebhook(id: Id, opcoes?: CallOptions): Promise<ExcluirWebhookResposta> {
    return (await this.send(
      { method: 'DELETE', path: `/webhooks/${encodeURIComponent(id)}` },
      opcoes,
    )) as ExcluirWebhookResposta;
  }

  /** Trocar o segredo de um webhook. */
  async trocarSegredoWebhook(id: Id, opcoes?: CallOptions): Promise<TrocarSegredoWebhookResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/segredo`, isData: true },
      opcoes,
    )) as TrocarSegredoWebhookResposta;
  }

  /** Enviar um evento de teste. */
  async testarWebhook(id: Id, opcoes?: CallOptions): Promise<TestarWebhookResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/teste`, isData: true },
      opcoes,
    )) as TestarWebhookResposta;
  }

  /** Listar os envios de um webhook. */
  async listarEnvios(
    id: Id,
    consulta: ListarEnviosConsulta = {},
    opcoes?: CallOptions,
  ): Promise<ListarEnviosResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/webhooks/${encodeURIComponent(id)}/envios`,
        query: consulta,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as ListarEnviosResposta;
  }

  /** Reenviar um evento. */
  async reenviarEnvio(id: Id, opcoes?: CallOptions): Promise<ReenviarEnvioResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/envios/${encodeURIComponent(id)}/reenviar`, isData: true },
      opcoes,
    )) as ReenviarEnvioResposta;
  }

  /** Reenviar os eventos de um período. */
  async reenviarEnvios(
    id: Id,
    corpo: ReenviarEnviosCorpo,
    opcoes?: CallOptions,
  ): Promise<ReenviarEnviosResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/reenviar`, body: corpo, isData: true },
      opcoes,
    )) as ReenviarEnviosResposta;
  }
}
