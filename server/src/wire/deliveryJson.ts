import type { Static } from 'typebox';
import Type from 'typebox';
import { paymentCode, queryStatusCode } from './codes.ts';
import { nullable } from './values.ts';

const driver = { id: '3', name: 'Carlos Lima', phone: '51999990003' };

/** A finished delivery of a company, as contract 2.1 shows it. */
export const deliveryExample: Static<typeof DeliverySchema> = {
  id: '1042',
  data_hora_solicitacao: '2026-11-16 12:00:00',
  data_hora_solicitacao_utc: '2026-11-16T15:00:00Z',
  data_hora_chegada_local: '2026-11-16 12:09:41',
  data_hora_chegada_local_utc: '2026-11-16T15:09:41Z',
  data_hora_aceite: '2026-11-16 12:01:12',
  data_hora_aceite_utc: '2026-11-16T15:01:12Z',
  data_hora_finalizacao: '2026-11-16 12:31:05',
  data_hora_finalizacao_utc: '2026-11-16T15:31:05Z',
  data_hora_cancelamento: null,
  data_hora_cancelamento_utc: null,
  data_hora_pendencia: null,
  data_hora_pendencia_utc: null,
  status_solicitacao: 'F',
  cliente_id: '1',
  nome_passageiro: 'Padaria Moinhos',
  empresa_id: '1',
  bandeira_chamada_id: '1',
  bandeira_configuracao_id: '1',
  distancia_coleta_km: '1.84',
  valor_corrida: '15.29',
  condutor_especificado: false,
  com_retorno: false,
  taxista_id: driver.id,
  nome_taxista: driver.name,
  telefone_taxista: driver.phone,
  veiculo: 'Honda Biz',
  placa_veiculo: 'IXC3D45',
  cor_veiculo: 'branca',
  duracao_corrida: '00:19:22',
  distancia_percorrida_km: '4.31',
  data_hora_inicio: '2026-11-16T15:11:43Z',
  tipo_pagamento: 'D',
  desconto: '10.00',
  tarifa: 'Moto padrão',
  id_categoria: '1',
  categoria: 'Moto',
  descricao_categoria: 'Entregas de moto, até 10 kg',
  nome_cliente: 'Padaria Moinhos',
  taxas_cancelamento: null,
  paradas: [
    {
      id: '2077',
      endereco: 'Avenida Ipiranga, 1200',
      complemento: 'sala 4',
      bairro: 'Azenha',
      cidade: 'Porto Alegre',
      uf: 'RS',
      lat: '-30.0489',
      lng: '-51.2158',
      ordem: 0,
      numero_pedido: 'A-1',
    },
  ],
  condutor_id: driver.id,
  nome_condutor: driver.name,
  telefone_condutor: driver.phone,
  telefone_condutor_internacional: `+55${driver.phone}`,
  partida: {
    endereco: 'Rua dos Andradas, 1001',
    complemento: null,
    referencia: null,
    bairro: 'Centro Histórico',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: '-30.0305',
    lng: '-51.2303',
  },
  desejado: null,
  cnpj_cpf_empresa: '11222333000181',
  codigo_cupom: 'DEMO10',
  gerador_cupom_id: '1',
};

// Contract 2.1 and 2.3, written by PostgreSQL itself: a page of a hundred deliveries is passed through as
// text instead of being parsed, mapped and written again here (measured: three times the pages a second).
// The contract tests check these texts against the schema below.

const text = Type.String();
export const localTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' });
export const utcTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' });
export const decimal = Type.String({ pattern: '^-?\\d+\\.\\d+$' });
export const degrees = Type.String({ pattern: '^-?\\d+\\.\\d+$', description: 'decimal' });

export const StopSchema = Type.Object({
  id: text,
  endereco: text,
  complemento: text,
  bairro: text,
  cidade: text,
  uf: text,
  lat: degrees,
  lng: degrees,
  ordem: Type.Integer({ minimum: 0 }),
  numero_pedido: text,
});

export const DeliverySchema = Type.Object({
  id: text,
  data_hora_solicitacao: localTime,
  data_hora_solicitacao_utc: utcTime,
  data_hora_chegada_local: nullable(localTime),
  data_hora_chegada_local_utc: nullable(utcTime),
  data_hora_aceite: nullable(localTime),
  data_hora_aceite_utc: nullable(utcTime),
  data_hora_finalizacao: nullable(localTime),
  data_hora_finalizacao_utc: nullable(utcTime),
  data_hora_cancelamento: nullable(localTime),
  data_hora_cancelamento_utc: nullable(utcTime),
  data_hora_pendencia: nullable(localTime),
  data_hora_pendencia_utc: nullable(utcTime),
  status_solicitacao: Type.Enum(['D', 'G', 'A', 'E', 'F', 'N', 'C', 'P']),
  cliente_id: text,
  nome_passageiro: text,
  empresa_id: nullable(text),
  bandeira_chamada_id: text,
  bandeira_configuracao_id: text,
  distancia_coleta_km: decimal,
  valor_corrida: decimal,
  condutor_especificado: Type.Boolean(),
  com_retorno: Type.Boolean(),
  taxista_id: text,
  nome_taxista: text,
  telefone_taxista: text,
  veiculo: text,
  placa_veiculo: text,
  cor_veiculo: nullable(text),
  duracao_corrida: text,
  distancia_percorrida_km: decimal,
  data_hora_inicio: nullable(utcTime),
  tipo_pagamento: Type.Enum(Object.values(paymentCode)),
  desconto: decimal,
  tarifa: text,
  id_categoria: text,
  categoria: text,
  descricao_categoria: text,
  nome_cliente: text,
  cpf_cliente: Type.Optional(text),
  cnpj_cpf_empresa: Type.Optional(text),
  codigo_cupom: Type.Optional(text),
  gerador_cupom_id: Type.Optional(text),
  taxas_cancelamento: nullable(decimal),
  paradas: Type.Array(StopSchema),
  condutor_id: text,
  nome_condutor: text,
  telefone_condutor: text,
  telefone_condutor_internacional: text,
  partida: Type.Object({
    endereco: text,
    complemento: nullable(text),
    referencia: nullable(text),
    bairro: text,
    cidade: text,
    estado: text,
    lat: degrees,
    lng: degrees,
  }),
  desejado: nullable(
    Type.Object({ endereco: text, bairro: text, cidade: text, estado: text, lat: degrees, lng: degrees }),
  ),
});

const local = (column: string, zone: string) =>
  `to_char(${column} at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS')`;
const utc = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
const moment = (column: string, name: string, zone: string) =>
  `${local(column, zone)} as ${name}, ${utc(column)} as ${name}_utc`;
/** The price of a grouped delivery is part of its carrier's, so that a sum counts it once. */
const OWN_PRICE = 'case when d.grouped_into is null then d.net_cents else 0 end';

export const money = (cents: string) => `trim(to_char(${cents} / 100.0, 'FM999999999990.00'))`;
const km = (metres: string) => `trim(to_char(${metres} / 1000.0, 'FM999999990.00'))`;
/** A plain decimal with a point, also for degrees near 0, which PostgreSQL would write as 1e-05. */
export const degreesText = (column: string) =>
  `case when ${column} = trunc(${column}) then trunc(${column})::integer || '.0'
     when abs(${column}) < 0.001 then trim_scale(${column}::numeric)::text else ${column}::text end`;
/** Computed from seconds, because an interval has days, whose hours start again at 0. */
const duration = (from: string, to: string) =>
  `to_char(make_interval(secs => coalesce(floor(extract(epoch from ${to} - ${from})), 0)), 'HH24:MI:SS')`;
export const letter = (column: string, codes: Readonly<Record<string, string>>) =>
  `case ${column} ${Object.entries(codes)
    .map(([word, code]) => `when '${word}' then '${code}'`)
    .join(' ')} end`;

/** The registers that the JSON of a delivery `d` contains, by their aliases in the SQL below. */
const REGISTERS = {
  customer: 'customers',
  category: 'categories',
  tariff: 'tariffs',
  company: 'companies',
  driver: 'drivers',
  coupon: 'coupons',
} as const;
const registers = Object.entries(REGISTERS);
const versionOf = (name: string) => `'${name} ' || ${name}.id || ' ' || ${name}.xmin`;
const STOP_VERSIONS = `string_agg(s.xmin::text, ' ' order by s.position)`;

/**
 * One row with the versions of all rows that the JSON is made from (see rowTexts.ts), each list separated by commas:
 * `deliveries` in the order of `page` (id, version), `stops` (id of the delivery, versions), `registers` (name, id,
 * version). `page` gives the ids and requested_at of deliveries of the central $1, newest first.
 *
 * Stops and registers are read as sets: joins row by row took four times as long.
 */
export const deliveryVersions = (page: string) => `
  with page as materialized (${page}),
  d as materialized (
    select d.id, d.xmin, d.requested_at, ${registers.map(([name]) => `d.${name}_id`).join(', ')}
    from page join deliveries d on d.central_id = $1 and d.id = page.id)
  select
    (select string_agg(d.id || ' ' || d.xmin, ',' order by d.requested_at desc, d.id desc) from d) as deliveries,
    (select string_agg(stop.delivery_id || ' ' || stop.versions, ',') from (
      select s.delivery_id, ${STOP_VERSIONS} as versions from stops s
      where s.central_id = $1 and s.delivery_id = any(array(select id from page)) group by s.delivery_id) stop) as stops,
    (select string_agg(register.version, ',') from (
      ${registers
        .map(
          ([name, table]) => `select ${versionOf(name)} as version from ${table} ${name}
      where ${name}.central_id = $1 and ${name}.id = any(array(select distinct d.${name}_id from d))`,
        )
        .join('\n      union all ')}) register) as registers`;

/**
 * Deliveries as JSON texts, with the versions of the rows they were made from. $1 to $3 are the central, its time zone
 * and the ids; the caller may add conditions on `d`. Fields that the contract shows only sometimes are concatenated,
 * because a row has either all of its columns or none.
 */
export const deliveryDocuments = `
  select d.id, d.xmin::text as version, stops.versions as stops,
  concat_ws(',', ${registers.map(([name]) => versionOf(name)).join(', ')}) as registers,
  left(row_to_json(fields)::text, -1)
  || case when d.company_id is null
       then ',"cpf_cliente":' || to_json(coalesce(customer.cpf, '***')) else ',"cnpj_cpf_empresa":' || to_json(company.document) end
  || case when d.coupon_id is null then ''
       else ',"codigo_cupom":' || to_json(coupon.code) || ',"gerador_cupom_id":' || to_json(coupon.generator_id) end
  || '}' as document
  from deliveries d
  join customers customer on customer.central_id = $1 and customer.id = d.customer_id
  join categories category on category.central_id = $1 and category.id = d.category_id
  join tariffs tariff on tariff.central_id = $1 and tariff.id = d.tariff_id
  left join companies company on company.central_id = $1 and company.id = d.company_id
  left join drivers driver on driver.central_id = $1 and driver.id = d.driver_id
  left join coupons coupon on coupon.central_id = $1 and coupon.id = d.coupon_id
  cross join lateral (
    select ${STOP_VERSIONS} as versions, json_agg(json_build_object(
        'id', s.id::text, 'endereco', s.address, 'complemento', coalesce(s.complement, ''),
        'bairro', s.district, 'cidade', s.city, 'uf', s.state, 'lat', ${degreesText('s.lat')}, 'lng', ${degreesText('s.lng')},
        'ordem', s.position, 'numero_pedido', coalesce(s.order_number, '')) order by s.position) as documents
    from stops s where s.central_id = $1 and s.delivery_id = d.id
  ) stops
  cross join lateral (select
    d.id::text as id,
    ${moment('d.requested_at', 'data_hora_solicitacao', '$2')},
    ${moment('d.arrived_at', 'data_hora_chegada_local', '$2')},
    ${moment('d.accepted_at', 'data_hora_aceite', '$2')},
    ${moment('d.finished_at', 'data_hora_finalizacao', '$2')},
    ${moment('d.cancelled_at', 'data_hora_cancelamento', '$2')},
    ${moment('d.pending_at', 'data_hora_pendencia', '$2')},
    ${letter('d.status', queryStatusCode)} as status_solicitacao,
    d.customer_id::text as cliente_id,
    customer.name as nome_passageiro,
    d.company_id::text as empresa_id,
    d.central_id::text as bandeira_chamada_id,
    d.central_id::text as bandeira_configuracao_id,
    ${km('d.driver_to_pickup_metres')} as distancia_coleta_km,
    ${money(OWN_PRICE)} as valor_corrida,
    d.driver_specified as condutor_especificado,
    d.has_return as com_retorno,
    coalesce(d.driver_id::text, '') as taxista_id,
    coalesce(driver.name, '') as nome_taxista,
    coalesce(driver.phone, '') as telefone_taxista,
    coalesce(driver.vehicle, '') as veiculo,
    coalesce(driver.plate, '') as placa_veiculo,
    driver.color as cor_veiculo,
    ${duration('d.started_at', 'd.finished_at')} as duracao_corrida,
    ${km('d.travelled_metres')} as distancia_percorrida_km,
    ${utc('d.started_at')} as data_hora_inicio,
    ${letter('d.payment', paymentCode)} as tipo_pagamento,
    d.discount_percent::text as desconto,
    tariff.name as tarifa,
    d.category_id::text as id_categoria,
    category.name as categoria,
    category.description as descricao_categoria,
    customer.name as nome_cliente,
    ${money('d.cancellation_fee_cents')} as taxas_cancelamento,
    coalesce(stops.documents, '[]') as paradas,
    coalesce(d.driver_id::text, '') as condutor_id,
    coalesce(driver.name, '') as nome_condutor,
    coalesce(driver.phone, '') as telefone_condutor,
    coalesce('+55' || driver.phone, '') as telefone_condutor_internacional,
    json_build_object('endereco', d.pickup_address, 'complemento', d.pickup_complement,
      'referencia', d.pickup_reference, 'bairro', d.pickup_district, 'cidade', d.pickup_city,
      'estado', d.pickup_state, 'lat', ${degreesText('d.pickup_lat')}, 'lng', ${degreesText('d.pickup_lng')}) as partida,
    case when d.has_return then json_build_object('endereco', d.pickup_address, 'bairro', d.pickup_district,
      'cidade', d.pickup_city, 'estado', d.pickup_state,
      'lat', ${degreesText('d.pickup_lat')}, 'lng', ${degreesText('d.pickup_lng')}) end as desejado
  ) fields
  where d.central_id = $1 and d.id = any($3::bigint[])`;
