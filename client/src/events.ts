// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

/** What every webhook has. */
export interface Evento<Tipo extends string, Dados> {
  type: Tipo;
  /** quando aconteceu, ISO 8601 em UTC */
  timestamp: string;
  data: Dados;
  /** presente só em um evento de teste, cujos dados são um exemplo */
  test?: true;
}

export type ParadaEntrega = {
  id: string;
  ordem: number;
  /** vazio quando não foi informado */
  numero_pedido: string;
  id_externo: string | null;
  concluida: boolean;
  nao_entregue: boolean;
};

export type Parada = {
  id: string;
  ordem: number;
  /** vazio quando não foi informado */
  numero_pedido: string;
  id_externo: string | null;
};

export type Comprovante = {
  tipo: 'foto' | 'assinatura';
  /** link assinado da imagem; quem o tem a vê até expira_em. Em um webhook é só o caminho enquanto o serviço não tem endereço público configurado */
  url: string;
  /** ISO 8601 em UTC; depois disso, leia os detalhes da entrega */
  expira_em: string;
};

export type ParadaRemovida = {
  id: string;
  /** vazio quando não foi informado */
  numero_pedido: string;
  id_externo: string | null;
};

export type DadosDeEntrega = {
  /** id da entrega (id_mch) */
  id: string;
  /** cresce a cada evento da mesma entrega; um menor que o último visto chegou atrasado */
  sequencia: number;
  empresa_id: string | null;
  id_mch_programada: string | null;
  agrupada_em: string | null;
  /** como em GET /entregas/{id}/status */
  status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
  condutor: { id: string; nome: string } | null;
  /** a chave dada na criação; ausente sem ela */
  id_externo?: string | undefined;
};

export type DadosDeProgramada = {
  /** id da programada (id_mch_programada) */
  id: string;
  /** cresce a cada evento da mesma entrega; um menor que o último visto chegou atrasado */
  sequencia: number;
  empresa_id: string | null;
  id_mch: string | null;
  agrupada_em: string | null;
  situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
  /** DD/MM/AAAA */
  data_previsao_disparo: string;
  /** HH:MM:SS */
  hora_previsao_disparo: string;
  /** decimal */
  valor_estimado: string;
  /** a chave dada na criação; ausente sem ela */
  id_externo?: string | undefined;
  paradas: Array<Parada>;
};

/** Uma entrega mudou de status. */
export type EntregaStatus = Evento<
  'entrega.status',
  DadosDeEntrega & {
    status_anterior: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | null;
    /** este evento é a chegada do entregador ao ponto de coleta */
    chegou_na_coleta: boolean;
    motivo_id: number | null;
    /** decimal */
    valor_corrida: string;
    paradas: Array<ParadaEntrega>;
  }
>;

/** O entregador chegou a uma parada. */
export type EntregaParadaChegada = Evento<'entrega.parada_chegada', DadosDeEntrega & { parada: Parada }>;

/** Uma parada foi concluída. */
export type EntregaParadaConcluida = Evento<
  'entrega.parada_concluida',
  DadosDeEntrega & {
    parada: Parada;
    paradas_restantes: number;
    sem_codigo_motivo: string | null;
    valor_recebido: string | null;
    forma_recebimento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | null;
    valor_recebido_motivo: string | null;
    /** os que já tinham chegado */
    comprovantes: Array<Comprovante>;
  }
>;

/** O comprovante de uma parada chegou depois dela. */
export type EntregaComprovante = Evento<
  'entrega.comprovante',
  DadosDeEntrega & { parada: Parada; comprovantes: Array<Comprovante> }
>;

/** Uma tentativa de entrega falhou. */
export type EntregaParadaNaoEntregue = Evento<
  'entrega.parada_nao_entregue',
  DadosDeEntrega & {
    parada: Parada;
    motivo: 'ausente' | 'endereco_errado' | 'recusado' | 'outro';
    /** qual tentativa desta parada, a partir de 1 */
    tentativa: number;
    /** tentar_depois: a parada segue aberta; as outras a encerram */
    decisao: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
    paradas_restantes: number;
    /** decimal */
    valor_corrida: string;
    /** as imagens desta tentativa que já tinham chegado */
    comprovantes: Array<Comprovante>;
  }
>;

/** Uma parada não entregue voltou à corrida. */
export type EntregaParadaRetomada = Evento<
  'entrega.parada_retomada',
  DadosDeEntrega & {
    parada: Parada;
    paradas_restantes: number;
    /** decimal */
    valor_corrida: string;
  }
>;

/** O entregador de uma entrega mudou de posição. */
export type EntregaPosicao = Evento<
  'entrega.posicao',
  {
    /** id da entrega (id_mch) */
    id: string;
    /** posições não têm sequência: valem pelo momento */
    sequencia: null;
    empresa_id: string | null;
    /** como em GET /entregas/{id}/status */
    status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
    condutor: { id: string; nome: string } | null;
    /** a chave dada na criação; ausente sem ela */
    id_externo?: string | undefined;
    /** decimal */
    lat: string;
    /** decimal */
    lng: string;
  }
>;

/** Outras entregas foram agrupadas nesta. */
export type EntregaAgrupada = Evento<
  'entrega.agrupada',
  DadosDeEntrega & {
    entregas_agrupadas: Array<string>;
    programadas_agrupadas: Array<string>;
    entregas_retiradas: Array<string>;
    /** decimal */
    valor_corrida: string;
    paradas: Array<ParadaEntrega>;
  }
>;

/** Uma entrega foi editada ou dispensada. */
export type EntregaAlterada = Evento<
  'entrega.alterada',
  DadosDeEntrega & {
    mudanca: 'editada' | 'paradas_editadas' | 'dispensada';
    /** decimal */
    valor_corrida: string;
    paradas: Array<ParadaEntrega>;
  }
>;

/** Uma entrega passou para outro entregador. */
export type EntregaCondutorAlterado = Evento<
  'entrega.condutor_alterado',
  DadosDeEntrega & {
    /** o que já concluiu segue com ele */
    condutor_anterior_id: string;
    paradas: Array<ParadaEntrega>;
  }
>;

/** Uma parada saiu de uma entrega. */
export type EntregaParadaRemovida = Evento<
  'entrega.parada_removida',
  DadosDeEntrega & {
    parada: ParadaRemovida;
    /** a entrega com que a parada foi pedida */
    pedida_com: string;
    /** decimal */
    valor_corrida: string;
    paradas: Array<ParadaEntrega>;
  }
>;

/** Uma entrega programada foi alterada. */
export type ProgramadaAlterada = Evento<
  'programada.alterada',
  DadosDeProgramada & {
    mudanca:
      | 'criada'
      | 'editada'
      | 'agrupada'
      | 'paradas_recebidas'
      | 'paradas_retiradas'
      | 'separada'
      | 'falha_no_disparo';
    programadas_agrupadas: Array<string>;
    falha: string | null;
  }
>;

/** Uma parada saiu de uma entrega programada. */
export type ProgramadaParadaRemovida = Evento<
  'programada.parada_removida',
  DadosDeProgramada & {
    parada: ParadaRemovida;
    /** a programada com que a parada foi pedida */
    pedida_com: string;
  }
>;

/** Uma entrega programada foi disparada. */
export type ProgramadaDisparada = Evento<
  'programada.disparada',
  {
    /** id da programada (id_mch_programada) */
    id: string;
    /** cresce a cada evento da mesma entrega; um menor que o último visto chegou atrasado */
    sequencia: number;
    empresa_id: string | null;
    id_mch: string | null;
    agrupada_em: string | null;
    situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
    /** DD/MM/AAAA */
    data_previsao_disparo: string;
    /** HH:MM:SS */
    hora_previsao_disparo: string;
    /** decimal */
    valor_estimado: string;
    /** a chave dada na criação; ausente sem ela */
    id_externo?: string | undefined;
    paradas: Array<Parada>;
  }
>;

/** Uma entrega programada foi cancelada. */
export type ProgramadaCancelada = Evento<
  'programada.cancelada',
  DadosDeProgramada & {
    situacao_anterior: 'A' | 'D' | 'C' | 'agrupado' | 'X' | null;
  }
>;

/** Um entregador entrou em serviço ou saiu. */
export type CondutorDisponibilidade = Evento<
  'condutor.disponibilidade',
  {
    condutor: { id: string; nome: string } | null;
    /** cresce a cada evento do mesmo entregador */
    sequencia: number;
    disponivel: boolean;
  }
>;

/** Um entregador pediu ajuda à central. */
export type CondutorAjuda = Evento<
  'condutor.ajuda',
  {
    condutor: { id: string; nome: string } | null;
    /** cresce a cada evento do mesmo entregador */
    sequencia: number;
    id_mch: string | null;
  }
>;

/** Houve um lançamento na conta de um entregador. */
export type CondutorLancamento = Evento<
  'condutor.lancamento',
  {
    condutor: { id: string; nome: string } | null;
    /** o lugar no extrato do entregador: 1, 2, 3 … */
    numero: number;
    registro_id: string;
    tipo: 'repasse' | 'dinheiro_recebido' | 'dinheiro_entregue' | 'pagamento' | 'ajuste' | 'estorno';
    /** decimal; negativo quando diminui o que a central deve ao entregador */
    valor: string;
    /** decimal, depois do lançamento: o que a central deve ao entregador */
    saldo: string;
    /** decimal, depois do lançamento */
    dinheiro_a_entregar: string;
    id_mch: string | null;
  }
>;

/** Houve um lançamento na carteira de créditos. */
export type CreditoLancado = Evento<
  'credito.lancado',
  {
    empresa_id: string | null;
    registro_id: string | null;
    tipo: 'recarga' | 'saque' | 'reserva' | 'estorno_reserva' | 'cobranca' | 'taxa_cancelamento';
    /** decimal; negativo quando sai da carteira */
    valor: string;
    /** decimal, depois do lançamento */
    saldo: string;
    id_mch: string | null;
  }
>;

/** O evento de teste que foi pedido. */
export type WebhookTeste = Evento<'webhook.teste', { webhook_id: string | null; mensagem: string }>;

/** The body of any webhook; `type` says which. */
export type WebhookEvent =
  | EntregaStatus
  | EntregaParadaChegada
  | EntregaParadaConcluida
  | EntregaComprovante
  | EntregaParadaNaoEntregue
  | EntregaParadaRetomada
  | EntregaPosicao
  | EntregaAgrupada
  | EntregaAlterada
  | EntregaCondutorAlterado
  | EntregaParadaRemovida
  | ProgramadaAlterada
  | ProgramadaParadaRemovida
  | ProgramadaDisparada
  | ProgramadaCancelada
  | CondutorDisponibilidade
  | CondutorAjuda
  | CondutorLancamento
  | CreditoLancado
  | WebhookTeste;
