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

export type Partida2 = {
  endereco: string;
  bairro: string;
  cidade: string;
  estado: string;
  /** ISO 8601, UTC */
  data_hora: string;
};

export type Estimativa = {
  estimativa_km: number;
  estimativa_tempo_minutos: number;
  estimativa_valor: string;
};

export type Comprovantes = {
  tipo: 'foto' | 'assinatura';
  /** link assinado da imagem; quem o tem a vê até expira_em */
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

export type EstimarEntregaResposta = EstimarEntregaDados;
export type AgruparProgramadasResposta = { message: string };
export type EditarProgramadaResposta = { id_mch: number };
export type ObterProgramadaResposta = Programada;
export type ConsultarEntregasResposta = Array<Entrega>;
export type RecarregarCreditosResposta = { registro_id: string };
export type AgruparProgramadasEmEntregaResposta = { message: string };
export type AgruparEntregasResposta = { message: string };
export type CancelarEntregaResposta = { message: string };
export type ListarProgramadasResposta = Array<Programada>;
export type CriarProgramadaResposta = { id_mch: string };

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
  empresa: { empresa_id: string | null; nome: string | null; cpf: string | null };
  partida: Partida2;
  desejado: Partida2;
};

export type ObterLinksRastreioResposta = Array<{
  parada_id: string;
  link_rastreio: string;
  codigo_confirmacao: number | null;
}>;

export type RemoverParadaProgramadaResposta = {
  data: { status: 'OK'; estimativa: Estimativa | null };
  message: string;
};

export type ListarAreasAtuacaoResposta = Array<{ id: number; nome: string; padrao: boolean }>;
export type ObterSaldoResposta = { saldo: number };
export type CancelarProgramadaResposta = { id_mch_programada: number; mensagem: string };

export type ObterStatusResposta = {
  status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
};

export type CriarEntregaResposta = { id_mch: string };
export type EstimarEntregaSemEmpresaResposta = EstimarEntregaDados;
export type ObterEntregaResposta = Entrega;
export type EditarEntregaResposta = { id_mch: number };

export type ObterDetalhesEntregaResposta = DadosDaEntrega & {
  paradas: Array<
    ParadaDaEntrega & {
      referencia: string | null;
      nome_cliente: string | null;
      telefone_cliente: string | null;
      observacao: string | null;
      id_externo: string | null;
      valor_cobrar: string | null;
      /** a entrega com que a parada foi pedida; outra depois de agrupada */
      entrega_pedida: string;
      /** nao_entregue: o condutor esteve lá e não pôde entregar; nao_realizada: a entrega terminou sem ela */
      status: 'pendente' | 'concluida' | 'nao_entregue' | 'nao_realizada';
      data_hora_conclusao: string | null;
      data_hora_conclusao_utc: string | null;
      /** as que falharam e não foram desfeitas */
      tentativas: Array<{
        numero: number;
        motivo: 'ausente' | 'endereco_errado' | 'recusado' | 'outro';
        decisao: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
        data_hora: string;
        data_hora_utc: string;
        /** as imagens desta tentativa */
        comprovantes: Array<Comprovantes>;
      }>;
      recebido_por: string | null;
      valor_recebido: string | null;
      forma_recebimento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | null;
      /** foto e assinatura da última visita, por links que expiram */
      comprovantes: Array<Comprovantes>;
      link_rastreio: string;
      codigo_confirmacao: string | null;
    }
  >;
  /** como em GET /entregas/{id}/status */
  status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
  telefone_cliente: string | null;
  observacao: string | null;
  /** antes do desconto do cupom */
  valor_original: string;
  distancia_prevista_km: string;
  duracao_prevista_minutos: number;
  id_mch_programada: string | null;
  agrupada_em: string | null;
  entregas_agrupadas: Array<string>;
  data_hora_nao_atendimento: string | null;
  data_hora_nao_atendimento_utc: string | null;
  motivo_cancelamento: { id: number; nome: string } | null;
  /** o que aconteceu, do mais antigo ao mais novo */
  eventos: Array<{
    /** o mesmo do webhook (webhook-id) */
    id: string;
    tipo: TipoDeEvento;
    data_hora: string;
    data_hora_utc: string;
    /** como no webhook deste tipo */
    dados: Record<string, never>;
  }>;
};

export type RemoverParadaEntregaResposta = {
  data: { status: 'OK'; estimativa: Estimativa | null };
  message: string;
};

export type ObterPosicaoCondutorResposta = { lat_condutor: string | null; lng_condutor: string | null };
export type SacarCreditosResposta = { registro_id: string };
export type ListarWebhooksResposta = Array<Webhook>;
export type CriarWebhookResposta = Webhook & { segredo: string | null };
export type ObterWebhookResposta = Webhook;
export type AlterarWebhookResposta = Webhook;
export type ExcluirWebhookResposta = { message: string };

export type ObterStatusWebhookResposta = {
  id: string;
  ativo: boolean;
  /** pausado: um dia inteiro de falhas; os eventos esperam até que seja reativado */
  estado: 'ativo' | 'falhando' | 'pausado' | 'inativo';
  /** falhas seguidas */
  falhas: number;
  falhando_desde: string | null;
  pausado_em: string | null;
  proxima_tentativa: string | null;
  ultimo_sucesso: string | null;
  ultima_falha: {
    /** ISO 8601, UTC */
    em: string;
    status_http: number | null;
    erro: string | null;
  } | null;
  /** contadas até 10000 */
  mensagens_esperando: number;
  esperando_desde: string | null;
};

export type TrocarSegredoWebhookResposta = {
  id: string;
  segredo: string | null;
  /** ISO 8601, UTC */
  segredo_anterior_ate: string;
};

export type TestarWebhookResposta = { envio_id: string };

export type ListarEnviosResposta = Array<{
  id: string;
  /** o webhook-id do evento, igual em toda tentativa */
  evento_id: string;
  tipo: TipoDeEvento;
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

export type ReenviarEnvioResposta = { id: string; estado: 'esperando' };
export type ReenviarEnviosResposta = { reenviados: number };
