// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

/** The stable names of failures, as the header X-Error-Kind has them. */
export type ErrorKind =
  | 'invalid-input'
  | 'bad-credentials'
  | 'too-many-attempts'
  | 'logins-busy'
  | 'too-many-wrong-coupons'
  | 'not-allowed'
  | 'token-not-valid'
  | 'scope-missing'
  | 'only-in-sandbox'
  | 'not-in-sandbox'
  | 'clock-too-far'
  | 'company-manager-only'
  | 'delivery-not-found'
  | 'scheduled-not-found'
  | 'stop-not-found'
  | 'company-not-found'
  | 'company-ambiguous'
  | 'driver-not-found'
  | 'category-not-found'
  | 'reason-not-found'
  | 'area-not-found'
  | 'record-not-found'
  | 'webhook-not-found'
  | 'message-not-found'
  | 'grouping-in-progress'
  | 'merge-in-progress'
  | 'grouped-automatically'
  | 'not-awaiting-dispatch'
  | 'too-few-orders'
  | 'different-companies'
  | 'different-pickups'
  | 'too-close-to-dispatch'
  | 'too-many-stops'
  | 'estimate-impossible'
  | 'quote-not-found'
  | 'quote-expired'
  | 'quote-used'
  | 'quote-differs'
  | 'quote-of-other-company'
  | 'external-id-taken'
  | 'external-id-ambiguous'
  | 'not-saved'
  | 'not-in-progress'
  | 'delivery-over'
  | 'delivery-grouped'
  | 'delivery-started'
  | 'delivery-carries-others'
  | 'not-finished'
  | 'receipt-of-grouper'
  | 'still-awaiting-dispatch'
  | 'scheduled-cancelled'
  | 'scheduled-dispatched'
  | 'scheduled-grouped'
  | 'scheduled-failed'
  | 'dispatch-not-failed'
  | 'not-to-order-again'
  | 'not-to-dismiss'
  | 'last-stop'
  | 'removed-stop-not-found'
  | 'removed-stop-grouped'
  | 'removed-stop-over'
  | 'removed-stop-concluded'
  | 'removed-stop-last'
  | 'invite-not-valid'
  | 'device-not-found'
  | 'entry-not-found'
  | 'entry-reversed'
  | 'cash-not-held'
  | 'report-period'
  | 'report-filters'
  | 'closing-not-found'
  | 'nothing-to-close'
  | 'closing-paid'
  | 'closing-too-large'
  | 'pix-not-set'
  | 'pix-not-found'
  | 'pix-credited'
  | 'too-many-pix'
  | 'pix-amount'
  | 'driver-without-login'
  | 'not-a-device'
  | 'failure-not-open'
  | 'driver-carries-it'
  | 'driver-has-current'
  | 'delivery-without-driver'
  | 'delivery-handed-over'
  | 'delivery-changed'
  | 'edited-stop-concluded'
  | 'proof-not-found'
  | 'proof-already-kept'
  | 'proof-erased'
  | 'proof-too-late'
  | 'proof-too-many'
  | 'proof-photo-missing'
  | 'proof-signature-missing'
  | 'proof-name-missing'
  | 'proof-amount-missing'
  | 'proof-payment-missing'
  | 'received-above-due'
  | 'grouper-needs-stop'
  | 'step-out-of-order'
  | 'stops-not-concluded'
  | 'offer-not-open'
  | 'dispatch-in-the-past'
  | 'outside-operating-areas'
  | 'pickup-not-found'
  | 'stop-address-not-found'
  | 'pickup-unsure'
  | 'stop-address-unsure'
  | 'geocoding-unavailable'
  | 'address-without-street'
  | 'company-address-not-found'
  | 'too-many-addresses'
  | 'category-mismatch'
  | 'category-missing'
  | 'no-tariff'
  | 'coupon-invalid'
  | 'insufficient-balance'
  | 'wallet-needs-company'
  | 'company-fixed'
  | 'company-inactive'
  | 'confirmation-code-required'
  | 'wrong-confirmation-code'
  | 'confirmation-code-locked'
  | 'delivery-taken'
  | 'driver-busy'
  | 'driver-off-duty'
  | 'driver-too-far'
  | 'driver-inactive'
  | 'driver-of-other-companies'
  | 'plan-not-found'
  | 'plan-not-ready'
  | 'plan-not-applied'
  | 'plan-undo-over'
  | 'too-many-plans'
  | 'record-in-use'
  | 'record-duplicate'
  | 'invalid-shape'
  | 'areas-too-large'
  | 'default-area-needed'
  | 'central-not-identified'
  | 'api-key-unknown'
  | 'central-name-taken'
  | 'central-name-without-letter'
  | 'own-login'
  | 'last-operator'
  | 'last-supervisor'
  | 'no-supervisor'
  | 'last-key'
  | 'scope-not-possible'
  | 'program-revoked'
  | 'too-many-records'
  | 'too-many-webhooks'
  | 'webhook-asleep'
  | 'message-outdated'
  | 'replay-too-large'
  | 'cursor-not-valid'
  | 'view-name-taken'
  | 'too-many-views'
  | 'too-many-listeners'
  | 'idempotency-key-reused'
  | 'too-many-keys'
  | 'own-attempt-running'
  | 'route-not-found'
  | 'host-not-served'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'body-too-slow'
  | 'bodies-busy'
  | 'body-encoded'
  | 'rate-limited'
  | 'too-much-at-once'
  | 'items-refused'
  | 'unavailable'
  | 'outcome-unknown'
  | 'bug'
  | 'offline';

/** What a login may do, as the session lists it. */
export type Permission =
  | 'watch'
  | 'proof-read'
  | 'internals'
  | 'order'
  | 'desk'
  | 'address-book'
  | 'dispatch'
  | 'drive'
  | 'drivers'
  | 'companies'
  | 'registers-read'
  | 'tariffs'
  | 'settings'
  | 'users'
  | 'audit'
  | 'requests'
  | 'keys'
  | 'webhooks-read'
  | 'webhooks-resend'
  | 'webhooks'
  | 'balance'
  | 'wallet-read'
  | 'pix-codes'
  | 'top-up'
  | 'withdraw'
  | 'earnings-read'
  | 'driver-entries'
  | 'reports'
  | 'closings-read'
  | 'closings';

type EstimativasCorpo = {
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
  lat_partida?: number | undefined;
  lng_partida?: number | undefined;
  lat_desejado?: number | undefined;
  lng_desejado?: number | undefined;
  /** paradas antes do destino, na ordem da visita: lat,lng|lat,lng */
  latlng_paradas?: string | undefined;
  categoria_id?: number | undefined;
  categoria_nome?: string | undefined;
  com_retorno?: boolean | undefined;
  codigo_cupom?: string | null | undefined;
};

type Estimativas = {
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

type Partida = {
  endereco: string;
  bairro: string;
  /** latitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
  lat?: string | undefined;
  /** longitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
  lng?: string | undefined;
  complemento?: string | null | undefined;
  cidade?: string | null | undefined;
  estado?: string | null | undefined;
  referencia?: string | null | undefined;
};

type Paradas = {
  endereco_parada: string;
  bairro_parada: string;
  /** latitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
  lat_parada?: string | undefined;
  /** longitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
  lng_parada?: string | undefined;
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
  /** código de 4 dígitos do destinatário; sem ele, um é gerado quando a central exige códigos */
  codigo_confirmacao?: string | number | null | undefined;
  exigencias?: Exigencias | undefined;
};

type Exigencias = {
  entregar_de?: string | null | undefined;
  entregar_ate?: string | null | undefined;
  janela_obrigatoria?: boolean | null | undefined;
  minutos_parada?: number | null | undefined;
  peso_kg?: number | null | undefined;
  volume_litros?: number | null | undefined;
  pacotes?: number | null | undefined;
};

type Exigencias2 = {
  pronto_em?: string | null | undefined;
  minutos_coleta?: number | null | undefined;
  equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
  prioridade?: number | null | undefined;
};

type Programadas = {
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
  coleta: Desejado & {
    complemento: string;
    referencia: string;
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

type Consultar = {
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
  paradas: Array<{
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
  }>;
  condutor_id: string;
  nome_condutor: string;
  telefone_condutor: string;
  telefone_condutor_internacional: string;
  partida: Partida2;
  desejado: Desejado | null;
};

type Partida2 = {
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

type Desejado = {
  endereco: string;
  bairro: string;
  cidade: string;
  estado: string;
  /** decimal */
  lat: string;
  /** decimal */
  lng: string;
};

type RecargasCorpo = {
  valor: number;
  observacao?: string | null | undefined;
  empresa: {
    /** F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador */
    tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
    /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
    identificacao: string;
  };
};

type ProgramadasCorpo = {
  /** data do disparo, DD/MM/AAAA */
  data: string;
  /** hora do disparo, HH:MM:SS */
  hora: string;
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: Partida;
  paradas: Array<Paradas>;
  empresa_id?: number | null | undefined;
  cliente?: Cliente | undefined;
  categoria_id?: number | undefined;
  categoria_nome?: string | undefined;
  com_retorno?: boolean | undefined;
  observacao?: string | null | undefined;
  codigo_cupom?: string | null | undefined;
  exigencias?: Exigencias2 | undefined;
  /** a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido */
  id_externo?: string | null | undefined;
  /** cotação cujo preço e rota valem para este pedido */
  cotacao_id?: string | null | undefined;
};

type Cliente = {
  nome: string;
  cpf: string;
  telefone?: string | null | undefined;
};

type Partida3 = {
  endereco: string;
  bairro: string;
  cidade: string;
  estado: string;
  /** ISO 8601, UTC */
  data_hora: string;
};

type Estimativa = {
  estimativa_km: number;
  estimativa_tempo_minutos: number;
  estimativa_valor: string;
};

type EntregasCorpo = {
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: Partida;
  paradas: Array<Paradas>;
  empresa_id?: number | null | undefined;
  cliente?: Cliente | undefined;
  categoria_id?: number | undefined;
  categoria_nome?: string | undefined;
  com_retorno?: boolean | undefined;
  observacao?: string | null | undefined;
  codigo_cupom?: string | null | undefined;
  exigencias?: Exigencias2 | undefined;
  /** a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido */
  id_externo?: string | null | undefined;
  /** cotação cujo preço e rota valem para este pedido */
  cotacao_id?: string | null | undefined;
};

type Data = {
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
  errors?:
    | Array<{
        code: number;
        message: string;
      }>
    | undefined;
};

type Data2 = {
  /** posição do item na requisição, a partir de 0 */
  indice: number;
  id: number;
  success: boolean;
  data?:
    | {
        mensagem: string;
      }
    | undefined;
  /** de um item recusado: o status HTTP de uma requisição só com ele */
  status?: number | undefined;
  /** de um item recusado: o tipo da recusa, como em X-Error-Kind */
  kind?: string | undefined;
  errors?:
    | Array<{
        code: number;
        message: string;
      }>
    | undefined;
};

type Comprovantes = {
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

type Exigencias3 = {
  entregar_de: string | null;
  entregar_ate: string | null;
  janela_obrigatoria: boolean;
  minutos_parada: number | null;
  peso_kg: number | null;
  volume_litros: number | null;
  pacotes: number | null;
};

type Exigencias4 = {
  pronto_em: string | null;
  minutos_coleta: number | null;
  equipamentos: Array<'bag_termica' | 'bau' | 'bau_termico'>;
  prioridade: number | null;
  peso_kg: number | null;
  volume_litros: number | null;
  pacotes: number | null;
};

type Webhooks = {
  id: string;
  empresa_id: string | null;
  url: string;
  tipos: Array<
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

type Sandbox = {
  /** é criado no primeiro uso de uma chave de teste */
  existe: boolean;
  /** o relógio do ambiente de teste, ISO 8601 em UTC */
  agora: string;
  /** quanto o relógio foi adiantado desde a última limpeza */
  adiantado_minutos: number;
};

type Requisicoes = {
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

type Requisicoes2 = {
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
  erros: Array<{
    code: number;
    message: string;
  }>;
};

type Empresas = {
  id: string;
  nome: string;
  cpf_cnpj: string;
  telefone: string | null;
  numero_contrato: string | null;
  identificador: string | null;
  categoria_padrao_id: string | null;
  exige_liberacao: boolean;
  falha: Falha | null;
  texto_ajuda: string | null;
  comprovante_foto: 'nao' | 'opcional' | 'obrigatorio' | null;
  comprovante_assinatura: 'nao' | 'opcional' | 'obrigatorio' | null;
  comprovante_nome: 'nao' | 'opcional' | 'obrigatorio' | null;
  comprovante_valor: boolean | null;
  ativa: boolean;
};

type Falha = {
  ausente?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | null | undefined;
  endereco_errado?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | null | undefined;
  recusado?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | null | undefined;
  outro?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | null | undefined;
  tentativas_max?: number | null | undefined;
  apos_tentativas?: 'retornar' | 'deixar_no_fim' | null | undefined;
};

type EmpresasCorpo = {
  nome: string;
  /** com ou sem pontuação */
  cpf_cnpj: string;
  telefone?: string | null | undefined;
  numero_contrato?: string | null | undefined;
  identificador?: string | null | undefined;
  categoria_padrao_id?: number | string | null | undefined;
  /** as entregas da empresa aguardam liberação da central */
  exige_liberacao?: boolean | undefined;
  falha?: Falha | null | undefined;
  texto_ajuda?: string | null | undefined;
  comprovante_foto?: 'nao' | 'opcional' | 'obrigatorio' | null | undefined;
  comprovante_assinatura?: 'nao' | 'opcional' | 'obrigatorio' | null | undefined;
  comprovante_nome?: 'nao' | 'opcional' | 'obrigatorio' | null | undefined;
  comprovante_valor?: boolean | null | undefined;
  /** ausente: um registro novo é ativo, e os demais ficam como estão */
  ativa?: boolean | undefined;
};

type Enderecos = {
  id: string;
  /** partida: onde a empresa entrega o que envia; favorito: para onde envia com frequência */
  tipo: 'partida' | 'favorito';
  nome: string;
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  lat: number;
  lng: number;
  nome_destinatario: string | null;
  telefone_destinatario: string | null;
  padrao: boolean;
};

type EnderecosCorpo = {
  /** partida: onde a empresa entrega o que envia; favorito: para onde envia com frequência */
  tipo: 'partida' | 'favorito';
  nome: string;
  endereco: string;
  complemento?: string | null | undefined;
  referencia?: string | null | undefined;
  bairro: string;
  cidade?: string | null | undefined;
  estado?: string | null | undefined;
  lat: number;
  lng: number;
  nome_destinatario?: string | null | undefined;
  telefone_destinatario?: string | null | undefined;
  /** a partida com que um novo pedido começa; só uma por empresa */
  padrao?: boolean | undefined;
};

type Categorias = {
  id: string;
  nome: string;
  descricao: string;
  /** como o veículo usa as ruas */
  perfil: 'moto' | 'carro' | 'bicicleta';
  ativa: boolean;
  /** o que leva um veículo da categoria, quando não se sabe o que leva o do entregador; ausente: não se sabe */
  capacidade?:
    | {
        peso_kg: number | null;
        volume_litros: number | null;
        pacotes: number | null;
        equipamentos: Array<'bag_termica' | 'bau' | 'bau_termico'> | null;
      }
    | undefined;
};

type CategoriasCorpo = {
  nome: string;
  descricao?: string | undefined;
  /** como o veículo usa as ruas */
  perfil: 'moto' | 'carro' | 'bicicleta';
  /** ausente: um registro novo é ativo, e os demais ficam como estão */
  ativa?: boolean | undefined;
  capacidade?:
    | {
        peso_kg?: number | null | undefined;
        volume_litros?: number | null | undefined;
        pacotes?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
      }
    | null
    | undefined;
};

type Tarifas = {
  id: string;
  nome: string;
  categoria_id: string;
  area_id: string | null;
  bandeirada: string;
  por_km: string;
  por_minuto: string;
  por_parada_extra: string;
  fator_retorno: string;
  minimo: string;
  repasse: {
    tipo: 'nenhum' | 'percentual' | 'tabela';
    percentual: string | null;
    fixo: string | null;
    por_km: string | null;
    por_parada: string | null;
  } | null;
  janelas: Array<{
    dias: Array<number>;
    inicio: string;
    fim: string;
    fator: string;
  }>;
};

type TarifasCorpo = {
  nome: string;
  categoria_id: number | string;
  area_id?: number | string | null | undefined;
  /** valor em texto, como 5.00 */
  bandeirada: string;
  /** valor em texto, até 4 casas decimais, como 1.875 */
  por_km: string;
  /** valor em texto, até 4 casas decimais, como 1.875 */
  por_minuto: string;
  /** valor em texto, como 5.00 */
  por_parada_extra: string;
  /** fator em texto, como 1.25 */
  fator_retorno: string;
  /** valor em texto, como 5.00 */
  minimo: string;
  repasse?:
    | {
        tipo: 'nenhum' | 'percentual' | 'tabela';
        percentual?: string | null | undefined;
        fixo?: string | null | undefined;
        por_km?: string | null | undefined;
        por_parada?: string | null | undefined;
      }
    | null
    | undefined;
  janelas?:
    | Array<{
        /** 1 segunda-feira a 7 domingo */
        dias: Array<number>;
        /** HH:MM no fuso da central */
        inicio: string;
        /** HH:MM no fuso da central */
        fim: string;
        /** fator em texto, como 1.25 */
        fator: string;
      }>
    | undefined;
};

type AreasAtuacao = {
  id: string;
  nome: string;
  padrao: boolean;
  /** GeoJSON Polygon ou MultiPolygon; posições [longitude, latitude]; anéis internos são buracos */
  geometria: {
    type: string;
    coordinates: Array<unknown>;
  };
};

type AreasAtuacaoCorpo = {
  nome: string;
  /** ausente: fica como está */
  padrao?: boolean | undefined;
  /** GeoJSON Polygon ou MultiPolygon; posições [longitude, latitude]; anéis internos são buracos */
  geometria: {
    type: string;
    coordinates: Array<unknown>;
  };
};

type Condutores = {
  id: string;
  nome: string;
  telefone: string;
  veiculo: string;
  placa: string;
  cor: string | null;
  /** categorias cujas entregas lhe são oferecidas */
  categorias: Array<string>;
  /** empresas que atende; vazio: todas, e também entregas sem empresa */
  empresas: Array<string>;
  /** o que o veículo dele leva; ausente: como a categoria */
  capacidade?:
    | {
        peso_kg: number | null;
        volume_litros: number | null;
        pacotes: number | null;
        equipamentos: Array<'bag_termica' | 'bau' | 'bau_termico'> | null;
      }
    | undefined;
  disponivel: boolean;
  ativo: boolean;
  simulado: boolean;
};

type CondutoresCorpo = {
  nome: string;
  telefone: string;
  veiculo?: string | null | undefined;
  placa?: string | null | undefined;
  cor?: string | null | undefined;
  /** categorias cujas entregas lhe são oferecidas */
  categorias: Array<number | string>;
  /** empresas que atende; vazio: todas, e também entregas sem empresa */
  empresas?: Array<number | string> | undefined;
  capacidade?:
    | {
        peso_kg?: number | null | undefined;
        volume_litros?: number | null | undefined;
        pacotes?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
      }
    | null
    | undefined;
  /** ausente: um registro novo é ativo, e os demais ficam como estão */
  ativo?: boolean | undefined;
  /** entregador de teste, que se move sozinho; vale ao cadastrar e não muda depois */
  simulado?: boolean | undefined;
};

type Turnos = {
  /** false: a central não mantém turnos dele, e ele recebe ofertas sempre que está disponível */
  mantidos: boolean;
  semana: Array<{
    dia: number;
    inicio: string;
    fim: string;
    pausas: Array<{
      inicio: string;
      fim: string;
    }>;
  }>;
  dias: Array<{
    data: string;
    turnos: Array<{
      inicio: string;
      fim: string;
      pausas: Array<{
        inicio: string;
        fim: string;
      }>;
    }>;
  }>;
};

type Usuarios = {
  id: string;
  usuario: string;
  perfil:
    | 'operador'
    | 'supervisor'
    | 'financeiro'
    | 'atendente'
    | 'consulta'
    | 'integrador'
    | 'gerente'
    | 'condutor';
  empresa_id: string | null;
  condutor_id: string | null;
  ativo: boolean;
};

type Chaves = {
  id: string;
  descricao: string;
  /** ISO 8601 em UTC */
  criada_em: string;
  revogada_em: string | null;
};

type Chaves2 = {
  id: string;
  descricao: string;
  /** ISO 8601 em UTC */
  criada_em: string;
  revogada_em: string | null;
  chave: string | null;
};

type Cupons = {
  id: string;
  codigo: string;
  percentual: string;
  gerador_cupom_id: string;
  valido_ate: string | null;
  limite_usos: number | null;
  limite_usos_por_empresa: number | null;
  /** empresas que podem usá-lo; vazio: todas, e também entregas sem empresa */
  empresas: Array<string>;
  /** pedidos que o usam agora; os que não deram em nada não contam */
  usos: number;
  ativo: boolean;
};

type CuponsCorpo = {
  codigo: string;
  /** desconto em texto, como 10.00 */
  percentual: string;
  gerador_cupom_id?: string | undefined;
  valido_ate?: string | null | undefined;
  limite_usos?: number | null | undefined;
  limite_usos_por_empresa?: number | null | undefined;
  /** empresas que podem usá-lo; vazio: todas, e também entregas sem empresa */
  empresas?: Array<number | string> | undefined;
  /** ausente: um registro novo é ativo, e os demais ficam como estão */
  ativo?: boolean | undefined;
};

type MotivosCancelamento = {
  id: string;
  nome: string;
  nome_en: string;
  ativo: boolean;
};

type MotivosCancelamentoCorpo = {
  nome: string;
  /** ausente: igual a nome */
  nome_en?: string | undefined;
  /** ausente: um registro novo é ativo, e os demais ficam como estão */
  ativo?: boolean | undefined;
};

type Configuracoes = {
  nome: string;
  fuso_horario: string;
  /** cor da central no que os destinatários veem, #rrggbb */
  cor: string;
  /** como o destinatário pede ajuda */
  texto_ajuda: string;
  /** validade do link de rastreio após o fim */
  horas_rastreio_apos_fim: number;
  /** a parada só é concluída com o código do destinatário */
  exige_codigo_confirmacao: boolean;
  /** o que segue quando não há ninguém no local */
  falha_ausente: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  /** o que segue quando o endereço está errado */
  falha_endereco_errado: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  /** o que segue quando o destinatário recusa */
  falha_recusado: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  /** o que segue quando a entrega de uma parada falha por outro motivo */
  falha_outro: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  /** quantas vezes a mesma parada é tentada em uma corrida, onde se tenta de novo */
  falha_tentativas_max: number;
  /** o que segue à última tentativa */
  falha_apos_tentativas: 'retornar' | 'deixar_no_fim';
  /** foto da entrega em cada parada; uma empresa pode ter a própria regra */
  comprovante_foto: 'nao' | 'opcional' | 'obrigatorio';
  /** assinatura de quem recebe; uma empresa pode ter a própria regra */
  comprovante_assinatura: 'nao' | 'opcional' | 'obrigatorio';
  /** nome de quem recebe; uma empresa pode ter a própria regra */
  comprovante_nome: 'nao' | 'opcional' | 'obrigatorio';
  /** o valor recebido é registrado onde há valor a cobrar */
  comprovante_valor: boolean;
  /** o destinatário vê a foto da entrega na página de rastreio */
  comprovante_no_rastreio: boolean;
  /** a integração pode cancelar uma programada que ainda aguarda disparo */
  permite_cancelar_programada_aguardando: boolean;
  /** o gerente de uma empresa pode recarregar a própria carteira; desligado, só a central recarrega */
  permite_gerente_recarregar: boolean;
  /** operadores só conduzem o dia: tarifas, usuários, chaves, configurações, fechamentos e saldos ficam com supervisores e financeiro; exige um supervisor ativo */
  operadores_so_conduzem_o_dia: boolean;
  /** quantos cupons inválidos um usuário pode informar em 15 minutos antes de ter cupons recusados */
  cupons_invalidos_max: number;
  /** por quanto tempo vale o preço de uma cotação */
  cotacao_minutos: number;
  /** toda entrega nova aguarda liberação da central */
  exige_liberacao: boolean;
  /** cobrada ao cancelar depois do aceite; 0 desliga */
  taxa_cancelamento_centavos: number;
  /** o que o entregador ganha de cada entrega, onde a tarifa não diz outra coisa: nada, um percentual do preço ou uma tabela */
  repasse_tipo: 'nenhum' | 'percentual' | 'tabela';
  /** do preço antes do cupom, para o tipo percentual */
  repasse_percentual: number;
  /** por entrega, para o tipo tabela */
  repasse_fixo_centavos: number;
  /** por km previsto, para o tipo tabela */
  repasse_por_km_centavos: number;
  /** por parada, para o tipo tabela */
  repasse_por_parada_centavos: number;
  /** chave Pix que recebe das empresas: CPF, CNPJ, telefone com DDD, e-mail ou aleatória */
  pix_chave: string;
  /** nome do recebedor nos códigos Pix; vazio: o da central */
  pix_nome: string;
  /** cidade do recebedor nos códigos Pix */
  pix_cidade: string;
  /** tempo do entregador para responder a uma oferta */
  oferta_segundos: number;
  /** a quantos entregadores uma entrega é oferecida ao mesmo tempo */
  ofertas_simultaneas: number;
  /** distância em linha reta do entregador à partida */
  busca_metros_max: number;
  /** intervalo entre buscas sem resultado */
  busca_intervalo_segundos: number;
  /** depois disso a entrega fica como não atendida */
  busca_limite_minutos: number;
  /** idade máxima da posição de um entregador para receber ofertas */
  posicao_minutos_max: number;
  /** da última parada à próxima partida da mesma empresa; 0 desliga */
  proxima_coleta_metros_max: number;
  /** um entregador em serviço pode aceitar uma entrega que não lhe foi oferecida, de uma categoria sua */
  permite_pegar_da_lista: boolean;
  /** distância em linha reta do entregador à partida do que ele pega da lista */
  lista_metros_max: number;
  /** quantas entregas podem esperar pelo entregador que pega da lista; 0: só quem está livre pega */
  lista_em_espera_max: number;
  /** agrupa programadas da mesma empresa e partida antes do disparo */
  agrupamento_automatico: boolean;
  /** diferença máxima entre os disparos de um grupo */
  agrupamento_janela_minutos: number;
  /** quanto antes do primeiro disparo o grupo é formado */
  agrupamento_antecedencia_segundos: number;
  /** economia de tempo que justifica um grupo */
  agrupamento_economia_percentual_min: number;
  /** duração máxima da rota de um grupo */
  agrupamento_rota_minutos_max: number;
  /** planejamento contínuo do que espera por um entregador: desligado, só propõe planos, ou também os aplica */
  planejamento: 'desligado' | 'sugere' | 'aplica';
  /** há quanto tempo uma entrega espera para entrar nele */
  planejamento_espera_segundos: number;
  /** como um plano aplicado chega aos entregadores: oferta de uma corrida, ou atribuição sem perguntar */
  plano_chega_como: 'oferta' | 'atribuicao';
  /** quantas entregas um entregador leva ao mesmo tempo em um plano; as etapas seguem uma entrega de cada vez */
  plano_a_bordo_max: number;
  /** entregadores simulados se movem sozinhos, para testes */
  simula_condutores: boolean;
  /** quantas vezes mais rápidos que os reais */
  simulacao_velocidade: number;
  /** na demonstração: pedidos e entregadores de uma sexta-feira à noite */
  simulacao_sexta: boolean;
  /** quem conhece as ruas */
  roteirizacao: 'auto' | 'estimator' | 'roads' | 'valhalla' | 'osrm';
  /** quem encontra endereços enviados sem coordenadas; auto usa os endereços importados, se houver */
  geocodificacao: 'auto' | 'off' | 'addresses' | 'nominatim' | 'photon' | 'google';
  /** um endereço sem coordenadas encontrado com menos precisão é recusado */
  endereco_precisao_minima: 'numero' | 'numero_aproximado' | 'rua' | 'cep' | 'bairro' | 'municipio';
  /** em vez de recusado, o endereço é aceito e marcado para conferência */
  aceita_endereco_impreciso: boolean;
  /** páginas destas origens podem chamar o serviço pelo navegador, com api-key e usuário (CORS); vazia: nenhuma */
  origens_navegador: Array<string>;
  /** somado a cada trecho em linha reta */
  estimador_acrescimo_metros: number;
  /** caminho em relação à linha reta */
  estimador_desvio_percentual: number;
  /** velocidade média do estimador */
  estimador_km_por_hora: number;
  /** depois disso eventos e envios de webhooks são descartados */
  eventos_guardados_dias: number;
  /** além das recusadas, uma em tantas requisições é registrada; 0: somente as recusadas */
  requisicoes_amostra_uma_em: number;
  /** depois disso as requisições registradas são descartadas; 0: nenhuma é registrada */
  requisicoes_guardadas_dias: number;
  /** quantos meses após o fim nomes, telefones, números de porta e observações são apagados; 0 guarda sempre */
  dados_pessoais_meses: number;
  /** requisições em 60 segundos */
  limite_programadas: number;
  /** requisições em 60 segundos */
  limite_entregas: number;
  /** requisições em 60 segundos; também empresas e áreas */
  limite_estimativas: number;
  /** requisições em 60 segundos; o mesmo vale, à parte, para saques */
  limite_recargas_por_empresa: number;
  /** requisições em 60 segundos */
  limite_saldos_por_empresa: number;
  /** requisições em 60 segundos, sem as posições */
  limite_operacao: number;
  /** posições de entregadores em 60 segundos */
  limite_posicoes: number;
};

type Rotas = {
  /** pares [lng, lat], como no GeoJSON */
  linha: Array<[number, number]>;
  km: number;
  minutos: number;
};

type Enderecos2 = {
  /** vazia para um bairro ou município */
  rua: string;
  numero: number | null;
  bairro: string;
  cidade: string;
  estado: string;
  cep: string | null;
  lat: number;
  lng: number;
  precisao: 'numero' | 'numero_aproximado' | 'rua' | 'cep' | 'bairro' | 'municipio';
  erro_metros: number;
  fonte: string;
};

type Partidas = {
  nome: string;
  padrao: boolean;
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  lat: number;
  lng: number;
  nome_destinatario: string | null;
  telefone_destinatario: string | null;
};

type Recentes = {
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  lat: number;
  lng: number;
  nome_destinatario: string | null;
  telefone_destinatario: string | null;
};

type Foto = {
  id_mch: string;
  parada_id: string;
  tipo: 'foto' | 'assinatura';
  /** image/jpeg, image/png ou image/webp */
  formato: string;
  largura: number;
  altura: number;
  /** quando foi feita, segundo o telefone; ISO 8601 em UTC */
  tirada_em: string;
  /** quando chegou à central; ISO 8601 em UTC */
  recebida_em: string;
};

type Data3 = {
  /** posição do item na requisição, a partir de 0 */
  indice: number;
  id: number;
  success: boolean;
  data?:
    | {
        status: 'D' | 'G' | 'P';
      }
    | undefined;
  /** de um item recusado: o status HTTP de uma requisição só com ele */
  status?: number | undefined;
  /** de um item recusado: o tipo da recusa, como em X-Error-Kind */
  kind?: string | undefined;
  errors?:
    | Array<{
        code: number;
        message: string;
      }>
    | undefined;
};

type ParadasCorpo = {
  /** a da ficha que o operador viu */
  versao: number;
  /** todas as que ainda serão visitadas, na ordem; as que faltam são excluídas */
  paradas: Array<{
    id?: number | string | null | undefined;
    endereco?: string | null | undefined;
    bairro?: string | null | undefined;
    cidade?: string | null | undefined;
    estado?: string | null | undefined;
    complemento?: string | null | undefined;
    referencia?: string | null | undefined;
    lat?: number | null | undefined;
    lng?: number | null | undefined;
    numero_pedido?: string | null | undefined;
    nome_cliente?: string | null | undefined;
    telefone_cliente?: string | null | undefined;
    observacao?: string | null | undefined;
    valor_cobrar?: string | null | undefined;
    exigencias?: Exigencias | undefined;
  }>;
  exigencias?: Exigencias2 | undefined;
  /** o servidor escolhe a ordem; falso: a enviada */
  otimizar?: boolean | undefined;
};

type Antes = {
  paradas: number;
  minutos: number;
  km: number;
  valor: string;
};

type Falha2 = {
  ausente: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  endereco_errado: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  recusado: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  outro: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
  tentativas_max: number;
  apos_tentativas: 'retornar' | 'deixar_no_fim';
};

type Coleta = {
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  uf: string;
  lat: number;
  lng: number;
};

type Ganhos = {
  hoje: {
    /** finalizadas */
    entregas: number;
    /** repasses e ajustes */
    valor: string;
    dinheiro_recebido: string;
  };
  /** desde segunda-feira */
  semana: {
    /** finalizadas */
    entregas: number;
    /** repasses e ajustes */
    valor: string;
    dinheiro_recebido: string;
  };
  /** o que a central deve ao entregador; negativo: o que ele deve */
  saldo: string;
  dinheiro_a_entregar: string;
};

type Simular = {
  /** AAAA-MM-DD */
  de: string;
  /** AAAA-MM-DD */
  ate: string;
  entregas: number;
  totais: Array<{
    tipo:
      | 'entrega'
      | 'taxa_cancelamento'
      | 'pago_com_creditos'
      | 'recebido_em_dinheiro'
      | 'pago_no_pedido'
      | 'repasse'
      | 'dinheiro_recebido'
      | 'dinheiro_entregue'
      | 'pagamento'
      | 'ajuste';
    valor: string;
  }>;
  descontos: string;
  /** o que a empresa tem a pagar, ou o que a central tem a pagar ao entregador; negativo: o contrário */
  total: string;
  lancamentos: number;
  /** lançamentos do mesmo dia que ficam para o próximo fechamento; mais que 0 só em um dia que sozinho tem mais de 5.000 lançamentos */
  restantes: number;
};

type Fechamentos = {
  id: string;
  empresa_id: string | null;
  condutor_id: string | null;
  nome: string;
  /** AAAA-MM-DD */
  de: string;
  /** AAAA-MM-DD */
  ate: string;
  entregas: number;
  totais: Array<{
    tipo:
      | 'entrega'
      | 'taxa_cancelamento'
      | 'pago_com_creditos'
      | 'recebido_em_dinheiro'
      | 'pago_no_pedido'
      | 'repasse'
      | 'dinheiro_recebido'
      | 'dinheiro_entregue'
      | 'pagamento'
      | 'ajuste';
    valor: string;
  }>;
  descontos: string;
  /** o que a empresa tem a pagar, ou o que a central tem a pagar ao entregador; negativo: o contrário */
  total: string;
  /** ISO 8601 em UTC */
  fechado_em: string;
  pago_em: string | null;
  pix: string | null;
  /** lançamentos do mesmo dia que ficam para o próximo fechamento; mais que 0 só em um dia que sozinho tem mais de 5.000 lançamentos */
  restantes: number;
};

type Fechamentos2 = {
  id: string;
  empresa_id: string | null;
  condutor_id: string | null;
  nome: string;
  /** AAAA-MM-DD */
  de: string;
  /** AAAA-MM-DD */
  ate: string;
  entregas: number;
  totais: Array<{
    tipo:
      | 'entrega'
      | 'taxa_cancelamento'
      | 'pago_com_creditos'
      | 'recebido_em_dinheiro'
      | 'pago_no_pedido'
      | 'repasse'
      | 'dinheiro_recebido'
      | 'dinheiro_entregue'
      | 'pagamento'
      | 'ajuste';
    valor: string;
  }>;
  descontos: string;
  /** o que a empresa tem a pagar, ou o que a central tem a pagar ao entregador; negativo: o contrário */
  total: string;
  /** ISO 8601 em UTC */
  fechado_em: string;
  pago_em: string | null;
  pix: string | null;
};

type Arquivo = {
  /** nome do arquivo */
  nome: string;
  /** tipo de mídia */
  tipo: string;
  /** base64 */
  conteudo: string;
};

type Periodo = {
  de: string;
  ate: string;
  /** finalizadas, canceladas e não atendidas */
  encerradas: number;
  /** finalizadas */
  finalizadas: number;
  /** finalizadas com ao menos uma parada entregue */
  com_prazo: number;
  /** destas, as entregues até o prazo prometido ao abrir */
  no_prazo: number;
  /** canceladas */
  canceladas: number;
  /** para as quais não se achou entregador */
  nao_atendidas: number;
  /** paradas entregues */
  paradas_entregues: number;
  /** paradas encerradas sem entrega */
  paradas_nao_entregues: number;
  /** finalizadas que levaram outras consigo */
  agrupamentos: number;
  /** rotas separadas menos a rota conjunta dos agrupamentos finalizados */
  metros_economizados: number;
  tempos: Tempos;
};

type Tempos = {
  /** segundos; nulo onde não há entregas, ou onde só há a média */
  aceite: Aceite;
  /** segundos; nulo onde não há entregas, ou onde só há a média */
  coleta: Aceite;
  /** segundos; nulo onde não há entregas, ou onde só há a média */
  entrega: Aceite;
  /** segundos; nulo onde não há entregas, ou onde só há a média */
  total: Aceite;
};

type Aceite = {
  media: number | null;
  mediana: number | null;
  p90: number | null;
};

type Pix = {
  /** o que a central encontra no extrato do banco */
  identificador: string;
  valor: string;
  /** código Pix copia e cola */
  codigo: string;
  /** ISO 8601 em UTC */
  gerado_em: string;
};

type Coleta2 = {
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  lat: number;
  lng: number;
};

type Paradas2 = {
  id: string;
  ordem: number;
  /** a programada com que a parada foi pedida */
  pedida_com: string;
  endereco: string;
  complemento: string | null;
  referencia: string | null;
  bairro: string;
  cidade: string;
  estado: string;
  lat: number;
  lng: number;
  numero_pedido: string | null;
  id_externo: string | null;
  nome_cliente: string | null;
  telefone_cliente: string | null;
  observacao: string | null;
  valor_cobrar: string | null;
  /** o que a parada exige; ausente se nada */
  exigencias?: Exigencias3 | undefined;
};

type Antes2 = {
  viagens: number;
  paradas: number;
  minutos: number;
  km: number;
  valor: string;
};

type Antes3 = {
  minutos: number;
  km: number;
  valor: string;
};

type Exportar = {
  /** nome do arquivo */
  nome: string;
  /** esta parte; a primeira traz o cabeçalho */
  conteudo: string;
  /** até aqui, sem o cabeçalho */
  linhas: number;
  limite_linhas: number;
  /** o arquivo termina aqui, e há mais do que ele traz */
  limitado: boolean;
  proximo: string | null;
};

type Visoes = {
  id: string;
  lista:
    | 'entregas'
    | 'programadas'
    | 'entregadores'
    | 'empresas'
    | 'carteiras'
    | 'contas-entregadores'
    | 'contas-empresas';
  nome: string;
  /** como no endereço da lista, sem o ponto de interrogação */
  filtros: string;
  compartilhada: boolean;
  /** somente quem a salvou a altera ou exclui */
  propria: boolean;
  /** quem a salvou */
  usuario: string;
};

type VisoesCorpo = {
  lista:
    | 'entregas'
    | 'programadas'
    | 'entregadores'
    | 'empresas'
    | 'carteiras'
    | 'contas-entregadores'
    | 'contas-empresas';
  nome: string;
  filtros: string;
  compartilhada?: boolean | undefined;
};

type Localizacao = {
  fonte: string;
  precisao: 'numero' | 'numero_aproximado' | 'rua' | 'cep' | 'bairro' | 'municipio';
  /** encontrado com menos precisão do que a central pede */
  conferir: boolean;
};

type Programas = {
  id: string;
  descricao: string;
  empresa_id: string | null;
  permissoes: Array<
    | 'watch'
    | 'proof-read'
    | 'internals'
    | 'order'
    | 'desk'
    | 'address-book'
    | 'dispatch'
    | 'drive'
    | 'drivers'
    | 'companies'
    | 'registers-read'
    | 'tariffs'
    | 'audit'
    | 'webhooks-read'
    | 'webhooks-resend'
    | 'webhooks'
    | 'balance'
    | 'wallet-read'
    | 'pix-codes'
    | 'top-up'
    | 'withdraw'
    | 'earnings-read'
    | 'driver-entries'
    | 'reports'
    | 'closings-read'
    | 'closings'
  >;
  /** ISO 8601 em UTC */
  criado_em: string;
  criado_por: string | null;
  expira_em: string | null;
  revogado_em: string | null;
  token_anterior_ate: string | null;
  ultimo_uso_em: string | null;
  enderecos: Array<{
    endereco: string;
    /** ISO 8601 em UTC */
    em: string;
  }>;
};

type Programas2 = {
  id: string;
  descricao: string;
  empresa_id: string | null;
  permissoes: Array<
    | 'watch'
    | 'proof-read'
    | 'internals'
    | 'order'
    | 'desk'
    | 'address-book'
    | 'dispatch'
    | 'drive'
    | 'drivers'
    | 'companies'
    | 'registers-read'
    | 'tariffs'
    | 'audit'
    | 'webhooks-read'
    | 'webhooks-resend'
    | 'webhooks'
    | 'balance'
    | 'wallet-read'
    | 'pix-codes'
    | 'top-up'
    | 'withdraw'
    | 'earnings-read'
    | 'driver-entries'
    | 'reports'
    | 'closings-read'
    | 'closings'
  >;
  /** ISO 8601 em UTC */
  criado_em: string;
  criado_por: string | null;
  expira_em: string | null;
  revogado_em: string | null;
  token_anterior_ate: string | null;
  ultimo_uso_em: string | null;
  enderecos: Array<{
    endereco: string;
    /** ISO 8601 em UTC */
    em: string;
  }>;
  token: string | null;
};

type Planos = {
  id: string;
  estado: 'calculando' | 'pronto' | 'falhou';
  fase: 'lendo' | 'caminhos' | 'procurando' | null;
  /** de 0 a 100 */
  progresso: number;
  custo_ate_agora: number | null;
  entregas: number | null;
  /** feito pelo planejamento contínuo */
  automatico: boolean;
  /** ISO 8601 em UTC */
  criado_em: string;
  pronto_em: string | null;
  segundos: number;
  semente: number;
  aplicado_em: string | null;
  desfazer_ate: string | null;
  desfeito_em: string | null;
};

/** By interface, then by method and path. */
export interface Apis {
  integracao: {
    /** Estimar uma entrega para uma empresa. */
    'POST /entregas/empresas/{id}/estimativas': {
      given: { id: number | string; body: EstimativasCorpo };
      answer: Estimativas;
    };
    /** Agrupar programadas em uma programada. */
    'POST /entregas/programadas/{id}/agrupar': {
      given: {
        id: number | string;
        body: {
          /** entregas programadas a agrupar */
          programadas_agrupadas: Array<number>;
        };
      };
      answer: {
        message: string;
      };
    };
    /** Editar uma entrega programada (substituição total). */
    'PUT /entregas/programadas/{id}': {
      given: {
        id: number | string;
        body: {
          /** data do disparo, DD/MM/AAAA */
          data: string;
          /** hora do disparo, HH:MM:SS */
          hora: string;
          /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
          forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
          partida: Partida;
          paradas: Array<Paradas>;
          exigencias?: Exigencias2 | undefined;
        };
      };
      answer: {
        id_mch: number;
      };
    };
    /** Ler uma entrega programada. */
    'GET /entregas/programadas/{id}': {
      given: { id: number | string };
      answer: Programadas;
    };
    /** Consultar entregas. */
    'POST /entregas/consultar': {
      given: {
        body?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
          status_solicitacao?: 'D' | 'G' | 'A' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L' | undefined;
          tipo_pagamento?: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | undefined;
          condutor_id?: number | undefined;
          id_externo?: string | undefined;
          /** `inicio` na primeira página; depois, o `proximo_cursor` da resposta anterior, com os mesmos filtros */
          cursor?: string | undefined;
          /** da empresa com este id */
          empresa_id?: number | undefined;
          /** com uma parada deste número de pedido */
          numero_pedido?: string | undefined;
          /** pedidas neste instante ou depois; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          solicitada_de?: string | undefined;
          /** pedidas até este segundo, inclusive; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          solicitada_ate?: string | undefined;
          /** finalizadas neste instante ou depois; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          finalizada_de?: string | undefined;
          /** finalizadas até este segundo, inclusive; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          finalizada_ate?: string | undefined;
          /** alteradas neste instante ou depois, na ordem das alterações; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          alteradas_desde?: string | undefined;
        };
      };
      answer: Array<Consultar>;
    };
    /** Recarregar créditos de uma empresa. */
    'POST /entregas/empresas/creditos/recargas': {
      given: { body: RecargasCorpo };
      answer: {
        registro_id: string;
      };
    };
    /** Agrupar programadas em uma entrega em andamento. */
    'POST /entregas/{id}/agrupar/programadas': {
      given: {
        id: number | string;
        body: {
          /** entregas programadas a agrupar */
          programadas_agrupadas: Array<number>;
          /** entregas em andamento a agrupar também */
          solicitacoes_agrupadas?: Array<number> | undefined;
        };
      };
      answer: {
        message: string;
      };
    };
    /** Agrupar entregas em andamento. */
    'POST /entregas/{id}/agrupar': {
      given: {
        id: number | string;
        body: {
          /** entregas em andamento a agrupar */
          solicitacoes_agrupadas: Array<number>;
        };
      };
      answer: {
        message: string;
      };
    };
    /** Cancelar uma entrega. */
    'POST /entregas/{id}/cancelar': {
      given: {
        id: number | string;
        body: {
          /** motivo do cancelamento */
          motivo_id: number;
        };
      };
      answer: {
        message: string;
      };
    };
    /** Listar entregas programadas. */
    'GET /entregas/programadas': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
          id_externo?: string | undefined;
          /** `inicio` na primeira página; depois, o `proximo_cursor` da resposta anterior, com os mesmos filtros */
          cursor?: string | undefined;
          /** da empresa com este id */
          empresa_id?: number | undefined;
          /** com uma parada deste número de pedido */
          numero_pedido?: string | undefined;
          /** pedidas neste instante ou depois; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          solicitada_de?: string | undefined;
          /** pedidas até este segundo, inclusive; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          solicitada_ate?: string | undefined;
          /** com disparo previsto neste instante ou depois; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          disparo_de?: string | undefined;
          /** com disparo previsto até este segundo, inclusive; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          disparo_ate?: string | undefined;
          /** alteradas neste instante ou depois, na ordem das alterações; AAAA-MM-DD HH:MM:SS no horário da central, ou ISO 8601 com fuso */
          alteradas_desde?: string | undefined;
        };
      };
      answer: Array<Programadas>;
    };
    /** Programar uma entrega. */
    'POST /entregas/programadas': {
      given: { body: ProgramadasCorpo };
      answer: {
        id_mch: string;
        /** só com id_externo: se o pedido foi criado, já existia igual, ou foi editado */
        resultado?: 'criada' | 'repetida' | 'editada' | undefined;
      };
    };
    /** Obter o recibo. */
    'GET /entregas/{id}/recibo': {
      given: { id: number | string };
      answer: {
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
        partida: Partida3;
        desejado: Partida3;
      };
    };
    /** Obter os links de rastreio. */
    'GET /entregas/{id}/links-rastreio': {
      given: { id: number | string };
      answer: Array<{
        parada_id: string;
        link_rastreio: string;
        codigo_confirmacao: number | null;
      }>;
    };
    /** Excluir uma parada de uma entrega programada. */
    'DELETE /entregas/programadas/{id}/paradas/{parada_id}': {
      given: { id: number | string; parada_id: number | string };
      answer: {
        data: {
          status: 'OK';
          estimativa: Estimativa | null;
        };
        message: string;
      };
    };
    /** Listar as áreas de atuação da central. */
    'GET /entregas/bandeiras/areas-atuacao': {
      given: Record<never, never>;
      answer: Array<{
        id: number;
        nome: string;
        padrao: boolean;
      }>;
    };
    /** Consultar o saldo de créditos de uma empresa. */
    'GET /entregas/empresas/creditos/saldo': {
      given: {
        query: {
          /** F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador */
          tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
          /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
          identificacao: string;
        };
      };
      answer: {
        saldo: number;
      };
    };
    /** Cancelar uma entrega programada. */
    'POST /entregas/programadas/{id}/cancelar': {
      given: { id: number | string };
      answer: {
        id_mch_programada: number;
        mensagem: string;
      };
    };
    /** Consultar o status. */
    'GET /entregas/{id}/status': {
      given: { id: number | string };
      answer: {
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Abrir uma entrega imediata. */
    'POST /entregas': {
      given: { body: EntregasCorpo };
      answer: {
        id_mch: string;
        /** só com id_externo: se o pedido foi criado, já existia igual, ou foi editado */
        resultado?: 'criada' | 'repetida' | 'editada' | undefined;
      };
    };
    /** Abrir até 500 entregas imediatas. */
    'POST /entregas/lote': {
      given: {
        body: {
          entregas: Array<EntregasCorpo>;
          /** com true, um item recusado recusa todos e nada é gravado; padrão false */
          tudo_ou_nada?: boolean | undefined;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data>;
      };
    };
    /** Programar até 500 entregas. */
    'POST /entregas/programadas/lote': {
      given: {
        body: {
          entregas: Array<ProgramadasCorpo>;
          /** com true, um item recusado recusa todos e nada é gravado; padrão false */
          tudo_ou_nada?: boolean | undefined;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data>;
      };
    };
    /** Consultar o status de até 500 entregas. */
    'POST /entregas/status': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
        };
      };
      answer: {
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
          errors?:
            | Array<{
                code: number;
                message: string;
              }>
            | undefined;
        }>;
      };
    };
    /** Cancelar até 500 entregas. */
    'POST /entregas/cancelar': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
          /** motivo do cancelamento */
          motivo_id: number;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data2>;
      };
    };
    /** Cancelar até 500 entregas programadas. */
    'POST /entregas/programadas/cancelar': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data2>;
      };
    };
    /** Cotar um pedido por um preço que vale por alguns minutos. */
    'POST /entregas/cotacoes': {
      given: {
        body: {
          /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
          forma_pagamento?: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R' | undefined;
          partida: Partida;
          paradas?: Array<Paradas> | undefined;
          empresa_id?: number | null | undefined;
          cliente?: Cliente | undefined;
          categoria_id?: number | undefined;
          categoria_nome?: string | undefined;
          com_retorno?: boolean | undefined;
          observacao?: string | null | undefined;
          codigo_cupom?: string | null | undefined;
          exigencias?: Exigencias2 | undefined;
          destino?: Partida | undefined;
          /** data do disparo, DD/MM/AAAA */
          data?: string | undefined;
          /** hora do disparo, HH:MM:SS */
          hora?: string | undefined;
        };
      };
      answer: Estimativas & {
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
    };
    /** Estimar uma entrega sem informar a empresa. */
    'POST /entregas/estimativas': {
      given: { body: EstimativasCorpo };
      answer: Estimativas;
    };
    /** Ler uma entrega. */
    'GET /entregas/{id}': {
      given: { id: number | string };
      answer: Consultar;
    };
    /** Editar uma entrega (substituição total). */
    'PUT /entregas/{id}': {
      given: {
        id: number | string;
        body: {
          /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
          forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
          partida: Partida;
          paradas: Array<Paradas>;
          empresa_id?: number | null | undefined;
          cliente?: Cliente | undefined;
          categoria_id?: number | undefined;
          categoria_nome?: string | undefined;
          com_retorno?: boolean | undefined;
          observacao?: string | null | undefined;
          codigo_cupom?: string | null | undefined;
          exigencias?: Exigencias2 | undefined;
        };
      };
      answer: {
        id_mch: number;
      };
    };
    /** Ler os detalhes de uma entrega. */
    'GET /entregas/{id}/detalhes': {
      given: { id: number | string };
      answer: {
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
        paradas: Array<{
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
          exigencias?: Exigencias3 | undefined;
        }>;
        condutor_id: string;
        nome_condutor: string;
        telefone_condutor: string;
        telefone_condutor_internacional: string;
        partida: Partida2;
        desejado: Desejado | null;
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
        motivo_cancelamento: {
          id: number;
          nome: string;
        } | null;
        /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
        exigencias?: Exigencias4 | undefined;
        /** o que aconteceu, do mais antigo ao mais novo */
        eventos: Array<{
          /** o mesmo do webhook (webhook-id) */
          id: string;
          tipo:
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
            | 'credito.lancado'
            | 'webhook.teste';
          data_hora: string;
          data_hora_utc: string;
          /** como no webhook deste tipo */
          dados: Record<string, never>;
        }>;
      };
    };
    /** Excluir uma parada de uma entrega. */
    'DELETE /entregas/{id}/paradas/{parada_id}': {
      given: { id: number | string; parada_id: number | string };
      answer: {
        data: {
          status: 'OK';
          estimativa: Estimativa | null;
        };
        message: string;
      };
    };
    /** Consultar a posição do condutor. */
    'GET /entregas/{id}/condutor/posicao': {
      given: { id: number | string };
      answer: {
        lat_condutor: string | null;
        lng_condutor: string | null;
      };
    };
    /** Ler uma entrega pela sua chave. */
    'GET /entregas/externo/{id_externo}': {
      given: {
        id_externo: number | string;
        query?: {
          /** de qual empresa; 0: sem empresa */
          empresa_id?: number | undefined;
        };
      };
      answer: Consultar;
    };
    /** Ler uma entrega programada pela sua chave. */
    'GET /entregas/programadas/externo/{id_externo}': {
      given: {
        id_externo: number | string;
        query?: {
          /** de qual empresa; 0: sem empresa */
          empresa_id?: number | undefined;
        };
      };
      answer: Programadas;
    };
    /** Sacar créditos de uma empresa. */
    'POST /entregas/empresas/creditos/saques': {
      given: { body: RecargasCorpo };
      answer: {
        registro_id: string;
      };
    };
    /** Listar webhooks. */
    'GET /webhooks': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Webhooks>;
    };
    /** Cadastrar um webhook. */
    'POST /webhooks': {
      given: {
        body: {
          /** endereço https que recebe os eventos */
          url: string;
          /** tipos de evento que interessam */
          tipos: Array<
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
            | 'credito.lancado'
          >;
        };
      };
      answer: Webhooks & {
        segredo: string | null;
      };
    };
    /** Ler um webhook e seu estado. */
    'GET /webhooks/{id}': {
      given: { id: number | string };
      answer: Webhooks;
    };
    /** Alterar, desativar ou reativar um webhook. */
    'PUT /webhooks/{id}': {
      given: {
        id: number | string;
        body?: {
          /** endereço https que recebe os eventos */
          url?: string | undefined;
          /** tipos de evento que interessam */
          tipos?:
            | Array<
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
                | 'credito.lancado'
              >
            | undefined;
          ativo?: boolean | undefined;
        };
      };
      answer: Webhooks;
    };
    /** Excluir um webhook. */
    'DELETE /webhooks/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Ler o estado de um webhook. */
    'GET /webhooks/{id}/status': {
      given: { id: number | string };
      answer: {
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
    };
    /** Trocar o segredo de um webhook. */
    'POST /webhooks/{id}/segredo': {
      given: { id: number | string };
      answer: {
        id: string;
        segredo: string | null;
        /** ISO 8601, UTC */
        segredo_anterior_ate: string;
      };
    };
    /** Enviar um evento de teste. */
    'POST /webhooks/{id}/teste': {
      given: {
        id: number | string;
        body?: {
          tipo?:
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
            | 'credito.lancado'
            | 'webhook.teste'
            | undefined;
        };
      };
      answer: {
        envio_id: string;
      };
    };
    /** Listar os envios de um webhook. */
    'GET /webhooks/{id}/envios': {
      given: {
        id: number | string;
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<{
        id: string;
        /** o webhook-id do evento, igual em toda tentativa */
        evento_id: string;
        tipo:
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
    };
    /** Reenviar um evento. */
    'POST /webhooks/envios/{id}/reenviar': {
      given: { id: number | string };
      answer: {
        id: string;
        estado: 'esperando';
      };
    };
    /** Reenviar os eventos de um período. */
    'POST /webhooks/{id}/reenviar': {
      given: {
        id: number | string;
        body: {
          /** ISO 8601 com fuso */
          de: string;
          /** ISO 8601 com fuso */
          ate: string;
          /** apenas os que falharam; padrão false */
          somente_falhas?: boolean | undefined;
        };
      };
      answer: {
        reenviados: number;
      };
    };
    /** Ler o relógio do ambiente de teste. */
    'GET /sandbox': {
      given: Record<never, never>;
      answer: Sandbox;
    };
    /** Apagar tudo do ambiente de teste. */
    'DELETE /sandbox': {
      given: Record<never, never>;
      answer: {
        message: string;
      };
    };
    /** Adiantar o relógio do ambiente de teste. */
    'POST /sandbox/relogio': {
      given: {
        body: {
          /** o relógio só anda para a frente, até 31 dias de cada vez */
          avancar_minutos: number;
        };
      };
      answer: Sandbox;
    };
    /** Acompanhar os eventos ao vivo. */
    'GET /eventos': {
      given: {
        query?: {
          /** tipos de evento, separados por vírgula; sem ele, todos */
          tipos?: string | undefined;
          /** instante ISO 8601 com fuso, ou id de um evento; sem ele, a partir de agora */
          desde?: string | undefined;
        };
      };
      answer: {
        type:
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
          | 'credito.lancado'
          | 'webhook.teste';
        timestamp: string;
        data: Record<string, never>;
      };
    };
    /** Enviar um evento de teste às suas conexões. */
    'POST /eventos/teste': {
      given: {
        body?: {
          tipo?:
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
            | 'credito.lancado'
            | 'webhook.teste'
            | undefined;
        };
      };
      answer: {
        /** o webhook-id do evento */
        evento_id: string;
      };
    };
    /** Ver as próprias requisições. */
    'GET /requisicoes': {
      given: {
        query?: {
          /** a classe do status; recusadas: todos de 400 ou mais */
          status?: '2xx' | '3xx' | '4xx' | '5xx' | 'recusadas' | undefined;
          /** o X-Error-Kind da recusa */
          tipo?: string | undefined;
          metodo?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
          /** um trecho do caminho */
          caminho?: string | undefined;
          /** o X-Request-Id da resposta, inteiro */
          request_id?: string | undefined;
          /** de um usuário ou programa */
          usuario_id?: number | undefined;
          /** de uma api-key */
          chave_id?: number | undefined;
          /** desde este instante, ISO 8601 com fuso */
          de?: string | undefined;
          /** antes deste instante, ISO 8601 com fuso */
          ate?: string | undefined;
          /** o `proximo` da página anterior */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
        };
      };
      answer: Requisicoes;
    };
    /** Ver uma requisição. */
    'GET /requisicoes/{id}': {
      given: { id: number | string };
      answer: Requisicoes2;
    };
  };

  operacao: {
    /** Listar as empresas. */
    'GET /empresas': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Empresas>;
    };
    /** Cadastrar uma empresa. */
    'POST /empresas': {
      given: { body: EmpresasCorpo };
      answer: Empresas;
    };
    /** Ler uma empresa. */
    'GET /empresas/{id}': {
      given: { id: number | string };
      answer: Empresas;
    };
    /** Alterar uma empresa. */
    'PUT /empresas/{id}': {
      given: { id: number | string; body: EmpresasCorpo };
      answer: Empresas;
    };
    /** Excluir uma empresa. */
    'DELETE /empresas/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar os endereços de uma empresa. */
    'GET /empresas/{id}/enderecos': {
      given: { id: number | string };
      answer: Array<Enderecos>;
    };
    /** Cadastrar um endereço de uma empresa. */
    'POST /empresas/{id}/enderecos': {
      given: { id: number | string; body: EnderecosCorpo };
      answer: Array<Enderecos>;
    };
    /** Alterar um endereço de uma empresa. */
    'PUT /empresas/{id}/enderecos/{endereco_id}': {
      given: { id: number | string; endereco_id: number | string; body: EnderecosCorpo };
      answer: Array<Enderecos>;
    };
    /** Excluir um endereço de uma empresa. */
    'DELETE /empresas/{id}/enderecos/{endereco_id}': {
      given: { id: number | string; endereco_id: number | string };
      answer: {
        message: string;
      };
    };
    /** Ler o extrato da carteira de uma empresa. */
    'GET /empresas/{id}/extrato': {
      given: {
        id: number | string;
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: {
        empresa: {
          id: string;
          nome: string;
          cpf_cnpj: string;
        };
        saldo: string;
        /** quanto do saldo as programadas que aguardam disparo ainda vão usar */
        saldo_programadas: string;
        /** se quem lê pode recarregar esta carteira */
        pode_recarregar: boolean;
        lancamentos: Array<{
          id: string;
          tipo: 'recarga' | 'saque' | 'reserva' | 'estorno_reserva' | 'cobranca' | 'taxa_cancelamento';
          /** negativo quando sai da carteira */
          valor: string;
          saldo_apos: string;
          entrega_id: string | null;
          observacao: string | null;
          usuario_id: string | null;
          /** ISO 8601 em UTC */
          data_hora: string;
        }>;
      };
    };
    /** Listar as categorias. */
    'GET /categorias': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Categorias>;
    };
    /** Cadastrar uma categoria. */
    'POST /categorias': {
      given: { body: CategoriasCorpo };
      answer: Categorias;
    };
    /** Ler uma categoria. */
    'GET /categorias/{id}': {
      given: { id: number | string };
      answer: Categorias;
    };
    /** Alterar uma categoria. */
    'PUT /categorias/{id}': {
      given: { id: number | string; body: CategoriasCorpo };
      answer: Categorias;
    };
    /** Excluir uma categoria. */
    'DELETE /categorias/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar as tarifas. */
    'GET /tarifas': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Tarifas>;
    };
    /** Cadastrar uma tarifa. */
    'POST /tarifas': {
      given: { body: TarifasCorpo };
      answer: Tarifas;
    };
    /** Ler uma tarifa. */
    'GET /tarifas/{id}': {
      given: { id: number | string };
      answer: Tarifas;
    };
    /** Alterar uma tarifa. */
    'PUT /tarifas/{id}': {
      given: { id: number | string; body: TarifasCorpo };
      answer: Tarifas;
    };
    /** Excluir uma tarifa. */
    'DELETE /tarifas/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar as áreas de atuação. */
    'GET /areas-atuacao': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<AreasAtuacao>;
    };
    /** Cadastrar uma área de atuação. */
    'POST /areas-atuacao': {
      given: { body: AreasAtuacaoCorpo };
      answer: AreasAtuacao;
    };
    /** Ler uma área de atuação. */
    'GET /areas-atuacao/{id}': {
      given: { id: number | string };
      answer: AreasAtuacao;
    };
    /** Alterar uma área de atuação. */
    'PUT /areas-atuacao/{id}': {
      given: { id: number | string; body: AreasAtuacaoCorpo };
      answer: AreasAtuacao;
    };
    /** Excluir uma área de atuação. */
    'DELETE /areas-atuacao/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Importar áreas de atuação de um arquivo GeoJSON. */
    'POST /areas-atuacao/importar': {
      given: {
        body: {
          type: 'FeatureCollection';
          features: Array<{
            type: 'Feature';
            properties: {
              nome: string;
              padrao?: boolean | undefined;
            };
            /** GeoJSON Polygon ou MultiPolygon; posições [longitude, latitude]; anéis internos são buracos */
            geometry: {
              type: string;
              coordinates: Array<unknown>;
            };
          }>;
        };
      };
      answer: Array<{
        id: string;
        nome: string;
        padrao: boolean;
      }>;
    };
    /** Exportar as áreas de atuação como GeoJSON. */
    'GET /areas-atuacao/exportar': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 100 */
          limite?: number | undefined;
        };
      };
      answer: {
        type: 'FeatureCollection';
        features: Array<{
          type: 'Feature';
          id: string;
          properties: {
            nome: string;
            padrao: boolean;
          };
          /** GeoJSON Polygon ou MultiPolygon; posições [longitude, latitude]; anéis internos são buracos */
          geometry: {
            type: string;
            coordinates: Array<unknown>;
          };
        }>;
      };
    };
    /** Listar os entregadores. */
    'GET /condutores': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Condutores>;
    };
    /** Cadastrar um entregador. */
    'POST /condutores': {
      given: { body: CondutoresCorpo };
      answer: Condutores;
    };
    /** Ler um entregador. */
    'GET /condutores/{id}': {
      given: { id: number | string };
      answer: Condutores;
    };
    /** Alterar um entregador. */
    'PUT /condutores/{id}': {
      given: { id: number | string; body: CondutoresCorpo };
      answer: Condutores;
    };
    /** Excluir um entregador. */
    'DELETE /condutores/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Ler os turnos de um entregador. */
    'GET /condutores/{id}/turnos': {
      given: { id: number | string };
      answer: Turnos;
    };
    /** Definir os turnos de um entregador. */
    'PUT /condutores/{id}/turnos': {
      given: {
        id: number | string;
        body: {
          /** os turnos de todas as semanas */
          semana: Array<{
            /** 1 segunda-feira a 7 domingo */
            dia: number;
            /** HH:MM no fuso da central */
            inicio: string;
            /** HH:MM no fuso da central */
            fim: string;
            /** dentro do turno */
            pausas?:
              | Array<{
                  /** HH:MM no fuso da central */
                  inicio: string;
                  /** HH:MM no fuso da central */
                  fim: string;
                }>
              | undefined;
          }>;
          /** datas com outros turnos; as que já passaram não são guardadas */
          dias?:
            | Array<{
                /** AAAA-MM-DD */
                data: string;
                /** no lugar dos turnos da semana; lista vazia: folga */
                turnos: Array<{
                  /** HH:MM no fuso da central */
                  inicio: string;
                  /** HH:MM no fuso da central */
                  fim: string;
                  /** dentro do turno */
                  pausas?:
                    | Array<{
                        /** HH:MM no fuso da central */
                        inicio: string;
                        /** HH:MM no fuso da central */
                        fim: string;
                      }>
                    | undefined;
                }>;
              }>
            | undefined;
        };
      };
      answer: Turnos;
    };
    /** Deixar de manter turnos de um entregador. */
    'DELETE /condutores/{id}/turnos': {
      given: { id: number | string };
      answer: Turnos;
    };
    /** Listar os usuários. */
    'GET /usuarios': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Usuarios>;
    };
    /** Cadastrar um usuário. */
    'POST /usuarios': {
      given: {
        body: {
          usuario: string;
          perfil:
            | 'operador'
            | 'supervisor'
            | 'financeiro'
            | 'atendente'
            | 'consulta'
            | 'integrador'
            | 'gerente'
            | 'condutor';
          empresa_id?: number | string | null | undefined;
          condutor_id?: number | string | null | undefined;
          /** ausente: um registro novo é ativo, e os demais ficam como estão */
          ativo?: boolean | undefined;
          /** ausente em uma alteração: a senha continua a mesma */
          senha: string;
        };
      };
      answer: Usuarios;
    };
    /** Ler um usuário. */
    'GET /usuarios/{id}': {
      given: { id: number | string };
      answer: Usuarios;
    };
    /** Alterar um usuário. */
    'PUT /usuarios/{id}': {
      given: {
        id: number | string;
        body: {
          usuario: string;
          perfil:
            | 'operador'
            | 'supervisor'
            | 'financeiro'
            | 'atendente'
            | 'consulta'
            | 'integrador'
            | 'gerente'
            | 'condutor';
          empresa_id?: number | string | null | undefined;
          condutor_id?: number | string | null | undefined;
          /** ausente: um registro novo é ativo, e os demais ficam como estão */
          ativo?: boolean | undefined;
          /** ausente em uma alteração: a senha continua a mesma */
          senha?: string | undefined;
        };
      };
      answer: Usuarios;
    };
    /** Excluir um usuário. */
    'DELETE /usuarios/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar as chaves de acesso (api-key). */
    'GET /chaves': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Chaves>;
    };
    /** Criar uma chave de acesso. */
    'POST /chaves': {
      given: {
        body: {
          descricao: string;
        };
      };
      answer: Chaves2;
    };
    /** Ler uma chave de acesso. */
    'GET /chaves/{id}': {
      given: { id: number | string };
      answer: Chaves;
    };
    /** Alterar a descrição de uma chave de acesso. */
    'PUT /chaves/{id}': {
      given: {
        id: number | string;
        body: {
          descricao: string;
        };
      };
      answer: Chaves;
    };
    /** Revogar uma chave de acesso. */
    'DELETE /chaves/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar os cupons. */
    'GET /cupons': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Cupons>;
    };
    /** Cadastrar um cupom. */
    'POST /cupons': {
      given: { body: CuponsCorpo };
      answer: Cupons;
    };
    /** Ler um cupom. */
    'GET /cupons/{id}': {
      given: { id: number | string };
      answer: Cupons;
    };
    /** Alterar um cupom. */
    'PUT /cupons/{id}': {
      given: { id: number | string; body: CuponsCorpo };
      answer: Cupons;
    };
    /** Excluir um cupom. */
    'DELETE /cupons/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar os motivos de cancelamento. */
    'GET /motivos-cancelamento': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<MotivosCancelamento>;
    };
    /** Cadastrar um motivo de cancelamento. */
    'POST /motivos-cancelamento': {
      given: { body: MotivosCancelamentoCorpo };
      answer: MotivosCancelamento;
    };
    /** Ler um motivo de cancelamento. */
    'GET /motivos-cancelamento/{id}': {
      given: { id: number | string };
      answer: MotivosCancelamento;
    };
    /** Alterar um motivo de cancelamento. */
    'PUT /motivos-cancelamento/{id}': {
      given: { id: number | string; body: MotivosCancelamentoCorpo };
      answer: MotivosCancelamento;
    };
    /** Excluir um motivo de cancelamento. */
    'DELETE /motivos-cancelamento/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Ler as configurações da central. */
    'GET /configuracoes': {
      given: Record<never, never>;
      answer: Configuracoes;
    };
    /** Alterar as configurações da central. */
    'PUT /configuracoes': {
      given: {
        body?: {
          nome?: string | undefined;
          /** como America/Sao_Paulo */
          fuso_horario?: string | undefined;
          /** cor da central no que os destinatários veem, #rrggbb */
          cor?: string | undefined;
          /** como o destinatário pede ajuda */
          texto_ajuda?: string | undefined;
          /** validade do link de rastreio após o fim */
          horas_rastreio_apos_fim?: number | undefined;
          /** a parada só é concluída com o código do destinatário */
          exige_codigo_confirmacao?: boolean | undefined;
          /** o que segue quando não há ninguém no local */
          falha_ausente?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | undefined;
          /** o que segue quando o endereço está errado */
          falha_endereco_errado?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | undefined;
          /** o que segue quando o destinatário recusa */
          falha_recusado?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | undefined;
          /** o que segue quando a entrega de uma parada falha por outro motivo */
          falha_outro?: 'tentar_depois' | 'retornar' | 'deixar_no_fim' | undefined;
          /** quantas vezes a mesma parada é tentada em uma corrida, onde se tenta de novo */
          falha_tentativas_max?: number | undefined;
          /** o que segue à última tentativa */
          falha_apos_tentativas?: 'retornar' | 'deixar_no_fim' | undefined;
          /** foto da entrega em cada parada; uma empresa pode ter a própria regra */
          comprovante_foto?: 'nao' | 'opcional' | 'obrigatorio' | undefined;
          /** assinatura de quem recebe; uma empresa pode ter a própria regra */
          comprovante_assinatura?: 'nao' | 'opcional' | 'obrigatorio' | undefined;
          /** nome de quem recebe; uma empresa pode ter a própria regra */
          comprovante_nome?: 'nao' | 'opcional' | 'obrigatorio' | undefined;
          /** o valor recebido é registrado onde há valor a cobrar */
          comprovante_valor?: boolean | undefined;
          /** o destinatário vê a foto da entrega na página de rastreio */
          comprovante_no_rastreio?: boolean | undefined;
          /** a integração pode cancelar uma programada que ainda aguarda disparo */
          permite_cancelar_programada_aguardando?: boolean | undefined;
          /** o gerente de uma empresa pode recarregar a própria carteira; desligado, só a central recarrega */
          permite_gerente_recarregar?: boolean | undefined;
          /** operadores só conduzem o dia: tarifas, usuários, chaves, configurações, fechamentos e saldos ficam com supervisores e financeiro; exige um supervisor ativo */
          operadores_so_conduzem_o_dia?: boolean | undefined;
          /** quantos cupons inválidos um usuário pode informar em 15 minutos antes de ter cupons recusados */
          cupons_invalidos_max?: number | undefined;
          /** por quanto tempo vale o preço de uma cotação */
          cotacao_minutos?: number | undefined;
          /** toda entrega nova aguarda liberação da central */
          exige_liberacao?: boolean | undefined;
          /** cobrada ao cancelar depois do aceite; 0 desliga */
          taxa_cancelamento_centavos?: number | undefined;
          /** o que o entregador ganha de cada entrega, onde a tarifa não diz outra coisa: nada, um percentual do preço ou uma tabela */
          repasse_tipo?: 'nenhum' | 'percentual' | 'tabela' | undefined;
          /** do preço antes do cupom, para o tipo percentual */
          repasse_percentual?: number | undefined;
          /** por entrega, para o tipo tabela */
          repasse_fixo_centavos?: number | undefined;
          /** por km previsto, para o tipo tabela */
          repasse_por_km_centavos?: number | undefined;
          /** por parada, para o tipo tabela */
          repasse_por_parada_centavos?: number | undefined;
          /** chave Pix que recebe das empresas: CPF, CNPJ, telefone com DDD, e-mail ou aleatória */
          pix_chave?: string | undefined;
          /** nome do recebedor nos códigos Pix; vazio: o da central */
          pix_nome?: string | undefined;
          /** cidade do recebedor nos códigos Pix */
          pix_cidade?: string | undefined;
          /** tempo do entregador para responder a uma oferta */
          oferta_segundos?: number | undefined;
          /** a quantos entregadores uma entrega é oferecida ao mesmo tempo */
          ofertas_simultaneas?: number | undefined;
          /** distância em linha reta do entregador à partida */
          busca_metros_max?: number | undefined;
          /** intervalo entre buscas sem resultado */
          busca_intervalo_segundos?: number | undefined;
          /** depois disso a entrega fica como não atendida */
          busca_limite_minutos?: number | undefined;
          /** idade máxima da posição de um entregador para receber ofertas */
          posicao_minutos_max?: number | undefined;
          /** da última parada à próxima partida da mesma empresa; 0 desliga */
          proxima_coleta_metros_max?: number | undefined;
          /** um entregador em serviço pode aceitar uma entrega que não lhe foi oferecida, de uma categoria sua */
          permite_pegar_da_lista?: boolean | undefined;
          /** distância em linha reta do entregador à partida do que ele pega da lista */
          lista_metros_max?: number | undefined;
          /** quantas entregas podem esperar pelo entregador que pega da lista; 0: só quem está livre pega */
          lista_em_espera_max?: number | undefined;
          /** agrupa programadas da mesma empresa e partida antes do disparo */
          agrupamento_automatico?: boolean | undefined;
          /** diferença máxima entre os disparos de um grupo */
          agrupamento_janela_minutos?: number | undefined;
          /** quanto antes do primeiro disparo o grupo é formado */
          agrupamento_antecedencia_segundos?: number | undefined;
          /** economia de tempo que justifica um grupo */
          agrupamento_economia_percentual_min?: number | undefined;
          /** duração máxima da rota de um grupo */
          agrupamento_rota_minutos_max?: number | undefined;
          /** planejamento contínuo do que espera por um entregador: desligado, só propõe planos, ou também os aplica */
          planejamento?: 'desligado' | 'sugere' | 'aplica' | undefined;
          /** há quanto tempo uma entrega espera para entrar nele */
          planejamento_espera_segundos?: number | undefined;
          /** como um plano aplicado chega aos entregadores: oferta de uma corrida, ou atribuição sem perguntar */
          plano_chega_como?: 'oferta' | 'atribuicao' | undefined;
          /** quantas entregas um entregador leva ao mesmo tempo em um plano; as etapas seguem uma entrega de cada vez */
          plano_a_bordo_max?: number | undefined;
          /** entregadores simulados se movem sozinhos, para testes */
          simula_condutores?: boolean | undefined;
          /** quantas vezes mais rápidos que os reais */
          simulacao_velocidade?: number | undefined;
          /** na demonstração: pedidos e entregadores de uma sexta-feira à noite */
          simulacao_sexta?: boolean | undefined;
          /** quem conhece as ruas */
          roteirizacao?: 'auto' | 'estimator' | 'roads' | 'valhalla' | 'osrm' | undefined;
          /** quem encontra endereços enviados sem coordenadas; auto usa os endereços importados, se houver */
          geocodificacao?: 'auto' | 'off' | 'addresses' | 'nominatim' | 'photon' | 'google' | undefined;
          /** um endereço sem coordenadas encontrado com menos precisão é recusado */
          endereco_precisao_minima?:
            | 'numero'
            | 'numero_aproximado'
            | 'rua'
            | 'cep'
            | 'bairro'
            | 'municipio'
            | undefined;
          /** em vez de recusado, o endereço é aceito e marcado para conferência */
          aceita_endereco_impreciso?: boolean | undefined;
          /** páginas destas origens podem chamar o serviço pelo navegador, com api-key e usuário (CORS); vazia: nenhuma */
          origens_navegador?: Array<string> | undefined;
          /** somado a cada trecho em linha reta */
          estimador_acrescimo_metros?: number | undefined;
          /** caminho em relação à linha reta */
          estimador_desvio_percentual?: number | undefined;
          /** velocidade média do estimador */
          estimador_km_por_hora?: number | undefined;
          /** depois disso eventos e envios de webhooks são descartados */
          eventos_guardados_dias?: number | undefined;
          /** além das recusadas, uma em tantas requisições é registrada; 0: somente as recusadas */
          requisicoes_amostra_uma_em?: number | undefined;
          /** depois disso as requisições registradas são descartadas; 0: nenhuma é registrada */
          requisicoes_guardadas_dias?: number | undefined;
          /** quantos meses após o fim nomes, telefones, números de porta e observações são apagados; 0 guarda sempre */
          dados_pessoais_meses?: number | undefined;
          /** requisições em 60 segundos */
          limite_programadas?: number | undefined;
          /** requisições em 60 segundos */
          limite_entregas?: number | undefined;
          /** requisições em 60 segundos; também empresas e áreas */
          limite_estimativas?: number | undefined;
          /** requisições em 60 segundos; o mesmo vale, à parte, para saques */
          limite_recargas_por_empresa?: number | undefined;
          /** requisições em 60 segundos */
          limite_saldos_por_empresa?: number | undefined;
          /** requisições em 60 segundos, sem as posições */
          limite_operacao?: number | undefined;
          /** posições de entregadores em 60 segundos */
          limite_posicoes?: number | undefined;
        };
      };
      answer: Configuracoes;
    };
    /** Estimar uma entrega e explicar o valor. */
    'POST /estimativas': {
      given: {
        body: EstimativasCorpo & {
          empresa_id?: number | string | null | undefined;
          /** ausente: agora */
          instante?: string | undefined;
        };
      };
      answer: Estimativas & {
        /** ISO 8601 em UTC */
        instante: string;
        area: {
          id: string;
          nome: string;
        };
        categoria: {
          id: string;
          nome: string;
        };
        tarifa: {
          id: string;
          nome: string;
        };
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
      };
    };
    /** Desenhar uma rota. */
    'POST /rotas': {
      given: {
        body: {
          pontos: Array<{
            lat: number;
            lng: number;
          }>;
          categoria_id?: number | string | null | undefined;
        };
      };
      answer: Rotas;
    };
    /** Sugerir endereços enquanto se digita. */
    'POST /enderecos/buscar': {
      given: {
        body: {
          texto: string;
          /** entre iguais, vale o mais próximo */
          perto_de?:
            | {
                lat: number;
                lng: number;
              }
            | undefined;
          limite?: number | undefined;
        };
      };
      answer: {
        ativo: boolean;
        enderecos: Array<Enderecos2>;
      };
    };
    /** Localizar um endereço. */
    'POST /enderecos/localizar': {
      given: {
        body: {
          endereco: string;
          bairro?: string | null | undefined;
          cidade?: string | null | undefined;
          estado?: string | null | undefined;
          cep?: string | null | undefined;
          /** entre iguais, vale o mais próximo */
          perto_de?:
            | {
                lat: number;
                lng: number;
              }
            | undefined;
        };
      };
      answer: Enderecos2 | null;
    };
    /** Encontrar o endereço de um ponto. */
    'POST /enderecos/reverso': {
      given: {
        body: {
          lat: number;
          lng: number;
        };
      };
      answer: Enderecos2 | null;
    };
    /** Conferir um endereço de uma entrega em curso. */
    'POST /entregas/{id}/conferir-endereco': {
      given: {
        id: number | string;
        body: {
          parada_id: number | string | null;
          posicao?:
            | {
                lat: number;
                lng: number;
              }
            | null
            | undefined;
        };
      };
      answer: {
        message: string;
      };
    };
    /** Corrigir a posição de um endereço. */
    'POST /enderecos/correcoes': {
      given: {
        body: {
          endereco: string;
          bairro?: string | null | undefined;
          cidade?: string | null | undefined;
          estado?: string | null | undefined;
          lat: number;
          lng: number;
        };
      };
      answer: Enderecos2;
    };
    /** Listar os endereços corrigidos. */
    'GET /enderecos/correcoes': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
          /** na rua, no número ou na cidade, sem diferenciar acentos */
          texto?: string | undefined;
        };
      };
      answer: Array<{
        id: string;
        rua: string;
        numero: number | null;
        bairro: string;
        cidade: string;
        estado: string;
        lat: number;
        lng: number;
        origem: 'central' | 'entregador';
        autor: string | null;
        /** ISO 8601 em UTC */
        em: string;
      }>;
    };
    /** Desfazer a correção de um endereço. */
    'DELETE /enderecos/correcoes/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Corrigir a posição do endereço de uma parada. */
    'POST /entregas/{id}/paradas/{parada_id}/corrigir-posicao': {
      given: {
        id: number | string;
        parada_id: number | string;
        body: {
          lat: number;
          lng: number;
        };
      };
      answer: Enderecos2 & {
        /** se só vale depois que a central aceitar */
        proposta: boolean;
      };
    };
    /** Listar as correções que entregadores propõem. */
    'GET /enderecos/propostas': {
      given: Record<never, never>;
      answer: Array<{
        id: string;
        id_mch: string;
        parada_id: string;
        endereco: string;
        bairro: string | null;
        cidade: string | null;
        lat: number;
        lng: number;
        /** da posição da parada até a proposta */
        metros: number;
        condutor: {
          id: string;
          nome: string;
        };
        /** ISO 8601 em UTC */
        em: string;
      }>;
    };
    /** Aceitar a correção que um entregador propõe. */
    'POST /enderecos/propostas/{id}/aceitar': {
      given: { id: number | string };
      answer: Enderecos2;
    };
    /** Recusar a correção que um entregador propõe. */
    'DELETE /enderecos/propostas/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Listar os endereços que uma empresa usa. */
    'POST /enderecos/conhecidos': {
      given: {
        body?: {
          empresa_id?: number | string | null | undefined;
        };
      };
      answer: {
        partidas: Array<Partidas>;
        favoritos: Array<Partidas>;
        recentes: Array<Recentes>;
      };
    };
    /** Encontrar um destinatário pelo telefone. */
    'POST /destinatarios/buscar': {
      given: {
        body: {
          empresa_id?: number | string | null | undefined;
          telefone: string;
        };
      };
      answer: Array<Recentes>;
    };
    /** Aceitar uma entrega. */
    'POST /entregas/{id}/aceitar': {
      given: {
        id: number | string;
        body?: {
          /** id do entregador */
          condutor_id?: number | string | undefined;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Recusar uma entrega oferecida. */
    'POST /entregas/{id}/recusar': {
      given: {
        id: number | string;
        body?: {
          /** id do entregador */
          condutor_id?: number | string | undefined;
          motivo?: 'longe' | 'ocupado' | 'valor' | 'outro' | null | undefined;
          observacao?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Registrar a chegada do entregador na coleta. */
    'POST /entregas/{id}/chegar': {
      given: {
        id: number | string;
        body?: {
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Iniciar a entrega. */
    'POST /entregas/{id}/iniciar': {
      given: {
        id: number | string;
        body?: {
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Registrar a chegada do entregador em uma parada. */
    'POST /entregas/{id}/paradas/{parada_id}/chegar': {
      given: {
        id: number | string;
        parada_id: number | string;
        body?: {
          tentativa?: number | null | undefined;
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        parada_id: string;
        status: 'E';
      };
    };
    /** Concluir uma parada. */
    'POST /entregas/{id}/paradas/{parada_id}/concluir': {
      given: {
        id: number | string;
        parada_id: number | string;
        body?: {
          /** somente de um operador: por que a parada é concluída sem código */
          sem_codigo_motivo?: string | null | undefined;
          /** código informado pelo destinatário: 4 dígitos em texto, ou um número (0123 é 123) */
          codigo_confirmacao?: string | number | null | undefined;
          recebido_por?: string | null | undefined;
          valor_recebido?: string | null | undefined;
          forma_recebimento?:
            | 'D'
            | 'V'
            | 'T'
            | 'W'
            | 'C'
            | 'B'
            | 'A'
            | 'X'
            | 'P'
            | 'H'
            | 'R'
            | 'F'
            | null
            | undefined;
          /** somente de um operador: por que foi recebido mais do que a parada cobra */
          valor_recebido_motivo?: string | null | undefined;
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        parada_id: string;
        /** paradas que ainda faltam concluir */
        paradas_restantes: number;
        /** F quando era a última e a entrega não tem retorno */
        status: 'E' | 'F';
      };
    };
    /** Registrar que uma parada não pôde ser entregue. */
    'POST /entregas/{id}/paradas/{parada_id}/falhar': {
      given: {
        id: number | string;
        parada_id: number | string;
        body: {
          motivo: 'ausente' | 'endereco_errado' | 'recusado' | 'outro';
          observacao?: string | null | undefined;
          tentativa?: number | null | undefined;
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        parada_id: string;
        /** tentar_depois: a parada vai para o fim da corrida; retornar: o pedido volta à partida; deixar_no_fim: fica com o entregador até a central decidir */
        decisao: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
        /** paradas que ainda faltam visitar */
        paradas_restantes: number;
        status: 'E' | 'F';
      };
    };
    /** Devolver à corrida uma parada não entregue. */
    'POST /entregas/{id}/paradas/{parada_id}/retomar': {
      given: { id: number | string; parada_id: number | string };
      answer: {
        id_mch: string;
        parada_id: string;
        paradas_restantes: number;
        status: 'E';
      };
    };
    /** Abrir uma nova entrega para uma parada não entregue. */
    'POST /entregas/{id}/paradas/{parada_id}/nova-entrega': {
      given: { id: number | string; parada_id: number | string };
      answer: {
        id_mch: string;
        parada_id: string;
        /** id_mch da nova entrega */
        nova_entrega: string;
      };
    };
    /** Dar por resolvida uma parada não entregue. */
    'POST /entregas/{id}/paradas/{parada_id}/resolver': {
      given: {
        id: number | string;
        parada_id: number | string;
        body: {
          motivo: string;
        };
      };
      answer: {
        id_mch: string;
        parada_id: string;
      };
    };
    /** Enviar a foto da entrega. */
    'PUT /entregas/{id}/paradas/{parada_id}/comprovantes/foto': {
      given: {
        id: number | string;
        parada_id: number | string;
        query?: {
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: Foto;
    };
    /** Ler a foto da entrega. */
    'GET /entregas/{id}/paradas/{parada_id}/comprovantes/foto': {
      given: { id: number | string; parada_id: number | string };
      answer: Comprovantes;
    };
    /** Enviar a assinatura de quem recebeu. */
    'PUT /entregas/{id}/paradas/{parada_id}/comprovantes/assinatura': {
      given: {
        id: number | string;
        parada_id: number | string;
        query?: {
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: Foto;
    };
    /** Ler a assinatura de quem recebeu. */
    'GET /entregas/{id}/paradas/{parada_id}/comprovantes/assinatura': {
      given: { id: number | string; parada_id: number | string };
      answer: Comprovantes;
    };
    /** Finalizar a entrega. */
    'POST /entregas/{id}/finalizar': {
      given: {
        id: number | string;
        body?: {
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Desistir da entrega antes do início. */
    'POST /entregas/{id}/desistir': {
      given: {
        id: number | string;
        body?: {
          ocorrido_em?: string | null | undefined;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Liberar uma entrega para distribuição. */
    'POST /entregas/{id}/liberar': {
      given: { id: number | string };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Segurar uma entrega que ainda não começou. */
    'POST /entregas/{id}/segurar': {
      given: {
        id: number | string;
        body: {
          motivo: string;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Retomar uma entrega que a central segurou. */
    'POST /entregas/{id}/retomar': {
      given: { id: number | string };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Segurar até 500 entregas que ainda não começaram. */
    'POST /entregas/segurar': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
          motivo: string;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data3>;
      };
    };
    /** Liberar até 500 entregas para distribuição. */
    'POST /entregas/liberar': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data3>;
      };
    };
    /** Oferecer até 500 entregas a um entregador. */
    'POST /entregas/atribuir': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
          /** id do entregador */
          condutor_id: number | string;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data3>;
      };
    };
    /** Retirar as ofertas de até 500 entregas. */
    'POST /entregas/retirar-ofertas': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<Data3>;
      };
    };
    /** Adiar o que foi prometido em até 500 entregas. */
    'POST /entregas/adiar': {
      given: {
        body: {
          /** ids das entregas */
          ids: Array<number>;
          minutos: number;
        };
      };
      answer: {
        /** quantos itens foram recusados */
        recusados: number;
        data: Array<{
          /** posição do item na requisição, a partir de 0 */
          indice: number;
          id: number;
          success: boolean;
          data?:
            | {
                minutos: number;
              }
            | undefined;
          /** de um item recusado: o status HTTP de uma requisição só com ele */
          status?: number | undefined;
          /** de um item recusado: o tipo da recusa, como em X-Error-Kind */
          kind?: string | undefined;
          errors?:
            | Array<{
                code: number;
                message: string;
              }>
            | undefined;
        }>;
      };
    };
    /** Oferecer a entrega a um entregador. */
    'POST /entregas/{id}/atribuir': {
      given: {
        id: number | string;
        body: {
          /** id do entregador */
          condutor_id: number | string;
        };
      };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
      };
    };
    /** Passar a entrega para outro entregador. */
    'POST /entregas/{id}/reatribuir': {
      given: {
        id: number | string;
        body: {
          condutor_id: number | string;
          motivo: string;
        };
      };
      answer: {
        id_mch: string;
        status: 'A' | 'S' | 'E';
      };
    };
    /** Ver o que mudaria ao passar a entrega para um entregador. */
    'GET /entregas/{id}/reatribuir/previa': {
      given: {
        id: number | string;
        query: {
          condutor_id: number;
        };
      };
      answer: {
        condutor: {
          id: string;
          nome: string;
        };
        recusa: string | null;
        status: 'A' | 'S' | 'E' | null;
        metros: number | null;
        paradas: Array<{
          id: string;
          endereco: string;
          previsao_atual: string | null;
          /** ISO 8601 em UTC */
          previsao_nova: string;
        }>;
      };
    };
    /** Ver quem poderia levar a entrega. */
    'GET /entregas/{id}/candidatos': {
      given: { id: number | string };
      answer: Array<{
        condutor: {
          id: string;
          nome: string;
        };
        em_servico: boolean;
        atende_categoria: boolean;
        /** o que já leva; a atual primeiro */
        entregas: Array<string>;
        atual: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L' | null;
        /** ISO 8601 em UTC */
        livre_em: string;
        chega_em: string | null;
      }>;
    };
    /** Editar as paradas que ainda serão visitadas. */
    'PUT /entregas/{id}/paradas': {
      given: { id: number | string; body: ParadasCorpo };
      answer: {
        id_mch: string;
      };
    };
    /** Ver o que uma edição das paradas mudaria. */
    'POST /entregas/{id}/paradas/previa': {
      given: { id: number | string; body: ParadasCorpo };
      answer: {
        antes: Antes;
        depois: Antes;
        paradas: Array<{
          id: string | null;
          endereco: string;
          lat: number;
          lng: number;
          previsao_atual: string | null;
          previsao_nova: string | null;
        }>;
      };
    };
    /** Saber quem leva a entrega. */
    'GET /entregas/{id}/condutor': {
      given: { id: number | string };
      answer: {
        id_mch: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P';
        /** levada por um entregador simulado */
        simulada: boolean;
        roteiro:
          | 'sucesso'
          | 'recusa'
          | 'sem-condutor'
          | 'desistencia'
          | 'pane'
          | 'ausente'
          | 'nao-entregue'
          | null;
        condutor: {
          id: string;
          nome: string;
          simulado: boolean;
        } | null;
      };
    };
    /** Informar a posição de um entregador. */
    'POST /condutores/{id}/posicao': {
      given: {
        id: number | string;
        body: {
          lat: number;
          lng: number;
        };
      };
      answer: Record<string, never>;
    };
    /** Informar as posições guardadas de um entregador. */
    'POST /condutores/posicoes': {
      given: {
        body: {
          /** somente de um operador */
          condutor_id?: number | string | undefined;
          posicoes: Array<{
            lat: number;
            lng: number;
            /** quando o entregador esteve ali; ISO 8601 com fuso */
            em: string;
            /** metros */
            precisao?: number | undefined;
          }>;
          bateria?: number | null | undefined;
          versao?: string | null | undefined;
        };
      };
      answer: {
        recebidas: number;
      };
    };
    /** Ver onde estão os entregadores. */
    'GET /condutores/posicoes': {
      given: Record<never, never>;
      answer: Array<{
        condutor_id: string;
        nome: string;
        veiculo: string;
        placa: string;
        disponivel: boolean;
        simulado: boolean;
        categorias: Array<string>;
        posicao: {
          lat: number;
          lng: number;
          /** ISO 8601 em UTC */
          em: string;
        } | null;
        /** a atual primeiro */
        entregas: Array<string>;
        telefone: string | null;
        livre_em: string | null;
        paradas_a_visitar: number | null;
        proxima: {
          id_mch: string;
          status: 'A' | 'S' | 'E';
          /** da coleta, ou da próxima parada depois do início */
          endereco: string;
          previsao: string | null;
          paradas_restantes: number;
        } | null;
        aparelho: {
          /** ISO 8601 em UTC */
          visto_em: string;
          versao: string | null;
          bateria: number | null;
        } | null;
      }>;
    };
    /** Informar se um entregador está disponível. */
    'POST /condutores/{id}/disponibilidade': {
      given: {
        id: number | string;
        body: {
          disponivel: boolean;
        };
      };
      answer: {
        condutor_id: string;
        disponivel: boolean;
      };
    };
    /** Ler o trabalho de um entregador. */
    'GET /condutores/{id}/trabalho': {
      given: { id: number | string };
      answer: {
        /** ISO 8601 em UTC */
        agora: string;
        /** muda quando muda algo abaixo; também no cabeçalho ETag */
        versao: string;
        condutor: {
          id: string;
          nome: string;
          veiculo: string;
          placa: string;
          disponivel: boolean;
          categorias: Array<{
            id: string;
            nome: string;
          }>;
        };
        central: {
          nome: string;
          telefone_ajuda: string | null;
        };
        regras: {
          comprovante: {
            foto: 'nao' | 'opcional' | 'obrigatorio';
            assinatura: 'nao' | 'opcional' | 'obrigatorio';
            nome: 'nao' | 'opcional' | 'obrigatorio';
            codigo: boolean;
            /** se o valor recebido é registrado ao concluir, onde há valor a cobrar */
            valor: boolean;
          };
          /** o que segue quando uma parada falha, por motivo; quantas tentativas, onde se tenta de novo, e o que segue à última */
          falha: Falha2;
        };
        ofertas: Array<{
          id_mch: string;
          /** ISO 8601 em UTC */
          oferecida_em: string;
          expira_em: string | null;
          /** ofertas com a mesma corrida são aceitas juntas, e seguem na ordem em que vêm; ausente nas demais */
          corrida?: string | undefined;
          coleta: Coleta;
          /** quantas */
          paradas: number;
          metros_ate_coleta: number | null;
          /** metros */
          metros: number;
          /** segundos */
          segundos: number;
          ganho: string | null;
          com_retorno: boolean;
          /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
          exigencias?: Exigencias4 | undefined;
        }>;
        /** a atual primeiro, depois as que esperam */
        corridas: Array<{
          id_mch: string;
          status: 'A' | 'S' | 'E';
          empresa: string | null;
          /** o que se pede nas paradas desta corrida: as regras da empresa ou, sem elas, da central */
          comprovante: {
            foto: 'nao' | 'opcional' | 'obrigatorio';
            assinatura: 'nao' | 'opcional' | 'obrigatorio';
            nome: 'nao' | 'opcional' | 'obrigatorio';
            codigo: boolean;
            /** se o valor recebido é registrado ao concluir, onde há valor a cobrar */
            valor: boolean;
          };
          observacao: string | null;
          com_retorno: boolean;
          coleta: Coleta;
          chegou_em: string | null;
          iniciada_em: string | null;
          /** o que segue quando uma parada falha, por motivo; quantas tentativas, onde se tenta de novo, e o que segue à última */
          falha: Falha2;
          ganho: string | null;
          valor_a_receber: string | null;
          /** metros */
          metros: number;
          /** segundos */
          segundos: number;
          versao: number;
          /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
          exigencias?: Exigencias4 | undefined;
          paradas: Array<
            Coleta & {
              id: string;
              ordem: number;
              situacao: 'pendente' | 'concluida' | 'nao_entregue';
              /** as que falharam nesta corrida */
              tentativas: number;
              numero_pedido: string | null;
              destinatario: string | null;
              telefone: string | null;
              observacao: string | null;
              valor_a_receber: string | null;
              forma_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
              exige_codigo: boolean;
              /** códigos incorretos demais: só a central a conclui */
              codigo_bloqueado: boolean;
              chegou_em: string | null;
              concluida_em: string | null;
              previsao: string | null;
              /** pedida com outra entrega e agrupada nesta */
              agrupada: boolean;
              /** o que a parada exige; ausente se nada */
              exigencias?: Exigencias3 | undefined;
            }
          >;
        }>;
        ganhos: Ganhos;
      };
    };
    /** Acompanhar o trabalho de um entregador ao vivo. */
    'GET /condutores/{id}/trabalho/eventos': {
      given: { id: number | string };
      answer: {
        versao: string;
        motivo:
          | 'oferta'
          | 'oferta_encerrada'
          | 'entrega'
          | 'parada_agrupada'
          | 'cancelada'
          | 'alterada'
          | 'repassada'
          | 'disponibilidade'
          | 'conta'
          | null;
      };
    };
    /** Ler os ganhos de um entregador. */
    'GET /condutores/{id}/ganhos': {
      given: { id: number | string };
      answer: Ganhos;
    };
    /** Ler o extrato de um entregador. */
    'GET /condutores/{id}/extrato': {
      given: {
        id: number | string;
        query?: {
          /** AAAA-MM-DD no fuso da central, incluído */
          de?: string | undefined;
          /** AAAA-MM-DD no fuso da central, incluído */
          ate?: string | undefined;
          /** o `proximo` da página anterior */
          cursor?: number | undefined;
          /** lançamentos por página; padrão 50 */
          limite?: number | undefined;
        };
      };
      answer: {
        /** o que a central deve ao entregador; negativo: o que ele deve */
        saldo: string;
        dinheiro_a_entregar: string;
        lancamentos: Array<{
          id: string;
          /** o lugar no extrato: 1, 2, 3 … */
          numero: number;
          tipo: 'repasse' | 'dinheiro_recebido' | 'dinheiro_entregue' | 'pagamento' | 'ajuste' | 'estorno';
          /** negativo quando diminui o que a central deve ao entregador */
          valor: string;
          saldo_apos: string;
          /** dinheiro a entregar depois do lançamento */
          dinheiro_apos: string;
          /** AAAA-MM-DD no fuso da central */
          dia: string;
          entrega_id: string | null;
          estorna_id: string | null;
          motivo: string | null;
          usuario_id: string | null;
          /** ISO 8601 em UTC */
          data_hora: string;
        }>;
        proximo: number | null;
      };
    };
    /** Lançar na conta de um entregador. */
    'POST /condutores/{id}/lancamentos': {
      given: {
        id: number | string;
        body: {
          tipo: 'ajuste' | 'pagamento' | 'dinheiro_entregue' | 'estorno';
          /** decimal até 1000000.00; negativo somente em um ajuste; ausente em um estorno */
          valor?: string | undefined;
          /** o que é estornado */
          lancamento_id?: number | string | null | undefined;
          entrega_id?: number | string | null | undefined;
          motivo: string;
        };
      };
      answer: {
        id: string;
        /** o que a central deve ao entregador; negativo: o que ele deve */
        saldo: string;
        dinheiro_a_entregar: string;
      };
    };
    /** Pedir ajuda à central. */
    'POST /condutores/{id}/ajuda': {
      given: {
        id: number | string;
        body: {
          id_mch?: number | string | null | undefined;
          texto: string;
        };
      };
      answer: {
        id: string;
      };
    };
    /** Encerrar os pedidos de ajuda de um entregador. */
    'DELETE /condutores/{id}/ajuda': {
      given: { id: number | string };
      answer: {
        encerrados: number;
      };
    };
    /** Convidar um entregador a entrar no aplicativo. */
    'POST /condutores/{id}/convites': {
      given: { id: number | string };
      answer: {
        codigo: string | null;
        link: string | null;
        /** ISO 8601 em UTC */
        expira_em: string;
      };
    };
    /** Listar os aparelhos de um entregador. */
    'GET /condutores/{id}/aparelhos': {
      given: { id: number | string };
      answer: Array<{
        id: string;
        nome: string;
        /** ISO 8601 em UTC */
        criado_em: string;
        /** ISO 8601 em UTC */
        visto_em: string;
        versao: string | null;
        bateria: number | null;
      }>;
    };
    /** Receber avisos no aparelho (Web Push). */
    'POST /condutores/{id}/aparelhos/push': {
      given: {
        id: number | string;
        body: {
          endpoint: string;
          keys: {
            p256dh: string;
            auth: string;
          };
        };
      };
      answer: {
        message: string;
      };
    };
    /** Deixar de receber avisos no aparelho. */
    'DELETE /condutores/{id}/aparelhos/push': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Encerrar o acesso de um aparelho. */
    'DELETE /condutores/{id}/aparelhos/{aparelho_id}': {
      given: { id: number | string; aparelho_id: number | string };
      answer: {
        message: string;
      };
    };
    /** Ver o que o fechamento de uma empresa teria. */
    'POST /empresas/{id}/fechamentos/simular': {
      given: {
        id: number | string;
        body: {
          /** o último dia do fechamento, AAAA-MM-DD */
          ate: string;
        };
      };
      answer: Simular;
    };
    /** Fechar as contas de uma empresa. */
    'POST /empresas/{id}/fechamentos': {
      given: {
        id: number | string;
        body: {
          /** o último dia do fechamento, AAAA-MM-DD */
          ate: string;
        };
      };
      answer: Fechamentos;
    };
    /** Ver o que o fechamento de um entregador teria. */
    'POST /condutores/{id}/fechamentos/simular': {
      given: {
        id: number | string;
        body: {
          /** o último dia do fechamento, AAAA-MM-DD */
          ate: string;
        };
      };
      answer: Simular;
    };
    /** Fechar as contas de um entregador. */
    'POST /condutores/{id}/fechamentos': {
      given: {
        id: number | string;
        body: {
          /** o último dia do fechamento, AAAA-MM-DD */
          ate: string;
        };
      };
      answer: Fechamentos;
    };
    /** Listar fechamentos. */
    'GET /fechamentos': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
          tipo?: 'empresas' | 'condutores' | undefined;
          empresa_id?: number | undefined;
          condutor_id?: number | undefined;
        };
      };
      answer: Array<Fechamentos2>;
    };
    /** Ler um fechamento e seus lançamentos. */
    'GET /fechamentos/{id}': {
      given: {
        id: number | string;
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Fechamentos2 & {
        lancamentos: Array<{
          numero: number;
          /** AAAA-MM-DD */
          dia: string;
          tipo:
            | 'entrega'
            | 'taxa_cancelamento'
            | 'pago_com_creditos'
            | 'recebido_em_dinheiro'
            | 'pago_no_pedido'
            | 'repasse'
            | 'dinheiro_recebido'
            | 'dinheiro_entregue'
            | 'pagamento'
            | 'ajuste';
          estorno: boolean;
          entrega_id: string | null;
          valor: string;
          desconto: string;
          motivo: string | null;
        }>;
      };
    };
    /** Baixar o extrato de um fechamento. */
    'GET /fechamentos/{id}/arquivo': {
      given: {
        id: number | string;
        query?: {
          formato?: 'pdf' | 'csv' | undefined;
        };
      };
      answer: Arquivo;
    };
    /** Marcar um fechamento como pago. */
    'POST /fechamentos/{id}/pagar': {
      given: { id: number | string };
      answer: Fechamentos2;
    };
    /** Ver os números de um período, ao lado de outro. */
    'GET /relatorios/resumo': {
      given: {
        query: {
          /** primeiro dia, AAAA-MM-DD no fuso da central */
          de: string;
          /** último dia, incluído, AAAA-MM-DD no fuso da central */
          ate: string;
          /** primeiro dia do período de comparação, AAAA-MM-DD no fuso da central */
          comparar_de?: string | undefined;
          /** último dia do período de comparação, AAAA-MM-DD no fuso da central */
          comparar_ate?: string | undefined;
          empresa_id?: number | undefined;
          condutor_id?: number | undefined;
          area_id?: number | undefined;
        };
      };
      answer: {
        periodo: Periodo;
        comparacao: Periodo | null;
        em_aberto: number | null;
      };
    };
    /** Ver os números por dia, por hora ou por dia da semana. */
    'GET /relatorios/serie': {
      given: {
        query: {
          /** primeiro dia, AAAA-MM-DD no fuso da central */
          de: string;
          /** último dia, incluído, AAAA-MM-DD no fuso da central */
          ate: string;
          por: 'dia' | 'hora' | 'dia_semana';
          empresa_id?: number | undefined;
          condutor_id?: number | undefined;
          area_id?: number | undefined;
        };
      };
      answer: Array<{
        /** o dia (AAAA-MM-DD), a hora (0 a 23) ou o dia da semana (1, segunda, a 7, domingo) */
        chave: string;
        /** finalizadas, canceladas e não atendidas */
        encerradas: number;
        /** finalizadas */
        finalizadas: number;
        /** finalizadas com ao menos uma parada entregue */
        com_prazo: number;
        /** destas, as entregues até o prazo prometido ao abrir */
        no_prazo: number;
        /** canceladas */
        canceladas: number;
        /** para as quais não se achou entregador */
        nao_atendidas: number;
        paradas_entregues: number | null;
        paradas_nao_entregues: number | null;
        agrupamentos: number | null;
        metros_economizados: number | null;
        tempos: Tempos;
      }>;
    };
    /** Ver os números por empresa, entregador ou área. */
    'GET /relatorios/divisao': {
      given: {
        query: {
          /** primeiro dia, AAAA-MM-DD no fuso da central */
          de: string;
          /** último dia, incluído, AAAA-MM-DD no fuso da central */
          ate: string;
          por: 'empresa' | 'condutor' | 'area';
          empresa_id?: number | undefined;
          condutor_id?: number | undefined;
          area_id?: number | undefined;
        };
      };
      answer: Array<{
        id: string | null;
        nome: string | null;
        /** finalizadas, canceladas e não atendidas */
        encerradas: number;
        /** finalizadas */
        finalizadas: number;
        /** finalizadas com ao menos uma parada entregue */
        com_prazo: number;
        /** destas, as entregues até o prazo prometido ao abrir */
        no_prazo: number;
        /** canceladas */
        canceladas: number;
        /** para as quais não se achou entregador */
        nao_atendidas: number;
        /** paradas entregues */
        paradas_entregues: number;
        /** paradas encerradas sem entrega */
        paradas_nao_entregues: number;
        /** finalizadas que levaram outras consigo */
        agrupamentos: number;
        /** rotas separadas menos a rota conjunta dos agrupamentos finalizados */
        metros_economizados: number;
        tempos: Tempos;
      }>;
    };
    /** Ver por que entregas foram canceladas e paradas não foram entregues. */
    'GET /relatorios/motivos': {
      given: {
        query: {
          /** primeiro dia, AAAA-MM-DD no fuso da central */
          de: string;
          /** último dia, incluído, AAAA-MM-DD no fuso da central */
          ate: string;
          empresa_id?: number | undefined;
          condutor_id?: number | undefined;
          area_id?: number | undefined;
        };
      };
      answer: Array<{
        tipo: 'cancelada' | 'parada_nao_entregue';
        /** o id do motivo de cancelamento, ou `ausente`, `endereco_errado`, `recusado`, `outro`; vazio: sem motivo */
        motivo: string;
        nome: string | null;
        quantidade: number;
      }>;
    };
    /** Baixar um relatório para planilhas. */
    'GET /relatorios/arquivo': {
      given: {
        query: {
          /** primeiro dia, AAAA-MM-DD no fuso da central */
          de: string;
          /** último dia, incluído, AAAA-MM-DD no fuso da central */
          ate: string;
          por: 'dia' | 'hora' | 'dia_semana' | 'empresa' | 'condutor' | 'area' | 'motivo';
          empresa_id?: number | undefined;
          condutor_id?: number | undefined;
          area_id?: number | undefined;
        };
      };
      answer: Arquivo;
    };
    /** Ver quem alterou o quê. */
    'GET /auditoria': {
      given: {
        query?: {
          /** no nome, no autor ou nos valores, sem diferenciar acentos */
          texto?: string | undefined;
          /** o usuário, por inteiro */
          autor?: string | undefined;
          tipo?:
            | 'configuracoes'
            | 'usuario'
            | 'chave'
            | 'programa'
            | 'categoria'
            | 'tarifa'
            | 'area'
            | 'cupom'
            | 'motivo_cancelamento'
            | 'empresa'
            | 'condutor'
            | 'aparelho'
            | 'carteira'
            | 'conta_condutor'
            | 'fechamento'
            | 'webhook'
            | 'endereco'
            | 'proposta_endereco'
            | 'central'
            | 'dados_pessoais'
            | 'ambiente_de_teste'
            | undefined;
          registro_id?: number | undefined;
          /** AAAA-MM-DD */
          de?: string | undefined;
          /** AAAA-MM-DD, inclusive */
          ate?: string | undefined;
          /** o `proximo` da página anterior */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
        };
      };
      answer: {
        alteracoes: Array<{
          id: string;
          /** ISO 8601 em UTC */
          data_hora: string;
          autor: string | null;
          perfil:
            | 'operador'
            | 'supervisor'
            | 'financeiro'
            | 'atendente'
            | 'consulta'
            | 'integrador'
            | 'gerente'
            | 'condutor'
            | null;
          origem: 'operacao' | 'integracao' | 'linha_de_comando';
          acao: 'criado' | 'alterado' | 'excluido';
          tipo:
            | 'configuracoes'
            | 'usuario'
            | 'chave'
            | 'programa'
            | 'categoria'
            | 'tarifa'
            | 'area'
            | 'cupom'
            | 'motivo_cancelamento'
            | 'empresa'
            | 'condutor'
            | 'aparelho'
            | 'carteira'
            | 'conta_condutor'
            | 'fechamento'
            | 'webhook'
            | 'endereco'
            | 'proposta_endereco'
            | 'central'
            | 'dados_pessoais'
            | 'ambiente_de_teste';
          registro_id: string | null;
          nome: string | null;
          antes: Record<string, never>;
          depois: Record<string, never>;
        }>;
        proximo: string | null;
      };
    };
    /** Gerar um código Pix para adicionar créditos. */
    'POST /empresas/{id}/pix': {
      given: {
        id: number | string;
        body: {
          /** em texto, como 150.00 */
          valor: string;
        };
      };
      answer: Pix;
    };
    /** Listar os códigos Pix que ainda não foram creditados. */
    'GET /empresas/{id}/pix': {
      given: { id: number | string };
      answer: Array<Pix>;
    };
    /** Adicionar os créditos de um Pix que chegou. */
    'POST /empresas/{id}/pix/creditar': {
      given: {
        id: number | string;
        body: {
          identificador: string;
          /** o que chegou; ausente: o valor do código */
          valor?: string | undefined;
          observacao?: string | null | undefined;
        };
      };
      answer: {
        registro_id: string;
      };
    };
    /** Listar programadas para planejar o dia. */
    'GET /programadas': {
      given: {
        query?: {
          situacao?: 'A' | 'D' | 'C' | 'agrupado' | 'X' | undefined;
          empresa_id?: number | undefined;
          /** disparo a partir de, ISO 8601 com fuso */
          de?: string | undefined;
          /** disparo antes de, ISO 8601 com fuso */
          ate?: string | undefined;
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<{
        id_mch_programada: string;
        situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
        /** ISO 8601 em UTC */
        disparo_em: string;
        /** ISO 8601 em UTC */
        pedida_em: string;
        empresa: {
          id: string;
          nome: string;
        } | null;
        nome_cliente: string;
        categoria: {
          id: string;
          nome: string;
        };
        tarifa: string;
        forma_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
        com_retorno: boolean;
        observacao: string | null;
        codigo_cupom: string | null;
        /** antes do cupom */
        valor_original: string;
        minutos: number;
        km: number;
        valor: string;
        /** uma parada saiu sem que a rota pudesse ser refeita; é refeita até o disparo */
        estimativa_desatualizada: boolean;
        id_mch: string | null;
        agrupada_em: string | null;
        agrupada_automaticamente: boolean;
        /** as programadas cujas paradas ela leva */
        agrupadas: Array<string>;
        /** a chave dada por quem pediu; ausente sem ela */
        id_externo?: string | undefined;
        falha: string | null;
        coleta: Coleta2;
        /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
        exigencias?: Exigencias4 | undefined;
        paradas: Array<Paradas2>;
      }>;
    };
    /** Ler uma programada e a sua história. */
    'GET /programadas/{id}': {
      given: { id: number | string };
      answer: {
        id_mch_programada: string;
        situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
        /** ISO 8601 em UTC */
        disparo_em: string;
        /** ISO 8601 em UTC */
        pedida_em: string;
        empresa: {
          id: string;
          nome: string;
        } | null;
        nome_cliente: string;
        categoria: {
          id: string;
          nome: string;
        };
        tarifa: string;
        forma_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
        com_retorno: boolean;
        observacao: string | null;
        codigo_cupom: string | null;
        /** antes do cupom */
        valor_original: string;
        minutos: number;
        km: number;
        valor: string;
        /** uma parada saiu sem que a rota pudesse ser refeita; é refeita até o disparo */
        estimativa_desatualizada: boolean;
        id_mch: string | null;
        agrupada_em: string | null;
        agrupada_automaticamente: boolean;
        /** as programadas cujas paradas ela leva */
        agrupadas: Array<string>;
        /** a chave dada por quem pediu; ausente sem ela */
        id_externo?: string | undefined;
        falha: string | null;
        coleta: Coleta2;
        /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
        exigencias?: Exigencias4 | undefined;
        paradas: Array<Paradas2>;
        historico: Array<{
          type: string;
          timestamp: string;
          autor: {
            nome: string | null;
            perfil:
              | 'operador'
              | 'supervisor'
              | 'financeiro'
              | 'atendente'
              | 'consulta'
              | 'integrador'
              | 'gerente'
              | 'condutor';
          } | null;
          data: Record<string, never>;
        }>;
      };
    };
    /** Cancelar uma entrega programada, também quando ainda aguarda disparo. */
    'POST /programadas/{id}/cancelar': {
      given: { id: number | string };
      answer: {
        id_mch_programada: string;
        mensagem: string;
      };
    };
    /** Disparar de novo uma programada cujo disparo falhou. */
    'POST /programadas/{id}/disparar': {
      given: { id: number | string };
      answer: {
        id_mch_programada: string;
        situacao: 'A';
      };
    };
    /** Listar as não atendidas que ninguém pediu de novo nem dispensou. */
    'GET /nao-atendidas': {
      given: Record<never, never>;
      answer: Array<{
        id_mch: string;
        empresa_id: string | null;
        nome_cliente: string;
        /** ISO 8601 em UTC */
        pedida_em: string;
        /** ISO 8601 em UTC */
        nao_atendida_em: string;
      }>;
    };
    /** Pedir de novo uma entrega não atendida. */
    'POST /entregas/{id}/pedir-de-novo': {
      given: { id: number | string };
      answer: {
        id_mch: string;
        /** id_mch da nova entrega */
        nova_entrega: string;
      };
    };
    /** Dispensar uma entrega não atendida. */
    'POST /entregas/{id}/dispensar': {
      given: {
        id: number | string;
        body: {
          motivo: string;
        };
      };
      answer: {
        message: string;
      };
    };
    /** Simular um agrupamento de programadas. */
    'POST /programadas/{id}/simular-agrupamento': {
      given: {
        id: number | string;
        body: {
          /** entregas programadas a agrupar */
          programadas_agrupadas: Array<number>;
        };
      };
      answer: {
        /** a agrupadora, que mantém o id */
        id_mch_programada: string;
        /** ISO 8601 em UTC; o disparo da agrupadora */
        disparo_em: string;
        antes: Antes2;
        depois: Antes2;
        coleta: {
          lat: number;
          lng: number;
        };
        com_retorno: boolean;
        trajeto: {
          type: 'LineString';
          coordinates: Array<[number, number]>;
        } | null;
        paradas: Array<{
          id: string;
          ordem: number;
          lat: number;
          lng: number;
          /** a programada que hoje leva a parada */
          id_mch_programada: string;
        }>;
      };
    };
    /** Ver o que o agrupamento automático fez e economizou. */
    'GET /agrupamentos-automaticos': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<{
        id_mch_programada: string;
        empresa_id: string;
        pedidos: number;
        paradas: number;
        antes: Antes3;
        depois: Antes3;
        data_hora_utc: string;
      }>;
    };
    /** Listar entregas. */
    'POST /entregas/consultar': {
      given: {
        body?: {
          /** como na busca: número, pedido, id_externo, destinatário, telefone ou endereço; os 1000 registros mais novos que o contêm, aos quais os outros filtros se aplicam */
          texto?: string | undefined;
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          condutor_id?: number | string | undefined;
          /** um destes; L aguarda liberação e S em espera são distinguidos de P e A */
          status?: Array<'L' | 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P'> | undefined;
          tipo_pagamento?: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | undefined;
          /** padrão mais_novas */
          ordem?: 'mais_novas' | 'mais_antigas' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id: string;
          status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L';
          /** a etapa atual demora mais do que deveria */
          atrasada: boolean;
          agrupada_em: string | null;
          id_mch_programada: string | null;
          empresa_id: string | null;
          nome_cliente: string;
          categoria: string;
          condutor: {
            id: string;
            nome: string;
          } | null;
          tipo_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
          valor_corrida: string;
          /** ISO 8601 em UTC */
          solicitada_em: string;
          encerrada_em: string | null;
          partida: {
            endereco: string;
            bairro: string;
          };
          paradas: number;
          primeira_parada: {
            endereco: string;
            bairro: string;
            nome_cliente: string | null;
            numero_pedido: string | null;
          } | null;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar entregas para uma planilha. */
    'POST /entregas/exportar': {
      given: {
        body?: {
          /** como na busca: número, pedido, id_externo, destinatário, telefone ou endereço; os 1000 registros mais novos que o contêm, aos quais os outros filtros se aplicam */
          texto?: string | undefined;
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          condutor_id?: number | string | undefined;
          /** um destes; L aguarda liberação e S em espera são distinguidos de P e A */
          status?: Array<'L' | 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P'> | undefined;
          tipo_pagamento?: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | undefined;
          /** padrão mais_novas */
          ordem?: 'mais_novas' | 'mais_antigas' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Listar programadas. */
    'POST /programadas/consultar': {
      given: {
        body?: {
          /** como na busca: número, pedido, id_externo, destinatário, telefone ou endereço; os 1000 registros mais novos que o contêm, aos quais os outros filtros se aplicam */
          texto?: string | undefined;
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          /** uma destas */
          situacao?: Array<'A' | 'D' | 'C' | 'agrupado' | 'X'> | undefined;
          forma_pagamento?: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | undefined;
          /** padrão disparo_mais_tarde */
          ordem?: 'disparo_mais_tarde' | 'disparo_mais_cedo' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id_mch_programada: string;
          situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
          /** ISO 8601 em UTC */
          disparo_em: string;
          /** ISO 8601 em UTC */
          pedida_em: string;
          empresa_id: string | null;
          nome_cliente: string;
          categoria: string;
          forma_pagamento: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F';
          valor: string;
          id_mch: string | null;
          agrupada_em: string | null;
          falha: string | null;
          coleta: {
            endereco: string;
            bairro: string;
          };
          paradas: number;
          primeira_parada: {
            endereco: string;
            bairro: string;
          } | null;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar programadas para uma planilha. */
    'POST /programadas/exportar': {
      given: {
        body?: {
          /** como na busca: número, pedido, id_externo, destinatário, telefone ou endereço; os 1000 registros mais novos que o contêm, aos quais os outros filtros se aplicam */
          texto?: string | undefined;
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          /** uma destas */
          situacao?: Array<'A' | 'D' | 'C' | 'agrupado' | 'X'> | undefined;
          forma_pagamento?: 'D' | 'V' | 'T' | 'W' | 'C' | 'B' | 'A' | 'X' | 'P' | 'H' | 'R' | 'F' | undefined;
          /** padrão disparo_mais_tarde */
          ordem?: 'disparo_mais_tarde' | 'disparo_mais_cedo' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Listar entregadores. */
    'POST /condutores/consultar': {
      given: {
        body?: {
          /** parte do nome, da placa, do veículo ou do telefone, sem diferença de acentos */
          texto?: string | undefined;
          ativo?: boolean | undefined;
          disponivel?: boolean | undefined;
          /** tem, ou não, uma entrega aceita ou em andamento */
          com_entrega?: boolean | undefined;
          /** padrão nome */
          ordem?: 'nome' | 'nome_inverso' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id: string;
          nome: string;
          telefone: string;
          veiculo: string;
          placa: string;
          cor: string | null;
          ativo: boolean;
          disponivel: boolean;
          simulado: boolean;
          /** o que a central lhe deve; negativo: o contrário */
          saldo: string;
          dinheiro_a_entregar: string;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar entregadores para uma planilha. */
    'POST /condutores/exportar': {
      given: {
        body?: {
          /** parte do nome, da placa, do veículo ou do telefone, sem diferença de acentos */
          texto?: string | undefined;
          ativo?: boolean | undefined;
          disponivel?: boolean | undefined;
          /** tem, ou não, uma entrega aceita ou em andamento */
          com_entrega?: boolean | undefined;
          /** padrão nome */
          ordem?: 'nome' | 'nome_inverso' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Listar empresas. */
    'POST /empresas/consultar': {
      given: {
        body?: {
          /** parte do nome, do documento, do telefone, do contrato ou do identificador */
          texto?: string | undefined;
          ativa?: boolean | undefined;
          /** padrão nome */
          ordem?: 'nome' | 'nome_inverso' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id: string;
          nome: string;
          cpf_cnpj: string;
          telefone: string | null;
          numero_contrato: string | null;
          identificador: string | null;
          ativa: boolean;
          /** o que há na carteira */
          creditos: string;
          /** o que deve; negativo: o contrário */
          em_aberto: string;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar empresas para uma planilha. */
    'POST /empresas/exportar': {
      given: {
        body?: {
          /** parte do nome, do documento, do telefone, do contrato ou do identificador */
          texto?: string | undefined;
          ativa?: boolean | undefined;
          /** padrão nome */
          ordem?: 'nome' | 'nome_inverso' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Listar lançamentos das carteiras. */
    'POST /carteiras/lancamentos/consultar': {
      given: {
        body?: {
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          tipo?:
            | Array<'recarga' | 'saque' | 'reserva' | 'estorno_reserva' | 'cobranca' | 'taxa_cancelamento'>
            | undefined;
          /** padrão mais_novos */
          ordem?: 'mais_novos' | 'mais_antigos' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id: string;
          tipo: string;
          valor: string;
          saldo_apos: string | null;
          entrega_id: string | null;
          /** ISO 8601 em UTC */
          data_hora: string;
          empresa: {
            id: string;
            nome: string;
          };
          observacao: string | null;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar lançamentos das carteiras para uma planilha. */
    'POST /carteiras/lancamentos/exportar': {
      given: {
        body?: {
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          tipo?:
            | Array<'recarga' | 'saque' | 'reserva' | 'estorno_reserva' | 'cobranca' | 'taxa_cancelamento'>
            | undefined;
          /** padrão mais_novos */
          ordem?: 'mais_novos' | 'mais_antigos' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Listar lançamentos dos entregadores. */
    'POST /condutores/lancamentos/consultar': {
      given: {
        body?: {
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          condutor_id?: number | string | undefined;
          tipo?:
            | Array<'repasse' | 'dinheiro_recebido' | 'dinheiro_entregue' | 'pagamento' | 'ajuste'>
            | undefined;
          /** padrão mais_novos */
          ordem?: 'mais_novos' | 'mais_antigos' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id: string;
          tipo: string;
          valor: string;
          saldo_apos: string | null;
          entrega_id: string | null;
          /** ISO 8601 em UTC */
          data_hora: string;
          condutor: {
            id: string;
            nome: string;
          };
          /** o lugar no extrato: 1, 2, 3 … */
          numero: number;
          /** desfaz outro lançamento */
          estorno: boolean;
          /** outro lançamento o desfez */
          estornado: boolean;
          dinheiro_apos: string;
          motivo: string | null;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar lançamentos dos entregadores para uma planilha. */
    'POST /condutores/lancamentos/exportar': {
      given: {
        body?: {
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          condutor_id?: number | string | undefined;
          tipo?:
            | Array<'repasse' | 'dinheiro_recebido' | 'dinheiro_entregue' | 'pagamento' | 'ajuste'>
            | undefined;
          /** padrão mais_novos */
          ordem?: 'mais_novos' | 'mais_antigos' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Listar lançamentos das empresas. */
    'POST /empresas/lancamentos/consultar': {
      given: {
        body?: {
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          tipo?:
            | Array<
                | 'entrega'
                | 'taxa_cancelamento'
                | 'pago_com_creditos'
                | 'recebido_em_dinheiro'
                | 'pago_no_pedido'
                | 'pagamento'
              >
            | undefined;
          /** padrão mais_novos */
          ordem?: 'mais_novos' | 'mais_antigos' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
          contar?: boolean | undefined;
        };
      };
      answer: {
        data: Array<{
          id: string;
          tipo: string;
          valor: string;
          saldo_apos: string | null;
          entrega_id: string | null;
          /** ISO 8601 em UTC */
          data_hora: string;
          empresa: {
            id: string;
            nome: string;
          } | null;
          /** antes do cupom */
          valor_original: string;
          /** a parte dos entregadores */
          repasse: string;
        }>;
        proximo: string | null;
        /** a página é curta porque muitos registros foram examinados, não porque acabaram */
        busca_continua: boolean;
        total: {
          numero: number;
          /** falso: há mais do que isso */
          exato: boolean;
        } | null;
      };
    };
    /** Exportar lançamentos das empresas para uma planilha. */
    'POST /empresas/lancamentos/exportar': {
      given: {
        body?: {
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          empresa_id?: number | string | undefined;
          tipo?:
            | Array<
                | 'entrega'
                | 'taxa_cancelamento'
                | 'pago_com_creditos'
                | 'recebido_em_dinheiro'
                | 'pago_no_pedido'
                | 'pagamento'
              >
            | undefined;
          /** padrão mais_novos */
          ordem?: 'mais_novos' | 'mais_antigos' | undefined;
          /** o `proximo` da página anterior, como veio */
          cursor?: string | undefined;
        };
      };
      answer: Exportar;
    };
    /** Buscar em tudo. */
    'GET /busca': {
      given: {
        query: {
          texto: string;
          /** de cada tipo; padrão 10 */
          limite?: number | undefined;
        };
      };
      answer: {
        entregas: {
          itens: Array<{
            id: string;
            /** as letras do contrato; L aguarda liberação e S em espera são distinguidos de P e A */
            status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L';
            condutor: string | null;
            /** ISO 8601 em UTC */
            pedida_em: string;
            /** a empresa, ou a pessoa que pediu */
            nome_cliente: string;
            empresa_id: string | null;
            destinatario: string | null;
            endereco: string | null;
            bairro: string | null;
            numero_pedido: string | null;
            paradas: number;
            agrupada_em: string | null;
            /** os textos em que se encontrou, em trechos; vazio quando se digitou o número */
            encontrado: Array<{
              campo:
                | 'destinatario'
                | 'telefone_destinatario'
                | 'endereco'
                | 'numero_pedido'
                | 'id_externo'
                | 'cliente'
                | 'telefone_cliente'
                | 'coleta'
                | 'nome'
                | 'telefone'
                | 'documento'
                | 'placa'
                | 'identificador'
                | 'numero_contrato';
              trechos: Array<{
                texto: string;
                destaque: boolean;
              }>;
            }>;
          }>;
          ha_mais: boolean;
        };
        programadas: {
          itens: Array<{
            id: string;
            situacao: 'A' | 'D' | 'C' | 'agrupado' | 'X';
            /** ISO 8601 em UTC */
            disparo_em: string;
            id_mch: string | null;
            /** ISO 8601 em UTC */
            pedida_em: string;
            /** a empresa, ou a pessoa que pediu */
            nome_cliente: string;
            empresa_id: string | null;
            destinatario: string | null;
            endereco: string | null;
            bairro: string | null;
            numero_pedido: string | null;
            paradas: number;
            agrupada_em: string | null;
            /** os textos em que se encontrou, em trechos; vazio quando se digitou o número */
            encontrado: Array<{
              campo:
                | 'destinatario'
                | 'telefone_destinatario'
                | 'endereco'
                | 'numero_pedido'
                | 'id_externo'
                | 'cliente'
                | 'telefone_cliente'
                | 'coleta'
                | 'nome'
                | 'telefone'
                | 'documento'
                | 'placa'
                | 'identificador'
                | 'numero_contrato';
              trechos: Array<{
                texto: string;
                destaque: boolean;
              }>;
            }>;
          }>;
          ha_mais: boolean;
        };
        empresas: {
          itens: Array<{
            id: string;
            nome: string;
            ativa: boolean;
            /** os textos em que se encontrou, em trechos; vazio quando se digitou o número */
            encontrado: Array<{
              campo:
                | 'destinatario'
                | 'telefone_destinatario'
                | 'endereco'
                | 'numero_pedido'
                | 'id_externo'
                | 'cliente'
                | 'telefone_cliente'
                | 'coleta'
                | 'nome'
                | 'telefone'
                | 'documento'
                | 'placa'
                | 'identificador'
                | 'numero_contrato';
              trechos: Array<{
                texto: string;
                destaque: boolean;
              }>;
            }>;
          }>;
          ha_mais: boolean;
        };
        condutores: {
          itens: Array<{
            id: string;
            nome: string;
            placa: string;
            veiculo: string;
            ativo: boolean;
            disponivel: boolean;
            /** os textos em que se encontrou, em trechos; vazio quando se digitou o número */
            encontrado: Array<{
              campo:
                | 'destinatario'
                | 'telefone_destinatario'
                | 'endereco'
                | 'numero_pedido'
                | 'id_externo'
                | 'cliente'
                | 'telefone_cliente'
                | 'coleta'
                | 'nome'
                | 'telefone'
                | 'documento'
                | 'placa'
                | 'identificador'
                | 'numero_contrato';
              trechos: Array<{
                texto: string;
                destaque: boolean;
              }>;
            }>;
          }>;
          ha_mais: boolean;
        };
        clientes: {
          itens: Array<{
            id: string;
            nome: string;
            telefone: string | null;
            ultima_entrega: string | null;
            /** os textos em que se encontrou, em trechos; vazio quando se digitou o número */
            encontrado: Array<{
              campo:
                | 'destinatario'
                | 'telefone_destinatario'
                | 'endereco'
                | 'numero_pedido'
                | 'id_externo'
                | 'cliente'
                | 'telefone_cliente'
                | 'coleta'
                | 'nome'
                | 'telefone'
                | 'documento'
                | 'placa'
                | 'identificador'
                | 'numero_contrato';
              trechos: Array<{
                texto: string;
                destaque: boolean;
              }>;
            }>;
          }>;
          ha_mais: boolean;
        };
      };
    };
    /** Listar as visões salvas de uma lista. */
    'GET /visoes': {
      given: {
        query: {
          lista:
            | 'entregas'
            | 'programadas'
            | 'entregadores'
            | 'empresas'
            | 'carteiras'
            | 'contas-entregadores'
            | 'contas-empresas';
        };
      };
      answer: Array<Visoes>;
    };
    /** Salvar uma visão. */
    'POST /visoes': {
      given: { body: VisoesCorpo };
      answer: Visoes;
    };
    /** Alterar uma visão salva. */
    'PUT /visoes/{id}': {
      given: { id: number | string; body: VisoesCorpo };
      answer: Visoes;
    };
    /** Excluir uma visão salva. */
    'DELETE /visoes/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Acompanhar os eventos ao vivo. */
    'GET /eventos': {
      given: Record<never, never>;
      answer: {
        id: string;
        type:
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
        timestamp: string;
        data: Record<string, never>;
      };
    };
    /** Ver o dia em números. */
    'GET /resumo': {
      given: Record<never, never>;
      answer: {
        /** ISO 8601 em UTC */
        agora: string;
        entregas: {
          L: number;
          D: number;
          G: number;
          P: number;
          A: number;
          S: number;
          E: number;
        };
        atrasadas: number;
        /** entregas em curso com um endereço encontrado com menos precisão do que a central pede */
        enderecos_a_conferir: number;
        programadas_aguardando: number;
        programadas_com_falha: number;
        paradas_nao_entregues: number;
        webhooks_com_problema: number;
        /** o que entregadores pedem à central, até 50; só para operadores */
        pedidos_ajuda: Array<{
          id: string;
          condutor: {
            id: string;
            nome: string;
          };
          id_mch: string | null;
          texto: string;
          /** ISO 8601 em UTC */
          em: string;
        }>;
      };
    };
    /** Saber o que se pode escolher. */
    'GET /opcoes': {
      given: Record<never, never>;
      answer: {
        categorias: Array<{
          id: string;
          nome: string;
        }>;
        empresas: Array<{
          id: string;
          nome: string;
          categoria_padrao_id: string | null;
        }>;
        motivos_cancelamento: Array<{
          id: string;
          nome: string;
        }>;
        /** se a central pede código para concluir paradas */
        codigo_confirmacao: boolean;
        limites: [number, number, number, number] | null;
      };
    };
    /** Listar as entregas em curso. */
    'GET /entregas/abertas': {
      given: Record<never, never>;
      answer: Array<{
        id: string;
        /** as letras do contrato; L aguarda liberação e S em espera são distinguidos de P e A */
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L';
        empresa_id: string | null;
        nome_cliente: string;
        categoria: string;
        condutor: {
          id: string;
          nome: string;
        } | null;
        tipo_pagamento: string;
        valor_corrida: string;
        /** ISO 8601 em UTC */
        solicitada_em: string;
        /** até quando a etapa atual deveria terminar; ISO 8601 em UTC */
        previsao: string;
        prometida_para: string | null;
        chegada_prevista: string | null;
        /** passou do que o pedido prometeu, ou da previsão da etapa */
        atrasada: boolean;
        /** ainda no prazo, e a chegada prevista é depois do prometido */
        vai_atrasar: boolean;
        /** um endereço ainda a visitar foi encontrado com menos precisão do que a central pede */
        conferir_endereco: boolean;
        /** desde quando aguarda a liberação, está com quem a leva ou, sem entregador, foi pedida */
        desde: string;
        folga_segundos: number | null;
        partida: {
          endereco: string;
          bairro: string;
          lat: number;
          lng: number;
          conferir: boolean;
        };
        paradas: Array<{
          id: string;
          endereco: string;
          bairro: string;
          lat: number;
          lng: number;
          concluida: boolean;
          conferir: boolean;
          nao_entregue: boolean;
          numero_pedido: string | null;
          nome_cliente: string | null;
        }>;
      }>;
    };
    /** Ler a ficha de uma entrega. */
    'GET /entregas/{id}': {
      given: { id: number | string };
      answer: {
        id: string;
        /** as letras do contrato; L aguarda liberação e S em espera são distinguidos de P e A */
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L';
        /** cresce a cada mudança; enviada ao editar as paradas */
        versao: number;
        retida: {
          motivo: string;
          /** ISO 8601 em UTC */
          em: string;
        } | null;
        atrasada: boolean;
        previsao: string | null;
        prometida_para: string | null;
        empresa_id: string | null;
        nome_cliente: string;
        telefone_cliente: string | null;
        categoria: {
          id: string;
          nome: string;
        };
        tarifa: string;
        tipo_pagamento: string;
        com_retorno: boolean;
        /** o retorno não foi pedido: leva de volta o não entregue */
        retorno_por_falha: boolean;
        observacao: string | null;
        codigo_cupom: string | null;
        desconto: string;
        valor: string;
        valor_original: string;
        taxa_cancelamento: string | null;
        dinheiro_recebido: string | null;
        km: number;
        minutos: number;
        km_percorridos: number;
        condutor: {
          id: string;
          nome: string;
          telefone: string;
          veiculo: string;
          placa: string;
          cor: string | null;
          simulado: boolean;
        } | null;
        condutor_especificado: boolean;
        id_mch_programada: string | null;
        /** a chave dada por quem pediu; ausente sem ela */
        id_externo?: string | undefined;
        agrupada_em: string | null;
        agrupadas: Array<string>;
        motivo_cancelamento: {
          id: string;
          nome: string;
        } | null;
        /** ISO 8601 em UTC */
        solicitada_em: string;
        pendente_em: string | null;
        aceita_em: string | null;
        chegou_em: string | null;
        iniciada_em: string | null;
        finalizada_em: string | null;
        nao_atendida_em: string | null;
        pedida_de_novo_como: string | null;
        dispensada: {
          motivo: string;
          /** ISO 8601 em UTC */
          em: string;
          autor: string | null;
        } | null;
        cancelada_em: string | null;
        partida: Coleta2 & {
          localizacao: Localizacao | null;
        };
        /** o que a entrega exige, com a carga de todas as paradas; ausente se nada */
        exigencias?: Exigencias4 | undefined;
        paradas: Array<
          Coleta2 & {
            id: string;
            ordem: number;
            localizacao: Localizacao | null;
            /** a entrega com a qual foi pedida */
            pedida_com: string;
            numero_pedido: string | null;
            nome_cliente: string | null;
            telefone_cliente: string | null;
            observacao: string | null;
            valor_cobrar: string | null;
            concluida_em: string | null;
            nao_entregue_em: string | null;
            /** as que falharam, da primeira à última */
            tentativas: Array<{
              numero: number;
              condutor: string | null;
              motivo: 'ausente' | 'endereco_errado' | 'recusado' | 'outro';
              observacao: string | null;
              decisao: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
              /** ISO 8601 em UTC */
              em: string;
              /** ISO 8601 em UTC */
              registrada_em: string;
              desfeita_em: string | null;
              resolvida_em: string | null;
              resolucao: string | null;
              nova_entrega: string | null;
              /** as imagens que o entregador enviou desta tentativa */
              comprovantes: Array<Comprovantes>;
            }>;
            concluida_por: {
              id: string;
              nome: string;
            } | null;
            previsao: string | null;
            recebido_por: string | null;
            valor_recebido: string | null;
            forma_recebimento: string | null;
            /** as imagens da última visita */
            comprovantes: Array<Comprovantes>;
            /** códigos incorretos demais: só sem código, com motivo */
            codigo_bloqueado: boolean;
            /** o que a parada exige; ausente se nada */
            exigencias?: Exigencias3 | undefined;
          }
        >;
      };
    };
    /** Ler a história de uma entrega. */
    'GET /entregas/{id}/historico': {
      given: {
        id: number | string;
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 100 */
          limite?: number | undefined;
        };
      };
      answer: {
        eventos: Array<{
          id: string;
          type: string;
          /** quando aconteceu */
          timestamp: string;
          /** quando o serviço soube: depois, se o telefone do entregador estava sem rede */
          registrado_em: string;
          autor: {
            nome: string | null;
            perfil:
              | 'operador'
              | 'supervisor'
              | 'financeiro'
              | 'atendente'
              | 'consulta'
              | 'integrador'
              | 'gerente'
              | 'condutor';
          } | null;
          data: Record<string, never>;
        }>;
        ofertas: Array<{
          condutor: {
            id: string;
            nome: string;
          };
          estado: 'aberta' | 'recusada' | 'expirada' | 'aceita' | 'retirada';
          /** ISO 8601 em UTC */
          oferecida_em: string;
          expira_em: string | null;
          encerrada_em: string | null;
          motivo_recusa: 'longe' | 'ocupado' | 'valor' | 'outro' | null;
          observacao_recusa: string | null;
        }>;
      };
    };
    /** Desenhar a rota de uma entrega. */
    'GET /entregas/{id}/rota': {
      given: { id: number | string };
      answer: {
        rota: Rotas;
        restante: Rotas | null;
      };
    };
    /** Simular um agrupamento em uma entrega em andamento. */
    'POST /entregas/{id}/simular-agrupamento': {
      given: {
        id: number | string;
        body?: {
          /** entregas programadas a agrupar */
          programadas_agrupadas?: Array<number> | undefined;
          /** entregas em andamento a agrupar também */
          solicitacoes_agrupadas?: Array<number> | undefined;
        };
      };
      answer: {
        /** a agrupadora, que mantém o id */
        id_mch: string;
        antes: Antes2;
        depois: Antes2;
        coleta: {
          lat: number;
          lng: number;
        };
        com_retorno: boolean;
        trajeto: {
          type: 'LineString';
          coordinates: Array<[number, number]>;
        } | null;
        paradas: Array<{
          id: string;
          ordem: number;
          lat: number;
          lng: number;
          concluida: boolean;
          id_mch: string | null;
          id_mch_programada: string | null;
        }>;
      };
    };
    /** Listar as paradas não entregues que esperam por alguém. */
    'GET /falhas': {
      given: Record<never, never>;
      answer: Array<{
        id_mch: string;
        parada_id: string;
        status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L';
        nome_cliente: string;
        destinatario: string | null;
        telefone: string | null;
        endereco: string;
        bairro: string;
        condutor: string | null;
        motivo: 'ausente' | 'endereco_errado' | 'recusado' | 'outro';
        observacao: string | null;
        tentativa: number;
        /** tentar_depois: a parada vai para o fim da corrida; retornar: o pedido volta à partida; deixar_no_fim: fica com o entregador até a central decidir */
        decisao: 'tentar_depois' | 'retornar' | 'deixar_no_fim';
        /** ISO 8601 em UTC */
        em: string;
      }>;
    };
    /** Listar as credenciais de programas. */
    'GET /programas': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
          /** padrão: real */
          ambiente?: 'real' | 'teste' | undefined;
        };
      };
      answer: Array<Programas>;
    };
    /** Criar a credencial de um programa. */
    'POST /programas': {
      given: {
        body: {
          descricao: string;
          empresa_id?: number | string | null | undefined;
          permissoes: Array<
            | 'watch'
            | 'proof-read'
            | 'internals'
            | 'order'
            | 'desk'
            | 'address-book'
            | 'dispatch'
            | 'drive'
            | 'drivers'
            | 'companies'
            | 'registers-read'
            | 'tariffs'
            | 'audit'
            | 'webhooks-read'
            | 'webhooks-resend'
            | 'webhooks'
            | 'balance'
            | 'wallet-read'
            | 'pix-codes'
            | 'top-up'
            | 'withdraw'
            | 'earnings-read'
            | 'driver-entries'
            | 'reports'
            | 'closings-read'
            | 'closings'
          >;
          validade_dias?: number | null | undefined;
          /** true: o token começa com teste_ e só alcança o ambiente de teste */
          ambiente_de_teste?: boolean | undefined;
        };
      };
      answer: Programas2;
    };
    /** Ler a credencial de um programa. */
    'GET /programas/{id}': {
      given: { id: number | string };
      answer: Programas;
    };
    /** Revogar a credencial de um programa. */
    'DELETE /programas/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Trocar o token de um programa. */
    'POST /programas/{id}/token': {
      given: {
        id: number | string;
        body?: {
          sobreposicao_horas?: number | undefined;
          validade_dias?: number | null | undefined;
        };
      };
      answer: Programas2;
    };
    /** Ler o relógio do ambiente de teste. */
    'GET /ambiente-de-teste': {
      given: Record<never, never>;
      answer: Sandbox;
    };
    /** Apagar tudo do ambiente de teste. */
    'DELETE /ambiente-de-teste': {
      given: Record<never, never>;
      answer: {
        message: string;
      };
    };
    /** Adiantar o relógio do ambiente de teste. */
    'POST /ambiente-de-teste/relogio': {
      given: {
        body: {
          /** o relógio só anda para a frente, até 31 dias de cada vez */
          avancar_minutos: number;
        };
      };
      answer: Sandbox;
    };
    /** Listar as chaves de teste. */
    'GET /ambiente-de-teste/chaves': {
      given: {
        query?: {
          /** página, a partir de 1 */
          pagina?: number | undefined;
          /** registros por página; padrão 20 */
          limite?: number | undefined;
        };
      };
      answer: Array<Chaves>;
    };
    /** Criar uma chave de teste. */
    'POST /ambiente-de-teste/chaves': {
      given: {
        body: {
          descricao: string;
        };
      };
      answer: Chaves2;
    };
    /** Revogar uma chave de teste. */
    'DELETE /ambiente-de-teste/chaves/{id}': {
      given: { id: number | string };
      answer: {
        message: string;
      };
    };
    /** Ver as próprias requisições. */
    'GET /requisicoes': {
      given: {
        query?: {
          /** a classe do status; recusadas: todos de 400 ou mais */
          status?: '2xx' | '3xx' | '4xx' | '5xx' | 'recusadas' | undefined;
          /** o X-Error-Kind da recusa */
          tipo?: string | undefined;
          metodo?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
          /** um trecho do caminho */
          caminho?: string | undefined;
          /** o X-Request-Id da resposta, inteiro */
          request_id?: string | undefined;
          /** de um usuário ou programa */
          usuario_id?: number | undefined;
          /** de uma api-key */
          chave_id?: number | undefined;
          /** desde este dia da central, AAAA-MM-DD */
          de?: string | undefined;
          /** até este dia da central, inclusive, AAAA-MM-DD */
          ate?: string | undefined;
          /** o `proximo` da página anterior */
          cursor?: string | undefined;
          /** padrão 50 */
          limite?: number | undefined;
        };
      };
      answer: Requisicoes;
    };
    /** Ver uma requisição. */
    'GET /requisicoes/{id}': {
      given: { id: number | string };
      answer: Requisicoes2;
    };
    /** Planejar as entregas abertas. */
    'POST /planos': {
      given: {
        body?: {
          entregas?: Array<number | string> | undefined;
          entregadores?: Array<number | string> | undefined;
          segundos?: number | undefined;
          semente?: number | undefined;
          iteracoes?: number | undefined;
          travadas?:
            | Array<{
                entrega: number | string;
                entregador: number | string;
              }>
            | undefined;
        };
      };
      answer: {
        id: string;
        estado: 'calculando' | 'pronto' | 'falhou';
      };
    };
    /** Listar os últimos planos. */
    'GET /planos': {
      given: Record<never, never>;
      answer: Array<Planos>;
    };
    /** Ler um plano. */
    'GET /planos/{id}': {
      given: { id: number | string };
      answer: Planos & {
        plano: {
          rotas: Array<{
            condutor: {
              id: string;
              nome: string;
            };
            /** ISO 8601 em UTC */
            sai_em: string;
            /** ISO 8601 em UTC */
            termina_em: string;
            /** no caminho, sem o tempo nas paradas */
            segundos: number;
            /** metros */
            metros: number;
            /** segundos, somados */
            atraso: number;
            /** o que o plano dá a este entregador, na ordem em que leva; vazia: só o que ele já tinha */
            entregas: Array<string>;
            paradas: Array<{
              tipo: 'coleta' | 'parada' | 'retorno';
              entrega: string;
              parada: string | null;
              /** o entregador já a tinha: não faz parte do que o plano muda */
              fixa: boolean;
              endereco: string;
              bairro: string;
              lat: number;
              lng: number;
              /** ISO 8601 em UTC */
              chega_em: string;
              /** ISO 8601 em UTC */
              comeca_em: string;
              /** ISO 8601 em UTC */
              sai_em: string;
              prometida_ate: string | null;
              /** segundos */
              atraso: number;
              /** entregas que o entregador leva depois da parada */
              a_bordo: number;
            }>;
            aplicada: boolean;
          }>;
          fora: Array<{
            entrega: string;
            motivo:
              | 'sem_entregadores'
              | 'travada_sem_entregador'
              | 'ninguem_atende'
              | 'sem_categoria'
              | 'sem_empresa'
              | 'sem_equipamento'
              | 'recusada_por_todos'
              | 'nao_cabe'
              | 'sem_caminho'
              | 'janela_impossivel'
              | 'sem_turno'
              | 'todos_ocupados'
              | 'tempo_esgotado'
              | 'encerrada'
              | 'em_andamento'
              | 'na_coleta'
              | 'aguarda_liberacao'
              | 'agrupada';
            texto: string;
          }>;
          /** as mesmas entregas uma a uma, a que espera há mais tempo primeiro, para quem chegaria antes */
          antes: {
            /** segundos, somados */
            atraso: number;
            /** entregas que chegariam atrasadas */
            atrasadas: number;
            /** dos entregadores no caminho */
            segundos: number;
            /** metros */
            metros: number;
            /** com ao menos uma parada */
            entregadores: number;
            /** entregas sem lugar */
            fora: number;
          };
          depois: {
            /** segundos, somados */
            atraso: number;
            /** entregas que chegariam atrasadas */
            atrasadas: number;
            /** dos entregadores no caminho */
            segundos: number;
            /** metros */
            metros: number;
            /** com ao menos uma parada */
            entregadores: number;
            /** entregas sem lugar */
            fora: number;
          };
          /** pelos pesos, em segundos de caminho */
          custo: number;
          iteracoes: number;
        } | null;
      };
    };
    /** Acompanhar o cálculo de um plano. */
    'GET /planos/{id}/eventos': {
      given: { id: number | string };
      answer: Planos;
    };
    /** Aplicar um plano. */
    'POST /planos/{id}/aplicar': {
      given: {
        id: number | string;
        body?: {
          entregadores?: Array<number | string> | undefined;
          modo?: 'oferta' | 'atribuicao' | undefined;
        };
      };
      answer: {
        id: string;
        /** ISO 8601 em UTC */
        desfazer_ate: string;
        aplicadas: Array<{
          entrega: string;
          condutor: {
            id: string;
            nome: string;
          };
          status: 'D' | 'G' | 'A' | 'S' | 'E' | 'F' | 'N' | 'C' | 'P' | 'L';
        }>;
        /** o que não cabe mais, e por quê */
        recusadas: Array<{
          entrega: string;
          condutor: {
            id: string;
            nome: string;
          };
          motivo:
            | 'encerrada'
            | 'com_outro'
            | 'aguarda_liberacao'
            | 'agrupada'
            | 'iniciada'
            | 'alterada'
            | 'janela_perdida'
            | 'entregador_fora_de_servico'
            | 'entregador_inativo'
            | 'entregador_nao_atende'
            | 'entregador_com_outra';
          texto: string;
        }>;
      };
    };
    /** Desfazer um plano aplicado. */
    'POST /planos/{id}/desfazer': {
      given: { id: number | string };
      answer: {
        id: string;
        desfeitas: Array<string>;
        mantidas: Array<{
          entrega: string;
          motivo: 'iniciada' | 'aceita' | 'mudou';
          texto: string;
        }>;
      };
    };
  };
}

/** Operations that are sent by POST and change nothing, so that they need no Idempotency-Key. */
export const questions: readonly string[] = [
  'POST /api/v2/integracao/entregas/empresas/{id}/estimativas',
  'POST /api/v2/integracao/entregas/consultar',
  'POST /api/v2/integracao/entregas/status',
  'POST /api/v2/integracao/entregas/estimativas',
  'POST /api/v2/operacao/estimativas',
  'POST /api/v2/operacao/rotas',
  'POST /api/v2/operacao/enderecos/buscar',
  'POST /api/v2/operacao/enderecos/localizar',
  'POST /api/v2/operacao/enderecos/reverso',
  'POST /api/v2/operacao/enderecos/conhecidos',
  'POST /api/v2/operacao/destinatarios/buscar',
  'POST /api/v2/operacao/entregas/{id}/paradas/previa',
  'POST /api/v2/operacao/condutores/{id}/posicao',
  'POST /api/v2/operacao/condutores/posicoes',
  'POST /api/v2/operacao/empresas/{id}/fechamentos/simular',
  'POST /api/v2/operacao/condutores/{id}/fechamentos/simular',
  'POST /api/v2/operacao/programadas/{id}/simular-agrupamento',
  'POST /api/v2/operacao/entregas/consultar',
  'POST /api/v2/operacao/entregas/exportar',
  'POST /api/v2/operacao/programadas/consultar',
  'POST /api/v2/operacao/programadas/exportar',
  'POST /api/v2/operacao/condutores/consultar',
  'POST /api/v2/operacao/condutores/exportar',
  'POST /api/v2/operacao/empresas/consultar',
  'POST /api/v2/operacao/empresas/exportar',
  'POST /api/v2/operacao/carteiras/lancamentos/consultar',
  'POST /api/v2/operacao/carteiras/lancamentos/exportar',
  'POST /api/v2/operacao/condutores/lancamentos/consultar',
  'POST /api/v2/operacao/condutores/lancamentos/exportar',
  'POST /api/v2/operacao/empresas/lancamentos/consultar',
  'POST /api/v2/operacao/empresas/lancamentos/exportar',
  'POST /api/v2/operacao/entregas/{id}/simular-agrupamento',
];
