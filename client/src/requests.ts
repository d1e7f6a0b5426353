// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

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

export type AgruparProgramadasCorpo = {
  /** entregas programadas a agrupar */
  programadas_agrupadas: Array<number>;
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
    /** latitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
    lat?: string | undefined;
    /** longitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
    lng?: string | undefined;
    complemento?: string | null | undefined;
    cidade?: string | null | undefined;
    estado?: string | null | undefined;
    referencia?: string | null | undefined;
  };
  paradas: Array<{
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
    exigencias?:
      | {
          entregar_de?: string | null | undefined;
          entregar_ate?: string | null | undefined;
          janela_obrigatoria?: boolean | null | undefined;
          minutos_parada?: number | null | undefined;
          peso_kg?: number | null | undefined;
          volume_litros?: number | null | undefined;
          pacotes?: number | null | undefined;
        }
      | undefined;
  }>;
  exigencias?:
    | {
        pronto_em?: string | null | undefined;
        minutos_coleta?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
        prioridade?: number | null | undefined;
      }
    | undefined;
};

export type ConsultarEntregasCorpo = {
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

export type RecarregarCreditosCorpo = {
  valor: number;
  observacao?: string | null | undefined;
  empresa: {
    /** F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador */
    tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
    /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
    identificacao: string;
  };
};

export type AgruparProgramadasEmEntregaCorpo = {
  /** entregas programadas a agrupar */
  programadas_agrupadas: Array<number>;
  /** entregas em andamento a agrupar também */
  solicitacoes_agrupadas?: Array<number> | undefined;
};

export type AgruparEntregasCorpo = {
  /** entregas em andamento a agrupar */
  solicitacoes_agrupadas: Array<number>;
};

export type CancelarEntregaCorpo = {
  /** motivo do cancelamento */
  motivo_id: number;
};

export type ListarProgramadasConsulta = {
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
    /** latitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
    lat?: string | undefined;
    /** longitude decimal em texto; pode faltar, junto com a outra coordenada, quando a central tem endereços importados ou um serviço que os encontra */
    lng?: string | undefined;
    complemento?: string | null | undefined;
    cidade?: string | null | undefined;
    estado?: string | null | undefined;
    referencia?: string | null | undefined;
  };
  paradas: Array<{
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
    exigencias?:
      | {
          entregar_de?: string | null | undefined;
          entregar_ate?: string | null | undefined;
          janela_obrigatoria?: boolean | null | undefined;
          minutos_parada?: number | null | undefined;
          peso_kg?: number | null | undefined;
          volume_litros?: number | null | undefined;
          pacotes?: number | null | undefined;
        }
      | undefined;
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
  exigencias?:
    | {
        pronto_em?: string | null | undefined;
        minutos_coleta?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
        prioridade?: number | null | undefined;
      }
    | undefined;
  /** a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido */
  id_externo?: string | null | undefined;
  /** cotação cujo preço e rota valem para este pedido */
  cotacao_id?: string | null | undefined;
};

export type ObterSaldoConsulta = {
  /** F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador */
  tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
  /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
  identificacao: string;
};

export type CriarEntregaCorpo = {
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: {
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
  paradas: Array<{
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
    exigencias?:
      | {
          entregar_de?: string | null | undefined;
          entregar_ate?: string | null | undefined;
          janela_obrigatoria?: boolean | null | undefined;
          minutos_parada?: number | null | undefined;
          peso_kg?: number | null | undefined;
          volume_litros?: number | null | undefined;
          pacotes?: number | null | undefined;
        }
      | undefined;
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
  exigencias?:
    | {
        pronto_em?: string | null | undefined;
        minutos_coleta?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
        prioridade?: number | null | undefined;
      }
    | undefined;
  /** a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido */
  id_externo?: string | null | undefined;
  /** cotação cujo preço e rota valem para este pedido */
  cotacao_id?: string | null | undefined;
};

export type CriarEntregasEmLoteCorpo = {
  entregas: Array<{
    /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
    forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
    partida: {
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
    paradas: Array<{
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
      exigencias?:
        | {
            entregar_de?: string | null | undefined;
            entregar_ate?: string | null | undefined;
            janela_obrigatoria?: boolean | null | undefined;
            minutos_parada?: number | null | undefined;
            peso_kg?: number | null | undefined;
            volume_litros?: number | null | undefined;
            pacotes?: number | null | undefined;
          }
        | undefined;
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
    exigencias?:
      | {
          pronto_em?: string | null | undefined;
          minutos_coleta?: number | null | undefined;
          equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
          prioridade?: number | null | undefined;
        }
      | undefined;
    /** a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido */
    id_externo?: string | null | undefined;
    /** cotação cujo preço e rota valem para este pedido */
    cotacao_id?: string | null | undefined;
  }>;
  /** com true, um item recusado recusa todos e nada é gravado; padrão false */
  tudo_ou_nada?: boolean | undefined;
};

export type CriarProgramadasEmLoteCorpo = {
  entregas: Array<{
    /** data do disparo, DD/MM/AAAA */
    data: string;
    /** hora do disparo, HH:MM:SS */
    hora: string;
    /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
    forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
    partida: {
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
    paradas: Array<{
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
      exigencias?:
        | {
            entregar_de?: string | null | undefined;
            entregar_ate?: string | null | undefined;
            janela_obrigatoria?: boolean | null | undefined;
            minutos_parada?: number | null | undefined;
            peso_kg?: number | null | undefined;
            volume_litros?: number | null | undefined;
            pacotes?: number | null | undefined;
          }
        | undefined;
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
    exigencias?:
      | {
          pronto_em?: string | null | undefined;
          minutos_coleta?: number | null | undefined;
          equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
          prioridade?: number | null | undefined;
        }
      | undefined;
    /** a sua chave deste pedido, única na empresa: criar de novo com ela não cria outro pedido */
    id_externo?: string | null | undefined;
    /** cotação cujo preço e rota valem para este pedido */
    cotacao_id?: string | null | undefined;
  }>;
  /** com true, um item recusado recusa todos e nada é gravado; padrão false */
  tudo_ou_nada?: boolean | undefined;
};

export type ObterStatusEmLoteCorpo = {
  /** ids das entregas */
  ids: Array<number>;
};

export type CancelarEntregasEmLoteCorpo = {
  /** ids das entregas */
  ids: Array<number>;
  /** motivo do cancelamento */
  motivo_id: number;
};

export type CancelarProgramadasEmLoteCorpo = {
  /** ids das entregas */
  ids: Array<number>;
};

export type CriarCotacaoCorpo = {
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento?: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R' | undefined;
  partida: {
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
  paradas?:
    | Array<{
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
        exigencias?:
          | {
              entregar_de?: string | null | undefined;
              entregar_ate?: string | null | undefined;
              janela_obrigatoria?: boolean | null | undefined;
              minutos_parada?: number | null | undefined;
              peso_kg?: number | null | undefined;
              volume_litros?: number | null | undefined;
              pacotes?: number | null | undefined;
            }
          | undefined;
      }>
    | undefined;
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
  exigencias?:
    | {
        pronto_em?: string | null | undefined;
        minutos_coleta?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
        prioridade?: number | null | undefined;
      }
    | undefined;
  destino?:
    | {
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
      }
    | undefined;
  /** data do disparo, DD/MM/AAAA */
  data?: string | undefined;
  /** hora do disparo, HH:MM:SS */
  hora?: string | undefined;
};

export type EstimarEntregaSemEmpresaCorpo = {
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

export type EditarEntregaCorpo = {
  /** D dinheiro, B débito, C crédito, X Pix, P aplicativo, H mensagens, F faturado, R créditos */
  forma_pagamento: 'D' | 'B' | 'C' | 'X' | 'P' | 'H' | 'F' | 'R';
  partida: {
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
  paradas: Array<{
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
    exigencias?:
      | {
          entregar_de?: string | null | undefined;
          entregar_ate?: string | null | undefined;
          janela_obrigatoria?: boolean | null | undefined;
          minutos_parada?: number | null | undefined;
          peso_kg?: number | null | undefined;
          volume_litros?: number | null | undefined;
          pacotes?: number | null | undefined;
        }
      | undefined;
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
  exigencias?:
    | {
        pronto_em?: string | null | undefined;
        minutos_coleta?: number | null | undefined;
        equipamentos?: Array<'bag_termica' | 'bau' | 'bau_termico'> | null | undefined;
        prioridade?: number | null | undefined;
      }
    | undefined;
};

export type ObterEntregaPorIdExternoConsulta = {
  /** de qual empresa; 0: sem empresa */
  empresa_id?: number | undefined;
};

export type ObterProgramadaPorIdExternoConsulta = {
  /** de qual empresa; 0: sem empresa */
  empresa_id?: number | undefined;
};

export type SacarCreditosCorpo = {
  valor: number;
  observacao?: string | null | undefined;
  empresa: {
    /** F CPF, J CNPJ, T telefone da empresa ou de condutor que atende só a ela, C número do contrato, I identificador */
    tipo_identificacao: 'F' | 'J' | 'T' | 'C' | 'I';
    /** valor conforme o tipo; CPF, CNPJ e telefone com ou sem pontuação */
    identificacao: string;
  };
};

export type ListarWebhooksConsulta = {
  /** página, a partir de 1 */
  pagina?: number | undefined;
  /** registros por página; padrão 20 */
  limite?: number | undefined;
};

export type CriarWebhookCorpo = {
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

export type AlterarWebhookCorpo = {
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

export type TestarWebhookCorpo = {
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

export type ListarEnviosConsulta = {
  /** página, a partir de 1 */
  pagina?: number | undefined;
  /** registros por página; padrão 20 */
  limite?: number | undefined;
};

export type ReenviarEnviosCorpo = {
  /** ISO 8601 com fuso */
  de: string;
  /** ISO 8601 com fuso */
  ate: string;
  /** apenas os que falharam; padrão false */
  somente_falhas?: boolean | undefined;
};

export type AdiantarRelogioCorpo = {
  /** o relógio só anda para a frente, até 31 dias de cada vez */
  avancar_minutos: number;
};

export type TestarEventosCorpo = {
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

export type ListarRequisicoesConsulta = {
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
