// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

import type {
  AmbienteDeTesteDados,
  Comprovantes,
  DadosDaEntrega,
  Data,
  Data2,
  Entrega,
  EstimarEntregaDados,
  Estimativa,
  LugarDoRecibo,
  ParadaDaEntrega,
  Programada,
  TipoDeEvento,
  Webhook,
} from './answerParts.ts';

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

export type CriarProgramadaResposta = {
  id_mch: string;
  /** só com id_externo: se o pedido foi criado, já existia igual, ou foi editado */
  resultado?: 'criada' | 'repetida' | 'editada' | undefined;
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
  empresa: { empresa_id: string | null; nome: string | null; cpf: string | null };
  partida: LugarDoRecibo;
  desejado: LugarDoRecibo;
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

export type CriarEntregaResposta = {
  id_mch: string;
  /** só com id_externo: se o pedido foi criado, já existia igual, ou foi editado */
  resultado?: 'criada' | 'repetida' | 'editada' | undefined;
};

export type CriarEntregasEmLoteResposta = {
  /** quantos itens foram recusados */
  recusados: number;
  data: Array<Data>;
};

export type CriarProgramadasEmLoteResposta = {
  /** quantos itens foram recusados */
  recusados: number;
  data: Array<Data>;
};

export type ObterStatusEmLoteResposta = {
  /** quantos itens foram recusados */
  recusados: number;
  data: Array<{
    /** posição do item na requisição, a partir de 0 */
    indice: number;
    id: number;
    success: boolean;
    data?:
      | {
          status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
        }
      | undefined;
    /** de um item recusado: o status HTTP de uma requisição só com ele */
    status?: number | undefined;
    /** de um item recusado: o tipo da recusa, como em X-Error-Kind */
    kind?: string | undefined;
    errors?: Array<{ code: number; message: string }> | undefined;
  }>;
};

export type CancelarEntregasEmLoteResposta = {
  /** quantos itens foram recusados */
  recusados: number;
  data: Array<Data2>;
};

export type CancelarProgramadasEmLoteResposta = {
  /** quantos itens foram recusados */
  recusados: number;
  data: Array<Data2>;
};

export type CriarCotacaoResposta = EstimarEntregaDados & {
  cotacao_id: string;
  /** ISO 8601, UTC */
  valida_ate: string;
  /** antes do cupom */
  valor_original: string;
  linhas: Array<{
    tipo:
      | 'bandeirada'
      | 'distancia'
      | 'tempo'
      | 'paradas_extras'
      | 'retorno'
      | 'horario'
      | 'minimo'
      | 'cupom';
    valor: string;
  }>;
  /** ao último destino */
  chegada: {
    /** ISO 8601, UTC */
    de: string;
    /** ISO 8601, UTC */
    ate: string;
  };
};

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
      /** o que a parada exige; ausente se nada */
      exigencias?:
        | {
            entregar_de: string | null;
            entregar_ate: string | null;
            janela_obrigatoria: boolean;
            minutos_parada: number | null;
            peso_kg: number | null;
            volume_litros: number | null;
            pacotes: number | null;
          }
        | undefined;
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
  /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
  exigencias?:
    | {
        pronto_em: string | null;
        minutos_coleta: number | null;
        equipamentos: Array<'bag_termica' | 'bau' | 'bau_termico'>;
        prioridade: number | null;
        peso_kg: number | null;
        volume_litros: number | null;
        pacotes: number | null;
      }
    | undefined;
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
export type ObterEntregaPorIdExternoResposta = Entrega;
export type ObterProgramadaPorIdExternoResposta = Programada;
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
export type ObterAmbienteDeTesteResposta = AmbienteDeTesteDados;
export type ApagarAmbienteDeTesteResposta = { message: string };
export type AdiantarRelogioResposta = AmbienteDeTesteDados;

export type TestarEventosResposta = {
  /** o webhook-id do evento */
  evento_id: string;
};

export type ListarRequisicoesResposta = {
  requisicoes: Array<{
    id: string;
    /** ISO 8601 em UTC, com milésimos: quando a requisição chegou */
    data_hora: string;
    metodo: string;
    /** sem a consulta; o que não é um número de até nove dígitos aparece como … */
    caminho: string;
    status: number;
    tipo: string | null;
    duracao_ms: number;
    /** o X-Request-Id da resposta */
    request_id: string;
    credencial: 'chave' | 'sessao' | 'programa';
    usuario_id: string | null;
    usuario: string | null;
    chave_id: string | null;
    chave: string | null;
    empresa_id: string | null;
  }>;
  proximo: string | null;
  nao_registradas: number | null;
};

export type ObterRequisicaoResposta = {
  id: string;
  /** ISO 8601 em UTC, com milésimos: quando a requisição chegou */
  data_hora: string;
  metodo: string;
  /** sem a consulta; o que não é um número de até nove dígitos aparece como … */
  caminho: string;
  status: number;
  tipo: string | null;
  duracao_ms: number;
  /** o X-Request-Id da resposta */
  request_id: string;
  credencial: 'chave' | 'sessao' | 'programa';
  usuario_id: string | null;
  usuario: string | null;
  chave_id: string | null;
  chave: string | null;
  empresa_id: string | null;
  /** mascarado: um objeto, ou um texto que diz o que era; null: não havia */
  consulta: Record<string, never> | string | null;
  /** mascarado: um objeto, ou um texto que diz o que era; null: não havia */
  corpo: Record<string, never> | string | null;
  erros: Array<{ code: number; message: string }>;
};
