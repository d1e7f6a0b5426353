import {
  anything,
  boolean,
  date,
  decimal,
  filled,
  idText,
  integer,
  list,
  local,
  money,
  number,
  object,
  objectOrNull,
  oneOf,
  only,
  optional,
  orNull,
  type Shape,
  text,
  time,
  url,
  utc,
} from './shapes.ts';

/** Contract 2.5. The query never returns S. */
const QUERY_STATUSES = ['D', 'G', 'A', 'E', 'F', 'N', 'C', 'P'] as const;
export const STATUSES = [...QUERY_STATUSES, 'S'] as const;
export const STATUS_FILTERS = ['D', 'G', 'A', 'E', 'F', 'N', 'C', 'P', 'L'] as const;
export const PAYMENTS = ['D', 'V', 'T', 'W', 'C', 'B', 'A', 'X', 'P', 'H', 'R', 'F'] as const;

/** Each local time has a copy in UTC. */
export const TIMES = [
  'data_hora_solicitacao',
  'data_hora_chegada_local',
  'data_hora_aceite',
  'data_hora_finalizacao',
  'data_hora_cancelamento',
  'data_hora_pendencia',
] as const;

const [orderedAt, ...laterTimes] = TIMES;
const times: Record<string, Shape> = {
  [orderedAt]: local,
  [`${orderedAt}_utc`]: utc,
  ...Object.fromEntries(
    laterTimes.flatMap((name) => [
      [name, orNull(local)],
      [`${name}_utc`, orNull(utc)],
    ]),
  ),
};

const place = { endereco: filled, bairro: text, cidade: text, estado: text, lat: decimal, lng: decimal };

const stop = object({
  id: idText,
  endereco: filled,
  complemento: text,
  bairro: text,
  cidade: text,
  uf: text,
  lat: decimal,
  lng: decimal,
  ordem: integer,
  numero_pedido: text,
});

/** Contract 2.1. */
export const delivery = object({
  id: idText,
  ...times,
  status_solicitacao: oneOf(...QUERY_STATUSES),
  cliente_id: text,
  nome_passageiro: text,
  empresa_id: orNull(idText),
  bandeira_chamada_id: filled,
  bandeira_configuracao_id: filled,
  distancia_coleta_km: decimal,
  valor_corrida: money,
  condutor_especificado: boolean,
  com_retorno: boolean,
  taxista_id: text,
  nome_taxista: text,
  telefone_taxista: text,
  veiculo: text,
  placa_veiculo: text,
  cor_veiculo: orNull(text),
  duracao_corrida: text,
  distancia_percorrida_km: decimal,
  data_hora_inicio: orNull(utc),
  tipo_pagamento: oneOf(...PAYMENTS),
  desconto: decimal,
  tarifa: text,
  id_categoria: filled,
  categoria: filled,
  descricao_categoria: text,
  nome_cliente: text,
  cpf_cliente: only('empresa_id is null', (parent) => parent.empresa_id === null, text),
  cnpj_cpf_empresa: only('empresa_id is set', (parent) => parent.empresa_id !== null, text),
  codigo_cupom: optional(filled),
  gerador_cupom_id: optional(text),
  taxas_cancelamento: anything,
  paradas: list(stop),
  condutor_id: text,
  nome_condutor: text,
  telefone_condutor: text,
  telefone_condutor_internacional: text,
  partida: object({ ...place, complemento: orNull(text), referencia: orNull(text) }),
  desejado: objectOrNull(place),
});

/** Contract 2.2 and 2.4. */
export const scheduled = object({
  id_mch_programada: idText,
  situacao: filled,
  situacao_formatada: filled,
  data_previsao_disparo: date,
  hora_previsao_disparo: time,
  id_mch: orNull(idText),
  observacao: orNull(text),
  empresa: object({ id: orNull(idText), nome: orNull(text) }),
  categoria: object({ id: filled, nome: filled }),
  valor: object({ estimado: money, prefixado: orNull(money) }),
  coleta: object({
    endereco: filled,
    complemento: orNull(text),
    referencia: orNull(text),
    bairro: text,
    cidade: text,
    estado: text,
    lat: decimal,
    lng: decimal,
  }),
  paradas: list(
    object({
      id: idText,
      ordem: integer,
      endereco: filled,
      complemento: orNull(text),
      referencia: orNull(text),
      bairro: text,
      cidade: text,
      uf: text,
      lat: decimal,
      lng: decimal,
      numero_pedido: text,
      nome_cliente: text,
      telefone_cliente: text,
      observacao: orNull(text),
    }),
  ),
});

/** Contract 4.1. */
export const estimate = object({
  estimativa_valor: number,
  estimativa_minutos: integer,
  estimativa_km: number,
  categoria_nome: filled,
  tarifa_nome: filled,
  partida: object({ lat: anything, lng: anything }),
  desejado: object({ lat: anything, lng: anything }),
});

const receiptPlace = object({
  endereco: text,
  bairro: text,
  cidade: text,
  estado: text,
  data_hora: orNull(utc),
});

/** Contract 4.10. */
export const receipt = object({
  id_mch: anything,
  condutor: object({ nome: text, telefone: text, modelo: text, placa: text }),
  dados_solicitacao: object({
    valor: money,
    valor_original: money,
    duracao: text,
    distancia: text,
    tarifa: text,
    id_categoria: anything,
    categoria: text,
    descricao_categoria: text,
    desconto: number,
    tipo_pagamento: oneOf(...PAYMENTS),
  }),
  empresa: object({ empresa_id: orNull(text), nome: orNull(text), cpf: orNull(text) }),
  partida: receiptPlace,
  desejado: receiptPlace,
});

/** Contract 4.11. */
export const links = list(
  object({ parada_id: idText, link_rastreio: url, codigo_confirmacao: orNull(integer) }),
);

/** Contract 4.13. */
export const areas = list(object({ id: integer, nome: filled, padrao: boolean }));
